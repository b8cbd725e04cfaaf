//! Pass 2: directories, block by block.
//!
//! Leaves references to each inode, the parent of each directory, what each dot-dot entry says,
//! and directories with names that occur twice.

use super::ahead;
use super::context::Context;
use super::dir_block;
use super::dirs::DirRun;
use super::finding::Problem;
use super::htree;
use super::pass1;
use super::problem::PR_2_FEATURE_LARGE_FILES;
use super::sink::Flow;
use crate::bitmap::Bits as _;
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::{Compat, RoCompat};
use crate::ondisk::reserved;

/// Directory blocks looked at in a step, and read together.
const BLOCKS: usize = 64;

/// The pass at work.
pub(super) struct Pass2 {
    runs: Vec<DirRun>,
    /// Run at work, and how many of its blocks are done.
    at: usize,
    within: u32,
}

impl Pass2 {
    pub(super) fn new<S: ByteSource>(ctx: &mut Context<S>) -> Self {
        let mut blocks = core::mem::take(&mut ctx.maps.dir_blocks);
        blocks.sort(ctx.has_compat(Compat::DIR_INDEX));
        let root = reserved::ROOT.get();
        if let Some(info) = ctx.maps.dirs.get_mut(&root) {
            info.parent = root;
        }
        Self { runs: blocks.runs, at: 0, within: 0 }
    }

    /// Runs of blocks done, and in all.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.at as u64, self.runs.len() as u64)
    }

    /// Does some blocks; true at the end.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        self.read_ahead(ctx);
        for _ in 0..BLOCKS {
            let Some(run) = self.runs.get(self.at).copied() else {
                self.finish(ctx)?;
                return Ok(true);
            };
            if self.within >= run.len {
                self.at += 1;
                self.within = 0;
                continue;
            }
            let lblk = run.lblk.get() + self.within;
            let is_used = ctx.maps.inode_used.test(u64::from(run.ino.get()));
            if run.fsblk == 0 && run.len > 1 {
                // A directory can be said to have four billion blocks.
                self.within = run.len;
                if is_used {
                    dir_block::check_hole(ctx, run.ino, lblk, run.len)?;
                }
                continue;
            }
            let fsblk = if run.fsblk == 0 { 0 } else { run.fsblk + u64::from(self.within) };
            self.within += 1;
            if is_used {
                dir_block::check(ctx, run.ino, lblk, fsblk)?;
            }
        }
        Ok(false)
    }

    /// Reads the blocks of a step.
    fn read_ahead<S: ByteSource>(&self, ctx: &Context<S>) {
        let mut left = BLOCKS.min(ahead::most_blocks(ctx)) as u64;
        let runs = self.runs.iter().skip(self.at).take(BLOCKS).enumerate();
        let runs = runs.filter(|(_, run)| run.fsblk != 0).map_while(|(index, run)| {
            let done = if index == 0 { self.within.min(run.len) } else { 0 };
            let len = u64::from(run.len - done).min(left);
            left -= len;
            let start = run.fsblk + u64::from(done);
            (len > 0 || done > 0).then_some(start..start + len)
        });
        let runs: Vec<_> = runs.collect();
        if runs.len() > 1 {
            ctx.fs.read_ahead(ReadKind::Directory, runs);
        }
    }

    fn finish<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        htree::settle(ctx)?;
        if ctx.tally.large_files > 0 && !ctx.has_ro_compat(RoCompat::LARGE_FILE) {
            ctx.sink.tell(Problem::new(PR_2_FEATURE_LARGE_FILES))?;
            pass1::tell_revision(ctx)?;
        }
        Ok(())
    }
}
