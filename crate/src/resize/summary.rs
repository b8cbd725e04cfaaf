//! The final figures: free counts, flags, the resize inode. Ref: `resize2fs_calculate_summary_stats`,
//! `ext2fs_set_gdt_csum`, `ext2fs_create_resize_inode`.

use core::ops::Range;

use super::touched::{FileExtent, FileMap};
use super::work::Work;
use crate::bitmap::{Bits as _, BitsMut as _, Runs};
use crate::ondisk::BgFlags;
use crate::ondisk::features::{Compat, Incompat};
use crate::units::Group;

/// Free blocks and inodes of the whole filesystem.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) free_clusters: u64,
    pub(super) free_inodes: u64,
}

impl Work {
    /// Counts what is free in some groups.
    pub(super) fn count_free(&mut self, groups: Range<u32>, totals: &mut Totals) {
        let per_group = self.new.geometry.inodes_per_group();
        for group in groups.map(Group::new) {
            let start = self.new_map.cluster(self.new.first_block(group));
            let width = u64::from(self.counted_clusters(group));
            let used = self.new_map.bits().count_range(start..start.saturating_add(width));
            let free = width.saturating_sub(used);
            totals.free_clusters = totals.free_clusters.saturating_add(free);
            let used_inodes = self.inode_map.count_range(self.inodes(group));
            let used_inodes = u32::try_from(used_inodes).unwrap_or(u32::MAX);
            let free_inodes = self.change_desc(group, |desc| {
                desc.free_blocks_count = u32::try_from(free).unwrap_or(u32::MAX);
                let is_uninit = desc.flags.contains(BgFlags::INODE_UNINIT);
                let used = if is_uninit { 0 } else { used_inodes };
                desc.free_inodes_count = per_group.saturating_sub(used);
                desc.free_inodes_count
            });
            totals.free_inodes = totals.free_inodes.saturating_add(u64::from(free_inodes));
        }
    }

    /// Inodes of a group, by number.
    pub(super) fn inodes(&self, group: Group) -> Range<u64> {
        let first = self.new.geometry.group_first_ino(group);
        let first = first.map_or(u64::MAX, |ino| u64::from(ino.get()));
        first..first.saturating_add(u64::from(self.new.geometry.inodes_per_group()))
    }

    /// Writes the counts of the whole into the superblock, and takes the mark of errors away.
    pub(super) fn set_totals(&mut self, totals: Totals) {
        let free = totals.free_clusters.saturating_mul(self.new_map.blocks_per_cluster());
        let is_64bit = self.new.has_incompat(Incompat::BIT64);
        let superblock = &mut self.new.superblock;
        let [a, b, c, d, e, f, g, h] = free.to_le_bytes();
        superblock.s_free_blocks_count_lo.set(u32::from_le_bytes([a, b, c, d]));
        if is_64bit {
            superblock.s_free_blocks_count_hi.set(u32::from_le_bytes([e, f, g, h]));
        }
        let free_inodes = u32::try_from(totals.free_inodes).unwrap_or(u32::MAX);
        superblock.s_free_inodes_count.set(free_inodes);
        let state = superblock.s_state.get();
        superblock.s_state.set(state & !super::refusal::ERROR_FS);
    }

    /// Sets the flags of some groups by their counts.
    pub(super) fn set_flags(&mut self, groups: Range<u32>) {
        if !self.new.has_csum() {
            return;
        }
        let blocks_per_group = self.new.geometry.blocks_per_group();
        let per_group = self.new.geometry.inodes_per_group();
        let last = self.new.group_count().saturating_sub(1);
        for group in groups.map(Group::new) {
            let unused = self.unused_inodes(group);
            self.change_desc(group, |desc| {
                // Clusters are compared with blocks.
                if desc.free_blocks_count == blocks_per_group && group.get() != last {
                    desc.flags.insert(BgFlags::BLOCK_UNINIT);
                }
                if desc.free_inodes_count == per_group {
                    desc.flags.insert(BgFlags::INODE_UNINIT);
                    desc.itable_unused = per_group;
                } else {
                    desc.flags.remove(BgFlags::INODE_UNINIT);
                    desc.itable_unused = unused;
                }
            });
        }
    }

    /// Inodes behind the last one in use of a group; 0 when none is in use.
    fn unused_inodes(&self, group: Group) -> u32 {
        let inodes = self.inodes(group);
        let last = Runs::new(&self.inode_map, true, inodes.clone()).last();
        last.map_or(0, |run| u32::try_from(inodes.end.saturating_sub(run.end)).unwrap_or(0))
    }

    /// The block bitmaps as a reader sees them: of a group that is not written, its metadata
    /// alone; behind the last block, all in use.
    pub(super) fn final_map(&self) -> super::ClusterMap {
        let mut map = self.new_map.clone();
        let groups = || (0..self.new.group_count()).map(Group::new);
        for group in groups().filter(|group| self.new.is_block_uninit(*group)) {
            map.unmark(&self.new.blocks(group));
        }
        map.mark(&(self.end()..u64::MAX));
        for group in groups().filter(|group| self.new.is_block_uninit(*group)) {
            self.new.metadata(group).for_each(|blocks| map.mark(&blocks));
        }
        map
    }

    /// Takes inodes of groups that are not written out of the map.
    pub(super) fn clear_uninit_inodes(&mut self) {
        if !self.new.has_csum() {
            return;
        }
        for group in (0..self.new.group_count()).map(Group::new) {
            let desc = self.new.group(group).copied().unwrap_or_default();
            if desc.flags.contains(BgFlags::INODE_UNINIT) {
                self.inode_map.unmark_range(self.inodes(group));
            }
        }
    }

    /// The map of the resize inode, built anew under its double indirect block, and its
    /// `i_blocks`; `None` without the feature.
    pub(super) fn resize_inode(&self, dind: u64) -> Option<(FileMap, u64)> {
        if !self.new.has_compat(Compat::RESIZE_INODE) {
            return None;
        }
        let per_block = u64::from(self.new.geometry.block_size() / 4);
        let desc_blocks = self.new.geometry.desc_blocks();
        let first = self.new.layout.super_block_of(Group::new(0)).get();
        let per_group = u64::from(self.new.geometry.blocks_per_group());
        let backups = self.backup_groups();
        let reserved = u64::from(self.new.superblock.s_reserved_gdt_blocks.get());
        let mut slots: Vec<(u64, u64)> = (0..reserved)
            .map(|index| {
                let slot = desc_blocks.saturating_add(index);
                let block = first.saturating_add(1).saturating_add(slot);
                (slot.checked_rem(per_block).unwrap_or(0), block)
            })
            .collect();
        slots.sort_unstable();
        let mut map = FileMap { extents: Vec::new(), nodes: vec![dind] };
        let base = per_block.saturating_add(12);
        for (slot, block) in &slots {
            map.nodes.push(*block);
            for (index, group) in (0..).zip(&backups) {
                let lblk =
                    base.saturating_add(slot.saturating_mul(per_block)).saturating_add(index);
                let fsblk = block.saturating_add(u64::from(group.get()).saturating_mul(per_group));
                map.push_joined(FileExtent { lblk, fsblk, len: 1, unwritten: false });
            }
        }
        let each = u64::try_from(backups.len()).unwrap_or(0).saturating_add(1);
        let blocks = reserved.saturating_mul(each).saturating_add(1);
        let sectors = u64::from(self.new.geometry.block_size() / 512);
        let unit = sectors.saturating_mul(self.new_map.blocks_per_cluster());
        Some((map, blocks.saturating_mul(unit)))
    }

    /// Groups with a backup superblock, in the order in which the resize inode has them.
    fn backup_groups(&self) -> Vec<Group> {
        let count = self.new.group_count();
        if self.new.has_compat(Compat::SPARSE_SUPER2) {
            let backups = self.new.superblock.s_backup_bgs.iter().map(|group| group.get());
            let placed = backups.filter(|group| *group != 0 && *group < count);
            return placed.map(Group::new).collect();
        }
        let groups = (1..count).map(Group::new);
        groups.filter(|group| self.new.layout.has_super(*group)).collect()
    }
}
