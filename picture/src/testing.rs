//! Filesystems that are only as large as tests need.

use extscope::fs::Geometry;
use extscope::ondisk::{SUPERBLOCK_BYTES, Superblock};

/// The geometry of `groups` groups of blocks of `block_size` bytes, the last of them half as large.
pub(crate) fn geometry(groups: u32, block_size: u32) -> Geometry {
    let mut superblock = Superblock::from_prefix(&[0; SUPERBLOCK_BYTES]).expect("long enough");
    let first = u32::from(block_size == 1024);
    let per_group = (8 * block_size).min(65_528);
    let blocks =
        u64::from(first) + u64::from(groups) * u64::from(per_group) - u64::from(per_group / 2);
    superblock.s_log_block_size.set(block_size.ilog2() - 10);
    superblock.s_log_cluster_size.set(block_size.ilog2() - 10);
    superblock.s_first_data_block.set(first);
    superblock.s_blocks_count_lo.set(blocks as u32);
    superblock.s_blocks_count_hi.set((blocks >> 32) as u32);
    superblock.s_feature_incompat.set(0x280);
    superblock.s_log_groups_per_flex = 4;
    superblock.s_desc_size.set(64);
    superblock.s_blocks_per_group.set(per_group);
    superblock.s_clusters_per_group.set(per_group);
    superblock.s_inodes_per_group.set(16);
    superblock.s_inodes_count.set(16 * groups);
    superblock.s_inode_size.set(256);
    superblock.s_rev_level.set(1);
    Geometry::new(&superblock).expect("it makes sense")
}
