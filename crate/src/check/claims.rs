//! Who has which of some blocks: another look at all inodes, for blocks that something is wrong
//! with.

use serde::{Deserialize, Serialize};

use super::context::Context;
use super::extent_node::Node;
use super::inode_kind::has_valid_blocks;
use super::scan::{self, Scanned};
use super::sink::Flow;
use super::xattr_block::file_acl;
use crate::bitmap::{Bits as _, RunBitmap, Runs};
use crate::fs::{Inode, MapItem};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::{InodeFlags, MAX_EXTENT_DEPTH, reserved};
use crate::units::{Fsblk, Group, Ino};

/// Blocks and who has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The inode that has them; `None` for the filesystem's own metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ino: Option<Ino>,
    /// The first block.
    pub block: Fsblk,
    /// How many follow one another.
    pub count: u64,
}

/// Goes through all inode tables once more.
#[derive(Debug, Default)]
pub(super) struct Tables {
    group: u32,
    index: u32,
}

impl Tables {
    /// Groups done.
    pub(super) fn done(&self) -> u32 {
        self.group
    }

    /// The next inodes, which may be none; `None` at the end.
    pub(super) fn next<S: ByteSource>(&mut self, ctx: &Context<S>) -> Flow<Option<Vec<Scanned>>> {
        if self.group >= ctx.fs.groups().len() {
            return Ok(None);
        }
        let group = Group::new(self.group);
        let table = ctx.fs.group(group)?.desc.inode_table.get();
        let is_readable = scan::inodes_to_scan(ctx, group)? > self.index
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
        }
        self.index += u32::try_from(scanned.len()).unwrap_or(u32::MAX);
        Ok(Some(scanned))
    }
}

/// The parts of an inode's blocks that were asked for.
#[derive(Debug)]
pub(super) struct Claimed {
    /// First block and length of each, in the order in which the inode maps them.
    pub(super) runs: Vec<(u64, u64)>,
    /// The map could not be followed to its end.
    pub(super) is_broken: bool,
    /// How many parts are wanted, at most: entries of a damaged tree can lead to the same again and
    /// again.
    most: usize,
}

impl Claimed {
    /// The blocks of an inode in some clusters; those of its attributes come last.
    pub(super) fn of<S: ByteSource>(
        ctx: &Context<S>,
        inode: &Inode,
        wanted: &RunBitmap,
        most: usize,
    ) -> Self {
        let mut claimed = Self { runs: Vec::new(), is_broken: false, most };
        let is_tree = inode.flags().contains(InodeFlags::EXTENTS);
        if has_valid_blocks(inode) && is_tree {
            // A tree without a root has no blocks.
            if let Some(root) = Node::root(&inode.raw.i_block) {
                let depth = root.depth.min(MAX_EXTENT_DEPTH);
                claimed.is_broken = !claimed.note_node(ctx, wanted, inode, &root, depth);
            }
        } else if has_valid_blocks(inode) || inode.ino == reserved::BAD {
            for item in ctx.fs.map_items(inode) {
                let (start, len) = match item {
                    Ok(MapItem::Node(node)) => (node.fsblk.get(), 1),
                    Ok(MapItem::Mapping(run)) => (run.fsblk.get(), u64::from(run.len)),
                    Err(_) => {
                        claimed.is_broken = true;
                        break;
                    }
                };
                claimed.note(ctx, wanted, start, len);
            }
        }
        let acl = file_acl(ctx, inode);
        if acl != 0 {
            claimed.note(ctx, wanted, acl, 1);
        }
        claimed
    }

    /// Adds what a node maps; false when a node below is none, or has a wrong checksum.
    fn note_node<S: ByteSource>(
        &mut self,
        ctx: &Context<S>,
        wanted: &RunBitmap,
        inode: &Inode,
        node: &Node,
        depth: u16,
    ) -> bool {
        let seed = ctx.fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get());
        for entry in (0..node.entries).map_while(|index| node.entry(index, depth == 0)) {
            if depth == 0 {
                self.note(ctx, wanted, entry.fsblk, u64::from(entry.len));
                continue;
            }
            self.note(ctx, wanted, entry.fsblk, 1);
            if self.runs.len() >= self.most || !ctx.may_meet_node() {
                return false;
            }
            let below = Node::read(&ctx.fs, entry.fsblk, seed, false).flatten();
            let Some(below) = below.filter(|below| !below.fails_csum) else { return false };
            if !self.note_node(ctx, wanted, inode, &below, depth - 1) {
                return false;
            }
        }
        true
    }

    /// Adds the wanted part of some blocks.
    fn note<S: ByteSource>(&mut self, ctx: &Context<S>, wanted: &RunBitmap, start: u64, len: u64) {
        let end = start.saturating_add(len).min(ctx.geometry().blocks_count());
        if ctx.is_illegal(start) {
            return;
        }
        for (from, to) in blocks_of(ctx, wanted, start, end) {
            if self.runs.len() >= self.most {
                return;
            }
            match self.runs.last_mut() {
                Some((last, len)) if *last + *len == from => *len += to - from,
                _ => self.runs.push((from, to - from)),
            }
        }
    }
}

/// The blocks from `start` to `end` whose clusters are marked.
fn blocks_of<'a, S: ByteSource>(
    ctx: &Context<S>,
    marked: &'a RunBitmap,
    start: u64,
    end: u64,
) -> impl Iterator<Item = (u64, u64)> + use<'a, S> {
    let ratio = u64::from(ctx.geometry().blocks_per_cluster());
    let first = ctx.geometry().first_data_block().get();
    let runs = Runs::new(marked, true, ctx.clusters(start, end - start));
    runs.map(move |run| {
        ((run.start * ratio + first).max(start), (run.end * ratio + first).min(end))
    })
}

/// Looks for those who have blocks that are free on the disk, which e2fsck does not tell.
#[derive(Debug, Default)]
pub(super) struct Unmarked {
    tables: Tables,
}

impl Unmarked {
    /// Looks at the filesystem's own metadata.
    pub(super) fn new<S: ByteSource>(ctx: &mut Context<S>) -> Self {
        ctx.claims = of_metadata(ctx);
        Self::default()
    }

    /// Groups done.
    pub(super) fn done(&self) -> u32 {
        self.tables.done()
    }

    /// Looks at some inodes; true at the end, or when more were found than are told.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        if ctx.maps.block_unmarked.next_set(0).is_none() {
            return Ok(true);
        }
        for _ in 0..256 {
            if ctx.claims.len() >= limits::CLAIMS_TOLD {
                return Ok(true);
            }
            let Some(scanned) = self.tables.next(ctx)? else { return Ok(true) };
            let used = scanned.iter().map(|one| &one.inode).filter(|inode| {
                ctx.maps.inode_used.test(u64::from(inode.ino.get()))
                    && inode.ino != reserved::RESIZE
            });
            let room = limits::CLAIMS_TOLD - ctx.claims.len();
            let ratio = u64::from(ctx.geometry().blocks_per_cluster());
            let first = ctx.geometry().first_data_block().get();
            let claims = used.flat_map(|inode| {
                let runs = Claimed::of(ctx, inode, &ctx.maps.block_unmarked, room).runs;
                let ino = Some(inode.ino);
                // Who has a part of a cluster has the cluster.
                runs.into_iter().map(move |(start, count)| {
                    let before = start.saturating_sub(first) % ratio.max(1);
                    Claim { ino, block: Fsblk::new(start - before), count: count + before }
                })
            });
            let claims: Vec<Claim> = claims.take(room).collect();
            ctx.claims.extend(claims);
            if !scanned.is_empty() {
                break;
            }
        }
        Ok(false)
    }
}

/// The filesystem's own blocks that are free on the disk.
fn of_metadata<S: ByteSource>(ctx: &Context<S>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for run in ctx.maps.block_unmarked.set_runs() {
        for both in Runs::new(&ctx.maps.block_metadata, true, run) {
            if claims.len() >= limits::CLAIMS_TOLD {
                return claims;
            }
            let ratio = u64::from(ctx.geometry().blocks_per_cluster());
            let first = ctx.geometry().first_data_block().get();
            let block = Fsblk::new(both.start * ratio + first);
            claims.push(Claim { ino: None, block, count: (both.end - both.start) * ratio });
        }
    }
    claims
}
