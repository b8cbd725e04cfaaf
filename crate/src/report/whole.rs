//! Everything worth knowing of an image at once, as one report.

use serde::{Deserialize, Serialize};

use super::{ClassReport, FragReport, FreeReport, InfoReport, SpecialReport, UsageReport};
use crate::analysis::FragTotals;

/// Everything worth knowing of an image at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeReport {
    /// What the image is called.
    pub title: String,
    /// What it is.
    pub info: InfoReport,
    /// Its free extents.
    pub free: FreeReport,
    /// What all blocks are.
    pub classes: Vec<ClassReport>,
    /// All files together.
    pub totals: FragTotals,
    /// Blocks that are somebody's and free in the bitmaps.
    pub free_but_owned: u64,
    /// What could not be followed, the first of it, each in words.
    pub faults: Vec<String>,
    /// How much could not be followed.
    pub fault_count: u64,
    /// Where the space went.
    pub usage: UsageReport,
    /// The files that take longest to read for their size.
    pub fragmented: Vec<FragReport>,
    /// The largest files.
    pub largest: Vec<FragReport>,
    /// What the filesystem keeps for itself.
    pub special: SpecialReport,
}
