//! What a race of the lessons is run on, what is tried in the lab, and what is told step by step.

use serde::{Deserialize, Serialize};

use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::units::Group;
use extscope_picture::Metadata;

use super::{Bench, CheckReport, CheckSteps, Geometry, GroupDetail, Lab, ShrinkSteps};

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
    /// The first inode that is not reserved.
    pub first_ino: u32,
    /// First blocks and ends of all metadata in the group's blocks: with flex_bg also of others.
    pub metadata: Vec<(u64, u64)>,
    /// The group as it is then.
    pub detail: GroupDetail,
    /// What a check says.
    pub check: CheckReport,
}

impl LabReport {
    /// What a check of a filesystem with changes in a group says; `None` where there is no such group.
    #[must_use]
    pub fn new<S: ByteSource>(
        fs: &Filesystem<S>,
        group: Group,
        check: CheckReport,
    ) -> Option<Self> {
        let (detail, geometry) = (GroupDetail::read(fs, group)?, fs.geometry());
        let first = geometry.group_first_fsblk(group).get();
        let end = first.saturating_add(geometry.group_blocks(group).into());
        let metadata = Metadata::new(fs);
        Some(Self {
            groups: fs.groups().len(),
            blocks_per_cluster: geometry.blocks_per_cluster(),
            first_ino: geometry.first_ino().get(),
            metadata: metadata.runs_in(first..end).map(|(first, end, _)| (first, end)).collect(),
            detail,
            check,
        })
    }
}

/// What is to be told step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepsOrder {
    /// A shrink.
    Shrink {
        /// Of the open image, where it is small; otherwise of a made-up filesystem.
        of_image: bool,
        /// Of a hundred blocks, how many are kept; more where the smallest size is larger.
        percent: u8,
    },
    /// A check, of a filesystem of the lab with its bits turned round.
    Check(LabOrder),
}

/// All steps, and the filesystem that they are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepsReport {
    /// First cluster and end of each group, as the steps count clusters.
    pub groups: Vec<(u64, u64)>,
    /// Inodes of a group.
    pub inodes_per_group: u32,
    /// The first block of cluster 0.
    pub first_block: u64,
    /// Blocks of a cluster.
    pub blocks_per_cluster: u32,
    /// The steps.
    pub told: Told,
}

/// Steps of one kind or the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Told {
    /// Of a shrink.
    Shrink(ShrinkSteps),
    /// Of a check.
    Check(CheckSteps),
}

impl StepsReport {
    /// The steps, with the sizes of their filesystem.
    #[must_use]
    pub fn new(geometry: &Geometry, told: Told) -> Self {
        let ratio = u64::from(geometry.blocks_per_cluster()).max(1);
        // A check counts clusters from the first data block on, resize2fs from block 0.
        let first_block = match told {
            Told::Shrink(_) => 0,
            Told::Check(_) => geometry.first_data_block().get(),
        };
        let group = |group: u32| {
            let group = Group::new(group);
            let first = geometry.group_first_fsblk(group).get().saturating_sub(first_block) / ratio;
            (first, first.saturating_add(geometry.group_clusters(group).into()))
        };
        let groups = u32::try_from(geometry.groups_count()).unwrap_or(u32::MAX);
        Self {
            groups: (0..groups).map(group).collect(),
            inodes_per_group: geometry.inodes_per_group(),
            first_block,
            blocks_per_cluster: geometry.blocks_per_cluster(),
            told,
        }
    }
}
