//! The size that a shrink ends at, and the stride that it assumes.

use super::Frame;
use crate::ondisk::features::Compat;
use crate::units::Group;

/// Blocks that the last group must have besides its metadata.
const LEAST_DATA: u64 = 50;

/// Rounds a size down so that the last group is worth having; `None` when the only group is too
/// small. Ref: `adjust_fs_info`.
pub(super) fn final_size(frame: &Frame, mut blocks: u64) -> Option<u64> {
    let geometry = &frame.geometry;
    let first_data_block = geometry.first_data_block().get();
    let per_group = u64::from(geometry.blocks_per_group());
    loop {
        let in_groups = blocks.checked_sub(first_data_block).filter(|n| *n > 0)?;
        let groups = in_groups.div_ceil(per_group);
        let mut needed = geometry.itable_blocks().saturating_add(2);
        if has_backup(frame, groups) {
            let desc_blocks = groups.div_ceil(u64::from(geometry.desc_per_block().get()));
            let reserved = u64::from(frame.superblock.s_reserved_gdt_blocks.get());
            needed = needed.saturating_add(1).saturating_add(desc_blocks).saturating_add(reserved);
        }
        let rest = in_groups.checked_rem(per_group).unwrap_or(0);
        if groups == 1 {
            return (rest == 0 || rest >= needed).then_some(blocks);
        }
        if rest == 0 || rest >= needed.saturating_add(LEAST_DATA) {
            return Some(blocks);
        }
        blocks = blocks.saturating_sub(rest);
    }
}

/// Whether the last of so many groups is taken to have a backup superblock. With sparse_super2
/// any backup counts.
fn has_backup(frame: &Frame, groups: u64) -> bool {
    if frame.has_compat(Compat::SPARSE_SUPER2) {
        let [first, second] = &frame.superblock.s_backup_bgs;
        let asked = if groups == 2 { first } else { second };
        return asked.get() != 0;
    }
    let last = u32::try_from(groups.saturating_sub(1)).unwrap_or(u32::MAX);
    frame.layout.has_super(Group::new(last))
}

/// The stride that the superblock tells of, or that the places of the bitmaps suggest.
/// Ref: `determine_fs_stride`.
pub(super) fn stride(frame: &Frame) -> u32 {
    /// Filesystems of more groups need a few of them to agree.
    const MANY_GROUPS: u32 = 12;
    let stored = frame.superblock.s_raid_stride.get();
    if stored != 0 {
        return u32::from(stored);
    }
    let per_flex = frame.geometry.groups_per_flex();
    let per_group = u64::from(frame.geometry.blocks_per_group());
    let (mut sum, mut count) = (0_u32, 0_u32);
    let mut before = None;
    for (group, desc) in (0..).map(Group::new).zip(&frame.groups) {
        let has_super = frame.layout.has_super(group);
        if let Some((had_super, last)) = before.replace((has_super, desc))
            && had_super == has_super
        {
            let distance = |this: u64, last: u64| {
                let [a, b, c, d, ..] =
                    this.wrapping_sub(last).wrapping_sub(per_group).to_le_bytes();
                i32::from_le_bytes([a, b, c, d])
            };
            let blocks = distance(desc.block_bitmap.get(), last.block_bitmap.get());
            let inodes = distance(desc.inode_bitmap.get(), last.inode_bitmap.get());
            let starts_flex = per_flex > 1 && group.get().checked_rem(per_flex) == Some(0);
            if let Ok(distance) = u32::try_from(blocks)
                && blocks == inodes
                && !starts_flex
            {
                sum = sum.wrapping_add(distance);
                count = count.wrapping_add(1);
            }
        }
    }
    if frame.group_count() > MANY_GROUPS && count < 3 {
        sum = 0;
    }
    sum.checked_div(count).unwrap_or(0)
}
