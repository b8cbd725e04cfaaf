//! Pass 2: a block of a directory, whatever its kind.

use std::collections::HashSet;

use zerocopy::FromBytes as _;

use super::context::Context;
use super::dir_entry::{self, Dir, Slot};
use super::dirs::DirInfo;
use super::finding::Problem;
use super::htree;
use super::problem::{
    PR_2_BAD_INLINE_DIR_SIZE, PR_2_DIR_CORRUPTED, PR_2_DIRECTORY_HOLE, PR_2_FINAL_RECLEN,
    PR_2_LEAF_NODE_MISSING_CSUM, PR_2_LEAF_NODE_ONLY_CSUM_INVALID, PR_2_READ_DIRBLOCK,
};
use super::sink::Flow;
use super::xattr_block;
use crate::fs::Inode;
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::Incompat;
use crate::ondisk::htree::{DX_NODE_ENTRIES_OFFSET, DxCountlimit, DxEntry, DxTail};
use crate::ondisk::{DirEntryHeader, DirEntryTail, I_BLOCK_BYTES, csum, rec_len_from_disk};
use crate::units::{Fsblk, Ino};

/// Fewest bytes of an entry, and bytes of the tail with the checksum.
pub(super) const ENTRY: usize = 12;
/// Bytes of an inline directory ahead of its entries: its parent.
const INLINE_DOTDOT: usize = 4;

/// Looks at a block of a directory, at a hole (0), or at an inline directory.
pub(super) fn check<S: ByteSource>(ctx: &mut Context<S>, ino: Ino, lblk: u32, fsblk: u64) -> Flow {
    let info = ctx.maps.dirs.get(&ino.get()).copied().unwrap_or_default();
    let dir = Dir::new(ctx, ino);
    if fsblk == 0 && info.is_inline && ctx.has_incompat(Incompat::INLINE_DATA) {
        let Ok(inode) = ctx.fs.inode(ino) else { return Ok(()) };
        return check_inline(ctx, &dir, &inode);
    }
    if fsblk == 0 {
        return check_hole(ctx, ino, lblk, 1);
    }
    let Ok(bytes) = ctx.fs.block(ReadKind::Directory, Fsblk::new(fsblk)) else {
        let problem = Problem::new(PR_2_READ_DIRBLOCK).ino(ino).block(fsblk);
        ctx.sink.tell(problem.lblk(u64::from(lblk)))?;
        return ctx.sink.give_up(Some(PR_2_READ_DIRBLOCK));
    };
    check_bytes(ctx, &dir, &info, lblk, fsblk, &bytes)
}

/// Checks blocks that are not there, as of one finding.
pub(super) fn check_hole<S: ByteSource>(
    ctx: &mut Context<S>,
    ino: Ino,
    lblk: u32,
    count: u32,
) -> Flow {
    if ctx.has_incompat(Incompat::LARGEDIR) && !ctx.has_incompat(Incompat::INLINE_DATA) {
        return Ok(());
    }
    let problem = Problem::new(PR_2_DIRECTORY_HOLE).ino(ino).lblk(u64::from(lblk));
    ctx.sink.tell(problem.count(u64::from(count)))
}

fn check_bytes<S: ByteSource>(
    ctx: &mut Context<S>,
    dir: &Dir,
    info: &DirInfo,
    lblk: u32,
    fsblk: u64,
    bytes: &[u8],
) -> Flow {
    let ino = dir.ino;
    let seed = info.seed;
    let fails = seed.is_some_and(|seed| info.fails_csum || !has_good_csum(seed, bytes));
    let is_leaf = htree::classify(ctx, ino, lblk, bytes)?;
    let mut tail = if seed.is_some() && is_leaf { ENTRY } else { 0 };
    let problem = |code| Problem::new(code).ino(ino).block(fsblk).lblk(u64::from(lblk));
    if is_leaf && fails && tail_of(bytes) == Tail::Missing {
        tail = 0;
        ctx.sink.tell(problem(PR_2_LEAF_NODE_MISSING_CSUM))?;
    }
    let mut names = HashSet::new();
    let mut slot = Slot { state: if lblk == 0 { 0 } else { 2 }, lblk, fsblk };
    let mut at = 0;
    let end = bytes.len() - tail;
    while at < end {
        let Some((header, rec_len, name)) = entry(bytes, at, end) else {
            ctx.sink.tell(problem(PR_2_DIR_CORRUPTED).found(at as u64))?;
            return ctx.sink.give_up(Some(PR_2_DIR_CORRUPTED));
        };
        let after = bytes.get(at + 8 + name.len()).copied().unwrap_or(0);
        dir_entry::check(ctx, dir, &slot, &header, rec_len, name, after, &mut names)?;
        at += rec_len;
        slot.state = (slot.state + 1).min(2);
    }
    if !is_leaf {
        htree::check_index(ctx, ino, lblk, bytes, fails)?;
    }
    if at != end {
        ctx.sink.tell(problem(PR_2_FINAL_RECLEN).found(at as u64).expected(end as u64))?;
    }
    if is_leaf && fails {
        ctx.sink.tell(problem(PR_2_LEAF_NODE_ONLY_CSUM_INVALID))?;
    }
    Ok(())
}

/// The entry at a byte: what it starts with, its length, its name; `None` when it cannot be one.
fn entry(bytes: &[u8], at: usize, end: usize) -> Option<(DirEntryHeader, usize, &[u8])> {
    let (header, rest) = DirEntryHeader::read_from_prefix(bytes.get(at..)?).ok()?;
    let block_size = u32::try_from(bytes.len()).ok()?;
    let rec_len = rec_len_from_disk(header.rec_len.get(), block_size) as usize;
    let name_len = usize::from(header.name_len);
    let is_one = at + rec_len <= end
        && rec_len >= ENTRY
        && rec_len.is_multiple_of(4)
        && name_len + 8 <= rec_len;
    let name = rest.get(..name_len).filter(|_| is_one)?;
    Some((header, rec_len, name))
}

/// Looks at an inline directory: `.` and `..`, which are not stored, then two parts.
fn check_inline<S: ByteSource>(ctx: &mut Context<S>, dir: &Dir, inode: &Inode) -> Flow {
    let Ok(rest) = xattr_block::inline_rest(ctx, inode) else {
        ctx.sink.tell(Problem::new(PR_2_READ_DIRBLOCK).ino(dir.ino))?;
        return ctx.sink.give_up(Some(PR_2_READ_DIRBLOCK));
    };
    let size = I_BLOCK_BYTES + rest.len();
    if !size.is_multiple_of(4) || (I_BLOCK_BYTES + 1..I_BLOCK_BYTES + ENTRY).contains(&size) {
        ctx.sink.tell(Problem::new(PR_2_BAD_INLINE_DIR_SIZE).ino(dir.ino).found(size as u64))?;
    }
    let bytes = [inode.raw.i_block.as_slice(), &rest].concat();
    let parent = inode.raw.block_numbers().next().unwrap_or(0);
    let mut names = HashSet::new();
    for (state, target, name) in [(0, dir.ino.get(), &b"."[..]), (1, parent, b"..")] {
        let header = DirEntryHeader {
            inode: target.into(),
            rec_len: 12.into(),
            name_len: name.len() as u8,
            file_type: u8::from(ctx.has_incompat(Incompat::FILETYPE)) * 2,
        };
        let slot = Slot { state, lblk: 0, fsblk: 0 };
        dir_entry::check(ctx, dir, &slot, &header, ENTRY, name, 0, &mut names)?;
    }
    let slot = Slot { state: 2, lblk: 0, fsblk: 0 };
    let mut at = INLINE_DOTDOT;
    while at < bytes.len() {
        let end = if at < I_BLOCK_BYTES { I_BLOCK_BYTES } else { bytes.len() };
        let Some((header, rec_len, name)) = entry(&bytes, at, end) else {
            let problem = Problem::new(PR_2_DIR_CORRUPTED).ino(dir.ino).found(at as u64);
            ctx.sink.tell(problem)?;
            return ctx.sink.give_up(Some(PR_2_DIR_CORRUPTED));
        };
        dir_entry::check(ctx, dir, &slot, &header, rec_len, name, 0, &mut names)?;
        at += rec_len;
    }
    Ok(())
}

/// What the entries of a block lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    /// The place of the checksum.
    There,
    /// Something else.
    Missing,
    /// Nowhere.
    Corrupt,
}

/// Follows the entries of a block to its tail. Ref: `get_dirent_tail`.
fn tail_of(bytes: &[u8]) -> Tail {
    let top = bytes.len() - ENTRY;
    let block_size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut at = 0;
    while at < top {
        let header = bytes.get(at..).map(DirEntryHeader::read_from_prefix);
        let Some(Ok((header, _))) = header else { return Tail::Corrupt };
        let rec_len = rec_len_from_disk(header.rec_len.get(), block_size) as usize;
        if rec_len < 8 || !rec_len.is_multiple_of(4) {
            return Tail::Corrupt;
        }
        at += rec_len;
    }
    if at > bytes.len() {
        Tail::Corrupt
    } else if at == top && DirEntryTail::from_block(bytes).is_some() {
        Tail::There
    } else {
        Tail::Missing
    }
}

/// Whether a block's checksum is right, that of a leaf or of an index block, as it looks.
/// Ref: `ext2fs_dir_block_csum_verify`.
fn has_good_csum(seed: u32, bytes: &[u8]) -> bool {
    if tail_of(bytes) == Tail::There {
        let sums = DirEntryTail::from_block(bytes).zip(csum::dirblock(seed, bytes));
        return sums.is_some_and(|(tail, due)| tail.det_checksum.get() == due);
    }
    index_csum(seed, bytes).is_some_and(|(stored, due)| stored == due)
}

/// Stored and computed checksum of what looks like an index block.
fn index_csum(seed: u32, bytes: &[u8]) -> Option<(u32, u32)> {
    let (first, _) = DirEntryHeader::read_from_prefix(bytes).ok()?;
    let block_size = u32::try_from(bytes.len()).ok()?;
    let rec_len = rec_len_from_disk(first.rec_len.get(), block_size) as usize;
    let entries_at = if rec_len == bytes.len() && first.name_len == 0 {
        DX_NODE_ENTRIES_OFFSET
    } else if rec_len == ENTRY {
        let (second, _) = DirEntryHeader::read_from_prefix(bytes.get(ENTRY..)?).ok()?;
        let rec_len = rec_len_from_disk(second.rec_len.get(), block_size) as usize;
        let info = bytes.get(24..32)?;
        let is_root =
            rec_len == bytes.len() - ENTRY && info.get(..4)? == [0; 4] && info.get(5) == Some(&8);
        if !is_root {
            return None;
        }
        32
    } else {
        return None;
    };
    let (counts, _) = DxCountlimit::read_from_prefix(bytes.get(entries_at..)?).ok()?;
    let (limit, count) = (usize::from(counts.limit.get()), counts.count.get());
    let tail_at = entries_at + limit * size_of::<DxEntry>();
    let (tail, _) = DxTail::read_from_prefix(bytes.get(tail_at..)?).ok()?;
    if usize::from(count) > limit {
        return None;
    }
    let due = csum::dx_block(seed, bytes, entries_at, count, tail_at)?;
    Some((tail.dt_checksum.get(), due))
}
