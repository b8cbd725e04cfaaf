//! What a person wants to see of a filesystem; nothing here judges.
//!
//! *Belongs here:* figures and pictures-to-be, made of what `fs` and [`crate::bitmap`] give.
//! *Does not:* colours, words, reading. *May use:* layers 0 to 2.

mod claims;
mod class;
mod deleted;
mod dir_scan;
mod extents;
mod filefrag;
mod fixed;
mod frag_totals;
mod freefrag;
mod group_stats;
mod inode_class;
mod inventory;
mod largest_free;
mod mtimes;
mod names;
mod owner_map;
mod owner_search;
mod path_search;
pub mod profile;
mod survey;
mod sweep;
mod usage;
mod windows;

pub use claims::Claim;
pub use class::{BlockClass, Owner};
pub use deleted::{Deleted, DeletedScan};
pub use extents::{ExtentJoin, FileExtent};
pub use filefrag::{FileFrag, FragCount, Medium};
pub use frag_totals::FragTotals;
pub use freefrag::{FreeExtents, FreeFrag};
pub use group_stats::{BitmapState, BlockStats, GroupStats, InodeStats};
pub use inventory::{Inventory, InventoryScan};
pub use largest_free::LargestFree;
pub use mtimes::Mtimes;
pub use names::{NameScan, Names};
pub use owner_map::OwnerMap;
pub use owner_search::{BlockOwner, OwnerSearch};
pub use path_search::{PathSearch, Paths};
pub use survey::Survey;
pub use sweep::{Sweep, SweepOptions, Swept};
pub use usage::{Share, Usage};
