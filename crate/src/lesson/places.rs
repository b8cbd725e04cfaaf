//! Where the block bitmaps of a filesystem lie.

use crate::error::{Error, Result};
use crate::fs::{BitmapPlace, Geometry, Layout};
use crate::ondisk::features::{Incompat, RoCompat};
use crate::ondisk::{SUPER_MAGIC, SUPERBLOCK_BYTES, Superblock};
use crate::units::{Fsblk, Group};

/// Blocks of a group of a made-up filesystem, as mke2fs has it with blocks of 4 KiB.
const BLOCKS_PER_GROUP: u32 = 32_768;

/// Where the block bitmaps of a filesystem lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitmapPlaces {
    /// Bytes of a block.
    pub block_size: u32,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// Groups of a flex group.
    pub groups_per_flex: u32,
    /// The bitmap of each group; `None` where the descriptor leads nowhere.
    pub groups: Vec<Option<BitmapPlace>>,
}

impl BitmapPlaces {
    /// Those of a full filesystem as mke2fs makes it: blocks of 4 KiB, and the bitmaps of a flex
    /// group side by side in its first group, behind the copy of the descriptors where it has one.
    ///
    /// # Errors
    /// Those of [`Geometry::new`] for numbers that make arithmetic impossible.
    pub fn made(groups: u32, groups_per_flex: u32) -> Result<Self> {
        let superblock = superblock(groups, groups_per_flex)?;
        let geometry = Geometry::new(&superblock)?;
        let layout = Layout::new(&superblock, geometry);
        let groups_per_flex = geometry.groups_per_flex().max(1);
        let place = |group: u32| {
            let index = group % groups_per_flex;
            let base = layout.group_base(Group::new(group - index)).reserved_gdt.end;
            Some(BitmapPlace::Disk(Fsblk::new(base.get().saturating_add(index.into()))))
        };
        Ok(Self {
            block_size: geometry.block_size(),
            blocks_count: geometry.blocks_count(),
            groups_per_flex,
            groups: (0..groups).map(place).collect(),
        })
    }

    /// How many groups there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.groups.len()).unwrap_or(u32::MAX)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Where a group's bitmap lies, if the descriptor leads anywhere.
    #[must_use]
    pub fn get(&self, group: u32) -> Option<BitmapPlace> {
        self.groups.get(group as usize).copied().flatten()
    }

    /// The block of a group's bitmap, if there is one on the disk.
    #[must_use]
    pub fn fsblk(&self, group: u32) -> Option<Fsblk> {
        match self.get(group)? {
            BitmapPlace::Disk(fsblk) => Some(fsblk),
            BitmapPlace::Uninit => None,
        }
    }
}

/// As much of a superblock as says where bitmaps lie.
fn superblock(groups: u32, groups_per_flex: u32) -> Result<Superblock> {
    let mut superblock = Superblock::from_prefix(&[0; SUPERBLOCK_BYTES])
        .ok_or_else(|| Error::corrupt("a superblock needs its bytes"))?;
    let blocks = u64::from(groups).saturating_mul(BLOCKS_PER_GROUP.into());
    let mut incompat = Incompat::BIT64 | Incompat::EXTENTS;
    incompat.set(Incompat::FLEX_BG, groups_per_flex > 1);
    superblock.s_feature_incompat.set(incompat.bits());
    superblock.s_feature_ro_compat.set(RoCompat::SPARSE_SUPER.bits());
    superblock.s_magic.set(SUPER_MAGIC);
    superblock.s_rev_level.set(1);
    superblock.s_blocks_count_lo.set((blocks & u64::from(u32::MAX)) as u32);
    superblock.s_blocks_count_hi.set((blocks >> 32) as u32);
    superblock.s_log_block_size.set(2);
    superblock.s_log_cluster_size.set(2);
    superblock.s_blocks_per_group.set(BLOCKS_PER_GROUP);
    superblock.s_clusters_per_group.set(BLOCKS_PER_GROUP);
    superblock.s_inode_size.set(256);
    superblock.s_desc_size.set(64);
    let log = groups_per_flex.checked_ilog2().unwrap_or(0);
    superblock.s_log_groups_per_flex = u8::try_from(log).unwrap_or(u8::MAX);
    Ok(superblock)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(groups: u32, groups_per_flex: u32) -> Vec<u64> {
        let places = BitmapPlaces::made(groups, groups_per_flex).expect("small");
        (0..groups).filter_map(|group| places.fsblk(group)).map(Fsblk::get).collect()
    }

    #[test]
    fn bitmaps_of_a_flex_group_lie_side_by_side_behind_the_descriptors() {
        assert_eq!(blocks(5, 4), [2, 3, 4, 5, 4 * 32_768]);
        // Group 3 has a copy of the superblock and of a block of descriptors, group 2 has none.
        assert_eq!(blocks(4, 1), [2, 32_770, 65_536, 98_306]);
    }

    #[test]
    fn no_block_holds_two_bitmaps() {
        for groups_per_flex in [1, 2, 16, 64] {
            let mut blocks = blocks(512, groups_per_flex);
            blocks.dedup();
            assert_eq!((blocks.len(), blocks.is_sorted()), (512, true), "{groups_per_flex}");
        }
    }
}
