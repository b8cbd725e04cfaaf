//! What there is to say of each group: what dumpe2fs lists, and the bitmaps' own figures.

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::descriptor::flag_names;
use crate::analysis::{BitmapState, BlockStats};
use crate::bitmap::{Bits, RunScan};
use crate::error::Error;
use crate::fs::{BitmapKind, BitmapPlace, CsumState, DescState, Filesystem, GroupBitmap};
use crate::io::ByteSource;
use crate::ondisk::BgFlags;
use crate::units::{Fsblk, Group, Grpblk, Ino};

/// Blocks or inodes from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRange {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

/// Whether a superblock is the first or a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuperblockRole {
    /// The one in use unless another is asked for.
    Primary,
    /// A copy.
    Backup,
}

/// A group's block or inode bitmap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BitmapReport {
    /// Where its contents come from.
    pub state: BitmapState,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// The checksum that it should have, where it has one and was read.
    pub csum_expected: Option<u32>,
    /// Bits that are clear: free clusters or inodes.
    pub free: Option<u32>,
    /// Why it could not be had.
    pub error: Option<Error>,
}

/// A block group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupReport {
    /// Its number.
    pub group: u32,
    /// Its blocks.
    pub blocks: BlockRange,
    /// Its clusters, which are its blocks unless bigalloc.
    pub clusters: u32,
    /// Why its descriptor could not be read; what comes from the descriptor is 0 then.
    pub error: Option<Error>,
    /// Flags as they lie on the disk.
    pub bg_flags: u16,
    /// Flags by name.
    pub flags: Vec<String>,
    /// Checksum of the descriptor.
    pub bg_checksum: u16,
    /// The checksum that the descriptor should have, where it has one.
    pub bg_checksum_expected: Option<u16>,
    /// Whether it is right.
    pub csum: CsumState,
    /// Which superblock lies here, if any.
    pub superblock: Option<SuperblockRole>,
    /// Block of the superblock.
    pub superblock_at: Option<u64>,
    /// Blocks of the descriptor table here.
    pub gdt: Option<BlockRange>,
    /// Reserved GDT blocks here.
    pub reserved_gdt: Option<BlockRange>,
    /// Block of the block bitmap.
    pub bg_block_bitmap: u64,
    /// Checksum of the block bitmap.
    pub bg_block_bitmap_csum: u32,
    /// The block bitmap itself.
    pub block_bitmap: BitmapReport,
    /// Block of the inode bitmap.
    pub bg_inode_bitmap: u64,
    /// Checksum of the inode bitmap.
    pub bg_inode_bitmap_csum: u32,
    /// The inode bitmap itself.
    pub inode_bitmap: BitmapReport,
    /// First block of the inode table.
    pub bg_inode_table: u64,
    /// Blocks of the inode table.
    pub inode_table: BlockRange,
    /// Free clusters, as the descriptor says.
    pub bg_free_blocks_count: u32,
    /// Free inodes, as the descriptor says.
    pub bg_free_inodes_count: u32,
    /// Directories.
    pub bg_used_dirs_count: u32,
    /// Inodes at the end of the table that were never used.
    pub bg_itable_unused: u32,
    /// The free clusters in mballoc's words, from the bitmap.
    pub stats: BlockStats,
    /// Free blocks, from the bitmap.
    pub free_blocks: Vec<BlockRange>,
    /// Free inodes, from the bitmap.
    pub free_inodes: Vec<BlockRange>,
}

/// Reports group after group, reading the bitmaps of one at a time.
#[derive(Debug)]
pub struct GroupReports<'a, S> {
    filesystem: &'a Filesystem<S>,
    groups: Range<u32>,
}

impl<'a, S: ByteSource> GroupReports<'a, S> {
    /// Reports all listed groups.
    pub fn new(filesystem: &'a Filesystem<S>) -> Self {
        Self { filesystem, groups: 0..filesystem.groups().len() }
    }
}

impl<S: ByteSource> Iterator for GroupReports<'_, S> {
    type Item = GroupReport;

    fn next(&mut self) -> Option<GroupReport> {
        let group = Group::new(self.groups.next()?);
        GroupReport::new(self.filesystem, group)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.groups.size_hint()
    }
}

impl GroupReport {
    /// Reports one group, reading its bitmaps; `None` past the listed groups.
    pub fn new<S: ByteSource>(filesystem: &Filesystem<S>, group: Group) -> Option<Self> {
        let geometry = filesystem.geometry();
        let entry = filesystem.groups().get(group)?;
        let desc = &entry.desc;
        let base = filesystem.layout().group_base(group);
        let first = geometry.group_first_fsblk(group).get();
        let blocks = geometry.group_blocks(group);
        let end = first.saturating_add(blocks.into());
        let block_bitmap = filesystem.bitmap(BitmapKind::Block, group);
        let inode_bitmap = filesystem.bitmap(BitmapKind::Inode, group);
        let block_report = BitmapReport::new(&block_bitmap);
        let stats = block_bitmap.as_ref().map_or_else(
            |_| BlockStats { state: BitmapState::Failed, ..BlockStats::default() },
            |bitmap| {
                BlockStats::new(
                    &mut RunScan::default(),
                    bitmap.bits(),
                    geometry.mb_num_orders(),
                    block_report.state,
                    bitmap.csum,
                )
            },
        );
        let cluster = u64::from(geometry.blocks_per_cluster());
        let free_blocks = clear_ranges(&block_bitmap, |grpblk| {
            geometry.fsblk_from_grpblk(group, Grpblk::new(grpblk)).get()
        });
        let first_ino = u64::from(geometry.group_first_ino(group).map_or(0, Ino::get));
        let has_csum = entry.csum != CsumState::None;
        Some(Self {
            group: group.get(),
            blocks: BlockRange { first, last: end.saturating_sub(1) },
            clusters: geometry.group_clusters(group),
            error: (entry.state != DescState::Read)
                .then(|| filesystem.group(group).err())
                .flatten(),
            bg_flags: desc.flags.bits(),
            flags: flag_names(desc.flags),
            bg_checksum: desc.checksum,
            bg_checksum_expected: has_csum.then_some(entry.computed_checksum),
            csum: entry.csum,
            superblock: base.superblock.map(|_| match group.get() {
                0 => SuperblockRole::Primary,
                _ => SuperblockRole::Backup,
            }),
            superblock_at: base.superblock.map(Fsblk::get),
            gdt: block_range(&base.gdt),
            reserved_gdt: block_range(&base.reserved_gdt),
            bg_block_bitmap: desc.block_bitmap.get(),
            bg_block_bitmap_csum: desc.block_bitmap_csum,
            bg_inode_bitmap: desc.inode_bitmap.get(),
            bg_inode_bitmap_csum: desc.inode_bitmap_csum,
            bg_inode_table: desc.inode_table.get(),
            inode_table: BlockRange {
                first: desc.inode_table.get(),
                last: desc
                    .inode_table
                    .get()
                    .saturating_add(geometry.itable_blocks())
                    .saturating_sub(1),
            },
            bg_free_blocks_count: desc.free_blocks_count,
            bg_free_inodes_count: desc.free_inodes_count,
            bg_used_dirs_count: desc.used_dirs_count,
            bg_itable_unused: desc.itable_unused,
            stats,
            // The last block of a run is that of its last cluster, unless the group ends before.
            free_blocks: free_blocks
                .map(|BlockRange { first, last }| BlockRange {
                    first,
                    last: last.saturating_add(cluster.saturating_sub(1)).min(end.saturating_sub(1)),
                })
                .collect(),
            free_inodes: clear_ranges(&inode_bitmap, |index| {
                first_ino.saturating_add(index.into())
            })
            .collect(),
            block_bitmap: block_report,
            inode_bitmap: BitmapReport::new(&inode_bitmap),
        })
    }

    /// Whether one of the group's flags is set.
    #[must_use]
    pub fn has_flag(&self, flag: BgFlags) -> bool {
        BgFlags::from_bits_retain(self.bg_flags).contains(flag)
    }
}

impl BitmapReport {
    fn new(bitmap: &Result<GroupBitmap, Error>) -> Self {
        match bitmap {
            Ok(bitmap) => Self {
                state: match bitmap.place {
                    BitmapPlace::Disk(_) => BitmapState::Read,
                    BitmapPlace::Uninit => BitmapState::Synthesised,
                },
                csum: bitmap.csum,
                csum_expected: bitmap.computed_csum,
                free: u32::try_from(bitmap.bits().len() - bitmap.bits().count()).ok(),
                error: None,
            },
            Err(error) => Self {
                state: BitmapState::Failed,
                csum: CsumState::None,
                csum_expected: None,
                free: None,
                error: Some(error.clone()),
            },
        }
    }
}

/// Runs of clear bits, each bit turned into what it stands for.
fn clear_ranges(
    bitmap: &Result<GroupBitmap, Error>,
    number: impl Fn(u32) -> u64,
) -> impl Iterator<Item = BlockRange> {
    let bits = bitmap.as_ref().map(GroupBitmap::bits).unwrap_or_default();
    let runs: Vec<_> = bits.clear_runs().collect();
    let number = move |bit| number(u32::try_from(bit).unwrap_or(u32::MAX));
    runs.into_iter().map(move |run| BlockRange {
        first: number(run.start),
        last: number(run.end.saturating_sub(1)),
    })
}

fn block_range(blocks: &Range<Fsblk>) -> Option<BlockRange> {
    let (first, last) = (blocks.start.get(), blocks.end.get().checked_sub(1)?);
    (first <= last).then_some(BlockRange { first, last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::OpenOptions;
    use crate::fs::testing::Image;

    fn reports(image: &Image) -> Vec<GroupReport> {
        let filesystem = Filesystem::open(image.bytes(), OpenOptions::default()).unwrap();
        GroupReports::new(&filesystem).collect()
    }

    #[test]
    fn every_group_is_reported_with_its_free_ranges() {
        let reports = reports(&Image::new());
        assert_eq!(reports.len(), 4);
        let last = &reports[3];
        assert_eq!(last.blocks, BlockRange { first: 24577, last: 25576 });
        assert_eq!(last.superblock, Some(SuperblockRole::Backup));
        assert_eq!(last.gdt, Some(BlockRange { first: 24578, last: 24578 }));
        assert_eq!(last.block_bitmap.state, BitmapState::Synthesised);
        assert_eq!(last.free_blocks, [BlockRange { first: 24613, last: 25576 }]);
        assert_eq!(last.free_inodes, [BlockRange { first: 769, last: 1024 }]);
        assert_eq!(last.inode_table, BlockRange { first: 24581, last: 24612 });
        assert_eq!(last.stats.free, 964);
        assert_eq!(reports[0].superblock, Some(SuperblockRole::Primary));
        assert_eq!(reports[0].bg_checksum_expected, Some(reports[0].bg_checksum));
        assert_eq!(reports[2].superblock, None);
    }

    #[test]
    fn free_clusters_are_ranges_of_blocks_cut_at_the_end() {
        let mut image = Image::new();
        image.superblock.s_feature_ro_compat.set(0x211);
        image.superblock.s_log_cluster_size.set(4);
        image.superblock.s_clusters_per_group.set(512);
        image.superblock.s_blocks_count_lo.set(1 + 3 * 8192 + 1001);
        let last = reports(&image).pop().unwrap();
        assert_eq!(last.clusters, 63);
        assert_eq!(last.free_blocks, [BlockRange { first: 24577 + 48, last: 24577 + 1000 }]);
        assert_eq!(last.block_bitmap.free, Some(60));
    }

    #[test]
    fn a_bitmap_that_cannot_be_had_says_why() {
        let mut image = Image::new();
        image.descs[1].bg_block_bitmap_lo.set(9_999_999);
        let report = &reports(&image)[1];
        assert_eq!(report.block_bitmap.state, BitmapState::Failed);
        assert!(report.block_bitmap.error.is_some());
        assert!(report.free_blocks.is_empty());
        assert_eq!(report.inode_bitmap.state, BitmapState::Read);
    }
}
