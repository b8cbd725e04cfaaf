//! Pass 1: what an indexed directory's root says of the index. Leaves the list of such directories.

use zerocopy::FromBytes as _;

use super::blocks::{Walk, full_size, has_dir_index};
use super::context::Context;
use super::dirs::DxDir;
use super::finding::Problem;
use super::problem::{
    PR_1_HTREE_BADROOT, PR_1_HTREE_CANNOT_SIPHASH, PR_1_HTREE_DEPTH, PR_1_HTREE_HASHV,
    PR_1_HTREE_INCOMPAT, PR_1_HTREE_NEEDS_SIPHASH, PR_1_HTREE_NODIR, PR_1_HTREE_SET,
};
use super::sink::Flow;
use crate::fs::{CsumState, Inode, MapItem};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::InodeFlags;
use crate::ondisk::features::Incompat;
use crate::ondisk::htree::{DX_ROOT_INFO_OFFSET, DxRootInfo, HashVersion};

/// Levels of index blocks below the root with large_dir. Ref: `EXT4_HTREE_LEVEL`.
const LEVELS: u8 = 3;
/// The same without. Ref: `EXT4_HTREE_LEVEL_COMPAT`.
const LEVELS_COMPAT: u8 = 2;
/// `unused_flags`: not to be understood. Ref: `EXT2_HASH_FLAG_INCOMPAT`.
const FLAG_INCOMPAT: u8 = 1;

/// Looks at the root of an index. Ref: `handle_htree`.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>, walk: &Walk, inode: &Inode) -> Flow {
    let block_count = u64::try_from(walk.last_block + 1).unwrap_or(0);
    let dx = DxDir { block_count, ..DxDir::default() };
    ctx.maps.dx_dirs.insert(inode.ino.get(), dx);
    let problem = |code| Problem::new(code).ino(inode.ino);
    if !inode.is_dir() {
        ctx.sink.tell(problem(PR_1_HTREE_NODIR))?;
    }
    if !has_dir_index(ctx) {
        ctx.sink.tell(problem(PR_1_HTREE_SET))?;
    }
    let Some(root) = root_info(ctx, inode) else {
        return ctx.sink.tell(problem(PR_1_HTREE_BADROOT));
    };
    if root.reserved_zero.get() != 0 || root.info_length < 8 {
        ctx.sink.tell(problem(PR_1_HTREE_BADROOT))?;
    }
    let version = root.hash_version;
    let is_known = matches!(version, 0..=2 | 6);
    if !is_known {
        ctx.sink.tell(problem(PR_1_HTREE_HASHV).found(version))?;
    }
    let is_sip = matches!(HashVersion::from_disk(version), Some((HashVersion::SipHash, _)));
    let wants_sip = inode.flags().contains(InodeFlags::ENCRYPT | InodeFlags::CASEFOLD);
    if wants_sip && !is_sip {
        ctx.sink.tell(problem(PR_1_HTREE_NEEDS_SIPHASH).found(version))?;
    }
    if is_sip && !wants_sip {
        ctx.sink.tell(problem(PR_1_HTREE_CANNOT_SIPHASH))?;
    }
    if root.unused_flags & FLAG_INCOMPAT != 0 {
        ctx.sink.tell(problem(PR_1_HTREE_INCOMPAT))?;
    }
    let levels = root.indirect_levels;
    let large_dir = ctx.has_incompat(Incompat::LARGEDIR);
    if levels > LEVELS || levels > LEVELS_COMPAT && !large_dir && is_small(ctx, inode) {
        ctx.sink.tell(problem(PR_1_HTREE_DEPTH).found(levels))?;
    }
    if levels > LEVELS_COMPAT || full_size(inode) >= 0x8000_0000 {
        ctx.tally.large_dirs += 1;
    }
    Ok(())
}

/// Whether two levels are enough for what the directory has.
fn is_small<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let block_size = u64::from(ctx.geometry().block_size());
    let per_block = block_size / 8;
    let most = per_block * per_block;
    inode.raw.blocks() < most * (block_size / 512) && full_size(inode) < most * block_size
}

fn root_info<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Option<DxRootInfo> {
    // A node that cannot be believed hides what is below it; of an inode that cannot be, any.
    let is_sound = inode.csum != CsumState::Bad;
    let first = ctx.fs.map_items(inode).find_map(|item| match item {
        Ok(MapItem::Mapping(run)) => Some(Some(run)),
        Ok(MapItem::Node(node)) if node.csum != CsumState::Bad && is_sound => None,
        Ok(MapItem::Node(_)) | Err(_) => Some(None),
    })??;
    let fsblk = Some(first.fsblk).filter(|fsblk| {
        first.lblk.get() == 0 && fsblk.get() != 0 && !ctx.is_illegal(fsblk.get())
    })?;
    let block = ctx.fs.block(ReadKind::Directory, fsblk).ok()?;
    let (root, _) = DxRootInfo::read_from_prefix(block.get(DX_ROOT_INFO_OFFSET..)?).ok()?;
    Some(root)
}
