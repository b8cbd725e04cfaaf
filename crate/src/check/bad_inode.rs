//! Passes 2 and 4: inodes with impossible fields, told where their names are known.

use super::blocks::full_size;
use super::context::Context;
use super::finding::Problem;
use super::inode_kind::{is_sound_device, is_sound_symlink};
use super::problem::{
    Code, PR_2_BAD_BLOCK_DEV, PR_2_BAD_CHAR_DEV, PR_2_BAD_FIFO, PR_2_BAD_MODE, PR_2_BAD_SOCKET,
    PR_2_BLOCKS_HI_ZERO, PR_2_DIR_SIZE_HIGH_ZERO, PR_2_FADDR_ZERO, PR_2_FILE_ACL_BAD,
    PR_2_FILE_ACL_ZERO, PR_2_FRAG_ZERO, PR_2_FSIZE_ZERO, PR_2_I_FILE_ACL_HI_ZERO,
    PR_2_INVALID_SYMLINK,
};
use super::scan::fails_csum;
use super::sink::Flow;
use super::xattr_block::file_acl;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::FileType;
use crate::ondisk::features::{Compat, Incompat, RoCompat};
use crate::units::Ino;

/// Tells what is wrong with an inode that pass 1 found bad; once nothing but its block count is,
/// it counts as good. Ref: `e2fsck_process_bad_inode`.
pub(super) fn process<S: ByteSource>(ctx: &mut Context<S>, dir: Option<Ino>, ino: Ino) -> Flow {
    let inode = match ctx.fs.inode(ino) {
        Ok(inode) if !fails_csum(&inode) => inode,
        // Without a word, an inode that cannot be read ends e2fsck.
        _ => return ctx.sink.give_up(None),
    };
    let mut is_bad = false;
    for (code, found) in faults(ctx, &inode) {
        let problem = Problem::new(code).ino(ino).found(found);
        ctx.sink.tell(match dir {
            Some(dir) => problem.dir(dir),
            None => problem,
        })?;
        is_bad |= code != PR_2_BLOCKS_HI_ZERO;
    }
    if !is_bad {
        ctx.maps.inode_bad.remove(&ino.get());
    }
    Ok(())
}

fn faults<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Vec<(Code, u64)> {
    let raw = &inode.raw;
    let is_linux = ctx.superblock().s_creator_os.get() == 0;
    let acl = file_acl(ctx, inode);
    let mut faults = Vec::new();
    let mut test = |is_bad: bool, code: Code, found: u64| {
        if is_bad {
            faults.push((code, found));
        }
    };
    test(acl != 0 && !ctx.has_compat(Compat::EXT_ATTR), PR_2_FILE_ACL_ZERO, acl);
    let mode = u64::from(raw.i_mode.get());
    if let Some(code) = type_fault(ctx, inode) {
        test(true, code, mode);
    }
    test(raw.i_obso_faddr.get() != 0, PR_2_FADDR_ZERO, u64::from(raw.i_obso_faddr.get()));
    if ctx.is_hurd() {
        // Of the Hurd, two bytes of what Linux has there.
        let [frag, fsize] = raw.l_i_blocks_high.get().to_le_bytes();
        test(frag != 0, PR_2_FRAG_ZERO, u64::from(frag));
        test(fsize != 0, PR_2_FSIZE_ZERO, u64::from(fsize));
    }
    let blocks_hi = u64::from(raw.l_i_blocks_high.get());
    let huge_file = ctx.has_ro_compat(RoCompat::HUGE_FILE);
    test(is_linux && !huge_file && blocks_hi != 0, PR_2_BLOCKS_HI_ZERO, blocks_hi);
    let acl_hi = u64::from(raw.l_i_file_acl_high.get());
    let is_64bit = ctx.has_incompat(Incompat::BIT64);
    test(is_linux && !is_64bit && acl_hi != 0, PR_2_I_FILE_ACL_HI_ZERO, acl_hi);
    test(acl != 0 && ctx.is_illegal(acl), PR_2_FILE_ACL_BAD, acl);
    let size_high = full_size(inode) >> 32;
    let few = 1_u64 << (29 - 10 - ctx.superblock().s_log_block_size.get().min(6));
    let is_small = u64::from(raw.i_blocks_lo.get()) < few;
    let large_dir = ctx.has_incompat(Incompat::LARGEDIR);
    let has_high = inode.is_dir() && size_high != 0 && !large_dir && is_small;
    test(has_high, PR_2_DIR_SIZE_HIGH_ZERO, size_high);
    faults
}

fn type_fault<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Option<Code> {
    match inode.file_type() {
        None => Some(PR_2_BAD_MODE),
        Some(FileType::Symlink) => (!is_sound_symlink(ctx, inode)).then_some(PR_2_INVALID_SYMLINK),
        Some(FileType::Dir | FileType::RegFile) => None,
        Some(_) if is_sound_device(inode) => None,
        Some(FileType::Chrdev) => Some(PR_2_BAD_CHAR_DEV),
        Some(FileType::Blkdev) => Some(PR_2_BAD_BLOCK_DEV),
        Some(FileType::Fifo) => Some(PR_2_BAD_FIFO),
        Some(FileType::Sock) => Some(PR_2_BAD_SOCKET),
    }
}
