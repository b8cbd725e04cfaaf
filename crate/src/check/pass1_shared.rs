//! Passes 1B to 1D: who shares the blocks that pass 1 found claimed more than once.
//!
//! Runs only when there are any. Nothing is settled, so later passes see the same blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::extent_node::Node;
use super::finding::Problem;
use super::inode_kind::has_valid_blocks;
use super::overlaps::Overlaps;
use super::problem::{
    PR_1B_BLOCK_ITERATE, PR_1B_DUP_BLOCK, PR_1B_DUP_BLOCK_HEADER, PR_1B_DUP_RANGE,
    PR_1B_ISCAN_ERROR, PR_1D_CLONE_QUESTION, PR_1D_DELETE_QUESTION, PR_1D_DUP_FILE,
    PR_1D_DUP_FILE_LIST, PR_1D_NUM_DUP_INODES, PR_1D_SHARE_METADATA,
};
use super::scan;
use super::sink::Flow;
use super::xattr_block::file_acl;
use crate::bitmap::{Bits as _, RunBitmap, Runs};
use crate::fs::{Inode, MapItem};
use crate::io::ByteSource;
use crate::ondisk::{InodeFlags, MAX_EXTENT_DEPTH, reserved};
use crate::units::{Group, Ino};

/// The passes at work.
#[derive(Debug, Default)]
pub(super) struct Shared {
    group: u32,
    index: u32,
    /// Runs of shared clusters of each inode.
    claims: BTreeMap<u32, Vec<(u64, u64)>>,
}

impl Shared {
    /// Groups done.
    pub(super) fn done(&self) -> u32 {
        self.group
    }

    /// Looks at some inodes again; true at the end, when all is told.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        if ctx.maps.block_dup.next_set(0).is_none() {
            return Ok(true);
        }
        for _ in 0..256 {
            if self.group >= ctx.fs.groups().len() {
                self.settle(ctx)?;
                return Ok(true);
            }
            let group = Group::new(self.group);
            let table = ctx.fs.group(group)?.desc.inode_table.get();
            let is_readable = ctx.fs.inodes_ever_used(group)? > self.index
                && table != 0
                && !scan::table_is_outside(ctx, table);
            let scanned = if is_readable {
                scan::read(ctx, group, self.index, &RunBitmap::default()).unwrap_or_default()
            } else {
                Vec::new()
            };
            if scanned.is_empty() {
                self.group += 1;
                self.index = 0;
                continue;
            }
            self.index += u32::try_from(scanned.len()).unwrap_or(u32::MAX);
            for one in scanned {
                if one.fails_csum {
                    let problem = Problem::new(PR_1B_ISCAN_ERROR).ino(one.inode.ino);
                    ctx.sink.tell(problem)?;
                }
                let is_used = ctx.maps.inode_used.test(u64::from(one.inode.ino.get()));
                if is_used || one.inode.ino == reserved::BAD {
                    self.look(ctx, &one.inode)?;
                }
            }
            break;
        }
        Ok(false)
    }

    /// Lists the shared blocks of an inode. Ref: `process_pass1b_block`.
    fn look<S: ByteSource>(&mut self, ctx: &mut Context<S>, inode: &Inode) -> Flow {
        let mut shared = Vec::new();
        let mut is_broken = false;
        let is_tree = inode.flags().contains(InodeFlags::EXTENTS);
        if has_valid_blocks(inode) && is_tree {
            // A tree without a root has no blocks.
            if let Some(root) = Node::root(&inode.raw.i_block) {
                let depth = root.depth.min(MAX_EXTENT_DEPTH);
                is_broken = !self.note_node(ctx, &mut shared, inode, &root, depth);
            }
        } else if has_valid_blocks(inode) || inode.ino == reserved::BAD {
            for item in ctx.fs.map_items(inode) {
                let (start, len) = match item {
                    Ok(MapItem::Node(node)) => (node.fsblk.get(), 1),
                    Ok(MapItem::Mapping(run)) => (run.fsblk.get(), u64::from(run.len)),
                    Err(_) => {
                        is_broken = true;
                        break;
                    }
                };
                self.note(ctx, &mut shared, start, len);
            }
        }
        let acl = file_acl(ctx, inode);
        if acl != 0 && !ctx.is_illegal(acl) {
            self.note(ctx, &mut shared, acl, 1);
        }
        let ino = inode.ino;
        if ino != reserved::BAD && !shared.is_empty() {
            ctx.sink.tell(Problem::new(PR_1B_DUP_BLOCK_HEADER).ino(ino))?;
            for (start, len) in &shared {
                let code = if *len > 1 { PR_1B_DUP_RANGE } else { PR_1B_DUP_BLOCK };
                ctx.sink.tell(Problem::new(code).ino(ino).block(*start).count(*len))?;
            }
        }
        if is_broken {
            ctx.sink.tell(Problem::new(PR_1B_BLOCK_ITERATE).ino(ino))?;
        }
        if !shared.is_empty() {
            self.claims.insert(ino.get(), shared);
        }
        Ok(())
    }

    /// Adds the shared parts of what a node maps; false when a node below is none, or has a wrong
    /// checksum.
    fn note_node<S: ByteSource>(
        &self,
        ctx: &Context<S>,
        shared: &mut Vec<(u64, u64)>,
        inode: &Inode,
        node: &Node,
        depth: u16,
    ) -> bool {
        let seed = ctx.fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get());
        for entry in (0..node.entries).map_while(|index| node.entry(index, depth == 0)) {
            if depth == 0 {
                self.note(ctx, shared, entry.fsblk, u64::from(entry.len));
                continue;
            }
            self.note(ctx, shared, entry.fsblk, 1);
            if !ctx.may_meet_node() {
                return false;
            }
            let below = Node::read(&ctx.fs, entry.fsblk, seed, false).flatten();
            let Some(below) = below.filter(|below| !below.fails_csum) else { return false };
            if !self.note_node(ctx, shared, inode, &below, depth - 1) {
                return false;
            }
        }
        true
    }

    /// Adds the shared part of some blocks, in blocks.
    fn note<S: ByteSource>(
        &self,
        ctx: &Context<S>,
        shared: &mut Vec<(u64, u64)>,
        start: u64,
        len: u64,
    ) {
        let end = start.saturating_add(len).min(ctx.geometry().blocks_count());
        if ctx.is_illegal(start) {
            return;
        }
        let ratio = u64::from(ctx.geometry().blocks_per_cluster());
        let first = ctx.geometry().first_data_block().get();
        for run in Runs::new(&ctx.maps.block_dup, true, ctx.clusters(start, end - start)) {
            let from = (run.start * ratio + first).max(start);
            let to = (run.end * ratio + first).min(end);
            match shared.last_mut() {
                Some((last, len)) if *last + *len == from => *len += to - from,
                _ => shared.push((from, to - from)),
            }
        }
    }

    /// Tells who shares with whom. Ref: `delete_dupes`.
    fn settle<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        let is_file = |ino: u32| ino >= ctx.first_ino() || Ino::new(ino) == reserved::ROOT;
        let count = self.claims.keys().filter(|ino| is_file(**ino)).count() as u64;
        ctx.sink.tell(Problem::new(PR_1D_NUM_DUP_INODES).found(count))?;
        let owners = self.owners(ctx);
        let mut shares_metadata = false;
        for (ino, runs) in &self.claims {
            let ino = Ino::new(*ino);
            if ino == reserved::BAD || ino == reserved::RESIZE {
                continue;
            }
            let mut others = BTreeSet::new();
            let mut blocks = 0;
            for (start, len) in runs {
                blocks += len;
                let clusters = ctx.clusters(*start, *len);
                let metadata = ctx.maps.block_metadata.next_set(clusters.start);
                // Once seen, it is said of every file that follows.
                shares_metadata |= metadata.is_some_and(|at| at < clusters.end);
                owners.meet(&clusters, &mut |other| _ = others.insert(other));
            }
            others.remove(&ino.get());
            let sharers = others.len() as u64 + u64::from(shares_metadata);
            let problem = Problem::new(PR_1D_DUP_FILE).ino(ino).count(blocks);
            ctx.sink.tell(problem.found(sharers))?;
            if shares_metadata {
                ctx.sink.tell(Problem::new(PR_1D_SHARE_METADATA).ino(ino))?;
            }
            for other in others {
                let problem = Problem::new(PR_1D_DUP_FILE_LIST).ino(Ino::new(other));
                ctx.sink.tell(problem.found(ino.get()))?;
            }
            ctx.sink.tell(Problem::new(PR_1D_CLONE_QUESTION).ino(ino))?;
            ctx.sink.tell(Problem::new(PR_1D_DELETE_QUESTION).ino(ino))?;
        }
        Ok(())
    }

    /// Shared runs of clusters of all inodes.
    fn owners<S: ByteSource>(&self, ctx: &Context<S>) -> Overlaps {
        let runs = self.claims.iter().flat_map(|(ino, runs)| {
            runs.iter().map(|(start, len)| (ctx.clusters(*start, *len), *ino))
        });
        Overlaps::new(runs.collect())
    }
}
