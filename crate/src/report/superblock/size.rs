//! How much there is, and how it is cut up.

use super::value::{block, blocks, count, list, number, place, size};
use super::{Row, rows};
use crate::report::format::{bytes, grouped};

fn log_size(log: u32) -> super::Shown {
    let size = 1024_u64.checked_shl(log).filter(|size| size >> log == 1024);
    let text = size.map_or_else(
        || format!("{log}, which no size has"),
        |size| format!("{} ({} bytes)", bytes(size), grouped(size)),
    );
    number(log, text)
}

pub(super) const ROWS: &[Row] = rows! { Size:
    s_blocks_count [s_blocks_count_lo s_blocks_count_hi] "Blocks"
        "The size of the filesystem. The image may be longer; it should not be shorter."
        |s| blocks(s.blocks_count(), s.s_log_block_size.get());
    s_r_blocks_count [s_r_blocks_count_lo s_r_blocks_count_hi] "Reserved blocks"
        "Kept back for the privileged user, so that a full disk still lets the system work."
        |s| blocks(s.r_blocks_count(), s.s_log_block_size.get());
    s_free_blocks_count [s_free_blocks_count_lo s_free_blocks_count_hi] "Free blocks"
        "Free when the superblock was last written. While mounted the kernel counts in memory, \
         so the sum over the groups is nearer the truth."
        |s| blocks(s.free_blocks_count(), s.s_log_block_size.get());
    s_inodes_count "Inodes"
        "The number of files and directories that there is room for, fixed when it was made."
        |s| count(s.s_inodes_count.get());
    s_free_inodes_count "Free inodes"
        "Free when the superblock was last written."
        |s| count(s.s_free_inodes_count.get());
    s_log_block_size "Block size"
        "The unit of space: 1024 bytes shifted left by this."
        |s| log_size(s.s_log_block_size.get());
    s_log_cluster_size "Cluster size"
        "With bigalloc, space is given out in clusters of 1024 bytes shifted left by this; \
         otherwise it equals the block size."
        |s| log_size(s.s_log_cluster_size.get());
    s_first_data_block "First data block"
        "The block in which group 0 starts. With blocks of 1 KiB it is 1, since the boot sector \
         fills block 0; otherwise it is 0."
        |s| block(s.s_first_data_block.get());
    s_blocks_per_group "Blocks in a group"
        "A group is as many blocks as one bitmap block has bits, or fewer; the last group may be \
         shorter."
        |s| blocks(s.s_blocks_per_group.get().into(), s.s_log_block_size.get());
    s_clusters_per_group "Clusters in a group"
        "The bits of a group's block bitmap that count. Without bigalloc the same as the blocks."
        |s| count(s.s_clusters_per_group.get());
    s_inodes_per_group "Inodes in a group"
        "The bits of a group's inode bitmap that count, and the length of its inode table."
        |s| count(s.s_inodes_per_group.get());
    s_inode_size "Inode size"
        "Bytes of an inode. What lies past the first 128 holds finer times and small attributes."
        |s| size(s.s_inode_size.get());
    s_first_ino "First inode for files"
        "The inodes before it are reserved: the root directory is 2, the journal usually 8."
        |s| block(s.s_first_ino.get());
    s_desc_size "Descriptor size"
        "Bytes of a group descriptor with 64bit; without it they are 32, whatever stands here."
        |s| size(s.s_desc_size.get());
    s_reserved_gdt_blocks "Reserved GDT blocks"
        "Blocks kept free behind each copy of the descriptor table, so that it can grow while \
         mounted."
        |s| count(s.s_reserved_gdt_blocks.get());
    s_first_meta_bg "First metablock group"
        "With meta_bg, descriptors from this metablock group on lie in the groups they describe."
        |s| block(s.s_first_meta_bg.get());
    s_log_groups_per_flex "Groups in a flex group"
        "With flex_bg, the bitmaps and inode tables of 1 shifted left by this groups lie together."
        |s| number(s.s_log_groups_per_flex, 1_u64.checked_shl(s.s_log_groups_per_flex.into())
            .map_or_else(|| "more than can be".to_owned(), grouped));
    s_backup_bgs "Backup groups, sparse_super2"
        "With sparse_super2, the only groups with a copy of the superblock and the descriptors."
        |s| list(s.s_backup_bgs.map(|group| group.get().into()));
    s_block_group_nr "Group of this copy"
        "The group in which this copy of the superblock lies; 0 in the primary one."
        |s| block(s.s_block_group_nr.get());
    s_overhead_clusters "Overhead"
        "Clusters taken up by metadata, so that the kernel need not count them at each mount; 0 \
         if they were not counted."
        |s| count(s.s_overhead_clusters.get());
    s_mmp_block "MMP block"
        "With mmp, the block that a mounted system keeps changing, so that no other mounts it."
        |s| place(s.s_mmp_block.get());
    s_mmp_update_interval "MMP interval"
        "Seconds between changes of the MMP block."
        |s| number(s.s_mmp_update_interval.get(), match s.s_mmp_update_interval.get() {
            0 => "none".to_owned(),
            seconds => format!("{seconds} seconds"),
        });
};
