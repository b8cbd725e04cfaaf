//! The block groups as a table: what their descriptors say, and what the bitmaps do.

use std::rc::Rc;

use extscope::Result;
use extscope::analysis::{BitmapState, Sweep, SweepOptions};
use extscope::fs::{CsumState, Filesystem};
use extscope::io::ByteSource;
use extscope::report::flag_names;
use extscope::task::{Progress, Step, Task};
use extscope::units::Group;
use serde::Serialize;

use super::GAP_BYTES;
use super::table::Rows;

/// Rows of a step.
const ROWS: u32 = 1024;

/// A block group. Names that begin with `bg_` are the descriptor's fields.
#[derive(Debug, Serialize)]
pub(super) struct GroupRow {
    group: u32,
    first_block: u64,
    blocks: u32,
    clusters: u32,
    flags: String,
    csum: CsumState,
    bg_free_blocks_count: u32,
    bg_free_inodes_count: u32,
    bg_used_dirs_count: u32,
    bg_itable_unused: u32,
    bg_block_bitmap: u64,
    bg_inode_bitmap: u64,
    bg_inode_table: u64,
    block_bitmap: BitmapState,
    block_bitmap_csum: CsumState,
    free_clusters: Option<u32>,
    free_blocks: Option<u64>,
    free_bytes: Option<u64>,
    free_extents: Option<u32>,
    largest_free_clusters: Option<u32>,
    largest_free_order: Option<i8>,
    inode_bitmap: BitmapState,
    inode_bitmap_csum: CsumState,
    free_inodes: Option<u32>,
}

/// The block groups; all bitmaps are read ahead of the first row.
#[derive(Debug)]
pub(super) struct Groups<S> {
    fs: Rc<Filesystem<S>>,
    sweep: Sweep<Rc<Filesystem<S>>>,
    is_swept: bool,
    next: u32,
}

impl<S: ByteSource> Groups<S> {
    /// Nothing is read yet.
    ///
    /// # Errors
    /// Those of [`Sweep::new`].
    pub(super) fn new(fs: Rc<Filesystem<S>>) -> Result<Self> {
        let options = SweepOptions { gap_bytes: GAP_BYTES, ..SweepOptions::default() };
        let sweep = Sweep::new(Rc::clone(&fs), options)?;
        Ok(Self { fs, sweep, is_swept: false, next: 0 })
    }

    fn row(&self, group: Group) -> Result<GroupRow> {
        let (geometry, entry) = (self.fs.geometry(), self.fs.group(group)?);
        let stats = self.sweep.stats(group).copied().unwrap_or_default();
        let (desc, blocks, inodes) = (&entry.desc, stats.blocks, stats.inodes);
        let is_exact = blocks.state.is_exact();
        let free_blocks = u64::from(blocks.free) * u64::from(geometry.blocks_per_cluster());
        Ok(GroupRow {
            group: group.get(),
            first_block: geometry.group_first_fsblk(group).get(),
            blocks: geometry.group_blocks(group),
            clusters: geometry.group_clusters(group),
            flags: flag_names(desc.flags).join(" "),
            csum: entry.csum,
            bg_free_blocks_count: desc.free_blocks_count,
            bg_free_inodes_count: desc.free_inodes_count,
            bg_used_dirs_count: desc.used_dirs_count,
            bg_itable_unused: desc.itable_unused,
            bg_block_bitmap: desc.block_bitmap.get(),
            bg_inode_bitmap: desc.inode_bitmap.get(),
            bg_inode_table: desc.inode_table.get(),
            block_bitmap: blocks.state,
            block_bitmap_csum: blocks.csum,
            free_clusters: is_exact.then_some(blocks.free),
            free_blocks: is_exact.then_some(free_blocks),
            free_bytes: is_exact.then(|| free_blocks * u64::from(geometry.block_size())),
            free_extents: is_exact.then_some(blocks.fragments),
            largest_free_clusters: is_exact.then_some(blocks.largest_free),
            largest_free_order: is_exact.then_some(blocks.largest_free_order),
            inode_bitmap: inodes.state,
            inode_bitmap_csum: inodes.csum,
            free_inodes: inodes.state.is_exact().then_some(inodes.free),
        })
    }
}

impl<S: ByteSource> Rows for Groups<S> {
    type Row = GroupRow;

    fn step(&mut self, rows: &mut Vec<GroupRow>) -> Result<Step<Vec<String>>> {
        if !self.is_swept {
            self.is_swept = self.sweep.step_with(&mut |_| {})? != Step::More;
            return Ok(Step::More);
        }
        let end = self.fs.groups().len().min(self.next.saturating_add(ROWS));
        for group in self.next..end {
            rows.push(self.row(Group::new(group))?);
        }
        self.next = end;
        Ok(if end < self.fs.groups().len() { Step::More } else { Step::Done(Vec::new()) })
    }

    /// Reading takes nearly all of the time.
    fn progress(&self) -> Progress {
        self.sweep.progress()
    }
}
