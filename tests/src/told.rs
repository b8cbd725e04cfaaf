//! What the engine says of a group, in the words of `dumpe2fs`.

use std::ops::RangeInclusive;

use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::ondisk::BgFlags;
use extscope::ondisk::features::RoCompat;
use extscope::report::{BlockRange, GroupReport};
use extscope::units::Group;

use crate::dumpe2fs::{Dump, DumpedGroup};

/// First and last of a range.
fn span(range: Option<BlockRange>) -> Option<(u64, u64)> {
    range.map(|range| (range.first, range.last))
}

/// Ranges as they are printed.
fn ranges(ranges: &[BlockRange]) -> Vec<RangeInclusive<u64>> {
    ranges.iter().map(|range| range.first..=range.last).collect()
}

/// What the report says of a group, in the words of `dumpe2fs`.
///
/// # Panics
/// When there is no such group.
#[must_use]
pub fn told<S: ByteSource>(fs: &Filesystem<S>, group: Group) -> DumpedGroup {
    let told = GroupReport::new(fs, group).expect("a group of the filesystem");
    let has_csum = fs.features().has_group_desc_csum();
    let has_bitmap_csum = fs.features().ro_compat.contains(RoCompat::METADATA_CSUM);
    let is_wrong = told.bg_checksum_expected != Some(told.bg_checksum);
    DumpedGroup {
        group: told.group,
        blocks: (told.blocks.first, told.blocks.last),
        csum: has_csum.then_some(told.bg_checksum),
        csum_expected: told.bg_checksum_expected.filter(|_| is_wrong),
        flags: [
            (BgFlags::INODE_UNINIT, "INODE_UNINIT"),
            (BgFlags::BLOCK_UNINIT, "BLOCK_UNINIT"),
            (BgFlags::INODE_ZEROED, "ITABLE_ZEROED"),
        ]
        .iter()
        .filter(|(flag, _)| has_csum && told.has_flag(*flag))
        .map(|(_, name)| (*name).to_owned())
        .collect(),
        superblock: told.superblock_at,
        gdt: span(told.gdt),
        reserved_gdt: span(told.reserved_gdt),
        block_bitmap: told.bg_block_bitmap,
        block_bitmap_csum: has_bitmap_csum.then_some(told.bg_block_bitmap_csum),
        inode_bitmap: told.bg_inode_bitmap,
        inode_bitmap_csum: has_bitmap_csum.then_some(told.bg_inode_bitmap_csum),
        inode_table: (told.inode_table.first, told.inode_table.last),
        free_blocks: told.bg_free_blocks_count,
        free_inodes: told.bg_free_inodes_count,
        used_dirs: told.bg_used_dirs_count,
        itable_unused: told.bg_itable_unused,
        free_block_ranges: ranges(&told.free_blocks),
        free_inode_ranges: ranges(&told.free_inodes),
    }
}

/// Ends each range of free blocks with the last block of its last cluster, or of the group.
///
/// `dumpe2fs` 1.47.0 prints the first block of the last cluster as the end of a run, and a run of
/// one cluster as one block. Only the clusters that it means can be compared.
pub fn whole_clusters(group: &mut DumpedGroup, blocks_per_cluster: u64) {
    for range in &mut group.free_block_ranges {
        let end = range.end() + blocks_per_cluster - 1;
        *range = *range.start()..=end.min(group.blocks.1);
    }
}

/// Compares every group, and says which differs in what.
///
/// # Panics
/// When one does.
pub fn compare<S: ByteSource>(fs: &Filesystem<S>, dump: &Dump) {
    assert_eq!(fs.groups().len() as usize, dump.groups.len(), "the number of groups");
    let blocks_per_cluster = u64::from(fs.geometry().blocks_per_cluster());
    for printed in &dump.groups {
        let mut printed = printed.clone();
        whole_clusters(&mut printed, blocks_per_cluster);
        assert_eq!(told(fs, Group::new(printed.group)), printed, "ours is left");
    }
}
