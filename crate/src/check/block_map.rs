//! Pass 1: the blocks of an inode that is mapped block by block.

use super::ahead;
use super::blocks::Walk;
use super::context::Context;
use super::extent_node::Node;
use super::finding::Problem;
use super::problem::{
    Code, PR_1_CRITICAL_METADATA_COLLISION, PR_1_ILLEGAL_BLOCK_NUM, PR_1_INODE_BLOCK_LATCH,
    PR_1_INODE_TOOBIG, PR_1_SUPPRESS_MESSAGES, PR_1_TOO_MANY_BAD_BLOCKS, PR_1_TOOBIG_DIR,
    PR_1_TOOBIG_REG, PR_1_TOOBIG_SYMLINK,
};
use super::sink::Flow;
use crate::fs::Inode;
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::Incompat;
use crate::ondisk::{InodeFlags, NDIR_BLOCKS, reserved};
use crate::units::Fsblk;

/// An inode whose bad numbers are this many more is asked about as a whole.
const TOO_MANY: u64 = 12;

/// What a block is to its inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A block of the file.
    Data(u64),
    /// An indirect block, of so many levels.
    Indirect(u8),
}

/// Goes through the blocks. Ref: `process_block`, `ext2fs_block_iterate3`.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>, walk: &mut Walk, inode: &Inode) -> Flow {
    if inode.flags().contains(InodeFlags::EXTENTS) {
        return check_tree(ctx, walk, inode);
    }
    let mut lblk = 0;
    let per_block = u64::from(ctx.geometry().block_size() / 4);
    for (index, number) in inode.raw.block_numbers().enumerate() {
        let levels = u8::try_from((index + 1).saturating_sub(NDIR_BLOCKS)).unwrap_or(3);
        let number = u64::from(number);
        if levels == 0 {
            see_data(ctx, walk, inode, number, lblk, false)?;
            lblk += 1;
        } else {
            // A map that can be read makes e2fsck forget that one before it could not.
            walk.is_broken &= number == 0;
            descend(ctx, walk, inode, number, levels, lblk, false)?;
            lblk += per_block.pow(u32::from(levels));
        }
    }
    Ok(())
}

/// Goes through an indirect block and what it maps.
fn descend<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    inode: &Inode,
    fsblk: u64,
    levels: u8,
    first: u64,
    is_quiet: bool,
) -> Flow {
    // Of a map that lies on metadata, a number that cannot be counts as a hole.
    if fsblk == 0 || is_quiet && ctx.is_illegal(fsblk) {
        return Ok(());
    }
    see(ctx, walk, inode, fsblk, Role::Indirect(levels), is_quiet)?;
    if ctx.is_illegal(fsblk) || !ctx.may_meet_node() {
        walk.is_broken = true;
        return Ok(());
    }
    let Ok(bytes) = ctx.fs.block(ReadKind::Mapping, Fsblk::new(fsblk)) else {
        walk.is_broken = true;
        return Ok(());
    };
    // What lies on metadata is no map; its numbers are not to be mended.
    let is_quiet = inode.ino != reserved::RESIZE && ctx.is_metadata(fsblk);
    let (words, _) = bytes.as_chunks();
    let span = (words.len() as u64).pow(u32::from(levels) - 1);
    let mut lblk = first;
    let most = ahead::most_blocks(ctx);
    let numbers = words.iter().map(|word| u64::from(u32::from_le_bytes(*word)));
    for (index, number) in numbers.clone().enumerate() {
        if levels > 1 && index.is_multiple_of(most) {
            let below = numbers.clone().skip(index).take(most).filter(|number| *number != 0);
            ctx.fs.read_ahead(ReadKind::Mapping, below.map(|at| at..at + 1));
        }
        if levels == 1 {
            see_data(ctx, walk, inode, number, lblk, is_quiet)?;
        } else {
            descend(ctx, walk, inode, number, levels - 1, lblk, is_quiet)?;
        }
        if walk.is_broken {
            return Ok(());
        }
        lblk += span;
    }
    Ok(())
}

/// A number that stands for a block of the file; 0 is a hole.
fn see_data<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    inode: &Inode,
    number: u64,
    lblk: u64,
    is_quiet: bool,
) -> Flow {
    if number != 0 {
        return see(ctx, walk, inode, number, Role::Data(lblk), is_quiet);
    }
    if walk.is_dir && lblk == 0 {
        walk.add_dir_blocks(ctx, inode, 0, 0, 1);
    }
    Ok(())
}

/// A block of the inode.
fn see<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    inode: &Inode,
    fsblk: u64,
    role: Role,
    is_quiet: bool,
) -> Flow {
    if walk.previous != 0 && inode.ino != reserved::RESIZE && walk.previous + 1 != fsblk {
        walk.is_fragmented = true;
    }
    let is_indirect = matches!(role, Role::Indirect(_));
    let lblk = if let Role::Data(lblk) = role { Some(lblk) } else { None };
    if is_indirect
        && inode.ino != reserved::RESIZE
        && !ctx.is_illegal(fsblk)
        && ctx.is_metadata(fsblk)
    {
        let problem = Problem::new(PR_1_CRITICAL_METADATA_COLLISION).ino(inode.ino).block(fsblk);
        ctx.sink.tell(problem)?;
    }
    if let Some(code) = fault(ctx, walk, fsblk, lblk) {
        if !is_quiet {
            tell(ctx, walk, inode, fsblk, lblk, code)?;
        }
        return Ok(());
    }
    if inode.ino == reserved::RESIZE {
        // The rest of what it has was marked with the descriptors.
        if role == Role::Indirect(2) {
            ctx.mark_blocks(fsblk, 1);
        }
        walk.clusters += 1;
    } else {
        let at = lblk.map_or(-1, |lblk| lblk as i64);
        walk.mark_block(ctx, inode, fsblk, at)?;
    }
    walk.previous = fsblk;
    if let Some(lblk) = lblk {
        walk.last_block = lblk as i64;
        if walk.is_dir
            && let Ok(lblk) = u32::try_from(lblk)
        {
            walk.add_dir_blocks(ctx, inode, fsblk, lblk, 1);
        }
    }
    Ok(())
}

/// What is wrong with a block number; the last test that fails is the one told.
fn fault<S: ByteSource>(
    ctx: &Context<S>,
    walk: &Walk,
    fsblk: u64,
    lblk: Option<u64>,
) -> Option<Code> {
    if ctx.is_illegal(fsblk) {
        return Some(PR_1_ILLEGAL_BLOCK_NUM);
    }
    let log_block = ctx.superblock().s_log_block_size.get();
    let most_blocks = 1_u64 << (31 - 10 - log_block.min(6));
    let is_past = walk.clusters + 1 >= most_blocks;
    let most_dir = 1_u64 << (21 - log_block.min(6));
    let large_dir = ctx.has_incompat(Incompat::LARGEDIR);
    if !walk.is_dir && !walk.is_reg && lblk.is_some_and(|lblk| lblk > 0) {
        Some(PR_1_TOOBIG_SYMLINK)
    } else if walk.is_reg && is_past {
        Some(PR_1_TOOBIG_REG)
    } else if walk.is_dir && (is_past || !large_dir && lblk.is_some_and(|lblk| lblk > most_dir)) {
        Some(PR_1_TOOBIG_DIR)
    } else {
        None
    }
}

/// Tells a bad number, the question for all of its kind before the first.
fn tell<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    inode: &Inode,
    fsblk: u64,
    lblk: Option<u64>,
    code: Code,
) -> Flow {
    walk.illegal += 1;
    if walk.illegal.is_multiple_of(TOO_MANY) {
        ctx.sink.tell(Problem::new(PR_1_TOO_MANY_BAD_BLOCKS).ino(inode.ino))?;
        ctx.sink.tell(Problem::new(PR_1_SUPPRESS_MESSAGES).ino(inode.ino))?;
    }
    let (told, latch) = if code == PR_1_ILLEGAL_BLOCK_NUM {
        (&mut walk.told_illegal, PR_1_INODE_BLOCK_LATCH)
    } else {
        (&mut walk.told_toobig, PR_1_INODE_TOOBIG)
    };
    if !core::mem::replace(told, true) {
        ctx.sink.tell(Problem::new(latch).ino(inode.ino))?;
    }
    let problem = Problem::new(code).ino(inode.ino).block(fsblk);
    ctx.sink.tell(match lblk {
        Some(lblk) => problem.lblk(lblk),
        None => problem,
    })
}

/// Goes through an extent tree as through a map of blocks, as e2fsck does where the feature is off.
fn check_tree<S: ByteSource>(ctx: &mut Context<S>, walk: &mut Walk, inode: &Inode) -> Flow {
    match Node::root(&inode.raw.i_block) {
        Some(root) => {
            let depth = root.depth.min(crate::ondisk::MAX_EXTENT_DEPTH);
            check_node(ctx, walk, inode, &root, depth, &mut 0)
        }
        // Without a root there are no blocks.
        None => Ok(()),
    }
}

fn check_node<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    inode: &Inode,
    node: &Node,
    depth: u16,
    next: &mut u64,
) -> Flow {
    for entry in (0..node.entries).map_while(|index| node.entry(index, depth == 0)) {
        if depth > 0 {
            see(ctx, walk, inode, entry.fsblk, Role::Indirect(1), false)?;
            if !ctx.may_meet_node() {
                walk.is_broken = true;
                break;
            }
            match Node::read(&ctx.fs, entry.fsblk, None, false) {
                Some(Some(below)) => check_node(ctx, walk, inode, &below, depth - 1, next)?,
                _ => walk.is_broken = true,
            }
        } else if u64::from(entry.lblk) + u64::from(entry.len) > *next {
            // Of an extent that begins before the last one ended, the library takes blocks that
            // lie that much further.
            let shift = next.saturating_sub(u64::from(entry.lblk));
            for ahead in 0..u64::from(entry.len) {
                let role = Role::Data(u64::from(entry.lblk) + ahead);
                see(ctx, walk, inode, entry.fsblk + shift + ahead, role, false)?;
            }
            *next = u64::from(entry.lblk) + u64::from(entry.len);
        }
        if walk.is_broken {
            break;
        }
    }
    Ok(())
}
