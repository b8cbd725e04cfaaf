//! Pass 1: reading the inode tables, and telling garbage from inodes.

use super::context::Context;
use super::extent_node::verify_root;
use super::sink::Mode;
use crate::bitmap::{Bits as _, RunBitmap};
use crate::error::Result;
use crate::fs::{CsumState, Inode};
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::{FileType, GOOD_OLD_INODE_BYTES, InodeFlags};
use crate::units::{Fsblk, Group, Ino};

/// An inode as the scan gives it.
pub(super) struct Scanned {
    /// The inode.
    pub(super) inode: Inode,
    /// Its checksum is wrong.
    pub(super) fails_csum: bool,
    /// Most inodes around it make no sense.
    pub(super) is_insane: bool,
    /// Its block is on the list of bad blocks.
    pub(super) is_in_bad_block: bool,
}

/// Whether a table lies where none can be read. Ref: `get_next_blockgroup`.
pub(super) fn table_is_outside<S: ByteSource>(ctx: &Context<S>, table: u64) -> bool {
    let geometry = ctx.geometry();
    table < geometry.first_data_block().get()
        || table.saturating_add(geometry.itable_blocks()) > geometry.blocks_count()
}

/// How many inodes of a group are looked at. Where more are said to be unused than there are, a
/// thorough check looks at all, and e2fsck at none. Ref: `ext2fs_get_next_inode_full`.
pub(super) fn inodes_to_scan<S: ByteSource>(ctx: &Context<S>, group: Group) -> Result<u32> {
    let unused = ctx.fs.group(group)?.desc.itable_unused;
    let is_lie = ctx.fs.trusts_uninit() && unused > ctx.geometry().inodes_per_group();
    if is_lie && ctx.sink.mode() == Mode::LikeE2fsck {
        return Ok(0);
    }
    ctx.fs.inodes_ever_used(group)
}

/// Reads inodes of a group's table from `index` on, as many as a request holds; none at the end.
pub(super) fn read<S: ByteSource>(
    ctx: &Context<S>,
    group: Group,
    index: u32,
    bad_blocks: &RunBitmap,
) -> Result<Vec<Scanned>> {
    let geometry = ctx.geometry();
    let table = ctx.fs.group(group)?.desc.inode_table;
    let inode_size = geometry.inode_size();
    let per_block = (geometry.block_size() / inode_size.max(1)).max(1);
    let left = inodes_to_scan(ctx, group)?.saturating_sub(index);
    let most = (limits::READ_BYTES / 4 / inode_size.max(1)).max(per_block) / per_block * per_block;
    let count = left.min(most);
    let Some(first) = geometry.group_first_ino(group).and_then(|ino| ino.checked_add(index)) else {
        return Ok(Vec::new());
    };
    // Whole blocks are read, for a block is judged as a whole.
    let blocks = count.div_ceil(per_block);
    let mut bytes = vec![0; (u64::from(blocks) * u64::from(geometry.block_size())) as usize];
    ctx.fs.read_blocks(ReadKind::InodeTable, table, geometry.itable_offset(index), &mut bytes)?;
    let mut scanned = Vec::new();
    let first_block = table.get() + u64::from(index / per_block);
    let mut next = first;
    let blocks = bytes.chunks_exact(geometry.block_size() as usize);
    for (at_block, block) in (first_block..).zip(blocks) {
        let start = scanned.len();
        let is_in_bad_block = at_block < bad_blocks.len() && bad_blocks.test(at_block);
        let mut bad = 0_usize;
        for bytes in block.chunks_exact(inode_size as usize) {
            let inode = Inode::new(&ctx.fs, next, bytes.into());
            let fails_csum = fails_csum(&inode);
            bad += usize::from(fails_csum || is_nonsense(ctx, &inode));
            scanned.push(Scanned { inode, fails_csum, is_insane: false, is_in_bad_block });
            next = Ino::new(next.get().wrapping_add(1));
        }
        if per_block > 1 && bad > per_block as usize / 2 {
            scanned.iter_mut().skip(start).for_each(|one| one.is_insane = true);
        }
    }
    scanned.truncate(count as usize);
    Ok(scanned)
}

/// Whether an inode's checksum is wrong; the first 128 bytes of one never used are 0.
pub(super) fn fails_csum(inode: &Inode) -> bool {
    let core = inode.bytes().get(..GOOD_OLD_INODE_BYTES).unwrap_or_default();
    inode.csum == CsumState::Bad && core.iter().any(|byte| *byte != 0)
}

/// Whether what an inode maps cannot be. Ref: `check_inode_block_sanity`.
fn is_nonsense<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let flags = inode.flags();
    if flags.contains(InodeFlags::EXTENTS) {
        return !verify_root(&inode.raw.i_block);
    }
    let is_long_link =
        inode.file_type() == Some(FileType::Symlink) && inode.raw.i_size_lo.get() > 60;
    let is_mapped = matches!(inode.file_type(), Some(FileType::RegFile | FileType::Dir));
    if inode.raw.i_links_count.get() == 0
        || flags.contains(InodeFlags::INLINE_DATA)
        || !(is_mapped || is_long_link)
    {
        return false;
    }
    let numbers = inode.raw.block_numbers();
    let illegal = numbers.filter(|n| *n != 0 && !ctx.geometry().contains(Fsblk::new((*n).into())));
    illegal.count() > 7
}
