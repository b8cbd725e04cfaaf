//! After pass 5: the orphan file.

use zerocopy::FromBytes as _;

use super::blocks::full_size;
use super::context::Context;
use super::finding::Problem;
use super::problem::{
    PR_6_ORPHAN_BLOCK_DIRTY, PR_6_ORPHAN_FILE_CORRUPTED, PR_6_ORPHAN_FILE_HOLE,
    PR_6_ORPHAN_FILE_WITHOUT_JOURNAL, PR_6_ORPHAN_FILE_WRONG_SIZE, PR_6_ORPHAN_PRESENT_CLEAN_FILE,
    PR_6_ORPHAN_PRESENT_NO_FILE,
};
use super::sink::Flow;
use crate::fs::{Inode, MapItem};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::csum;
use crate::ondisk::features::{Compat, RoCompat};
use crate::ondisk::orphan::{ORPHAN_BLOCK_MAGIC, OrphanBlockTail, orphans};
use crate::units::{Fsblk, Ino};

/// Looks at the orphan file. Ref: `check_orphan_file`.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let is_present = ctx.has_ro_compat(RoCompat::ORPHAN_PRESENT);
    if !ctx.has_compat(Compat::ORPHAN_FILE) {
        if is_present {
            ctx.sink.tell_code(PR_6_ORPHAN_PRESENT_NO_FILE)?;
        }
        return Ok(());
    }
    if !ctx.has_compat(Compat::HAS_JOURNAL) {
        ctx.sink.tell_code(PR_6_ORPHAN_FILE_WITHOUT_JOURNAL)?;
        return Ok(());
    }
    let ino = Ino::new(ctx.superblock().s_orphan_file_inum.get());
    let is_sound = match ctx.fs.inode(ino) {
        Ok(inode) => check_blocks(ctx, &inode, is_present)?,
        Err(_) => false,
    };
    if !is_sound {
        return ctx.sink.tell(Problem::new(PR_6_ORPHAN_FILE_CORRUPTED).ino(ino));
    }
    if is_present {
        ctx.sink.tell(Problem::new(PR_6_ORPHAN_PRESENT_CLEAN_FILE).ino(ino))?;
    }
    Ok(())
}

/// Whether size and blocks are those of an empty orphan file.
fn check_blocks<S: ByteSource>(
    ctx: &mut Context<S>,
    inode: &Inode,
    is_present: bool,
) -> Flow<bool> {
    let block_size = u64::from(ctx.geometry().block_size());
    let size = full_size(inode);
    if !size.is_multiple_of(block_size) {
        let problem = Problem::new(PR_6_ORPHAN_FILE_WRONG_SIZE).ino(inode.ino).found(size);
        ctx.sink.tell(problem)?;
        return Ok(false);
    }
    let seed = ctx.fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get());
    let items: Vec<_> = ctx.fs.map_items(inode).collect();
    let mut next = 0;
    for item in items {
        let run = match item {
            Ok(MapItem::Mapping(run)) => run,
            Ok(MapItem::Node(_)) => continue,
            Err(_) => return Ok(false),
        };
        if u64::from(run.lblk.get()) > next {
            let problem = Problem::new(PR_6_ORPHAN_FILE_HOLE).ino(inode.ino).lblk(next);
            ctx.sink.tell(problem)?;
            return Ok(false);
        }
        for fsblk in run.fsblk.get()..run.fsblk_end() {
            if next * block_size >= size {
                break;
            }
            if !is_clean(ctx, seed, fsblk) && !is_present {
                let problem = Problem::new(PR_6_ORPHAN_BLOCK_DIRTY).ino(inode.ino);
                ctx.sink.tell(problem.block(fsblk).lblk(next))?;
                return Ok(false);
            }
            next += 1;
        }
    }
    Ok(true)
}

/// Whether a block of the orphan file holds no orphans, and its tail is right.
fn is_clean<S: ByteSource>(ctx: &Context<S>, seed: Option<u32>, fsblk: u64) -> bool {
    let Ok(block) = ctx.fs.block(ReadKind::Data, Fsblk::new(fsblk)) else { return false };
    let Ok((_, tail)) = OrphanBlockTail::read_from_suffix(&block) else { return false };
    let has_csum = seed.is_none_or(|seed| {
        csum::orphan_block(seed, Fsblk::new(fsblk), &block) == Some(tail.ob_checksum.get())
    });
    tail.ob_magic.get() == ORPHAN_BLOCK_MAGIC && has_csum && orphans(&block).next().is_none()
}
