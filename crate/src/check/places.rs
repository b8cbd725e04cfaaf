//! Where on the disk lies what a check complains of.

use core::ops::Range;

use super::Problem;
use crate::bitmap::{Bits, BitsMut, RunBitmap};
use crate::fs::Filesystem;
use crate::io::ByteSource;

/// Blocks, in order, that problems are about: those that they name, or else the block of the inode
/// table with their inode, or else the bitmap of their group.
#[must_use]
pub fn places<S: ByteSource>(fs: &Filesystem<S>, problems: &[Problem]) -> Vec<Range<u64>> {
    let mut blocks = RunBitmap::new(fs.geometry().blocks_count());
    for problem in problems {
        if let Some(range) = of_problem(fs, problem) {
            blocks.mark_range(range);
        }
    }
    blocks.set_runs().collect()
}

fn of_problem<S: ByteSource>(fs: &Filesystem<S>, problem: &Problem) -> Option<Range<u64>> {
    if let Some(first) = problem.block {
        let count = problem.count.unwrap_or(1);
        return Some(first.get()..first.get().saturating_add(count));
    }
    let block = match (problem.ino.or(problem.dir), problem.group) {
        (Some(ino), _) => fs.inode_place(ino).ok()?.0,
        (None, Some(group)) => fs.group(group).ok()?.desc.block_bitmap,
        (None, None) => return None,
    };
    Some(block.get()..block.get().saturating_add(1))
}
