//! Pass 1: the blocks of an inode that is mapped by extents. Tells also, for pass 1E, where a tree
//! could be smaller.

use super::ahead;
use super::blocks::{Walk, full_size};
use super::context::Context;
use super::extent_node::{Node, max_depth};
use super::finding::Problem;
use super::problem::{
    Code, PR_1_COLLAPSE_DBLOCK, PR_1_CRITICAL_METADATA_COLLISION, PR_1_EXTENT_BAD_MAX_DEPTH,
    PR_1_EXTENT_BAD_START_BLK, PR_1_EXTENT_COLLISION, PR_1_EXTENT_END_OUT_OF_BOUNDS,
    PR_1_EXTENT_ENDS_BEYOND, PR_1_EXTENT_HEADER_INVALID, PR_1_EXTENT_INDEX_START_INVALID,
    PR_1_EXTENT_ITERATE_FAILURE, PR_1_EXTENT_LENGTH_ZERO, PR_1_EXTENT_ONLY_CSUM_INVALID,
    PR_1_INODE_TOOBIG, PR_1_MISSING_EXTENT_HEADER, PR_1_OUT_OF_ORDER_EXTENTS, PR_1_TOOBIG_DIR,
    PR_1_UNINIT_DBLOCK, PR_1E_CAN_COLLAPSE_EXTENT_TREE, PR_1E_CAN_NARROW_EXTENT_TREE,
};
use super::sink::Flow;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::InodeFlags;
use crate::ondisk::features::Incompat;

/// Levels that e2fsck keeps figures of. Ref: `MAX_EXTENT_DEPTH_COUNT`.
const LEVELS: usize = 8;

/// Entries and room of each level, from the root.
pub(super) type Levels = [(u64, u64); LEVELS];

/// An entry as its parent sees it.
#[derive(Clone, Copy, Debug)]
struct Span {
    lblk: u32,
    fsblk: u64,
    len: u64,
    is_unwritten: bool,
}

impl Span {
    fn last(&self) -> u64 {
        (u64::from(self.lblk) + self.len).wrapping_sub(1)
    }
}

/// What one walk needs everywhere.
struct Tree<'a> {
    inode: &'a Inode,
    /// Checksums start from this, where there are any.
    seed: Option<u32>,
    fails_csum: bool,
    depth: u16,
    /// Last block of the file by its size.
    eof: u64,
    /// End of the last leaf entry that was accepted.
    leaf_end: u64,
    /// Nodes from the root down, so that none is its own ancestor.
    path: Vec<u64>,
}

/// Goes through an extent tree. Ref: `check_blocks_extents`.
pub(super) fn check<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    inode: &Inode,
    fails_csum: bool,
) -> Flow {
    let Some(root) = Node::root(&inode.raw.i_block) else {
        return ctx.sink.tell(Problem::new(PR_1_MISSING_EXTENT_HEADER).ino(inode.ino));
    };
    let most = max_depth(ctx.geometry().block_size());
    let is_too_deep = root.depth > most;
    if is_too_deep {
        let problem = Problem::new(PR_1_EXTENT_BAD_MAX_DEPTH).ino(inode.ino);
        ctx.sink.tell(problem.found(root.depth).expected(most))?;
    }
    let block_size = u64::from(ctx.geometry().block_size());
    let blocks = full_size(inode).div_ceil(block_size);
    let mut tree = Tree {
        inode,
        seed: ctx.fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get()),
        fails_csum,
        depth: root.depth,
        eof: blocks.wrapping_sub(1),
        leaf_end: 0,
        path: Vec::new(),
    };
    // The root's last entry goes up to the end of the file.
    let end = blocks;
    if check_node(ctx, walk, &mut tree, &root, 0, (0, 0), end, true)?.is_err() {
        ctx.sink.tell(Problem::new(PR_1_EXTENT_ITERATE_FAILURE).ino(inode.ino))?;
        walk.is_broken = true;
    }
    check_shape(ctx, walk, inode, root.depth)
}

/// Goes through a node; `Err` when the walk over the tree cannot go on.
#[expect(
    clippy::too_many_arguments,
    reason = "a node is seen from above, from before and by level"
)]
fn check_node<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    tree: &mut Tree<'_>,
    node: &Node,
    level: u16,
    (mut start, end): (u64, u64),
    behind: u64,
    may_mend: bool,
) -> Flow<Result<(), ()>> {
    let is_leaf = level == tree.depth;
    if let Some((entries, room)) = walk.levels.get_mut(usize::from(level)) {
        *entries += u64::from(node.entries);
        // A node that was split keeps one place free for good.
        let spare = u64::from(level > 0 && node.entries < node.max);
        *room += u64::from(node.max) - spare;
    }
    for index in 0..node.entries {
        // What is below the root was read with that of other inodes.
        if !is_leaf && level > 0 {
            ahead::read_below(ctx, node, index);
        }
        let Some(span) = span_of(node, index, is_leaf, behind) else { break };
        let problem = fault(ctx, walk, tree, &span, is_leaf, (start, end));
        if may_mend && problem.is_none() && walk.is_dir && span.is_unwritten && is_leaf {
            ctx.sink.tell(place(tree, PR_1_UNINIT_DBLOCK, &span))?;
        }
        if let Some(code) = problem
            && may_mend
        {
            if code == PR_1_TOOBIG_DIR && !core::mem::replace(&mut walk.told_toobig, true) {
                ctx.sink.tell(Problem::new(PR_1_INODE_TOOBIG).ino(tree.inode.ino))?;
            }
            ctx.sink.tell(place(tree, code, &span))?;
            continue;
        }
        if is_leaf {
            see_leaf(ctx, walk, tree, &span, may_mend && problem.is_none())?;
        } else if descend(ctx, walk, tree, &span, level, may_mend)?.is_err() {
            return Ok(Err(()));
        }
        start = span.last();
        if is_leaf {
            walk.last_block = start as i64;
        }
    }
    if node.fails_csum {
        ctx.sink.tell(Problem::new(PR_1_EXTENT_ONLY_CSUM_INVALID).ino(tree.inode.ino))?;
    }
    Ok(Ok(()))
}

/// An entry; one of an index reaches up to the next, or to where its node ends.
fn span_of(node: &Node, index: u16, is_leaf: bool, behind: u64) -> Option<Span> {
    let entry = node.entry(index, is_leaf)?;
    let len = if is_leaf {
        u64::from(entry.len)
    } else {
        let next = node.entry(index.checked_add(1)?, false).map(|next| u64::from(next.lblk));
        // In 32 bits, as the library counts.
        u64::from((next.unwrap_or(behind) as u32).wrapping_sub(entry.lblk))
    };
    Some(Span { lblk: entry.lblk, fsblk: entry.fsblk, len, is_unwritten: entry.is_unwritten })
}

/// What is wrong with an entry, by the first test that fails.
fn fault<S: ByteSource>(
    ctx: &Context<S>,
    walk: &Walk,
    tree: &Tree<'_>,
    span: &Span,
    is_leaf: bool,
    (start, end): (u64, u64),
) -> Option<Code> {
    let blocks = ctx.geometry().blocks_count();
    let log_block = ctx.superblock().s_log_block_size.get().min(6);
    let may_pass_end = span.is_unwritten && span.last() > tree.eof
        || tree.inode.flags().contains(InodeFlags::VERITY);
    let is_long_dir = is_leaf
        && walk.is_dir
        && tree.inode.raw.i_size_high.get() == 0
        && !ctx.has_incompat(Incompat::LARGEDIR)
        && u64::from(span.lblk) + span.len > 1 << (21 - log_block);
    if span.fsblk == 0 || ctx.is_illegal(span.fsblk) {
        Some(PR_1_EXTENT_BAD_START_BLK)
    } else if u64::from(span.lblk) < start {
        Some(PR_1_OUT_OF_ORDER_EXTENTS)
    } else if end != 0 && span.last() > end && !may_pass_end {
        Some(PR_1_EXTENT_END_OUT_OF_BOUNDS)
    } else if is_leaf && span.len == 0 {
        Some(PR_1_EXTENT_LENGTH_ZERO)
    } else if is_leaf && span.fsblk + span.len > blocks {
        Some(PR_1_EXTENT_ENDS_BEYOND)
    } else if is_long_dir {
        Some(PR_1_TOOBIG_DIR)
    } else if is_leaf && u64::from(span.lblk) < tree.leaf_end {
        Some(PR_1_EXTENT_COLLISION)
    } else {
        None
    }
}

fn place(tree: &Tree<'_>, code: Code, span: &Span) -> Problem {
    let problem = Problem::new(code).ino(tree.inode.ino).block(span.fsblk);
    problem.lblk(u64::from(span.lblk)).count(span.len)
}

/// Goes through the node below an entry.
fn descend<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    tree: &mut Tree<'_>,
    span: &Span,
    level: u16,
    may_mend: bool,
) -> Flow<Result<(), ()>> {
    let is_on_metadata = ctx.is_metadata(span.fsblk);
    if is_on_metadata {
        ctx.sink.tell(place(tree, PR_1_CRITICAL_METADATA_COLLISION, span))?;
    }
    let may_mend_below = may_mend && !is_on_metadata;
    let seen = tree.path.contains(&span.fsblk) || !ctx.may_meet_node();
    let below = Node::read(&ctx.fs, span.fsblk, tree.seed, tree.fails_csum).filter(|_| !seen);
    let Some(below) = below else { return Ok(Err(())) };
    let Some(mut below) = below else {
        // Whatever lies on metadata is not to be cut off, so the walk ends.
        if is_on_metadata {
            return Ok(Err(()));
        }
        ctx.sink.tell(place(tree, PR_1_EXTENT_HEADER_INVALID, span))?;
        return Ok(Ok(()));
    };
    let is_leaf_below = level + 1 == tree.depth;
    let Some(first) = below.entry(0, is_leaf_below) else { return Ok(Err(())) };
    if first.lblk != span.lblk {
        let problem = place(tree, PR_1_EXTENT_INDEX_START_INVALID, span);
        ctx.sink.tell(problem.found(span.lblk).expected(first.lblk))?;
        // On the way e2fsck forgets that the checksum is wrong.
        below.fails_csum = false;
    }
    let bounds = (u64::from(first.lblk), span.last());
    let behind = u64::from(span.lblk) + span.len;
    tree.path.push(span.fsblk);
    let done = check_node(ctx, walk, tree, &below, level + 1, bounds, behind, may_mend_below)?;
    tree.path.pop();
    if done.is_ok() {
        ctx.mark_blocks(span.fsblk, 1);
        walk.clusters += 1;
    }
    Ok(done)
}

/// Blocks of the file.
fn see_leaf<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &mut Walk,
    tree: &mut Tree<'_>,
    span: &Span,
    may_mend: bool,
) -> Flow {
    if span.len == 0 {
        return Ok(());
    }
    if walk.previous != 0 && walk.previous + 1 != span.fsblk {
        walk.is_fragmented = true;
    }
    let len = u32::try_from(span.len).unwrap_or(u32::MAX);
    if walk.is_dir {
        if may_mend && i64::from(span.lblk) > walk.last_dir_block + 1 {
            let problem = place(tree, PR_1_COLLAPSE_DBLOCK, span);
            ctx.sink.tell(problem.expected((walk.last_dir_block + 1) as u64))?;
        }
        walk.add_dir_blocks(ctx, tree.inode, span.fsblk, span.lblk, len);
    }
    let ratio = u64::from(ctx.geometry().blocks_per_cluster());
    if ratio == 1 {
        ctx.mark_blocks(span.fsblk, span.len);
        walk.clusters += span.len;
    } else if span.fsblk % ratio == u64::from(span.lblk) % ratio {
        // Where clusters are aligned, only the first may be shared with the extent before.
        walk.mark_block(ctx, tree.inode, span.fsblk, i64::from(span.lblk))?;
        let next = (span.fsblk + 1).next_multiple_of(ratio);
        let more = (span.fsblk + span.len).saturating_sub(next);
        ctx.mark_blocks(next, more);
        walk.clusters += more.div_ceil(ratio);
    } else {
        for ahead in 0..span.len {
            let (fsblk, lblk) = (span.fsblk + ahead, i64::from(span.lblk) + ahead as i64);
            walk.mark_block(ctx, tree.inode, fsblk, lblk)?;
            walk.previous = fsblk;
            walk.last_block = lblk;
        }
    }
    walk.previous = span.fsblk + span.len - 1;
    tree.leaf_end = u64::from(span.lblk) + span.len;
    if !span.is_unwritten {
        walk.last_init = span.last() as i64;
    }
    Ok(())
}

/// Whether the tree could have fewer levels or nodes. Ref: `e2fsck_should_rebuild_extents`.
fn check_shape<S: ByteSource>(
    ctx: &mut Context<S>,
    walk: &Walk,
    inode: &Inode,
    depth: u16,
) -> Flow {
    let per_node = u64::from(ctx.geometry().block_size().saturating_sub(12) / 12);
    let mut code = (usize::from(depth) >= LEVELS).then_some(PR_1E_CAN_COLLAPSE_EXTENT_TREE);
    let levels = walk.levels.iter().take(usize::from(depth) + 1).enumerate();
    for (level, (entries, room)) in levels {
        if code.is_some() {
            break;
        }
        if level > 0 && room.saturating_sub(*entries) > per_node {
            code = Some(PR_1E_CAN_NARROW_EXTENT_TREE);
        }
        // As many as fit into a level above.
        let above = walk.levels.get(..level).unwrap_or_default();
        if above.iter().any(|(_, room)| entries < room) {
            code = Some(PR_1E_CAN_COLLAPSE_EXTENT_TREE);
        }
    }
    match code {
        Some(code) => ctx.sink.tell(Problem::new(code).ino(inode.ino)),
        None => Ok(()),
    }
}
