//! Descriptors and bitmaps.

use zerocopy::IntoBytes;

use super::flex_group::{FlexGroup, GroupPlan};
use super::inodes::low_half;
use super::put;
use super::shape::{Shape, halves};
use crate::bitmap::{Bitmap, BitsMut as _};
use crate::error::Result;
use crate::ondisk::csum::Csum;
use crate::ondisk::{BgFlags, RawGroupDesc};
use crate::units::Group;

/// Writes a block of the descriptor table, of which the first descriptor is that of group `first`.
pub(super) fn write_table(shape: &Shape, first: u64, to: &mut [u8]) -> Result<()> {
    let len = usize::try_from(shape.geometry.desc_size()).unwrap_or(usize::MAX);
    let mut flex_group = None::<FlexGroup>;
    let groups = first..shape.geometry.groups_count();
    for (group, to) in groups.zip(to.chunks_exact_mut(len)) {
        let flex_group = match &mut flex_group {
            Some(flex_group) if flex_group.plan(group).is_some() => flex_group,
            other => other.insert(FlexGroup::of(shape, group)?),
        };
        if let Some(plan) = flex_group.plan(group) {
            let desc = desc(shape, flex_group, plan)?;
            put(to, 0, desc.as_bytes().get(..len).unwrap_or_default());
        }
    }
    Ok(())
}

/// The descriptor of a group.
fn desc(shape: &Shape, flex_group: &FlexGroup, plan: &GroupPlan) -> Result<RawGroupDesc> {
    let mut raw = RawGroupDesc::from_bytes(&[]);
    let (hi, lo) = halves(plan.block_bitmap);
    raw.bg_block_bitmap_lo.set(lo);
    raw.bg_block_bitmap_hi.set(hi);
    let (hi, lo) = halves(plan.inode_bitmap);
    raw.bg_inode_bitmap_lo.set(lo);
    raw.bg_inode_bitmap_hi.set(hi);
    let (hi, lo) = halves(plan.inode_table);
    raw.bg_inode_table_lo.set(lo);
    raw.bg_inode_table_hi.set(hi);

    let group = Group::new(halves(plan.number).1);
    let clusters = u64::from(shape.geometry.group_clusters(group));
    // Counts of a group fit into 32 bits; without 64bit, into 16.
    let free_blocks = halves(clusters.saturating_sub(flex_group.used_clusters(plan))).1;
    raw.bg_free_blocks_count_lo = low_half(free_blocks);
    raw.bg_free_blocks_count_hi = low_half(free_blocks >> 16);
    let inodes = u64::from(shape.geometry.inodes_per_group());
    let free_inodes = halves(inodes - plan.used_inodes(shape)).1;
    raw.bg_free_inodes_count_lo = low_half(free_inodes);
    raw.bg_free_inodes_count_hi = low_half(free_inodes >> 16);
    let used_dirs = halves(plan.used_dirs(shape)).1;
    raw.bg_used_dirs_count_lo = low_half(used_dirs);
    raw.bg_used_dirs_count_hi = low_half(used_dirs >> 16);
    if shape.has_uninit() {
        let is_inode_uninit = plan.used_inodes(shape) == 0;
        let mut flags = BgFlags::empty();
        flags.set(BgFlags::BLOCK_UNINIT, flex_group.is_block_uninit(shape, plan));
        flags.set(BgFlags::INODE_UNINIT, is_inode_uninit);
        flags.set(BgFlags::INODE_ZEROED, !is_inode_uninit);
        raw.bg_flags.set(flags.bits());
        raw.bg_itable_unused_lo = low_half(free_inodes);
        raw.bg_itable_unused_hi = low_half(free_inodes >> 16);
        write_csums(shape, flex_group, plan, flags, &mut raw)?;
    }
    Ok(raw)
}

/// Adds the checksums of the bitmaps that are there, and that of the descriptor.
fn write_csums(
    shape: &Shape,
    flex_group: &FlexGroup,
    plan: &GroupPlan,
    flags: BgFlags,
    raw: &mut RawGroupDesc,
) -> Result<()> {
    let desc_size = shape.geometry.desc_size();
    let has_bitmaps = matches!(shape.csum, Csum::Metadata { .. });
    if has_bitmaps && !flags.contains(BgFlags::BLOCK_UNINIT) {
        let bitmap = block_bitmap(shape, flex_group, plan)?;
        let clusters = shape.geometry.clusters_per_group();
        let csum = shape.csum.block_bitmap(bitmap.as_bytes(), clusters, desc_size).unwrap_or(0);
        raw.bg_block_bitmap_csum_lo = low_half(csum);
        raw.bg_block_bitmap_csum_hi = low_half(csum >> 16);
    }
    if has_bitmaps && !flags.contains(BgFlags::INODE_UNINIT) {
        let bitmap = inode_bitmap(shape, plan)?;
        let inodes = shape.geometry.inodes_per_group();
        let csum = shape.csum.inode_bitmap(bitmap.as_bytes(), inodes, desc_size).unwrap_or(0);
        raw.bg_inode_bitmap_csum_lo = low_half(csum);
        raw.bg_inode_bitmap_csum_hi = low_half(csum >> 16);
    }
    let len = usize::try_from(desc_size).unwrap_or(usize::MAX);
    let bytes = raw.as_bytes().get(..len).unwrap_or_default();
    let csum = shape.csum.group_desc(Group::new(halves(plan.number).1), bytes);
    raw.bg_checksum.set(csum.unwrap_or(0));
    Ok(())
}

/// The block bitmap of a group, padding set; zeros where it was never written.
pub(super) fn block_bitmap(
    shape: &Shape,
    flex_group: &FlexGroup,
    plan: &GroupPlan,
) -> Result<Bitmap> {
    let mut bitmap = Bitmap::new(shape.geometry.bits_per_block().into())?;
    if !flex_group.is_block_uninit(shape, plan) {
        for run in flex_group.used_runs(plan) {
            bitmap.mark_range(run);
        }
        let group = Group::new(halves(plan.number).1);
        bitmap.mark_range(shape.geometry.group_clusters(group).into()..u64::MAX);
    }
    Ok(bitmap)
}

/// The inode bitmap of a group, likewise.
pub(super) fn inode_bitmap(shape: &Shape, plan: &GroupPlan) -> Result<Bitmap> {
    let mut bitmap = Bitmap::new(shape.geometry.bits_per_block().into())?;
    let used = plan.used_inodes(shape);
    if used > 0 || !shape.has_uninit() {
        bitmap.mark_range(0..used);
        bitmap.mark_range(shape.geometry.inodes_per_group().into()..u64::MAX);
    }
    Ok(bitmap)
}
