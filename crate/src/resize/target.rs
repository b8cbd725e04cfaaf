//! The superblock and descriptors of the new filesystem, before anything is re-placed.
//! Ref: `adjust_fs_info`.

use super::Frame;
use crate::error::Result;
use crate::fs::{Geometry, Layout};
use crate::ondisk::Superblock;
use crate::ondisk::features::{Compat, Incompat};
use crate::units::Group;

/// The new filesystem of so many blocks.
///
/// # Errors
/// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when no geometry has so many blocks.
pub(super) fn new_frame(old: &Frame, blocks: u64, stride: u32) -> Result<Frame> {
    let mut superblock = old.superblock.clone();
    let r_blocks = reserved_blocks(old.superblock.r_blocks_count(), old, blocks);
    let is_64bit = old.has_incompat(Incompat::BIT64);
    let split = |n: u64| {
        let [a, b, c, d, e, f, g, h] = n.to_le_bytes();
        let high = if is_64bit { u32::from_le_bytes([e, f, g, h]) } else { 0 };
        (u32::from_le_bytes([a, b, c, d]), high)
    };
    let (low, high) = split(blocks);
    superblock.s_blocks_count_lo.set(low);
    superblock.s_blocks_count_hi.set(high);
    let (low, high) = split(r_blocks);
    superblock.s_r_blocks_count_lo.set(low);
    superblock.s_r_blocks_count_hi.set(high);
    superblock.s_overhead_clusters.set(0);
    superblock.s_raid_stride.set(u16::try_from(stride & 0xffff).unwrap_or(0));
    let groups = Geometry::new(&superblock)?.groups_count();
    let groups = u32::try_from(groups).unwrap_or(u32::MAX);
    let inodes = old.geometry.inodes_per_group().wrapping_mul(groups);
    superblock.s_inodes_count.set(inodes);
    let geometry = Geometry::new(&superblock)?;
    shrink_descriptors(&mut superblock, old, &geometry);
    move_backups(&mut superblock, old, groups);
    let geometry = Geometry::new(&superblock)?;
    let layout = Layout::new(&superblock, geometry);
    let kept = usize::try_from(groups).unwrap_or(usize::MAX);
    let groups = old.groups.iter().take(kept).copied().collect();
    Ok(Frame { superblock, geometry, layout, groups })
}

/// Blocks kept for the privileged user: the same share, in the tool's order of operations.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the tool computes with doubles, and cuts what is behind the point"
)]
fn reserved_blocks(old_reserved: u64, old: &Frame, blocks: u64) -> u64 {
    let percent = old_reserved as f64 * 100.0 / old.geometry.blocks_count() as f64;
    (percent * blocks as f64 / 100.0) as u64
}

/// Fewer descriptors leave more reserved GDT blocks, and may end metablock groups.
fn shrink_descriptors(superblock: &mut Superblock, old: &Frame, geometry: &Geometry) {
    let (before, after) = (old.geometry.desc_blocks(), geometry.desc_blocks());
    if old.has_compat(Compat::RESIZE_INODE) && before != after {
        let reserved = u64::from(superblock.s_reserved_gdt_blocks.get());
        let most = u64::from(geometry.block_size() / 4);
        let reserved = reserved.saturating_add(before).saturating_sub(after).min(most);
        superblock.s_reserved_gdt_blocks.set(u16::try_from(reserved).unwrap_or(u16::MAX));
    }
    if old.has_incompat(Incompat::META_BG) && u64::from(superblock.s_first_meta_bg.get()) > after {
        let incompat = superblock.features().incompat.difference(Incompat::META_BG);
        superblock.s_feature_incompat.set(incompat.bits());
        superblock.s_first_meta_bg.set(0);
    }
}

/// The two backups of sparse_super2 come along.
fn move_backups(superblock: &mut Superblock, old: &Frame, groups: u32) {
    let (last, old_last) = (groups.saturating_sub(1), old.group_count().saturating_sub(1));
    if !old.has_compat(Compat::SPARSE_SUPER2) || last >= old_last {
        return;
    }
    let [_, old_second] = old.superblock.s_backup_bgs;
    for backup in &mut superblock.s_backup_bgs {
        if backup.get() > last {
            backup.set(0);
        }
    }
    if last > 1 && old_second.get() == old_last {
        let [_, second] = &mut superblock.s_backup_bgs;
        second.set(last);
    }
}

/// The group that gets a backup superblock that it did not have, with sparse_super2.
pub(super) fn new_backup(old: &Frame, new: &Frame) -> Option<Group> {
    let last = new.group_count().saturating_sub(1);
    let has = |frame: &Frame| frame.superblock.s_backup_bgs.iter().any(|bg| bg.get() == last);
    let is_moved = old.has_compat(Compat::SPARSE_SUPER2)
        && new.group_count() < old.group_count()
        && has(new)
        && !has(old);
    is_moved.then(|| Group::new(last))
}
