//! Pass 1: whether an inode can be what its mode says.

use super::context::Context;
use super::extent_node::Node;
use super::xattr_block::inline_size;
use crate::fs::Inode;
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::Incompat;
use crate::ondisk::{DirEntryHeader, FileType, I_BLOCK_BYTES, InodeFlags, csum, rec_len_from_disk};
use crate::units::Fsblk;
use zerocopy::FromBytes as _;

/// Whether `i_block` maps blocks. Ref: `ext2fs_inode_has_valid_blocks2`.
pub(super) fn has_valid_blocks(inode: &Inode) -> bool {
    if inode.flags().contains(InodeFlags::INLINE_DATA) {
        return false;
    }
    match inode.file_type() {
        Some(FileType::RegFile | FileType::Dir) => true,
        Some(FileType::Symlink) => !is_fast_symlink(inode),
        _ => false,
    }
}

/// Whether a symbolic link has its target in `i_block`. Ref: `ext2fs_is_fast_symlink`.
pub(super) fn is_fast_symlink(inode: &Inode) -> bool {
    let size = super::blocks::full_size(inode);
    let short = (1..I_BLOCK_BYTES as u64).contains(&size);
    if inode.raw.file_acl().get() == 0 {
        return inode.raw.i_blocks_lo.get() == 0 || short;
    }
    let second = inode.raw.block_numbers().nth(1).unwrap_or(0);
    size < I_BLOCK_BYTES as u64 && !(size > 4 && second == 0)
}

/// Whether a symbolic link makes sense. Ref: `e2fsck_pass1_check_symlink`.
pub(super) fn is_sound_symlink<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let flags = inode.flags();
    let size = u64::from(inode.raw.i_size_lo.get());
    if inode.raw.i_size_high.get() != 0 || size == 0 || flags.contains(InodeFlags::INDEX) {
        return false;
    }
    if flags.contains(InodeFlags::INLINE_DATA) {
        return !flags.contains(InodeFlags::EXTENTS) && inline_size(ctx, inode) == Ok(size);
    }
    if is_fast_symlink(inode) {
        let fits = size < I_BLOCK_BYTES as u64 && !flags.contains(InodeFlags::EXTENTS);
        return fits && target_len(inode, &inode.raw.i_block) == size;
    }
    let Some(fsblk) = only_block(inode) else { return false };
    if ctx.is_illegal(fsblk) {
        return false;
    }
    let Ok(block) = ctx.fs.block(ReadKind::Data, Fsblk::new(fsblk)) else { return false };
    let len = target_len(inode, &block);
    len == size && len < block.len() as u64
}

/// Bytes of a target: up to NUL, or as many as an encrypted one says.
fn target_len(inode: &Inode, bytes: &[u8]) -> u64 {
    if inode.flags().contains(InodeFlags::ENCRYPT) {
        let len = bytes.first_chunk().map_or(0, |len| u16::from_le_bytes(*len));
        return u64::from(len) + 2;
    }
    bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()) as u64
}

/// The one block of a link that is not fast.
fn only_block(inode: &Inode) -> Option<u64> {
    if inode.flags().contains(InodeFlags::EXTENTS) {
        let root = Node::root(&inode.raw.i_block).filter(|root| root.entries == 1)?;
        let entry = root.entry(0, true).filter(|_| root.depth == 0)?;
        return (entry.lblk == 0 && entry.len == 1).then_some(entry.fsblk);
    }
    let mut numbers = inode.raw.block_numbers();
    let first = numbers.next()?;
    numbers.all(|number| number == 0).then_some(u64::from(first))
}

/// Whether a device, pipe or socket makes sense. Ref: `e2fsck_pass1_check_device_inode`.
pub(super) fn is_sound_device(inode: &Inode) -> bool {
    let flags = inode.flags();
    if flags.intersects(InodeFlags::INDEX | InodeFlags::EXTENTS) {
        return false;
    }
    // Flags on a device whose other words are set are mostly garbage.
    let is_locked = flags.intersects(InodeFlags::IMMUTABLE | InodeFlags::APPEND);
    !(is_locked && inode.raw.block_numbers().skip(4).any(|number| number != 0))
}

/// Whether something that is no directory by its mode is one by its first block.
/// Ref: `check_is_really_dir`.
pub(super) fn is_really_dir<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let kind = inode.file_type();
    let first = inode.raw.block_numbers().next().unwrap_or(0);
    let is_other = matches!(kind, Some(FileType::Dir | FileType::RegFile | FileType::Symlink));
    if is_other || first == 0 {
        return false;
    }
    let flags = inode.flags();
    if flags.contains(InodeFlags::INLINE_DATA) && ctx.has_incompat(Incompat::INLINE_DATA) {
        return is_inline_dir(ctx, inode);
    }
    let is_tree = flags.contains(InodeFlags::EXTENTS) && ctx.has_incompat(Incompat::EXTENTS);
    let first = if is_tree {
        let Some(first) = first_of_tree(ctx, inode) else { return false };
        first
    } else {
        let is_device = matches!(kind, Some(FileType::Chrdev | FileType::Blkdev));
        let numbers = inode.raw.block_numbers();
        let mut not_dir = numbers.filter(|n| *n != 0).map(u64::from).any(|number| {
            use crate::bitmap::Bits as _;
            ctx.is_illegal(number) || ctx.maps.block_found.test(ctx.clusters(number, 1).start)
        });
        let rest_is_empty = inode.raw.block_numbers().skip(4).all(|number| number == 0);
        not_dir |= is_device && inode.raw.i_links_count.get() == 1 && rest_is_empty;
        if not_dir {
            return false;
        }
        u64::from(first)
    };
    let Ok(block) = ctx.fs.block(ReadKind::Directory, Fsblk::new(first)) else { return false };
    has_good_leaf_csum(ctx, inode, &block) && starts_with_dots(inode, &block)
}

fn first_of_tree<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> Option<u64> {
    let mut node = Node::root(&inode.raw.i_block)?;
    for level in (0..node.depth.min(crate::ondisk::MAX_EXTENT_DEPTH)).rev() {
        let below = node.entry(0, false)?;
        node = Node::read(&ctx.fs, below.fsblk, None, false)??;
        node.depth = level;
    }
    node.entry(0, true).filter(|entry| entry.lblk == 0 && entry.len > 0).map(|entry| entry.fsblk)
}

/// A leaf whose checksum is wrong reads as an error.
fn has_good_leaf_csum<S: ByteSource>(ctx: &Context<S>, inode: &Inode, block: &[u8]) -> bool {
    let seed = ctx.fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get());
    seed.is_none_or(|seed| {
        crate::ondisk::DirEntryTail::from_block(block)
            .zip(csum::dirblock(seed, block))
            .is_some_and(|(tail, due)| tail.det_checksum.get() == due)
    })
}

fn starts_with_dots(inode: &Inode, block: &[u8]) -> bool {
    let block_size = u32::try_from(block.len()).unwrap_or(u32::MAX);
    let entry = |at: usize| {
        let (header, name) = DirEntryHeader::read_from_prefix(block.get(at..)?).ok()?;
        Some((header, rec_len_from_disk(header.rec_len.get(), block_size), name))
    };
    let Some((dot, rec_len, name)) = entry(0) else { return false };
    if dot.name_len != 1
        || name.first() != Some(&b'.')
        || dot.inode.get() != inode.ino.get()
        || rec_len < 12
        || rec_len % 4 != 0
        || rec_len >= block_size - 12
    {
        return false;
    }
    entry(rec_len as usize).is_some_and(|(dotdot, rec_len, name)| {
        let is_named = dotdot.name_len == 2 && name.starts_with(b"..");
        is_named && rec_len >= 12 && rec_len % 4 == 0
    })
}

/// Whether inline data reads as a directory.
fn is_inline_dir<S: ByteSource>(ctx: &Context<S>, inode: &Inode) -> bool {
    let Ok(size) = inline_size(ctx, inode) else { return false };
    if size % 4 != 0 {
        return false;
    }
    let dotdot = inode.raw.block_numbers().next().unwrap_or(0);
    let is_ino =
        |ino: u32| ino == 2 || ino >= ctx.first_ino() && ino <= ctx.geometry().inodes_count();
    if !is_ino(dotdot) {
        return false;
    }
    let entries = inode.raw.i_block.get(4..).unwrap_or_default();
    DirEntryHeader::read_from_prefix(entries).is_ok_and(|(first, _)| {
        let ino = first.inode.get();
        let rec_len = usize::from(first.rec_len.get());
        let is_entry = rec_len >= 12
            && rec_len % 4 == 0
            && usize::from(first.name_len) + 8 <= rec_len
            && rec_len <= entries.len();
        is_entry && (ino == 0 || is_ino(ino))
    })
}
