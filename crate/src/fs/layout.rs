//! Where the copies of the superblock and of the descriptor table lie.

use core::ops::Range;

use super::geometry::Geometry;
use crate::ondisk::Superblock;
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::units::{Fsblk, Group};

/// Which groups hold what, as the features and numbers of the superblock say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    geometry: Geometry,
    backups: Backups,
    /// Metablock groups before this one have their descriptors in the one long table.
    first_meta_bg: Option<u32>,
    reserved_gdt_blocks: u16,
}

/// Which groups have a copy of the superblock besides group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backups {
    All,
    Sparse,
    Sparse2([u32; 2]),
}

/// What a group holds ahead of its bitmaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupBase {
    /// Block with the superblock or a copy of it.
    pub superblock: Option<Fsblk>,
    /// Blocks of the descriptor table, or of the part of it that belongs to a metablock group;
    /// empty when there are none here.
    pub gdt: Range<Fsblk>,
    /// Reserved GDT blocks; empty when there are none here.
    pub reserved_gdt: Range<Fsblk>,
}

impl Layout {
    /// Reads the layout off a superblock.
    #[must_use]
    pub fn new(superblock: &Superblock, geometry: Geometry) -> Self {
        let features = superblock.features();
        Self {
            geometry,
            backups: if features.compat.contains(Compat::SPARSE_SUPER2) {
                Backups::Sparse2(superblock.s_backup_bgs.map(|group| group.get()))
            } else if features.ro_compat.contains(RoCompat::SPARSE_SUPER) {
                Backups::Sparse
            } else {
                Backups::All
            },
            first_meta_bg: features
                .incompat
                .contains(Incompat::META_BG)
                .then(|| superblock.s_first_meta_bg.get()),
            reserved_gdt_blocks: superblock.s_reserved_gdt_blocks.get(),
        }
    }

    /// Whether a group has the superblock or a copy of it. Ref: `ext2fs_bg_has_super`.
    #[must_use]
    pub fn has_super(&self, group: Group) -> bool {
        let group = group.get();
        if group == 0 {
            return true;
        }
        match self.backups {
            Backups::Sparse2(groups) => groups.contains(&group),
            Backups::All => true,
            Backups::Sparse => [3, 5, 7].iter().any(|root| is_power_of(group, *root)),
        }
    }

    /// What a group holds ahead of its bitmaps. Ref: `ext2fs_super_and_bgd_loc2`.
    #[must_use]
    pub fn group_base(&self, group: Group) -> GroupBase {
        let has_super = self.has_super(group);
        let first = self.super_block_of(group);
        let after_super = skip(first, u64::from(has_super));
        let in_long_table = self.is_in_long_table(self.meta_bg_of(group));
        let (gdt_blocks, reserved_blocks) = match (in_long_table, has_super) {
            (true, true) => (self.long_table_blocks(), self.reserved_blocks()),
            (true, false) => (0, 0),
            (false, _) => (u64::from(self.has_meta_bg_copy(group)), 0),
        };
        let gdt_end = skip(after_super, gdt_blocks);
        GroupBase {
            superblock: has_super.then_some(first),
            gdt: after_super..gdt_end,
            reserved_gdt: gdt_end..skip(gdt_end, reserved_blocks),
        }
    }

    /// Where block `index` of the descriptor table lies when the superblock in block
    /// `superblock_at` is used: beside it, or, for a metablock group read by a backup, in the
    /// second group of the metablock group. Ref: `ext2fs_descriptor_block_loc2`.
    #[must_use]
    pub fn desc_fsblk(&self, index: u64, superblock_at: Fsblk) -> Fsblk {
        if self.is_in_long_table(index) {
            return skip(superblock_at, index.saturating_add(1));
        }
        let first_group = index.saturating_mul(u64::from(self.geometry.desc_per_block().get()));
        let Ok(first_group) = u32::try_from(first_group).map(Group::new) else {
            return Fsblk::new(u64::MAX);
        };
        let is_primary = superblock_at == self.super_block_of(Group::new(0));
        let second_group = first_group
            .checked_add(1)
            .filter(|group| u64::from(group.get()) < self.geometry.groups_count());
        let group = if is_primary { first_group } else { second_group.unwrap_or(first_group) };
        skip(self.super_block_of(group), u64::from(self.has_super(group)))
    }

    /// How many blocks of the descriptor table follow one another from block `index` on.
    #[must_use]
    pub fn desc_blocks_together(&self, index: u64) -> u64 {
        if self.is_in_long_table(index) {
            self.long_table_blocks().saturating_sub(index).max(1)
        } else {
            1
        }
    }

    /// Block of a group in which a superblock lies if there is one: the group's first, save that
    /// block 0 of 1 KiB is left to the boot loader even where group 0 starts there.
    #[must_use]
    pub fn super_block_of(&self, group: Group) -> Fsblk {
        let first = self.geometry.group_first_fsblk(group);
        if first.get() == 0 && self.geometry.block_size() == 1024 { Fsblk::new(1) } else { first }
    }

    /// The first group whose descriptor a block of the table holds, of the copy that lies in
    /// `group`.
    #[must_use]
    pub fn first_desc_in(&self, group: Group, fsblk: Fsblk) -> u32 {
        let per_block = u64::from(self.geometry.desc_per_block().get());
        let meta_bg = self.meta_bg_of(group);
        let block = if self.is_in_long_table(meta_bg) {
            fsblk.get().saturating_sub(self.group_base(group).gdt.start.get())
        } else {
            meta_bg
        };
        u32::try_from(block.saturating_mul(per_block)).unwrap_or(u32::MAX)
    }

    fn meta_bg_of(&self, group: Group) -> u64 {
        u64::from(group.get() / self.geometry.desc_per_block())
    }

    fn is_in_long_table(&self, meta_bg: u64) -> bool {
        self.first_meta_bg.is_none_or(|first| meta_bg < u64::from(first))
    }

    /// Blocks of the long table that each superblock is followed by.
    fn long_table_blocks(&self) -> u64 {
        let all = self.geometry.desc_blocks();
        self.first_meta_bg.map_or(all, |first| all.min(u64::from(first)))
    }

    /// A metablock group's descriptors lie in its first, second and last group.
    /// Ref: `ext4_bg_num_gdb_meta`.
    fn has_meta_bg_copy(&self, group: Group) -> bool {
        let per_block = self.geometry.desc_per_block();
        let in_meta_bg = group.get() % per_block;
        in_meta_bg <= 1 || in_meta_bg == per_block.get().saturating_sub(1)
    }

    fn reserved_blocks(&self) -> u64 {
        if self.first_meta_bg.is_some() { 0 } else { u64::from(self.reserved_gdt_blocks) }
    }
}

fn skip(from: Fsblk, blocks: u64) -> Fsblk {
    Fsblk::new(from.get().saturating_add(blocks))
}

/// Whether `n` is `root` to the power of 0 or more.
fn is_power_of(mut n: u32, root: u32) -> bool {
    while let (Some(next), Some(0)) = (n.checked_div(root), n.checked_rem(root)) {
        if next == 0 {
            return false;
        }
        n = next;
    }
    n == 1
}

#[cfg(test)]
mod tests {
    use super::super::testing::Image;
    use super::*;

    fn layout(change: impl FnOnce(&mut Superblock)) -> Layout {
        let mut superblock = Image::new().superblock;
        superblock.s_blocks_count_lo.set(1 + 100 * 8192);
        change(&mut superblock);
        Layout::new(&superblock, Geometry::new(&superblock).unwrap())
    }

    fn groups_with_super(layout: &Layout) -> Vec<u32> {
        (0..100).filter(|group| layout.has_super(Group::new(*group))).collect()
    }

    fn blocks(range: &Range<Fsblk>) -> Range<u64> {
        range.start.get()..range.end.get()
    }

    #[test]
    fn copies_lie_in_powers_of_3_5_and_7_or_everywhere_or_in_two_groups() {
        let sparse = layout(|_| ());
        assert_eq!(groups_with_super(&sparse), [0, 1, 3, 5, 7, 9, 25, 27, 49, 81]);
        let all = layout(|superblock| superblock.s_feature_ro_compat.set(0));
        assert_eq!(groups_with_super(&all).len(), 100);
        let two = layout(|superblock| {
            superblock.s_feature_compat.set(0x200);
            superblock.s_backup_bgs[0].set(1);
            superblock.s_backup_bgs[1].set(99);
        });
        assert_eq!(groups_with_super(&two), [0, 1, 99]);
        let none = layout(|superblock| superblock.s_feature_compat.set(0x200));
        assert_eq!(groups_with_super(&none), [0]);
    }

    #[test]
    fn the_table_and_its_reserve_follow_each_copy() {
        let layout = layout(|superblock| superblock.s_reserved_gdt_blocks.set(5));
        let base = layout.group_base(Group::new(3));
        assert_eq!(base.superblock, Some(Fsblk::new(24577)));
        assert_eq!(blocks(&base.gdt), 24578..24582);
        assert_eq!(blocks(&base.reserved_gdt), 24582..24587);
        let none = layout.group_base(Group::new(2));
        assert_eq!(none.superblock, None);
        assert!(none.gdt.is_empty() && none.reserved_gdt.is_empty());
    }

    #[test]
    fn a_metablock_group_has_its_block_in_its_first_second_and_last_group() {
        let layout = layout(|superblock| {
            superblock.s_feature_incompat.set(0x10);
            superblock.s_first_meta_bg.set(1);
        });
        let has_desc = |group: u32| !layout.group_base(Group::new(group)).gdt.is_empty();
        let with: Vec<_> = (0..100).filter(|group| has_desc(*group)).collect();
        assert_eq!(with, [0, 1, 3, 5, 7, 9, 25, 27, 32, 33, 63, 64, 65, 95, 96, 97]);
        // Group 49 has a superblock, but its metablock group's descriptors are elsewhere.
        assert_eq!(layout.group_base(Group::new(49)).superblock, Some(Fsblk::new(1 + 49 * 8192)));
    }

    #[test]
    fn descriptors_are_read_beside_the_superblock_in_use() {
        let layout = layout(|_| ());
        assert_eq!(layout.desc_fsblk(2, Fsblk::new(1)), Fsblk::new(4));
        assert_eq!(layout.desc_fsblk(2, Fsblk::new(8193)), Fsblk::new(8196));
        assert_eq!(layout.desc_blocks_together(1), 3);
    }

    #[test]
    fn a_metablock_group_is_read_by_a_backup_from_its_second_group() {
        let layout = layout(|superblock| superblock.s_feature_incompat.set(0x10));
        assert_eq!(layout.desc_blocks_together(0), 1);
        assert_eq!(layout.desc_fsblk(0, Fsblk::new(1)), Fsblk::new(2));
        assert_eq!(layout.desc_fsblk(0, Fsblk::new(8193)), Fsblk::new(8194));
        assert_eq!(layout.desc_fsblk(1, Fsblk::new(1)), Fsblk::new(1 + 32 * 8192));
        assert_eq!(layout.desc_fsblk(1, Fsblk::new(8193)), Fsblk::new(1 + 33 * 8192));
    }

    #[test]
    fn block_0_of_1_kib_is_left_to_the_boot_loader() {
        let layout = layout(|superblock| superblock.s_first_data_block.set(0));
        let base = layout.group_base(Group::new(0));
        assert_eq!(base.superblock, Some(Fsblk::new(1)));
        assert_eq!(base.gdt.start, Fsblk::new(2));
    }
}
