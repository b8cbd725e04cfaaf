//! All conversions between groups, blocks, clusters, inodes and bytes; the only place for them.

use core::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::ondisk::features::{Incompat, RoCompat};
use crate::ondisk::{GROUP_DESC_MIN_BYTES, Superblock};
use crate::units::{ByteOffset, Cluster, Fsblk, Group, Grpblk, Ino};

/// Smallest `s_log_block_size` past the largest: 64 KiB. Ref: `EXT4_MAX_BLOCK_LOG_SIZE`.
const MAX_LOG_BLOCK_SIZE: u32 = 6;

/// Largest `s_log_cluster_size`: 512 MiB. Ref: `EXT4_MAX_CLUSTER_LOG_SIZE`.
const MAX_LOG_CLUSTER_SIZE: u32 = 19;

/// Bytes of an inode in revision 0. Ref: `EXT4_GOOD_OLD_INODE_SIZE`.
const GOOD_OLD_INODE_SIZE: u32 = 128;

/// First inode that is not reserved in revision 0. Ref: `EXT4_GOOD_OLD_FIRST_INO`.
const GOOD_OLD_FIRST_INO: u32 = 11;

/// Sizes and counts of a filesystem for which arithmetic is sound.
///
/// Invariants, from [`Geometry::new`]: the block size is a power of two from 1 KiB to 64 KiB; a
/// group's bitmap has at most as many bits as a block; unless there are no groups at all, no
/// group and no filesystem is without blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Geometry {
    block_bits: u32,
    cluster_bits: u32,
    first_data_block: u32,
    blocks_count: u64,
    blocks_per_group: u32,
    inodes_per_group: u32,
    inodes_count: u32,
    inode_size: u32,
    first_ino: u32,
    desc_size: u32,
    groups_count: u64,
    groups_per_flex: u32,
}

impl Geometry {
    /// Works out the geometry that a superblock describes. A journal device has no groups.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when a value makes arithmetic
    /// impossible.
    pub fn new(superblock: &Superblock) -> Result<Self> {
        let features = superblock.features();
        let is_old = superblock.s_rev_level.get() == 0;
        let log_block_size = superblock.s_log_block_size.get();
        if log_block_size > MAX_LOG_BLOCK_SIZE {
            return Err(impossible(format!(
                "s_log_block_size is {log_block_size}; blocks are 1 KiB to 64 KiB, 0 to 6"
            )));
        }
        let block_bits = log_block_size.saturating_add(10);
        let is_journal_dev = features.incompat.contains(Incompat::JOURNAL_DEV);
        let is_bigalloc = features.ro_compat.contains(RoCompat::BIGALLOC);
        let is_64bit = features.incompat.contains(Incompat::BIT64);
        let log_groups_per_flex = if features.incompat.contains(Incompat::FLEX_BG) {
            u32::from(superblock.s_log_groups_per_flex)
        } else {
            0
        };
        let mut geometry = Self {
            block_bits,
            cluster_bits: if is_bigalloc { cluster_bits(superblock)? } else { 0 },
            first_data_block: superblock.s_first_data_block.get(),
            blocks_count: superblock.blocks_count(),
            blocks_per_group: superblock.s_blocks_per_group.get(),
            inodes_per_group: superblock.s_inodes_per_group.get(),
            inodes_count: superblock.s_inodes_count.get(),
            inode_size: if is_old {
                GOOD_OLD_INODE_SIZE
            } else {
                u32::from(superblock.s_inode_size.get())
            },
            first_ino: if is_old { GOOD_OLD_FIRST_INO } else { superblock.s_first_ino.get() },
            desc_size: if is_64bit {
                u32::from(superblock.s_desc_size.get()).max(MIN_DESC_SIZE)
            } else {
                MIN_DESC_SIZE
            },
            groups_count: 0,
            groups_per_flex: 1_u32.checked_shl(log_groups_per_flex).unwrap_or(u32::MAX),
        };
        if !is_journal_dev {
            geometry.check_groups(superblock, is_bigalloc)?;
            let blocks = geometry.blocks_count.checked_sub(u64::from(geometry.first_data_block));
            geometry.groups_count =
                blocks.unwrap_or(0).div_ceil(u64::from(geometry.blocks_per_group.max(1)));
        }
        Ok(geometry)
    }

    fn check_groups(&self, superblock: &Superblock, is_bigalloc: bool) -> Result<()> {
        let per_group = self.blocks_per_group;
        if per_group == 0 {
            return Err(impossible("s_blocks_per_group is 0"));
        }
        if self.blocks_count <= u64::from(self.first_data_block) {
            return Err(impossible(format!(
                "s_blocks_count is {}, and the first group starts at block {}",
                self.blocks_count, self.first_data_block
            )));
        }
        let clusters = superblock.s_clusters_per_group.get();
        if is_bigalloc && clusters.checked_shl(self.cluster_bits) != Some(per_group) {
            return Err(impossible(format!(
                "s_clusters_per_group is {clusters} of {} blocks each, which is not \
                 s_blocks_per_group, {per_group}",
                self.blocks_per_cluster()
            )));
        }
        if self.clusters_per_group() > self.bits_per_block() {
            return Err(impossible(format!(
                "a group has {} clusters, and its bitmap block {} bits",
                self.clusters_per_group(),
                self.bits_per_block()
            )));
        }
        if self.desc_size > self.block_size() {
            return Err(impossible(format!(
                "s_desc_size is {}, and a block {} bytes",
                self.desc_size,
                self.block_size()
            )));
        }
        Ok(())
    }

    /// Bytes of a block.
    #[must_use]
    pub const fn block_size(&self) -> u32 {
        1 << self.block_bits
    }

    /// Bits of a bitmap block.
    #[must_use]
    pub const fn bits_per_block(&self) -> u32 {
        8 << self.block_bits
    }

    /// Blocks of a cluster: 1 unless bigalloc.
    #[must_use]
    pub const fn blocks_per_cluster(&self) -> u32 {
        1 << self.cluster_bits
    }

    /// Block in which group 0 starts.
    #[must_use]
    pub const fn first_data_block(&self) -> Fsblk {
        Fsblk::new(widen(self.first_data_block))
    }

    /// Blocks of the filesystem, those before [`Self::first_data_block`] counted.
    #[must_use]
    pub const fn blocks_count(&self) -> u64 {
        self.blocks_count
    }

    /// Bytes of the filesystem, which may be more or fewer than the image has.
    #[must_use]
    pub const fn filesystem_bytes(&self) -> u64 {
        self.blocks_count.saturating_mul(1 << self.block_bits)
    }

    /// Groups of the filesystem; 0 on a journal device.
    #[must_use]
    pub const fn groups_count(&self) -> u64 {
        self.groups_count
    }

    /// Blocks of every group but perhaps the last.
    #[must_use]
    pub const fn blocks_per_group(&self) -> u32 {
        self.blocks_per_group
    }

    /// Clusters of every group but perhaps the last.
    #[must_use]
    pub const fn clusters_per_group(&self) -> u32 {
        clusters(self.blocks_per_group, self.cluster_bits)
    }

    /// Inodes of a group.
    #[must_use]
    pub const fn inodes_per_group(&self) -> u32 {
        self.inodes_per_group
    }

    /// Inodes of the filesystem.
    #[must_use]
    pub const fn inodes_count(&self) -> u32 {
        self.inodes_count
    }

    /// Bytes of an inode.
    #[must_use]
    pub const fn inode_size(&self) -> u32 {
        self.inode_size
    }

    /// First inode that is not reserved.
    #[must_use]
    pub const fn first_ino(&self) -> Ino {
        Ino::new(self.first_ino)
    }

    /// How many orders of free blocks the allocator tells apart. Ref: `MB_NUM_ORDERS`.
    #[must_use]
    pub const fn mb_num_orders(&self) -> u32 {
        self.block_bits.saturating_add(2)
    }

    /// Blocks of a group's inode table. Ref: `s_itb_per_group`.
    #[must_use]
    pub const fn itable_blocks(&self) -> u64 {
        let bytes = widen(self.inodes_per_group).saturating_mul(widen(self.inode_size));
        bytes.div_ceil(1 << self.block_bits)
    }

    /// Bytes of a group descriptor.
    #[must_use]
    pub const fn desc_size(&self) -> u32 {
        self.desc_size
    }

    /// Descriptors in a block; they do not cross from one block into the next.
    /// Ref: `EXT4_DESC_PER_BLOCK`.
    #[must_use]
    pub fn desc_per_block(&self) -> NonZeroU32 {
        let whole = self.block_size().checked_div(self.desc_size).and_then(NonZeroU32::new);
        whole.unwrap_or(NonZeroU32::MIN)
    }

    /// Blocks of the descriptor table.
    #[must_use]
    pub fn desc_blocks(&self) -> u64 {
        self.groups_count.div_ceil(u64::from(self.desc_per_block().get()))
    }

    /// Groups of a flex group; 1 without flex_bg.
    #[must_use]
    pub const fn groups_per_flex(&self) -> u32 {
        self.groups_per_flex
    }

    /// First block of a group; past the last group, where it would start.
    /// Ref: `ext4_group_first_block_no`.
    #[must_use]
    pub const fn group_first_fsblk(&self, group: Group) -> Fsblk {
        let blocks = widen(group.get()).saturating_mul(widen(self.blocks_per_group));
        Fsblk::new(blocks.saturating_add(widen(self.first_data_block)))
    }

    /// Blocks of a group; 0 past the last group.
    #[must_use]
    pub fn group_blocks(&self, group: Group) -> u32 {
        let left = self.blocks_count.saturating_sub(self.group_first_fsblk(group).get());
        u32::try_from(left).map_or(self.blocks_per_group, |left| left.min(self.blocks_per_group))
    }

    /// Clusters of a group, which is the bits of its block bitmap. Ref:
    /// `num_clusters_in_group`.
    #[must_use]
    pub fn group_clusters(&self, group: Group) -> u32 {
        clusters(self.group_blocks(group), self.cluster_bits)
    }

    /// Whether a block lies in the filesystem, from [`Self::first_data_block`] on.
    #[must_use]
    pub fn contains(&self, fsblk: Fsblk) -> bool {
        (self.first_data_block()..Fsblk::new(self.blocks_count)).contains(&fsblk)
    }

    /// Group and bit of its block bitmap for a block; `None` outside the groups.
    /// Ref: `ext4_get_group_no_and_offset`.
    #[must_use]
    pub fn grpblk_from_fsblk(&self, fsblk: Fsblk) -> Option<(Group, Grpblk)> {
        let from_first = fsblk.get().checked_sub(u64::from(self.first_data_block))?;
        let per_group = u64::from(self.blocks_per_group);
        let group = from_first.checked_div(per_group)?;
        let in_group = u32::try_from(from_first.checked_rem(per_group)?).ok()?;
        if !self.contains(fsblk) {
            return None;
        }
        Some((Group::new(u32::try_from(group).ok()?), Grpblk::new(in_group >> self.cluster_bits)))
    }

    /// Group of a block; `None` outside the groups. Ref: `ext4_get_group_number`.
    #[must_use]
    pub fn group_from_fsblk(&self, fsblk: Fsblk) -> Option<Group> {
        self.grpblk_from_fsblk(fsblk).map(|(group, _)| group)
    }

    /// First block of the cluster that a bit of a group's block bitmap stands for.
    #[must_use]
    pub fn fsblk_from_grpblk(&self, group: Group, grpblk: Grpblk) -> Fsblk {
        let blocks = u64::from(grpblk.get()) << self.cluster_bits;
        Fsblk::new(self.group_first_fsblk(group).get().saturating_add(blocks))
    }

    /// Cluster of a block, from the first group on. Ref: `EXT4_B2C`.
    #[must_use]
    pub fn cluster_from_fsblk(&self, fsblk: Fsblk) -> Option<Cluster> {
        let from_first = fsblk.get().checked_sub(u64::from(self.first_data_block))?;
        Some(Cluster::new(from_first >> self.cluster_bits))
    }

    /// The blocks of the cluster that a block is of; the last may go past the filesystem. A block
    /// ahead of the first group is alone.
    #[must_use]
    pub fn cluster_blocks(&self, fsblk: Fsblk) -> core::ops::Range<u64> {
        let first_data_block = u64::from(self.first_data_block);
        let Some(from_first) = fsblk.get().checked_sub(first_data_block) else {
            return fsblk.get()..fsblk.get().saturating_add(1);
        };
        let cluster = from_first >> self.cluster_bits;
        let start = (cluster << self.cluster_bits).saturating_add(first_data_block);
        start..start.saturating_add(u64::from(self.blocks_per_cluster()))
    }

    /// Group and index in its table, from 0, of an inode; `None` for 0 and past the last.
    #[must_use]
    pub fn group_from_ino(&self, ino: Ino) -> Option<(Group, u32)> {
        let index = ino.get().checked_sub(1).filter(|_| ino.get() <= self.inodes_count)?;
        Some((
            Group::new(index.checked_div(self.inodes_per_group)?),
            index.checked_rem(self.inodes_per_group)?,
        ))
    }

    /// Byte of an inode, from the start of its group's table.
    #[must_use]
    pub const fn itable_offset(&self, index: u32) -> u64 {
        widen(index).saturating_mul(widen(self.inode_size))
    }

    /// First inode of a group; `None` where inode numbers have run out.
    #[must_use]
    pub fn group_first_ino(&self, group: Group) -> Option<Ino> {
        group.get().checked_mul(self.inodes_per_group)?.checked_add(1).map(Ino::new)
    }

    /// Byte at which a block starts; `None` past the end of `u64`.
    #[must_use]
    pub fn byte_from_fsblk(&self, fsblk: Fsblk) -> Option<ByteOffset> {
        fsblk.get().checked_mul(u64::from(self.block_size())).map(ByteOffset::new)
    }
}

const MIN_DESC_SIZE: u32 = {
    assert!(GROUP_DESC_MIN_BYTES == 32);
    32
};

/// `log2` of the blocks in a cluster.
fn cluster_bits(superblock: &Superblock) -> Result<u32> {
    let log_block = superblock.s_log_block_size.get();
    let log_cluster = superblock.s_log_cluster_size.get();
    log_cluster.checked_sub(log_block).filter(|_| log_cluster <= MAX_LOG_CLUSTER_SIZE).ok_or_else(
        || {
            impossible(format!(
                "s_log_cluster_size is {log_cluster}; with s_log_block_size {log_block} it is \
                 {log_block} to {MAX_LOG_CLUSTER_SIZE}"
            ))
        },
    )
}

const fn clusters(blocks: u32, cluster_bits: u32) -> u32 {
    let whole = blocks >> cluster_bits;
    let is_whole = whole << cluster_bits == blocks;
    if is_whole { whole } else { whole.saturating_add(1) }
}

#[expect(clippy::as_conversions, reason = "`From` is not const")]
const fn widen(n: u32) -> u64 {
    n as u64
}

fn impossible(what: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::corrupt(what).with_hint("Open the filesystem from a backup superblock.")
}

#[cfg(test)]
mod tests {
    use super::super::testing::Image;
    use super::*;
    use crate::ErrorKind;
    use zerocopy::little_endian::U32;

    fn geometry(change: impl FnOnce(&mut Superblock)) -> Result<Geometry> {
        let mut superblock = Image::new().superblock;
        change(&mut superblock);
        Geometry::new(&superblock)
    }

    fn refused(change: impl FnOnce(&mut Superblock)) -> String {
        let error = geometry(change).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(error.hint().is_some());
        error.what().to_owned()
    }

    #[test]
    fn groups_start_at_the_first_data_block_and_the_last_is_short() {
        let geometry = geometry(|_| ()).unwrap();
        assert_eq!(geometry.groups_count(), 4);
        assert_eq!(geometry.group_first_fsblk(Group::new(3)), Fsblk::new(24577));
        assert_eq!(geometry.group_blocks(Group::new(2)), 8192);
        assert_eq!(geometry.group_blocks(Group::new(3)), 1000);
        assert_eq!(geometry.group_blocks(Group::new(4)), 0);
        assert_eq!(geometry.group_blocks(Group::new(u32::MAX)), 0);
    }

    #[test]
    fn blocks_turn_into_group_and_bit_and_back() {
        let geometry = geometry(|_| ()).unwrap();
        let place = geometry.grpblk_from_fsblk(Fsblk::new(8193 + 77));
        assert_eq!(place, Some((Group::new(1), Grpblk::new(77))));
        let back = geometry.fsblk_from_grpblk(Group::new(1), Grpblk::new(77));
        assert_eq!(back, Fsblk::new(8193 + 77));
        for outside in [0, 25577, u64::MAX] {
            assert_eq!(geometry.grpblk_from_fsblk(Fsblk::new(outside)), None);
        }
    }

    #[test]
    fn with_bigalloc_a_bit_is_a_cluster_and_a_started_one_counts() {
        let geometry = geometry(|superblock| {
            superblock.s_feature_ro_compat.set(0x200);
            superblock.s_log_cluster_size.set(4);
            superblock.s_clusters_per_group.set(512);
        })
        .unwrap();
        assert_eq!(geometry.blocks_per_cluster(), 16);
        assert_eq!(geometry.group_clusters(Group::new(0)), 512);
        assert_eq!(geometry.group_clusters(Group::new(3)), 63);
        let place = geometry.grpblk_from_fsblk(Fsblk::new(1 + 8192 + 33));
        assert_eq!(place, Some((Group::new(1), Grpblk::new(2))));
        let first = geometry.fsblk_from_grpblk(Group::new(1), Grpblk::new(2));
        assert_eq!(first, Fsblk::new(1 + 8192 + 32));
        assert_eq!(geometry.cluster_from_fsblk(Fsblk::new(17)), Some(Cluster::new(1)));
    }

    #[test]
    fn inodes_start_at_1() {
        let geometry = geometry(|_| ()).unwrap();
        assert_eq!(geometry.group_from_ino(Ino::new(0)), None);
        assert_eq!(geometry.group_from_ino(Ino::new(1)), Some((Group::new(0), 0)));
        assert_eq!(geometry.group_from_ino(Ino::new(257)), Some((Group::new(1), 0)));
        assert_eq!(geometry.group_from_ino(Ino::new(1024)), Some((Group::new(3), 255)));
        assert_eq!(geometry.group_from_ino(Ino::new(1025)), None);
        assert_eq!(geometry.group_first_ino(Group::new(1)), Some(Ino::new(257)));
        assert_eq!(geometry.itable_blocks(), 32);
    }

    #[test]
    fn revision_0_has_fixed_inodes() {
        let geometry = geometry(|superblock| {
            superblock.s_rev_level.set(0);
            superblock.s_inode_size.set(999);
            superblock.s_first_ino.set(999);
        })
        .unwrap();
        assert_eq!((geometry.inode_size(), geometry.first_ino()), (128, Ino::new(11)));
    }

    #[test]
    fn descriptors_have_32_bytes_without_64bit_and_any_size_with_it() {
        let size = |incompat, desc_size| {
            geometry(|superblock| {
                superblock.s_feature_incompat.set(incompat);
                superblock.s_desc_size.set(desc_size);
            })
            .map(|geometry| (geometry.desc_size(), geometry.desc_per_block().get()))
        };
        assert_eq!(size(0, 64).unwrap(), (32, 32));
        assert_eq!(size(0x80, 64).unwrap(), (64, 16));
        assert_eq!(size(0x80, 0).unwrap(), (32, 32));
        assert_eq!(size(0x80, 100).unwrap(), (100, 10));
        assert!(size(0x80, 2000).is_err());
    }

    #[test]
    fn what_makes_arithmetic_impossible_is_refused_by_name() {
        assert!(refused(|s| s.s_log_block_size.set(7)).starts_with("s_log_block_size is 7"));
        assert_eq!(refused(|s| s.s_blocks_per_group.set(0)), "s_blocks_per_group is 0");
        assert!(refused(|s| s.s_blocks_count_lo.set(1)).starts_with("s_blocks_count is 1"));
        assert!(refused(|s| s.s_blocks_per_group.set(8193)).starts_with("a group has 8193 clus"));
        for (clusters, log) in [(0, 4), (512, 3), (512, 40), (u32::MAX, 4)] {
            let what = refused(|superblock| {
                superblock.s_feature_ro_compat.set(0x200);
                superblock.s_clusters_per_group.set(clusters);
                superblock.s_log_cluster_size.set(log);
            });
            assert!(what.contains("cluster"), "{what}");
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let geometry = geometry(|superblock| {
            superblock.s_feature_incompat.set(0x80);
            superblock.s_desc_size.set(64);
            superblock.s_blocks_count_lo = U32::MAX_VALUE;
            superblock.s_blocks_count_hi = U32::MAX_VALUE;
            superblock.s_blocks_per_group.set(1);
            superblock.s_inodes_per_group = U32::MAX_VALUE;
            superblock.s_inode_size.set(u16::MAX);
        })
        .unwrap();
        assert_eq!(geometry.groups_count(), u64::MAX - 1);
        assert_eq!(geometry.filesystem_bytes(), u64::MAX);
        assert_eq!(geometry.byte_from_fsblk(Fsblk::new(u64::MAX)), None);
        assert_eq!(geometry.grpblk_from_fsblk(Fsblk::new(u64::MAX - 1)), None);
        assert_eq!(geometry.group_first_ino(Group::new(u32::MAX)), None);
    }

    #[test]
    fn a_journal_device_has_no_groups() {
        let geometry = geometry(|superblock| {
            superblock.s_feature_incompat.set(0x8);
            superblock.s_blocks_per_group.set(0);
        })
        .unwrap();
        assert_eq!(geometry.groups_count(), 0);
        assert_eq!(geometry.grpblk_from_fsblk(Fsblk::new(5)), None);
    }
}
