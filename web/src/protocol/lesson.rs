//! What a race of the lessons is run on, and what is tried in the lab.

use serde::{Deserialize, Serialize};

use super::{Bench, CheckReport, GroupDetail, Lab};

/// A bitmap, and how many free inodes are to be found in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceOrder {
    /// The bytes: bit `n` is bit `n % 8` of byte `n / 8`.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    /// Bits that stand for something.
    pub bits: u32,
    /// Inodes of a group.
    pub inodes_per_group: u32,
    /// Inodes to be found, one after another.
    pub wanted: u32,
}

/// The filesystem that things are tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LabOn {
    /// A made-up one.
    Bench(Bench),
    /// The open image, where it is small.
    Image,
}

impl LabOn {
    /// All of them, the made-up ones first.
    pub const ALL: [Self; 4] = [
        Self::Bench(Bench::Checksums),
        Self::Bench(Bench::Clusters),
        Self::Bench(Bench::Plain),
        Self::Image,
    ];
}

/// What is tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabOrder {
    /// On what.
    pub on: LabOn,
    /// What is changed.
    pub lab: Lab,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabReport {
    /// Groups of the filesystem.
    pub groups: u32,
    /// Blocks of a cluster.
    pub blocks_per_cluster: u32,
    /// The group as it is then.
    pub detail: GroupDetail,
    /// What a check says.
    pub check: CheckReport,
}
