//! Pass 1: inode 1, the list of bad blocks.

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    Code, PR_1_BAD_GROUP_DESCRIPTORS, PR_1_BAD_PRIMARY_BLOCK, PR_1_BAD_PRIMARY_BLOCK_PROMPT,
    PR_1_BAD_PRIMARY_GROUP_DESCRIPTOR, PR_1_BAD_PRIMARY_SUPERBLOCK, PR_1_BAD_SUPERBLOCK,
    PR_1_BB_BAD_BLOCK, PR_1_BB_FS_BLOCK, PR_1_BB_ILLEGAL_BLOCK_NUM, PR_1_BBINODE_BAD_METABLOCK,
    PR_1_BBINODE_BAD_METABLOCK_PROMPT, PR_1_BLOCK_ITERATE, PR_1_IB_BAD_BLOCK,
    PR_1_INODE_BBLOCK_LATCH, PR_1_INVALID_BAD_INODE, PR_1_PROGERR_CLAIMED_BLOCK,
};
use super::scan::Scanned;
use super::sink::Flow;
use crate::bitmap::{Bits as _, BitsMut as _, RunBitmap};
use crate::fs::{Inode, MapItem};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::{InodeFlags, reserved};
use crate::units::{Fsblk, Group};

/// The bad blocks that lie in the filesystem.
pub(super) fn list<S: ByteSource>(ctx: &Context<S>) -> RunBitmap {
    let (first, end) = (ctx.geometry().first_data_block().get(), ctx.geometry().blocks_count());
    let mut list = RunBitmap::new(end);
    let Ok(inode) = ctx.fs.inode(reserved::BAD) else { return list };
    for item in ctx.fs.map_items(&inode) {
        if let Ok(MapItem::Mapping(run)) = item {
            let start = run.fsblk.get().max(first).min(end);
            list.mark_range(start..run.fsblk_end().min(end).max(start));
        }
    }
    list
}

/// What is kept on the way through the list.
struct Walk {
    told: bool,
    /// The list cannot be stored where it lies.
    is_unstorable: bool,
    /// A map of the list cannot be read.
    is_broken: bool,
    /// The list's own indirect blocks.
    own: Vec<u64>,
}

/// Goes through the list. Ref: `process_bad_block`.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>, one: &Scanned) -> Flow {
    let inode = &one.inode;
    ctx.sink.recorder.walk(inode.ino);
    let raw = &inode.raw;
    let is_inode = raw.i_mode.get() == 0
        && raw.i_uid.get() == 0
        && raw.i_gid.get() == 0
        && raw.i_links_count.get() == 0
        && !inode.flags().contains(InodeFlags::INLINE_DATA)
        && raw.file_acl().get() == 0;
    if one.fails_csum || !is_inode {
        ctx.sink.tell(Problem::new(PR_1_INVALID_BAD_INODE).ino(inode.ino))?;
    }
    let own = raw.block_numbers().skip(12).take(2).map(u64::from).collect();
    let mut walk = Walk { told: false, is_unstorable: false, is_broken: false, own };
    check_map(ctx, &mut walk, inode)?;
    if walk.is_broken {
        ctx.sink.tell(Problem::new(PR_1_BLOCK_ITERATE).ino(inode.ino))?;
    }
    if walk.is_unstorable {
        ctx.sink.tell_code(PR_1_BBINODE_BAD_METABLOCK_PROMPT)?;
        ctx.sink.give_up(Some(PR_1_BBINODE_BAD_METABLOCK_PROMPT))?;
    }
    ctx.mark_inode(inode.ino);
    Ok(())
}

fn check_map<S: ByteSource>(ctx: &mut Context<S>, walk: &mut Walk, inode: &Inode) -> Flow {
    for (index, number) in inode.raw.block_numbers().enumerate() {
        let levels = u8::try_from((index + 1).saturating_sub(12)).unwrap_or(3);
        check_number(ctx, walk, u64::from(number), levels)?;
        if walk.is_broken {
            break;
        }
    }
    Ok(())
}

fn check_number<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    fsblk: u64,
    levels: u8,
) -> Flow {
    if fsblk == 0 {
        return Ok(());
    }
    let is_illegal = ctx.is_illegal(fsblk);
    if is_illegal {
        tell_latched(ctx, walk, PR_1_BB_ILLEGAL_BLOCK_NUM, fsblk)?;
    } else if levels > 0 {
        see_indirect(ctx, walk, fsblk)?;
    } else {
        see_bad(ctx, walk, fsblk)?;
    }
    if levels == 0 {
        return Ok(());
    }
    let block = ctx.fs.block(ReadKind::Mapping, Fsblk::new(fsblk));
    let is_endless = !ctx.may_meet_node();
    let Some(block) = block.ok().filter(|_| !is_illegal && !is_endless) else {
        walk.is_broken = true;
        return Ok(());
    };
    let (words, _) = block.as_chunks();
    for number in words.iter().map(|word| u64::from(u32::from_le_bytes(*word))) {
        check_number(ctx, walk, number, levels - 1)?;
        if walk.is_broken {
            break;
        }
    }
    Ok(())
}

fn tell_latched<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    code: Code,
    fsblk: u64,
) -> Flow {
    if !core::mem::replace(&mut walk.told, true) {
        ctx.sink.tell_code(PR_1_INODE_BBLOCK_LATCH)?;
    }
    ctx.sink.tell(Problem::new(code).ino(reserved::BAD).block(fsblk))
}

fn is_found<S: ByteSource>(ctx: &Context<S>, fsblk: u64) -> bool {
    ctx.maps.block_found.test(ctx.clusters(fsblk, 1).start)
}

fn see_indirect<S: ByteSource>(ctx: &mut Context<S>, walk: &mut Walk, fsblk: u64) -> Flow {
    let code = if ctx.is_metadata(fsblk) {
        PR_1_BB_FS_BLOCK
    } else if is_found(ctx, fsblk) {
        PR_1_BBINODE_BAD_METABLOCK
    } else {
        ctx.mark_blocks(fsblk, 1);
        return Ok(());
    };
    walk.is_unstorable = true;
    tell_latched(ctx, walk, code, fsblk)
}

/// A block on the list: if something has it, what?
fn see_bad<S: ByteSource>(ctx: &mut Context<S>, walk: &mut Walk, fsblk: u64) -> Flow {
    if !is_found(ctx, fsblk) {
        ctx.mark_blocks(fsblk, 1);
        return Ok(());
    }
    let geometry = *ctx.geometry();
    for group in (0..ctx.fs.groups().len()).map(Group::new) {
        let first = geometry.group_first_fsblk(group).get();
        let is_primary = group.get() == 0;
        if ctx.fs.layout().has_super(group) {
            let is_super = fsblk == first;
            let is_desc = fsblk > first && fsblk <= first + geometry.desc_blocks();
            let code = match (is_super, is_desc, is_primary) {
                (true, _, true) => Some(PR_1_BAD_PRIMARY_SUPERBLOCK),
                (true, _, false) => Some(PR_1_BAD_SUPERBLOCK),
                (_, true, true) => Some(PR_1_BAD_PRIMARY_GROUP_DESCRIPTOR),
                (_, true, false) => Some(PR_1_BAD_GROUP_DESCRIPTORS),
                _ => None,
            };
            if let Some(code) = code {
                ctx.sink.tell(Problem::new(code).group(group).block(fsblk))?;
                if is_primary {
                    ctx.sink.tell_code(PR_1_BAD_PRIMARY_BLOCK)?;
                    ctx.sink.tell_code(PR_1_BAD_PRIMARY_BLOCK_PROMPT)?;
                }
                return Ok(());
            }
        }
        let Some(entry) = ctx.fs.groups().get(group).copied() else { continue };
        for (place, code) in [
            (entry.desc.block_bitmap, PR_1_BB_BAD_BLOCK),
            (entry.desc.inode_bitmap, PR_1_IB_BAD_BLOCK),
        ] {
            if place.get() == fsblk {
                return ctx.sink.tell(Problem::new(code).group(group).block(fsblk));
            }
        }
        let table = entry.desc.inode_table.get();
        if (table..table.saturating_add(geometry.itable_blocks())).contains(&fsblk) {
            // The scan passes over its inodes.
            return Ok(());
        }
    }
    if walk.own.contains(&fsblk) {
        walk.is_unstorable = true;
        return tell_latched(ctx, walk, PR_1_BBINODE_BAD_METABLOCK, fsblk);
    }
    ctx.sink.tell(Problem::new(PR_1_PROGERR_CLAIMED_BLOCK).block(fsblk))
}
