//! Pass 2: the index of a directory against the blocks that it leads to.

use zerocopy::FromBytes as _;

use super::context::Context;
use super::dirs::{DxBlock, DxDir, DxKind};
use super::finding::Problem;
use super::problem::{
    Code, PR_2_HTREE_BAD_COUNT, PR_2_HTREE_BAD_DEPTH, PR_2_HTREE_BAD_LIMIT, PR_2_HTREE_BAD_ROOT,
    PR_2_HTREE_BADBLK, PR_2_HTREE_CLEAR, PR_2_HTREE_DUPREF, PR_2_HTREE_HASH_ORDER,
    PR_2_HTREE_MAX_HASH, PR_2_HTREE_MIN_HASH, PR_2_HTREE_NODE_CSUM_INVALID, PR_2_HTREE_NOTREF,
    PR_2_HTREE_ROOT_CSUM_INVALID, PR_2_UNEXPECTED_HTREE_BLOCK,
};
use super::sink::Flow;
use crate::io::ByteSource;
use crate::ondisk::dirhash::dirhash;
use crate::ondisk::features::{Incompat, RoCompat};
use crate::ondisk::htree::{
    DX_NODE_ENTRIES_OFFSET, DX_ROOT_INFO_OFFSET, DxCountlimit, DxEntry, DxRootInfo, DxTail,
    HashVersion,
};
use crate::ondisk::{DirEntryHeader, rec_len_from_disk};
use crate::units::Ino;

/// `s_flags`: names are hashed by unsigned characters. Ref: `EXT2_FLAGS_UNSIGNED_HASH`.
const UNSIGNED_HASH: u32 = 2;
/// Levels that are followed upward before a walk is given up.
const MOST_LEVELS: u32 = 8;

/// Says what a block of a directory is, and notes it of an indexed one; whether it is a leaf.
pub(super) fn classify<S: ByteSource>(
    ctx: &mut Context<S>,
    ino: Ino,
    lblk: u32,
    bytes: &[u8],
) -> Flow<bool> {
    let Some(dx) = ctx.maps.dx_dirs.get(&ino.get()) else { return Ok(true) };
    if dx.block_count == 0 {
        return Ok(true);
    }
    if u64::from(lblk) >= dx.block_count {
        ctx.sink.tell(Problem::new(PR_2_UNEXPECTED_HTREE_BLOCK).ino(ino).lblk(lblk.into()))?;
        ctx.sink.give_up(Some(PR_2_UNEXPECTED_HTREE_BLOCK))?;
        return Ok(true);
    }
    let kind = if lblk == 0 {
        see_root(ctx, ino, bytes)?;
        DxKind::Root
    } else if is_node(ctx, bytes) {
        DxKind::Node
    } else {
        DxKind::Leaf
    };
    if let Some(dx) = ctx.maps.dx_dirs.get_mut(&ino.get()) {
        let block = dx.blocks.entry(lblk).or_default();
        block.kind = kind;
        block.is_seen = true;
        (block.min_hash, block.max_hash) = (u32::MAX, 0);
        if kind == DxKind::Root {
            (block.is_first, block.is_last) = (true, true);
        }
    }
    Ok(kind == DxKind::Leaf)
}

/// What the root says of the whole index.
fn see_root<S: ByteSource>(ctx: &mut Context<S>, ino: Ino, bytes: &[u8]) -> Flow {
    let info = bytes.get(DX_ROOT_INFO_OFFSET..).map(DxRootInfo::read_from_prefix);
    let Some(Ok((info, _))) = info else { return Ok(()) };
    let most = if ctx.has_incompat(Incompat::LARGEDIR) { 3 } else { 2 };
    if info.reserved_zero.get() != 0 || info.info_length < 8 || info.indirect_levels >= most {
        ctx.sink.tell(Problem::new(PR_2_HTREE_BAD_ROOT).ino(ino))?;
    }
    if let Some(dx) = ctx.maps.dx_dirs.get_mut(&ino.get()) {
        dx.hash_version = info.hash_version;
        dx.depth = u32::from(info.indirect_levels) + 1;
    }
    Ok(())
}

/// Whether a block looks like a node of the index: one unused entry, and the right limit.
fn is_node<S: ByteSource>(ctx: &Context<S>, bytes: &[u8]) -> bool {
    let Ok((first, rest)) = DirEntryHeader::read_from_prefix(bytes) else { return false };
    let block_size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let rec_len = rec_len_from_disk(first.rec_len.get(), block_size);
    let limit = DxCountlimit::read_from_prefix(rest).map_or(0, |(c, _)| c.limit.get());
    first.inode.get() == 0
        && rec_len == block_size
        && first.name_len == 0
        && usize::from(limit) == expected_limit(ctx, bytes.len(), DX_NODE_ENTRIES_OFFSET)
}

fn expected_limit<S: ByteSource>(ctx: &Context<S>, block_size: usize, entries_at: usize) -> usize {
    let has_csum = ctx.has_ro_compat(RoCompat::METADATA_CSUM);
    let tail = if has_csum { size_of::<DxTail>() } else { 0 };
    block_size.saturating_sub(entries_at + tail) / size_of::<DxEntry>()
}

/// Goes through the entries of the root or a node. Ref: `parse_int_node`.
pub(super) fn check_index<S: ByteSource>(
    ctx: &mut Context<S>,
    ino: Ino,
    lblk: u32,
    bytes: &[u8],
    fails_csum: bool,
) -> Flow {
    let problem = |code| Problem::new(code).ino(ino).lblk(u64::from(lblk));
    if fails_csum {
        let code =
            if lblk == 0 { PR_2_HTREE_ROOT_CSUM_INVALID } else { PR_2_HTREE_NODE_CSUM_INVALID };
        ctx.sink.tell(problem(code))?;
    }
    let entries_at = if lblk == 0 {
        let len = bytes.get(DX_ROOT_INFO_OFFSET + 5).copied().unwrap_or(8);
        DX_ROOT_INFO_OFFSET + usize::from(len)
    } else {
        DX_NODE_ENTRIES_OFFSET
    };
    let entries = bytes.get(entries_at..).unwrap_or_default();
    let Ok((counts, _)) = DxCountlimit::read_from_prefix(entries) else { return Ok(()) };
    let due = expected_limit(ctx, bytes.len(), entries_at);
    let (limit, mut count) = (counts.limit.get(), usize::from(counts.count.get()));
    if usize::from(limit) != due {
        ctx.sink.tell(problem(PR_2_HTREE_BAD_LIMIT).found(limit).expected(due as u64))?;
    }
    if count > due {
        ctx.sink.tell(problem(PR_2_HTREE_BAD_COUNT).found(count as u64).expected(due as u64))?;
        count = due;
    }
    let entries: Vec<DxEntry> = entries
        .chunks_exact(size_of::<DxEntry>())
        .take(count)
        .filter_map(|entry| DxEntry::read_from_bytes(entry).ok())
        .collect();
    let (mut least, mut most, mut before) = (u32::MAX, 0, 0);
    let block_count = ctx.maps.dx_dirs.get(&ino.get()).map_or(0, |dx| dx.block_count);
    for (index, entry) in entries.iter().enumerate() {
        let hash = if index == 0 { 0 } else { entry.hash.get() & !1 };
        let below = entry.lblk();
        if u64::from(below) >= block_count {
            ctx.sink.tell(problem(PR_2_HTREE_BADBLK).found(below).expected(block_count))?;
            before = hash;
            continue;
        }
        if hash < before {
            ctx.sink.tell(problem(PR_2_HTREE_HASH_ORDER).found(hash).expected(before))?;
        }
        before = hash;
        (least, most) = (least.min(hash), most.max(hash));
        let next = entries.get(index + 1).map(|next| next.hash.get() & !1);
        if let Some(dx) = ctx.maps.dx_dirs.get_mut(&ino.get()) {
            let block = dx.blocks.entry(below).or_default();
            if block.references == 0 {
                block.parent = lblk;
            }
            block.references = block.references.saturating_add(1);
            block.node_min = hash;
            block.node_max = next.unwrap_or(u32::MAX);
            block.is_first |= index == 0;
            block.is_last |= next.is_none();
        }
    }
    if let Some(block) = block_mut(ctx, ino, lblk) {
        (block.min_hash, block.max_hash) = (least, most);
    }
    Ok(())
}

fn block_mut<S>(ctx: &mut Context<S>, ino: Ino, lblk: u32) -> Option<&mut DxBlock> {
    ctx.maps.dx_dirs.get_mut(&ino.get())?.blocks.get_mut(&lblk)
}

/// Widens the bounds of the hashes in a leaf by a name.
pub(super) fn see_name<S: ByteSource>(ctx: &mut Context<S>, ino: Ino, lblk: u32, name: &[u8]) {
    let Some(dx) = ctx.maps.dx_dirs.get(&ino.get()) else { return };
    if dx.blocks.get(&lblk).is_none_or(|block| block.kind != DxKind::Leaf) {
        return;
    }
    let Some(hash) = hash_of(ctx, dx, ino, name) else {
        if let Some(dx) = ctx.maps.dx_dirs.get_mut(&ino.get()) {
            dx.is_unknown = true;
        }
        return;
    };
    if let Some(block) = block_mut(ctx, ino, lblk) {
        block.min_hash = block.min_hash.min(hash);
        block.max_hash = block.max_hash.max(hash);
    }
}

/// The hash of a name; `None` where it takes a key, or the folding of letters beyond ASCII.
fn hash_of<S: ByteSource>(ctx: &Context<S>, dx: &DxDir, ino: Ino, name: &[u8]) -> Option<u32> {
    let superblock = ctx.superblock();
    let (version, _) = HashVersion::from_disk(dx.hash_version)?;
    let is_unsigned = superblock.s_flags.get() & UNSIGNED_HASH != 0;
    let seed = superblock.s_hash_seed.map(|word| word.get());
    if ctx.maps.casefold.contains(&ino.get()) {
        let folded = name.is_ascii().then(|| name.to_ascii_lowercase())?;
        return dirhash(version, is_unsigned, seed, &folded);
    }
    dirhash(version, is_unsigned, seed, name)
}

/// Holds the blocks of each indexed directory against its index.
pub(super) fn settle<S: ByteSource>(ctx: &mut Context<S>) -> Flow {
    let dirs = core::mem::take(&mut ctx.maps.dx_dirs);
    for (ino, mut dx) in dirs {
        if dx.block_count > 0 && dx.blocks.get(&0).is_some_and(|root| root.is_seen) {
            settle_dir(ctx, Ino::new(ino), &mut dx)?;
        }
    }
    Ok(())
}

fn settle_dir<S: ByteSource>(ctx: &mut Context<S>, ino: Ino, dx: &mut DxDir) -> Flow {
    if let Some(root) = dx.blocks.get_mut(&0) {
        root.references = root.references.saturating_add(1);
    }
    // What the first and the last leaf hold bounds the node above them.
    let bounds: Vec<(u32, bool, bool, u32, u32)> = dx
        .blocks
        .values()
        .map(|block| (block.parent, block.is_first, block.is_last, block.min_hash, block.max_hash))
        .collect();
    for (parent, is_first, is_last, min_hash, max_hash) in bounds {
        if let Some(above) = dx.blocks.get_mut(&parent) {
            if is_first {
                above.min_hash = min_hash;
            }
            if is_last {
                above.max_hash = max_hash;
            }
        }
    }
    let mut is_bad = false;
    let mut next = 0;
    for (lblk, block) in &dx.blocks {
        is_bad |= tell_unnamed(ctx, ino, next, u64::from(*lblk))?;
        next = u64::from(*lblk) + 1;
        for code in faults(dx, block) {
            let problem = Problem::new(code).ino(ino).lblk(u64::from(*lblk));
            ctx.sink.tell(match code {
                PR_2_HTREE_MIN_HASH => problem.found(block.min_hash).expected(block.node_min),
                PR_2_HTREE_MAX_HASH => problem.found(block.max_hash).expected(block.node_max),
                _ => problem,
            })?;
            is_bad = true;
        }
    }
    is_bad |= tell_unnamed(ctx, ino, next, dx.block_count)?;
    if is_bad {
        ctx.sink.tell(Problem::new(PR_2_HTREE_CLEAR).ino(ino))?;
    }
    Ok(())
}

/// Tells of blocks of which nobody spoke, as of one finding; whether there are any.
fn tell_unnamed<S: ByteSource>(ctx: &mut Context<S>, ino: Ino, from: u64, to: u64) -> Flow<bool> {
    if from >= to {
        return Ok(false);
    }
    let problem = Problem::new(PR_2_HTREE_NOTREF).ino(ino).lblk(from).count(to - from);
    ctx.sink.tell(problem)?;
    Ok(true)
}

fn faults(dx: &DxDir, block: &DxBlock) -> Vec<Code> {
    let mut faults = Vec::new();
    let knows_hashes = !dx.is_unknown;
    if knows_hashes && !block.is_first && block.min_hash < block.node_min {
        faults.push(PR_2_HTREE_MIN_HASH);
    }
    if knows_hashes && !block.is_last && block.max_hash > block.node_max {
        faults.push(PR_2_HTREE_MAX_HASH);
    }
    match block.references {
        0 => faults.push(PR_2_HTREE_NOTREF),
        1 => {}
        _ => faults.push(PR_2_HTREE_DUPREF),
    }
    if block.is_seen && block.kind == DxKind::Leaf && depth_of(dx, block) != dx.depth {
        faults.push(PR_2_HTREE_BAD_DEPTH);
    }
    faults
}

/// Levels from a block up to the root. Ref: `htree_depth`.
fn depth_of(dx: &DxDir, block: &DxBlock) -> u32 {
    let mut at = *block;
    let mut depth = 0;
    while at.kind != DxKind::Root && depth < MOST_LEVELS {
        let Some(above) = dx.blocks.get(&at.parent) else { break };
        at = *above;
        depth += 1;
    }
    depth
}
