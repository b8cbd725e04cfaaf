//! Places for bitmaps and inode tables that cannot stay where they are.
//! Ref: `blocks_to_move`, `ext2fs_allocate_group_table`.

use core::ops::Range;

use super::Failure;
use super::work::Work;
use crate::bitmap::Bits as _;
use crate::ondisk::GroupDesc;
use crate::units::{Fsblk, Group};

/// The flex group that a group lies in, as far as the filesystem goes.
#[derive(Clone, Copy, Debug)]
struct Flex {
    size: u64,
    /// Its last group.
    last: Group,
    /// Groups from the one in question on.
    left: u64,
    /// Whether the group in question is not the first.
    is_inside: bool,
    /// How far from a group's bitmap the next kind of metadata is looked for.
    offset: u64,
}

impl Work {
    /// Places the metadata of some groups anew where it reaches past the end.
    pub(super) fn replace_metadata(&mut self, groups: Range<u32>) -> Result<(), Failure> {
        let end = self.end();
        let itable_blocks = self.new.geometry.itable_blocks();
        for group in groups.map(Group::new) {
            let is_lost = self.change_desc(group, |desc| {
                let mut is_lost = false;
                for bitmap in [&mut desc.block_bitmap, &mut desc.inode_bitmap] {
                    if bitmap.get() >= end {
                        *bitmap = Fsblk::default();
                        is_lost = true;
                    }
                }
                if desc.inode_table.get().saturating_add(itable_blocks) > end {
                    desc.inode_table = Fsblk::default();
                    is_lost = true;
                }
                is_lost
            });
            if is_lost {
                self.place_metadata(group)?;
            }
        }
        Ok(())
    }

    /// Places what of a group's metadata has no place.
    pub(super) fn place_metadata(&mut self, group: Group) -> Result<(), Failure> {
        let flex = self.flex_of(group);
        let (mut first, mut last) = (self.new.first_block(group), self.new.last_block(group));
        let mut start = first;
        if self.stride != 0 && flex.is_none() {
            start = self.stride_start(group, first, last)?;
        }
        let before = group.get().checked_sub(1).and_then(|at| self.new.group(Group::new(at)));
        let before = before.copied().unwrap_or_default();
        let no_room = Failure::NoRoomForMetadata { group };
        if let Some(flex) = flex {
            let hint = if flex.is_inside { before.block_bitmap.get().saturating_add(1) } else { 0 };
            start = self.flex_start(group, flex, hint, 1);
            last = self.new.last_block(flex.last);
        }
        let find = |work: &Self, start: u64| {
            work.find_free(start, last, 1).or_else(|| work.find_free(first, last, 1))
        };
        if self.desc(group).block_bitmap.get() == 0 {
            let block = find(self, start).ok_or(no_room)?;
            self.place(block..block.saturating_add(1), flex.is_some());
            self.change_desc(group, |desc| desc.block_bitmap = Fsblk::new(block));
        }
        if let Some(flex) = flex {
            let hint = if flex.is_inside {
                before.inode_bitmap.get().saturating_add(1)
            } else {
                self.desc(group).block_bitmap.get().saturating_add(flex.offset)
            };
            start = self.flex_start(group, flex, hint, 1);
        }
        if self.desc(group).inode_bitmap.get() == 0 {
            let block = find(self, start).ok_or(no_room)?;
            self.place(block..block.saturating_add(1), flex.is_some());
            self.change_desc(group, |desc| desc.inode_bitmap = Fsblk::new(block));
        }
        let itable_blocks = self.new.geometry.itable_blocks();
        if let Some(flex) = flex {
            let hint = if flex.is_inside {
                before.inode_table.get().saturating_add(itable_blocks)
            } else {
                self.desc(group).inode_bitmap.get().saturating_add(flex.offset)
            };
            first = self.flex_start(group, flex, hint, itable_blocks);
        }
        if self.desc(group).inode_table.get() == 0 {
            let block = self.find_free(first, last, itable_blocks).ok_or(no_room)?;
            self.place(block..block.saturating_add(itable_blocks), flex.is_some());
            self.change_desc(group, |desc| desc.inode_table = Fsblk::new(block));
        }
        Ok(())
    }

    fn flex_of(&self, group: Group) -> Option<Flex> {
        let size = self.new.geometry.groups_per_flex();
        if size <= 1 {
            return None;
        }
        let in_flex = group.get().checked_rem(size).unwrap_or(0);
        let last_group = self.new.group_count().saturating_sub(1);
        let last = group.get().saturating_sub(in_flex).saturating_add(size.saturating_sub(1));
        let last = last.min(last_group);
        let mut offset = size;
        if in_flex == 0 && last == last_group {
            let last_in_flex = last.checked_rem(size).unwrap_or(0);
            offset = if last_in_flex == 0 { size } else { last_in_flex.saturating_add(1) };
        }
        Some(Flex {
            size: u64::from(size),
            last: Group::new(last),
            left: u64::from(last.saturating_sub(group.get())).saturating_add(1),
            is_inside: in_flex != 0,
            offset: u64::from(offset),
        })
    }

    /// Where the search begins for metadata that is spread over the disks of an array.
    fn stride_start(&self, group: Group, first: u64, last: u64) -> Result<u64, Failure> {
        let free = self.find_free(first, last, 1).ok_or(Failure::NoRoomForMetadata { group })?;
        let behind = free.wrapping_add(self.new.geometry.itable_blocks());
        let stride = u64::from(self.stride.wrapping_mul(group.get()));
        let span = last.wrapping_sub(behind).wrapping_add(1);
        let shift = stride.checked_rem(span).ok_or(Failure::StrideDivision { group })?;
        let start = behind.wrapping_add(shift);
        Ok(if start >= last { first } else { start })
    }

    /// Where the search begins in a flex group, for the groups that are left with so many blocks
    /// each: at the hint, where all fit together, where one fits; 0 where nothing does.
    /// Ref: `flexbg_offset`.
    fn flex_start(&self, group: Group, flex: Flex, hint: u64, blocks: u64) -> u64 {
        let quarter = u64::from(self.new.geometry.blocks_per_group() / 4);
        let together = flex.left.saturating_mul(blocks).min(quarter);
        if hint != 0
            && hint < self.end()
            && let Some(found) = self.find_free(hint, hint.saturating_add(together), blocks)
        {
            return found;
        }
        let in_flex = u64::from(group.get()).checked_rem(flex.size).unwrap_or(0);
        let first = u64::from(group.get()).saturating_sub(in_flex);
        let first = self.new.first_block(Group::new(u32::try_from(first).unwrap_or(u32::MAX)));
        let last = self.new.last_block(flex.last);
        [(first, together), (first, blocks), (0, blocks)]
            .into_iter()
            .find_map(|(start, count)| self.find_free(start, last, count))
            .unwrap_or(0)
    }

    /// The first place of so many free blocks from `start` on, up to `finish`, going on at the
    /// start of the filesystem when `finish` is not past `start`. Ref: `ext2fs_get_free_blocks2`.
    fn find_free(&self, start: u64, finish: u64, count: u64) -> Option<u64> {
        let first_data_block = self.new.geometry.first_data_block().get();
        let per_cluster = self.new_map.blocks_per_cluster();
        let aligned =
            |block: u64| block.saturating_sub(block.checked_rem(per_cluster).unwrap_or(0));
        let finish = aligned(if finish == 0 { start } else { finish });
        let mut block = aligned(if start == 0 { first_data_block } else { start });
        let is_forward = finish > block;
        let count = count.max(1);
        let mut wrapped = false;
        loop {
            if block.saturating_add(count).saturating_sub(1) >= self.end() {
                if is_forward || wrapped {
                    return None;
                }
                wrapped = true;
                block = first_data_block;
                continue;
            }
            let clusters = self.new_map.clusters(&(block..block.saturating_add(count)));
            let taken = self.new_map.bits().next_set(clusters.start);
            let Some(taken) = taken.filter(|taken| *taken < clusters.end) else {
                return Some(block);
            };
            // No place begins before the next free cluster.
            let free = self.new_map.bits().next_clear(taken);
            let next = free.map_or(self.end(), |free| self.new_map.block(free));
            if block < finish && finish <= next {
                return None;
            }
            block = next;
        }
    }

    fn place(&mut self, blocks: Range<u64>, is_flex: bool) {
        self.new_map.mark(&blocks);
        if is_flex {
            self.init_groups_of(&blocks);
        }
    }

    fn desc(&self, group: Group) -> GroupDesc {
        self.new.group(group).copied().unwrap_or_default()
    }

    /// Changes a descriptor of the new filesystem; gives what `change` gives.
    pub(super) fn change_desc<T: Default>(
        &mut self,
        group: Group,
        change: impl FnOnce(&mut GroupDesc) -> T,
    ) -> T {
        let desc = usize::try_from(group.get()).ok().and_then(|at| self.new.groups.get_mut(at));
        desc.map(change).unwrap_or_default()
    }
}
