//! Which blocks must move, and which are freed on the way. Ref: `blocks_to_move`.

use core::ops::Range;

use super::Failure;
use super::target::new_backup;
use super::work::Work;
use crate::bitmap::{BitsMut as _, Runs};
use crate::units::{Fsblk, Group};

impl Work {
    /// Marks what of some old groups lies past the new end: files move, metadata is given up.
    pub(super) fn mark_moving(&mut self, groups: Range<u32>) {
        let end = self.end();
        for group in groups.map(Group::new) {
            let all = self.old.blocks(group);
            let past = all.start.max(end)..all.end;
            if past.is_empty() || self.old.is_block_uninit(group) {
                continue;
            }
            self.mark_moving_blocks(&past);
        }
    }

    /// Lets what of some blocks is not metadata move, and keeps everything else away.
    fn mark_moving_blocks(&mut self, blocks: &Range<u64>) {
        let clusters = self.old_map.clusters(blocks);
        for used in Runs::new(self.old_map.bits(), true, clusters) {
            for run in Runs::new(self.metadata.bits(), false, used) {
                self.moving.bits_mut().mark_range(run);
            }
        }
        self.reserve.mark(blocks);
    }

    /// Makes room for a backup superblock that comes to a new last group, with sparse_super2.
    pub(super) fn make_room_for_backup(&mut self) -> Result<(), Failure> {
        let Some(group) = new_backup(&self.old, &self.new) else {
            return Ok(());
        };
        let base = self.new.layout.group_base(group);
        let Some(start) = base.superblock.map(Fsblk::get) else {
            return Ok(());
        };
        let is_in_long_table =
            base.gdt.start < base.reserved_gdt.end && !self.new.is_in_meta_bg(group);
        let end =
            if is_in_long_table { base.reserved_gdt.end.get() } else { start.saturating_add(1) };
        let backup = start..end;
        self.new_map.mark(&backup);
        let itable_blocks = self.new.geometry.itable_blocks();
        let mut is_lost = false;
        let mut leaked_blocks: u64 = 0;
        for group in (0..self.new.group_count()).map(Group::new) {
            let old_itable = self.old.group(group).map_or(0, |desc| desc.inode_table.get());
            is_lost |= self.change_desc(group, |desc| {
                let mut is_lost = false;
                for bitmap in [&mut desc.block_bitmap, &mut desc.inode_bitmap] {
                    if backup.contains(&bitmap.get()) {
                        *bitmap = Fsblk::default();
                        is_lost = true;
                    }
                }
                let itable = desc.inode_table.get();
                let itable_end = itable.saturating_add(itable_blocks);
                if itable < backup.end && start < itable_end {
                    if itable != 0 && itable != old_itable {
                        // It was placed anew before; that place is not given back.
                        let kept = itable_end.min(backup.end).saturating_sub(itable.max(start));
                        leaked_blocks =
                            leaked_blocks.saturating_add(itable_blocks.saturating_sub(kept));
                    }
                    desc.inode_table = Fsblk::default();
                    is_lost = true;
                }
                is_lost
            });
            if is_lost {
                self.place_metadata(group)?;
            }
        }
        self.leaked_blocks = leaked_blocks;
        self.mark_moving_blocks(&backup);
        Ok(())
    }

    /// Frees the ends of descriptor areas that get shorter; gives the blocks freed.
    pub(super) fn release_descriptors(&mut self) -> Vec<Range<u64>> {
        let (before, after) = (self.old.backup_desc_blocks(), self.new.backup_desc_blocks());
        let mut freed = Vec::new();
        if before <= after {
            return freed;
        }
        let kept = self.is_bigalloc().then(|| self.new.metadata_map(&self.new_map));
        for group in (0..self.new.group_count()).map(Group::new) {
            if !self.old.layout.has_super(group) {
                continue;
            }
            let base = self.new.first_block(group).saturating_add(1);
            let blocks = base.saturating_add(after)..base.saturating_add(before);
            match &kept {
                None => self.release(&blocks),
                Some(kept) => {
                    let mut block = blocks.start;
                    while block < blocks.end {
                        let is_kept = kept.test(block);
                        if !is_kept {
                            self.release(&(block..block.saturating_add(1)));
                        }
                        let step = if is_kept { 1 } else { self.new_map.blocks_per_cluster() };
                        block = block.saturating_add(step);
                    }
                }
            }
            freed.push(blocks);
        }
        freed
    }
}
