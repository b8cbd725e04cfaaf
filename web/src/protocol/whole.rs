//! What is said of blocks and of the whole disk.

use serde::{Deserialize, Serialize};

use super::StructureReport;
use super::{
    BlockRange, BlockReport, ClassReport, DeletedReport, FragReport, FragTotals, FreeReport,
    UsageReport,
};

/// A block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockDetail {
    /// What it holds, field by field.
    pub structure: StructureReport,
    /// Whose it is, once all inodes were gone through.
    pub owner: Option<BlockReport>,
    /// Its bytes.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// The free space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreeDetail {
    /// Its figures.
    pub report: FreeReport,
    /// The largest free extents, the longest first.
    pub largest: Vec<BlockRange>,
    /// Bitmaps that could not be had; their groups count as used.
    pub failed: u64,
}

/// How all files lie, and where the space went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyDetail {
    /// All files together.
    pub totals: FragTotals,
    /// Blocks by what they are.
    pub classes: Vec<ClassReport>,
    /// Blocks by user and by directory, the most first.
    pub usage: UsageReport,
    /// The files that take longest to read for their size.
    pub scattered: Vec<FragReport>,
    /// The files with the most blocks.
    pub largest: Vec<FragReport>,
    /// Inodes that were deleted, the last ones first; not all where there are many.
    pub deleted: Vec<DeletedReport>,
    /// How many there are.
    pub deleted_count: u64,
    /// Blocks that are somebody's and free in the bitmaps.
    pub free_but_owned: u64,
    /// Claims on blocks that are claimed more than once.
    pub conflicts: u64,
    /// Places that could not be followed.
    pub faults: u64,
}
