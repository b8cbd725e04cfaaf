//! Pass 4: references found against the link counts.

use super::bad_inode;
use super::blocks::i_blocks;
use super::context::Context;
use super::finding::Problem;
use super::problem::{
    PR_4_BAD_REF_COUNT, PR_4_DIR_NLINK_FEATURE, PR_4_EA_INODE_REF_COUNT, PR_4_UNATTACHED_INODE,
    PR_4_ZERO_LEN_INODE,
};
use super::scan::fails_csum;
use super::sink::Flow;
use super::steps::CheckStep;
use super::xattr_block;
use crate::bitmap::Bits as _;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::features::{Incompat, RoCompat};
use crate::ondisk::{FileType, InodeFlags};
use crate::units::Ino;

/// Most names of a directory that are counted. Ref: `EXT2_LINK_MAX`.
const LINK_MAX: u32 = 65_000;
/// Inodes looked at in a step.
const INODES: u32 = 16_384;

/// The pass at work.
#[derive(Debug, Default)]
pub(super) struct Pass4 {
    next: u64,
}

impl Pass4 {
    /// Inodes done.
    pub(super) fn done(&self) -> u64 {
        self.next
    }

    /// Does some inodes; true at the end.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        for _ in 0..INODES {
            let Some(ino) = ctx.maps.inode_used.next_set(self.next) else { return Ok(true) };
            self.next = ino + 1;
            let ino = Ino::new(u32::try_from(ino).unwrap_or(u32::MAX));
            if !is_exempt(ctx, ino) {
                check(ctx, ino)?;
            }
        }
        Ok(false)
    }
}

fn is_exempt<S: ByteSource>(ctx: &Context<S>, ino: Ino) -> bool {
    let number = ino.get();
    let project = ctx.superblock().s_prj_quota_inum.get();
    number < 2
        || number > 2 && number < ctx.first_ino()
        || project != 0 && number == project
        || ctx.is_orphan_file(ino)
        || ctx.maps.inode_imagic.contains(&number)
        || ctx.maps.inode_bb.contains(&number)
}

fn check<S: ByteSource>(ctx: &mut Context<S>, ino: Ino) -> Flow {
    let links = ctx.maps.links.get(ino.get());
    let mut counted = ctx.maps.refs.get(ino.get());
    ctx.sink.recorder.note(CheckStep::Links { ino, links, counted });
    if counted == 0 {
        let Some(inode) = read(ctx, ino)? else { return Ok(()) };
        if !check_value_inode(ctx, &inode)? {
            return check_unattached(ctx, &inode);
        }
        counted = 1;
    }
    let is_dir = ctx.maps.inode_dir.test(u64::from(ino.get()));
    if is_dir && counted > LINK_MAX {
        if !ctx.has_ro_compat(RoCompat::DIR_NLINK) {
            ctx.sink.tell(Problem::new(PR_4_DIR_NLINK_FEATURE).ino(ino).found(counted))?;
        }
        counted = 1;
    }
    if links != counted && read(ctx, ino)?.is_some() {
        let problem = Problem::new(PR_4_BAD_REF_COUNT).ino(ino);
        ctx.sink.tell(problem.found(links).expected(counted))?;
    }
    Ok(())
}

/// An inode; without a word, one that cannot be read ends e2fsck.
fn read<S: ByteSource>(ctx: &mut Context<S>, ino: Ino) -> Flow<Option<Inode>> {
    match ctx.fs.inode(ino) {
        Ok(inode) if !fails_csum(&inode) => Ok(Some(inode)),
        Ok(inode) => ctx.sink.give_up(None).map(|()| Some(inode)),
        Err(_) => ctx.sink.give_up(None).map(|()| None),
    }
}

/// Whether attributes refer to an inode; then their number is held against its own count.
fn check_value_inode<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow<bool> {
    let is_marked = inode.flags().contains(InodeFlags::EA_INODE);
    let uses = ctx.maps.ea_refs.get(&inode.ino.get()).copied().unwrap_or(0);
    if !ctx.has_incompat(Incompat::EA_INODE) || !is_marked || uses == 0 {
        return Ok(false);
    }
    // The count is kept in the time of change and the version.
    let raw = &inode.raw;
    let stored = u64::from(raw.i_ctime.get()) << 32 | u64::from(raw.l_i_version.get());
    if stored != uses && raw.i_ctime != raw.i_atime {
        let problem = Problem::new(PR_4_EA_INODE_REF_COUNT).ino(inode.ino);
        ctx.sink.tell(problem.found(stored).expected(uses))?;
    }
    Ok(true)
}

fn check_unattached<S: ByteSource>(ctx: &mut Context<S>, inode: &Inode) -> Flow {
    if ctx.maps.inode_bad.contains(&inode.ino.get()) {
        bad_inode::process(ctx, None, inode.ino)?;
    }
    let has_blocks = i_blocks(inode, false) != 0;
    let is_plain = matches!(inode.file_type(), Some(FileType::RegFile | FileType::Dir));
    if !has_blocks && is_plain && !xattr_block::has_inside(inode) {
        ctx.sink.tell(Problem::new(PR_4_ZERO_LEN_INODE).ino(inode.ino))?;
    }
    ctx.sink.tell(Problem::new(PR_4_UNATTACHED_INODE).ino(inode.ino))
}
