//! Layers that tell of work: what was read, what a shrink would do.

use core::ops::Range;

use extscope::bitmap::{Bits, RunBitmap, Runs};
use extscope::io::ByteSource;
use extscope::units::Group;

use super::Disk;
use crate::cells::{Cells, Fineness, Truth};
use crate::findings::Shrunk;
use crate::ink::Ink;
use crate::kind::Kind;

impl<S: ByteSource> Disk<'_, S> {
    /// Blocks of which any byte was read. Bitmaps are not asked: to draw what was read shall read
    /// nothing.
    pub(super) fn reads(&self, group: Group, cells: &mut Cells) {
        let geometry = self.filesystem.geometry();
        let bytes = u64::from(geometry.block_size().max(1));
        let Range { start, end } = self.blocks(group);
        let within = start.saturating_mul(bytes)..end.saturating_mul(bytes);
        let read =
            self.findings.reads.into_iter().flat_map(|read| Runs::new(read, true, within.clone()));
        let above = read.map(|run| {
            let first = self.cell(group, run.start / bytes);
            (first, self.end_cell(group, run.end.div_ceil(bytes)), Ink::READ)
        });
        cells.clear(Truth::Known);
        cells.lay([(geometry.group_clusters(group), Ink::NOT_READ)].into_iter(), above);
    }

    /// What a shrink leaves, moves away or gives up, and fills.
    pub(super) fn shrink(&mut self, group: Group, fineness: Fineness, cells: &mut Cells) {
        let Some(shrink) = self.findings.shrink else {
            return self.in_use(group, fineness, cells);
        };
        cells.clear(Truth::Known);
        let clusters = shrink.before.clusters(&self.blocks(group));
        let mut at = clusters.start;
        while at < clusters.end {
            let (next, ink) = shrink.run(at, clusters.end);
            cells.fill_to(self.end_cell(group, shrink.before.block(next)), ink);
            at = next;
        }
    }
}

impl Shrunk {
    /// Where the run of clusters of one kind that begins at a cluster ends, and which kind.
    fn run(&self, at: u64, end: u64) -> (u64, Ink) {
        let (before, was) = next_change(self.before.bits(), at);
        let (after, is) = next_change(self.after.bits(), at);
        let last = self.before.clusters(&(0..self.blocks_count)).end;
        let ink = match (at < last, was, is) {
            (true, true, true) => Ink::OTHER_OWNER,
            (true, false, true) => Ink::ARRIVES,
            (true, false, false) => Ink::kind(Kind::Free),
            (_, true, _) => Ink::LEAVES,
            (false, false, _) => Ink::GONE,
        };
        let last = if at < last { last } else { u64::MAX };
        (before.min(after).min(last).min(end), ink)
    }
}

/// Where a run of equal bits that begins at a bit ends, and whether they are set.
fn next_change(bits: &RunBitmap, at: u64) -> (u64, bool) {
    let is_set = bits.test(at);
    let next = if is_set { bits.next_clear(at) } else { bits.next_set(at) };
    (next.unwrap_or(u64::MAX), is_set)
}
