//! What an opened image is.

use core::ops::RangeInclusive;

use extscope::units::{Fsblk, Group};
use serde::{Deserialize, Serialize};

use super::{CsumVerdict, SuperblockChoice};

/// What an opened image is, in the words of its superblock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// ext2, ext3 or ext4, by its features.
    pub fs_type: String,
    /// The label; may be empty. Ref: `s_volume_name`.
    pub volume_name: String,
    /// Ref: `s_uuid`.
    pub uuid: String,
    /// Bytes of the image.
    pub image_bytes: u64,
    /// Bytes of the filesystem.
    pub filesystem_bytes: u64,
    /// The superblock it was opened with, when that is not the primary one.
    pub superblock: Option<SuperblockChoice>,
    /// How blocks, clusters, groups and inodes lie.
    pub geometry: Geometry,
    /// The superblock's fields, section by section.
    pub fields: Vec<Field>,
    /// The features that are set.
    pub features: Vec<Feature>,
    /// What is worth knowing before anything else, each a sentence: an image shorter than its
    /// filesystem, a feature that is not known.
    pub notes: Vec<String>,
}

/// How blocks, clusters, groups and inodes lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Geometry {
    /// Bytes in a block.
    pub block_size: u32,
    /// Blocks in a cluster; 1 without bigalloc.
    pub cluster_ratio: u32,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// First block that belongs to a group: 1 with blocks of 1 KiB, else 0.
    pub first_data_block: u32,
    /// Blocks in a group; the last may have fewer.
    pub blocks_per_group: u32,
    /// Inodes in a group.
    pub inodes_per_group: u32,
    /// Block groups.
    pub groups_count: u32,
    /// Groups in a flex group; 1 without flex_bg.
    pub groups_per_flex: u32,
    /// Blocks of an inode table.
    pub itable_blocks: u32,
}

impl Geometry {
    /// First and last block of a group, or `None` past the last group.
    #[must_use]
    pub fn group_blocks(&self, group: Group) -> Option<RangeInclusive<Fsblk>> {
        let per_group = u64::from(self.blocks_per_group);
        let first = u64::from(group.get())
            .checked_mul(per_group)?
            .checked_add(u64::from(self.first_data_block))?;
        let last = first.checked_add(per_group)?.min(self.blocks_count).checked_sub(1)?;
        (group.get() < self.groups_count && first <= last)
            .then(|| Fsblk::new(first)..=Fsblk::new(last))
    }

    /// Clusters of a group, each a bit of its block bitmap; 0 past the last group.
    #[must_use]
    pub fn group_clusters(&self, group: Group) -> u32 {
        self.group_blocks(group)
            .map(|blocks| blocks.end().get() - blocks.start().get() + 1)
            .map(|blocks| blocks.div_ceil(u64::from(self.cluster_ratio.max(1))))
            .and_then(|clusters| u32::try_from(clusters).ok())
            .unwrap_or(0)
    }

    /// The group that a block lies in.
    #[must_use]
    pub fn group_from_fsblk(&self, fsblk: Fsblk) -> Option<Group> {
        let at = fsblk.get().checked_sub(u64::from(self.first_data_block))?;
        let group = at.checked_div(u64::from(self.blocks_per_group))?;
        let inside = fsblk.get() < self.blocks_count;
        inside.then(|| u32::try_from(group).ok().map(Group::new)).flatten()
    }
}

/// A field with its value, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The part of the structure it is shown in: "Size and layout".
    pub section: String,
    /// Its kernel name.
    pub name: String,
    /// Its name in plain words.
    pub label: String,
    /// What it means, in a sentence or two.
    pub explanation: String,
    /// Its value for people.
    pub value: String,
    /// Its value as it lies on the disk, in hexadecimal.
    pub raw: String,
}

/// A feature that is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// Its name as `mke2fs -O` has it.
    pub name: String,
    /// What a program must know of it.
    pub class: FeatureClass,
    /// Its bit, counted from 0.
    pub bit: u32,
    /// What it means, in a sentence.
    pub meaning: String,
    /// The first kernel that has it; empty where unknown.
    pub since: String,
}

/// What a program that does not know a feature may still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FeatureClass {
    /// Everything. Ref: `s_feature_compat`.
    Compat,
    /// Nothing. Ref: `s_feature_incompat`.
    Incompat,
    /// Read. Ref: `s_feature_ro_compat`.
    RoCompat,
}

/// A backup superblock that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Backup {
    /// Where it lies.
    pub at: SuperblockChoice,
    /// The group that it says it belongs to. Ref: `s_block_group_nr`.
    pub group: Group,
    /// The label.
    pub volume_name: String,
    /// The UUID.
    pub uuid: String,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// When it was last written, for people.
    pub written: String,
    /// What its checksum says.
    pub csum: CsumVerdict,
    /// What speaks against it, each a sentence; empty when nothing does.
    pub doubts: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 KiB blocks, so that block 0 belongs to no group, and a last group of 5 blocks.
    const SMALL: Geometry = Geometry {
        block_size: 1024,
        cluster_ratio: 1,
        blocks_count: 1 + 8192 + 5,
        first_data_block: 1,
        blocks_per_group: 8192,
        inodes_per_group: 32,
        groups_count: 2,
        groups_per_flex: 16,
        itable_blocks: 4,
    };

    #[test]
    fn the_last_group_ends_with_the_filesystem() {
        let blocks = |group| SMALL.group_blocks(Group::new(group));
        assert_eq!(blocks(0), Some(Fsblk::new(1)..=Fsblk::new(8192)));
        assert_eq!(blocks(1), Some(Fsblk::new(8193)..=Fsblk::new(8197)));
        assert_eq!(blocks(2), None);
        assert_eq!(SMALL.group_clusters(Group::new(1)), 5);
    }

    #[test]
    fn a_block_before_the_first_group_has_no_group() {
        let group = |fsblk| SMALL.group_from_fsblk(Fsblk::new(fsblk)).map(Group::get);
        assert_eq!([group(0), group(1), group(8193), group(8198)], [None, Some(0), Some(1), None]);
    }

    #[test]
    fn nonsense_does_not_divide_by_zero() {
        let nonsense = Geometry { groups_count: 1, blocks_count: 9, ..Geometry::default() };
        assert_eq!(nonsense.group_blocks(Group::new(0)), None);
        assert_eq!(nonsense.group_from_fsblk(Fsblk::new(3)), None);
        assert_eq!(nonsense.group_clusters(Group::new(0)), 0);
    }
}
