//! Pass 1, first: the filesystem's own metadata, marked as found and as metadata.

use super::context::Context;
use super::finding::Problem;
use super::problem::{PR_1_BB_CONFLICT, PR_1_IB_CONFLICT, PR_1_ITABLE_CONFLICT};
use super::sink::Flow;
use super::steps::CheckStep;
use crate::bitmap::{Bits as _, BitsMut};
use crate::io::ByteSource;
use crate::ondisk::features::Incompat;
use crate::units::Group;

/// Groups marked in a step.
const GROUPS: u32 = 4096;

/// Marks some groups from `next` on; gives the group after them. Ref: `mark_table_blocks`.
pub(super) fn mark<S: ByteSource>(ctx: &mut Context<S>, next: u32) -> Flow<u32> {
    let end = next.saturating_add(GROUPS).min(ctx.fs.groups().len());
    for group in (next..end).map(Group::new) {
        let base = ctx.fs.layout().group_base(group);
        if let Some(fsblk) = base.superblock {
            mark_range(ctx, group, fsblk.get(), 1);
        }
        for range in [base.gdt.clone(), base.reserved_gdt] {
            mark_range(
                ctx,
                group,
                range.start.get(),
                range.end.get().saturating_sub(range.start.get()),
            );
        }
        // A table that claims to be longer than its descriptors need is taken at its word.
        let claimed = u64::from(ctx.superblock().s_first_meta_bg.get());
        let is_long = ctx.has_incompat(Incompat::META_BG) && base.superblock.is_some();
        if is_long && claimed > ctx.geometry().desc_blocks() {
            let room = ctx.geometry().blocks_count().saturating_sub(base.gdt.start.get());
            mark_range(ctx, group, base.gdt.start.get(), claimed.min(room));
        }
        let Some(entry) = ctx.fs.groups().get(group).copied() else { continue };
        let table = entry.desc.inode_table.get();
        let len = ctx.geometry().itable_blocks();
        if table != 0 {
            mark_table(ctx, group, table, len)?;
        }
        let bitmaps = [
            (entry.desc.block_bitmap.get(), PR_1_BB_CONFLICT),
            (entry.desc.inode_bitmap.get(), PR_1_IB_CONFLICT),
        ];
        for (fsblk, code) in bitmaps {
            if fsblk == 0 || ctx.is_illegal(fsblk) {
                continue;
            }
            if is_found(ctx, fsblk) {
                ctx.sink.tell(Problem::new(code).group(group).block(fsblk))?;
            } else {
                mark_range(ctx, group, fsblk, 1);
            }
        }
    }
    if end >= ctx.fs.groups().len() {
        let mmp = ctx.superblock().s_mmp_block.get();
        if ctx.has_incompat(Incompat::MMP) && mmp != 0 && !ctx.is_illegal(mmp) {
            let clusters = ctx.clusters(mmp, 1);
            note(ctx, Group::new(0), &clusters);
            ctx.maps.block_found.mark_range(clusters);
        }
    }
    Ok(end)
}

/// Marks an inode table block by block where something lies in it already, else as a whole.
fn mark_table<S: ByteSource>(ctx: &mut Context<S>, group: Group, table: u64, len: u64) -> Flow {
    let end = table.saturating_add(len).min(ctx.geometry().blocks_count());
    let is_bigalloc = ctx.geometry().blocks_per_cluster() > 1;
    let clusters = ctx.clusters(table, end.saturating_sub(table));
    let taken = ctx.maps.block_found.next_set(clusters.start);
    // A cluster that metadata shares with metadata is no conflict.
    if is_bigalloc || taken.is_none_or(|taken| taken >= clusters.end) {
        mark_range(ctx, group, table, end.saturating_sub(table));
        return Ok(());
    }
    for fsblk in table..end {
        if ctx.is_illegal(fsblk) {
            continue;
        }
        if is_found(ctx, fsblk) {
            ctx.sink.tell(Problem::new(PR_1_ITABLE_CONFLICT).group(group).block(fsblk))?;
        } else {
            mark_range(ctx, group, fsblk, 1);
        }
    }
    Ok(())
}

fn is_found<S: ByteSource>(ctx: &Context<S>, fsblk: u64) -> bool {
    let is_bigalloc = ctx.geometry().blocks_per_cluster() > 1;
    !is_bigalloc && ctx.maps.block_found.test(ctx.clusters(fsblk, 1).start)
}

fn mark_range<S: ByteSource>(ctx: &mut Context<S>, group: Group, start: u64, len: u64) {
    let clusters = ctx.clusters(start, len);
    note(ctx, group, &clusters);
    ctx.maps.block_found.mark_range(clusters.clone());
    ctx.maps.block_metadata.mark_range(clusters);
}

fn note<S: ByteSource>(ctx: &mut Context<S>, group: Group, clusters: &core::ops::Range<u64>) {
    let (first, len) = (clusters.start, clusters.end.saturating_sub(clusters.start));
    if len > 0 {
        ctx.sink.recorder.note(CheckStep::Metadata { group, first, len });
    }
}
