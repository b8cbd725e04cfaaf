//! Pass 1: inodes that serve the filesystem itself.

use super::bad_blocks;
use super::blocks;
use super::context::Context;
use super::finding::Problem;
use super::pass1::Shared;
use super::problem::{
    Code, PR_1_JOURNAL_BAD_MODE, PR_1_JOURNAL_INODE_NOT_CLEAR, PR_1_ORPHAN_FILE_BAD_MODE,
    PR_1_ORPHAN_FILE_NOT_CLEAR, PR_1_QUOTA_BAD_MODE, PR_1_QUOTA_INODE_NOT_CLEAR,
    PR_1_RESERVED_BAD_MODE, PR_1_ROOT_DTIME, PR_1_ROOT_NO_DIR,
};
use super::scan::Scanned;
use super::sink::Flow;
use super::xattr_block::ValueInodes;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::Compat;
use crate::ondisk::{FileType, reserved};

/// Checks a reserved inode: whether its checksum is still to be told of; `None` for one that is
/// like any other.
pub(super) fn check<S: ByteSource>(
    ctx: &mut Context<S>,
    shared: &mut Shared,
    one: &Scanned,
) -> Flow<Option<bool>> {
    let inode = &one.inode;
    let ino = inode.ino;
    if ino == reserved::BAD {
        bad_blocks::check(ctx, one)?;
        return Ok(Some(false));
    }
    if ino == reserved::ROOT {
        check_root(ctx, inode)?;
        return Ok(None);
    }
    if ino == reserved::JOURNAL {
        let is_named = ctx.superblock().s_journal_inum.get() == ino.get();
        let codes = (PR_1_JOURNAL_BAD_MODE, PR_1_JOURNAL_INODE_NOT_CLEAR);
        return check_named(ctx, shared, one, is_named, codes);
    }
    if ctx.is_quota_reserved(ino) {
        let is_named = ctx.is_quota_in_use(ino);
        let codes = (PR_1_QUOTA_BAD_MODE, PR_1_QUOTA_INODE_NOT_CLEAR);
        return check_named(ctx, shared, one, is_named, codes);
    }
    if ctx.is_orphan_file(ino) {
        let is_named = ctx.has_compat(Compat::ORPHAN_FILE);
        let codes = (PR_1_ORPHAN_FILE_BAD_MODE, PR_1_ORPHAN_FILE_NOT_CLEAR);
        return check_named(ctx, shared, one, is_named, codes);
    }
    if ino.get() >= ctx.first_ino() {
        return Ok(None);
    }
    ctx.mark_inode(ino);
    let is_bad = match ino {
        reserved::BOOT_LOADER => inode.is_dir(),
        reserved::RESIZE => {
            inode.raw.i_mode.get() != 0 && inode.file_type() != Some(FileType::RegFile)
        }
        _ => inode.raw.i_mode.get() != 0,
    };
    if is_bad {
        let mode = inode.raw.i_mode.get();
        ctx.sink.tell(Problem::new(PR_1_RESERVED_BAD_MODE).ino(ino).found(mode))?;
    }
    blocks::check(ctx, &mut shared.xattrs, inode, ValueInodes::default(), one.fails_csum)?;
    Ok(Some(true))
}

fn check_root<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow {
    if !inode.is_dir() {
        let mode = inode.raw.i_mode.get();
        ctx.sink.tell(Problem::new(PR_1_ROOT_NO_DIR).ino(inode.ino).found(mode))?;
    }
    let dtime = inode.raw.i_dtime.get();
    if dtime != 0 && inode.raw.i_links_count.get() != 0 {
        ctx.sink.tell(Problem::new(PR_1_ROOT_DTIME).ino(inode.ino).found(dtime))?;
    }
    Ok(())
}

/// An inode that the superblock names, or should leave empty.
fn check_named<S: ByteSource>(
    ctx: &mut Context<S>,
    shared: &mut Shared,
    one: &Scanned,
    is_named: bool,
    (bad_mode, not_clear): (Code, Code),
) -> Flow<Option<bool>> {
    let inode = &one.inode;
    ctx.mark_inode(inode.ino);
    if is_named {
        if inode.file_type() != Some(FileType::RegFile) {
            let mode = inode.raw.i_mode.get();
            ctx.sink.tell(Problem::new(bad_mode).ino(inode.ino).found(mode))?;
        }
        blocks::check(ctx, &mut shared.xattrs, inode, ValueInodes::default(), one.fails_csum)?;
        return Ok(Some(true));
    }
    let first = inode.raw.block_numbers().next().unwrap_or(0);
    if inode.raw.i_links_count.get() != 0 || inode.raw.i_blocks_lo.get() != 0 || first != 0 {
        ctx.sink.tell(Problem::new(not_clear).ino(inode.ino))?;
    }
    // What is not as it should be is still an inode.
    Ok(None)
}
