//! Pass 1: inodes whose data lies inside them, or should.

use super::blocks::full_size;
use super::context::Context;
use super::extent_node::verify_root;
use super::finding::Problem;
use super::problem::{
    PR_1_CLEAR_EXTENT_FOR_INLINE_DATA, PR_1_CLEAR_EXTENT_INLINE_DATA_FLAGS,
    PR_1_CLEAR_EXTENT_INLINE_DATA_INODE, PR_1_CLEAR_INLINE_DATA_FOR_EXTENT,
    PR_1_INLINE_DATA_FEATURE, PR_1_INLINE_DATA_NO_ATTR, PR_1_INLINE_DATA_SET,
    PR_1_SPECIAL_EXTENTS_IDATA,
};
use super::sink::Flow;
use super::xattr_block::has_inline_rest;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::Incompat;
use crate::ondisk::{FileType, I_BLOCK_BYTES, InodeFlags};

/// Looks at an inode with the flag of inline data.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow {
    let flags = inode.flags();
    if !flags.contains(InodeFlags::INLINE_DATA) {
        return Ok(());
    }
    if flags.contains(InodeFlags::EXTENTS) {
        check_both(ctx, inode)?;
    }
    if inode.ino.get() < ctx.first_ino() {
        return Ok(());
    }
    let problem = |code| Problem::new(code).ino(inode.ino);
    let has_data = has_inline_rest(ctx, inode);
    if ctx.has_incompat(Incompat::INLINE_DATA) {
        if !has_data {
            ctx.sink.tell(problem(PR_1_INLINE_DATA_NO_ATTR))?;
        }
        return Ok(());
    }
    if has_data {
        ctx.sink.tell(problem(PR_1_INLINE_DATA_FEATURE))?;
    }
    ctx.sink.tell(problem(PR_1_INLINE_DATA_SET))
}

/// Both flags: which of them is right? Ref: `fix_inline_data_extents_file`.
fn check_both<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow {
    let problem = |code| Problem::new(code).ino(inode.ino);
    if !ctx.has_incompat(Incompat::EXTENTS) && !ctx.has_incompat(Incompat::INLINE_DATA) {
        return Ok(());
    }
    let is_special = matches!(
        inode.file_type(),
        Some(FileType::Chrdev | FileType::Blkdev | FileType::Fifo | FileType::Sock)
    );
    if is_special {
        return ctx.sink.tell(problem(PR_1_SPECIAL_EXTENTS_IDATA));
    }
    if verify_root(&inode.raw.i_block) {
        ctx.sink.tell(problem(PR_1_CLEAR_INLINE_DATA_FOR_EXTENT))?;
    }
    let inode_size = ctx.geometry().inode_size();
    let used = 128 + u32::from(inode.raw.i_extra_isize.get());
    let room = if inode_size > 128 { inode_size.saturating_sub(used) } else { 0 };
    if full_size(inode) < I_BLOCK_BYTES as u64 + u64::from(room) {
        ctx.sink.tell(problem(PR_1_CLEAR_EXTENT_FOR_INLINE_DATA))?;
    }
    let mut numbers = inode.raw.block_numbers().filter(|number| *number != 0);
    if numbers.all(|number| !ctx.is_illegal(u64::from(number))) {
        ctx.sink.tell(problem(PR_1_CLEAR_EXTENT_INLINE_DATA_FLAGS))?;
    }
    ctx.sink.tell(problem(PR_1_CLEAR_EXTENT_INLINE_DATA_INODE))
}
