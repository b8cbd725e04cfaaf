//! Passes 1B to 1D: who shares the blocks that pass 1 found claimed more than once.
//!
//! Runs only when there are any. Nothing is settled, so later passes see the same blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{Claimed, Tables};
use super::context::Context;
use super::finding::Problem;
use super::overlaps::Overlaps;
use super::problem::{
    PR_1B_BLOCK_ITERATE, PR_1B_DUP_BLOCK, PR_1B_DUP_BLOCK_HEADER, PR_1B_DUP_RANGE,
    PR_1B_ISCAN_ERROR, PR_1D_CLONE_QUESTION, PR_1D_DELETE_QUESTION, PR_1D_DUP_FILE,
    PR_1D_DUP_FILE_LIST, PR_1D_NUM_DUP_INODES, PR_1D_SHARE_METADATA,
};
use super::sink::Flow;
use crate::bitmap::Bits as _;
use crate::fs::Inode;
use crate::io::ByteSource;
use crate::ondisk::reserved;
use crate::units::Ino;

/// The passes at work.
#[derive(Debug, Default)]
pub(super) struct Shared {
    tables: Tables,
    /// Runs of shared clusters of each inode.
    claims: BTreeMap<u32, Vec<(u64, u64)>>,
}

impl Shared {
    /// Groups done.
    pub(super) fn done(&self) -> u32 {
        self.tables.done()
    }

    /// Looks at some inodes again; true at the end, when all is told.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        if ctx.maps.block_dup.next_set(0).is_none() {
            return Ok(true);
        }
        for _ in 0..256 {
            let Some(scanned) = self.tables.next(ctx)? else {
                self.settle(ctx)?;
                return Ok(true);
            };
            if scanned.is_empty() {
                continue;
            }
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
        let Claimed { runs: shared, is_broken, .. } =
            Claimed::of(ctx, inode, &ctx.maps.block_dup, usize::MAX);
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
