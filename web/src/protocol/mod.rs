//! What the page and the engine worker say to each other.
//!
//! *Belongs here:* questions, answers, and the bytes they travel as. *Does not:* who asks, who
//! answers, what becomes of it. *May use:* the engine's words and reports.
//!
//! A message is one buffer, moved and not copied between the threads; the `File` of an
//! [`Open`](Request::Open) lies beside it, since only the browser can carry that, and so does the
//! recipe of a scenario in place of one. Opening starts a
//! new [`Epoch`], and an answer of another epoch is dropped, so that nothing of a closed image can
//! appear in the one that followed.

mod backup;
mod check;
mod codec;
mod column;
mod export;
mod files;
mod found;
mod groups;
mod inspect;
mod lesson;
mod map;
mod reply;
mod request;
mod shrink;
mod stats;
#[cfg(test)]
pub(crate) mod testing;
mod whole;

pub use backup::Backup;
pub use check::CheckPart;
pub use codec::{BadMessage, decode, encode, encode_sized};
pub use column::{Column, Word};
pub use export::{
    Export, ExportPart, ExportPlace, NamesTold, PlanTable, ReportFormat, Table, TableFormat,
};
pub use files::{
    BytesOf, DirPart, DirRow, ExtentColumns, ExtentRow, FileDetail, FragRow, NodeRow, Piece,
    Stretch,
};
pub use found::{FoundName, FoundNames};
pub use groups::{GroupColumns, GroupRow};
pub use inspect::{BitmapDetail, BitmapOrigin, GroupDetail};
pub use lesson::{LabOn, LabOrder, LabReport, RaceOrder, StepsOrder, StepsReport, Told};
pub use map::{MapLook, MapOrder, MapPicture, MapPixels, MapTile};
pub use reply::{Activity, OpenStep, Opened, Reply, ReplyMessage};
pub use request::{NextRun, Request, RequestMessage, Sought, SuperblockChoice};
pub use shrink::{BitmapMoves, FileChange, PlanChanges, PlanDetail};
pub use stats::{StatsBatch, StatsColumns};
pub use whole::{BlockDetail, FreeDetail, SurveyDetail};

pub use extscope::analysis::profile::share;
pub use extscope::analysis::{BitmapState, BlockClass, BlockStats, FragTotals, Medium, Share};
pub use extscope::check::{
    CheckOutcome, CheckReport, CheckStep, CheckSteps, ClusterUse, Code, CodeCount, Coverage, Form,
    InodeUse, Mode as CheckMode, Pass, Problem, Reach, Severity, Verdict, coverage,
};
pub use extscope::fs::{
    BitmapKind, BitmapPlace, CsumState, Geometry, NextPart, Part, Parts, split_groups,
};
pub use extscope::io::{KindCount, ReadCount, ReadKind};
pub use extscope::lesson::{
    Act, Bench, BitmapPlaces, Compare, CompareAct, CompareWay, Course, DiskModel, Extents, Flip,
    FormCase, FormCost, FormResult, Lab, Lane, LaneResult, Load, LoadAct, LoadWay, Loaded, Meter,
    Pattern, Question, RaceResult, SPLIT_LIMITS, Sharing, Split, SplitAct, SplitResult, Take,
    Tally, Unwatched, Way,
};
pub use extscope::ondisk::features::FeatureClass;
pub use extscope::ondisk::{BgFlags, FileType};
pub use extscope::report::{
    BlockRange, BlockReport, ClassReport, DeletedReport, DirReport, DiskReport, FeatureReport,
    Field, FieldReport, FieldValue, FragReport, FreeBucket, FreeReport, GroupReport, InfoReport,
    InodeReport, Lead, MapReport, OwnerReport, PartReport, PartitionReport, RecoveryReport,
    Section, StructureReport, SuperblockRole, TimeReport, UsageReport, UserReport, XattrReport,
    flag_names, permissions, type_name,
};
pub use extscope::report::{
    CostReport, EntryReport, FailureReport, FoundSizes, MinimumReport, PhaseReport, RefusalReport,
    ScanTimes, TermReport, WarningReport,
};
pub use extscope::resize::{
    ClusterState, Cost, FileExtent, FileMove, InodeMove, ItableMove, LeftBehind, Like, OwnedMove,
    OwnedPart, Placed, Refusal, Relocation, Request as ShrinkRequest, ShrinkPhase, ShrinkState,
    ShrinkStep, ShrinkSteps, Stream, Target,
};
pub use extscope::scenario::{FileKind, Named as NamedScenario, Recipe, named as named_scenarios};

use serde::{Deserialize, Serialize};

/// The build that this code is of. The page and its workers are files of their own, and a cache may
/// hold some of them longer than others.
pub const BUILD: &str = env!("EXTSCOPE_BUILD");

/// Which opening a message belongs to; each opening has the next number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Epoch(u32);

impl Epoch {
    /// Before anything was opened.
    pub const FIRST: Self = Self(0);

    /// The epoch after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

/// Which question an answer belongs to; counted from the start of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RequestId(u32);

impl RequestId {
    /// The request after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}
