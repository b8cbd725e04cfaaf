//! The minimum size, term by term.

use serde::{Deserialize, Serialize};

use crate::fs::Filesystem;
use crate::io::ByteSource;
use crate::resize::{Minimum, MinimumEnd};

/// The minimum size that resize2fs estimates. Sizes are blocks unless the name says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimumReport {
    /// The estimate.
    pub minimum_blocks: u64,
    /// The same in bytes.
    pub minimum_bytes: u64,
    /// Bytes of a block.
    pub block_size: u32,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// Blocks in use, as the superblock counts them.
    pub used_blocks: u64,
    /// Blocks that are kept for the privileged user.
    pub reserved_blocks: u64,
    /// What settled the estimate.
    pub end: MinimumEnd,
    /// The same as a sentence.
    pub reason: String,
    /// Inodes in use.
    pub used_inodes: u32,
    /// Groups that these need.
    pub inode_groups: u32,
    /// Blocks that are kept.
    pub data_blocks: u64,
    /// Groups in the end.
    pub groups: u32,
    /// What the estimate is the sum of, when the terms settled it; terms of nothing are left out.
    pub terms: Vec<TermReport>,
    /// What shrinks come to, when that was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundSizes>,
}

/// Sizes that shrinks come to, found by planning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSizes {
    /// What `resize2fs -M` comes to, run after run until nothing changes. Empty when the first one
    /// is refused or fails; from the third on, maybe some blocks low.
    pub repeated_blocks: Vec<u64>,
    /// The smallest size that `resize2fs -f` comes to; `None` when not even the estimate works.
    pub forced_blocks: Option<u64>,
}

/// A term of the estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermReport {
    /// Its name.
    pub name: String,
    /// Its value.
    pub blocks: u64,
    /// What it stands for.
    pub meaning: String,
}

impl MinimumReport {
    /// Reports an estimate.
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, minimum: &Minimum) -> Self {
        let block_size = fs.geometry().block_size();
        let blocks_count = fs.geometry().blocks_count();
        Self {
            minimum_blocks: minimum.blocks,
            minimum_bytes: minimum.blocks.saturating_mul(u64::from(block_size)),
            block_size,
            blocks_count,
            used_blocks: blocks_count.saturating_sub(fs.superblock().free_blocks_count()),
            reserved_blocks: fs.superblock().r_blocks_count(),
            end: minimum.end,
            reason: reason(minimum),
            used_inodes: minimum.used_inodes,
            inode_groups: minimum.inode_groups,
            data_blocks: minimum.data_blocks,
            groups: minimum.groups,
            terms: terms(minimum),
            found: None,
        }
    }
}

fn reason(minimum: &Minimum) -> String {
    match minimum.end {
        MinimumEnd::Terms if minimum.groups == minimum.inode_groups => format!(
            "the {} inodes in use need {} groups; the data needs no more",
            minimum.used_inodes, minimum.inode_groups
        ),
        MinimumEnd::Terms => format!(
            "the data needs {} groups; the {} inodes in use need {}",
            minimum.groups, minimum.used_inodes, minimum.inode_groups
        ),
        MinimumEnd::PresentSize => {
            "the terms come to the present size or more, so the present size is the minimum"
                .to_owned()
        }
        MinimumEnd::CountsDisagree => {
            "free blocks and overhead, as the descriptors count them, are more than all blocks, \
             so the present size is the minimum"
                .to_owned()
        }
    }
}

/// The terms of an estimate.
pub(super) fn terms(minimum: &Minimum) -> Vec<TermReport> {
    if minimum.end == MinimumEnd::CountsDisagree || minimum.groups == 0 {
        return Vec::new();
    }
    let all = [
        ("full_groups", minimum.full_groups, "all groups but the last, whole"),
        (
            "flex_before",
            minimum.flex_before,
            "metadata of the groups before the last, counted a second time because the last lies \
             in the first flex group",
        ),
        (
            "last_group_overhead",
            minimum.last_group_overhead,
            "metadata of the last group: superblock, descriptors, bitmaps, inode table",
        ),
        (
            "flex_after",
            minimum.flex_after,
            "metadata of groups that will not exist, counted because flex groups are taken whole, \
             and one more",
        ),
        (
            "last_group_data",
            minimum.last_group_data,
            "data that the groups before have no room for, or a reserve of 50 blocks",
        ),
        ("first_data_block", minimum.first_data_block, "blocks ahead of group 0"),
        ("cluster_slack", minimum.cluster_slack, "two clusters, with bigalloc"),
        (
            "itable_end",
            minimum.itable_end,
            "what is missing to the end of the last group's inode table, which lies further back",
        ),
        (
            "extents_margin",
            minimum.extents_margin,
            "for extent trees that grow: one block of 500 saved, at most",
        ),
    ];
    let some = all.into_iter().filter(|(_, blocks, _)| *blocks > 0);
    some.map(|(name, blocks, meaning)| TermReport {
        name: name.to_owned(),
        blocks,
        meaning: meaning.to_owned(),
    })
    .collect()
}
