//! What is said of making the filesystem smaller.

use extscope::units::Ino;
use serde::{Deserialize, Serialize};

use super::{
    CostReport, EntryReport, FailureReport, FileExtent, FileMove, InodeMove, ItableMove, OwnedMove,
    PhaseReport, RefusalReport, ScanTimes, ShrinkRequest, Stream, WarningReport,
};

/// What resize2fs would do. Sizes are blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanDetail {
    /// What it was asked for. With `-f` where it refuses without, so that a plan can be seen.
    pub request: ShrinkRequest,
    /// The length of the file afterwards.
    pub requested_blocks: u64,
    /// The size afterwards; `None` when it does not come to that.
    pub final_blocks: Option<u64>,
    /// Why the tool does not begin without `-f`; it stops at the first.
    pub refused: Vec<RefusalReport>,
    /// Why it ends early.
    pub failure: Option<FailureReport>,
    /// Faults of the tool that it runs into.
    pub warnings: Vec<WarningReport>,
    /// What changes, where it comes to that.
    pub changes: Option<Box<PlanChanges>>,
}

/// What changes. Of long lists the first part; the counts are of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanChanges {
    /// The phases, in the tool's order.
    pub phases: Vec<PhaseReport>,
    /// What it costs.
    pub cost: CostReport,
    /// What its scans of bitmaps cost here.
    pub scans: ScanTimes,
    /// Free blocks afterwards.
    pub free_blocks: u64,
    /// Blocks kept for the privileged user afterwards.
    pub reserved_blocks: u64,
    /// Free inodes afterwards.
    pub free_inodes: u32,
    /// Groups that go.
    pub dropped_groups: u32,
    /// How full each part of the old disk is before, in 255ths.
    #[serde(with = "serde_bytes")]
    pub before: Vec<u8>,
    /// And after.
    #[serde(with = "serde_bytes")]
    pub after: Vec<u8>,
    /// What moves, drawn to scale, the largest first.
    pub streams: Vec<Stream>,
    /// The files of which anything moves, those with the most blocks first.
    pub files: Vec<FileMove>,
    /// How many files these are, directories among them.
    pub file_count: u64,
    /// How many of them are directories.
    pub dir_count: u64,
    /// Blocks of directories that move.
    pub dir_blocks: u64,
    /// Runs of blocks that move, in the tool's order.
    pub moves: Vec<OwnedMove>,
    /// How many runs these are.
    pub move_count: u64,
    /// Blocks that move.
    pub moved_blocks: u64,
    /// Inodes that get another number.
    pub inode_moves: Vec<InodeMove>,
    /// How many inodes these are.
    pub inode_count: u64,
    /// Directory entries that are rewritten.
    pub entries: Vec<EntryReport>,
    /// How many entries these are.
    pub entry_count: u64,
    /// Inode tables that move.
    pub itable_moves: Vec<ItableMove>,
    /// Bitmaps that get another place.
    pub bitmap_moves: BitmapMoves,
    /// Where files lie, in order of their inodes.
    pub changed: Vec<FileChange>,
}

/// How many bitmaps get another place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitmapMoves {
    /// Block bitmaps.
    pub of_blocks: u64,
    /// Inode bitmaps.
    pub of_inodes: u64,
}

/// Where a file lies before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Its number before.
    pub ino: Ino,
    /// Its number after.
    pub new_ino: Ino,
    /// Its extents before; of many the first part.
    pub before: Vec<FileExtent>,
    /// How many there are before.
    pub before_count: u64,
    /// Its extents after; of many the first part.
    pub after: Vec<FileExtent>,
    /// How many there are after.
    pub after_count: u64,
}

impl PlanChanges {
    /// Where a file lies before and after, as far as that is told.
    #[must_use]
    pub fn file(&self, ino: Ino) -> Option<&FileChange> {
        let at = self.changed.binary_search_by_key(&ino, |file| file.ino).ok()?;
        self.changed.get(at)
    }
}
