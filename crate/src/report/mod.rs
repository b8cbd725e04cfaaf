//! The answers in the shape that the page and the command line share.
//!
//! *Belongs here:* plain data made for reading by people and programs, the words beside it, and
//! how values are written. *Does not:* finding anything out. *May use:* every other layer.
//! Names of fields are the kernel's; numbers in JSON are bare, with units in the documentation.

mod check_html;
mod deleted;
mod descriptor;
mod dir;
mod disk;
mod extents;
mod features;
mod format;
mod freefrag;
mod groups;
mod html;
mod info;
mod inode;
mod journal;
mod markup;
mod minimum;
mod owner;
mod refusal;
mod shrink;
mod shrink_course;
mod special;
mod structure;
mod superblock;
mod usage;
mod whole;

pub use check_html::{problem_value, severity_name};
pub use deleted::DeletedReport;
pub use descriptor::{descriptor_fields, flag_names};
pub use dir::NameReport;
pub use disk::{DiskReport, PartitionReport};
pub use extents::{ExtentReport, ExtentRows};
pub use features::{FeatureReport, feature_reports};
pub use format::{bytes, escaped, grouped, hex, padded_text, time, uuid};
pub use freefrag::{ChunkReport, FreeBucket, FreeReport};
pub use groups::{BitmapReport, BlockRange, GroupReport, GroupReports, SuperblockRole};
pub use info::{GeometryReport, InfoReport, filesystem_type};
pub use inode::{
    FragReport, InodeReport, MapReport, TimeReport, XattrReport, permissions, type_name,
};
pub use journal::{
    JournalReport, LogKind, LogReport, RecoveryReport, TagReport, TransactionReport,
};
pub use markup::Plain;
pub use minimum::{FoundSizes, MinimumReport, TermReport};
pub use owner::{BlockReport, ClassReport, OwnerReport};
pub use refusal::{FailureReport, RefusalReport};
pub use shrink::{
    ChangesReport, EntryReport, GroupChange, InodeChange, MapChange, ShrinkReport, SuperblockChange,
};
pub use shrink_course::{CostReport, PhaseReport, ScanTimes, WarningReport};
pub use special::{MmpReport, QuotaEntryReport, QuotaReport, ReservedGdtReport, SpecialReport};
pub use structure::{FieldReport, Lead, PartReport, StructureReport};
pub use superblock::{ByName, Field, FieldValue, Section, superblock_fields};
pub use usage::{DirReport, UsageReport, UserReport};
pub use whole::{WholeReport, WholeScan};
