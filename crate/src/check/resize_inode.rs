//! Pass 0: inode 7, which owns the reserved GDT blocks.

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    PR_0_CLEAR_RESIZE_INODE, PR_0_DISABLE_RESIZE_INODE, PR_0_NONZERO_RESERVED_GDT_BLOCKS,
    PR_0_RESIZE_INODE_INVALID,
};
use super::sink::Flow;
use crate::fs::{CsumState, Inode};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::{Compat, Incompat};
use crate::ondisk::reserved;
use crate::units::{Fsblk, Group};

/// Index in `i_block` of the double indirect block.
const DIND: usize = 13;

/// Looks at the resize inode; says whether it could be read.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>) -> Flow<bool> {
    let is_on = ctx.has_compat(Compat::RESIZE_INODE);
    if is_on && ctx.has_incompat(Incompat::META_BG) {
        ctx.sink.tell_code(PR_0_DISABLE_RESIZE_INODE)?;
    }
    let reserved = ctx.superblock().s_reserved_gdt_blocks.get();
    if !is_on && reserved != 0 {
        ctx.sink.tell(Problem::new(PR_0_NONZERO_RESERVED_GDT_BLOCKS).found(reserved))?;
    }
    let inode = ctx.fs.inode(reserved::RESIZE);
    let Some(inode) = inode.ok().filter(|inode| inode.csum != CsumState::Bad) else {
        return Ok(!is_on);
    };
    let code = if is_on {
        (!is_sound(ctx, &inode)).then_some(PR_0_RESIZE_INODE_INVALID)
    } else {
        let is_empty = inode.raw.block_numbers().all(|number| number == 0);
        (!is_empty).then_some(PR_0_CLEAR_RESIZE_INODE)
    };
    if let Some(code) = code {
        ctx.sink.tell(Problem::new(code).ino(reserved::RESIZE))?;
    }
    Ok(true)
}

fn is_sound<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let numbers: Vec<u32> = inode.raw.block_numbers().collect();
    let has_others = numbers.iter().enumerate().any(|(at, number)| at != DIND && *number != 0);
    let dind = u64::from(numbers.get(DIND).copied().unwrap_or(0));
    let is_regular = inode.raw.i_mode.get() & 0x8000 != 0;
    if has_others
        || dind == 0
        || ctx.is_illegal(dind)
        || inode.raw.i_links_count.get() == 0
        || !is_regular
    {
        return false;
    }
    owns_reserved_blocks(ctx, dind).unwrap_or(false)
}

/// Whether the double indirect block names the reserved GDT blocks, and these their copies. Like
/// e2fsck, of the reserved blocks only the first quarter is looked at.
fn owns_reserved_blocks<S: ByteSource>(ctx: &Context<S>, dind: u64) -> Option<bool> {
    let geometry = ctx.geometry();
    let superblock = ctx.superblock();
    let numbers = |fsblk: u64| {
        let bytes = ctx.fs.block(ReadKind::Mapping, Fsblk::new(fsblk)).ok()?;
        let (words, _) = bytes.as_chunks();
        Some(words.iter().map(|word| u64::from(u32::from_le_bytes(*word))).collect::<Vec<_>>())
    };
    let dind = numbers(dind)?;
    let first = u64::from(superblock.s_first_data_block.get());
    let boot = u64::from(geometry.block_size() == 1024 && first == 0);
    let table = first + 1 + boot + geometry.desc_blocks();
    let backups: Vec<Group> = (1..ctx.fs.groups().len())
        .map(Group::new)
        .filter(|group| ctx.fs.layout().has_super(*group))
        .collect();
    let per_group = u64::from(geometry.blocks_per_group());
    for index in 0..u64::from(superblock.s_reserved_gdt_blocks.get() / 4) {
        let fsblk = table + index;
        let slot = (geometry.desc_blocks() + index) % u64::from(geometry.block_size() / 4);
        if dind.get(usize::try_from(slot).ok()?) != Some(&fsblk) {
            return Some(false);
        }
        let copies = numbers(fsblk)?;
        let due = backups.iter().map(|group| fsblk + u64::from(group.get()) * per_group);
        if !due.eq(copies.iter().copied().take(backups.len())) {
            return Some(false);
        }
    }
    Some(true)
}
