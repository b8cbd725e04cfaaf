//! Every block of a filesystem once: what it is, and whose.

use core::ops::Range;

use super::claims::{Claim, Settled};
use super::class::{BlockClass, Owner};
use crate::bitmap::{Bits, RunBitmap, Runs};
use crate::error::Error;
use crate::fs::Geometry;
use crate::units::Fsblk;

/// What every block is and whose, as runs. Made by [`Survey`](super::Survey).
///
/// Memory is in proportion to runs, not to blocks.
#[derive(Clone, Debug)]
pub struct OwnerMap {
    /// Where each run starts; it ends where the next one starts.
    runs: Vec<(u64, Owner)>,
    geometry: Geometry,
    conflicts: Vec<Claim>,
    free_but_owned: Vec<Range<u64>>,
    pub(super) faults: Vec<Error>,
    pub(super) fault_count: u64,
}

impl OwnerMap {
    /// Fills what nobody claims by what the block bitmaps say: `used` of them; nothing is known of
    /// the blocks in `unknown`.
    pub(super) fn new(
        mut settled: Settled,
        used: &RunBitmap,
        unknown: &RunBitmap,
        geometry: &Geometry,
    ) -> Self {
        let mut map = Self {
            runs: Vec::new(),
            geometry: *geometry,
            conflicts: core::mem::take(&mut settled.conflicts),
            free_but_owned: Vec::new(),
            faults: Vec::new(),
            fault_count: 0,
        };
        let bitmaps = Bitmaps { used, unknown, geometry };
        let mut last = (0, None::<Owner>);
        settled.each_run(&mut |run, owner| {
            map.fill(&bitmaps, last, run.start, Some(owner));
            for clear in Runs::new(used, false, run.clone()) {
                Runs::new(unknown, false, clear).for_each(|free| map.push_free_but_owned(free));
            }
            map.push(run.start, owner);
            last = (run.end, Some(owner));
        });
        map.fill(&bitmaps, last, geometry.blocks_count(), None);
        map
    }

    /// Fills the blocks between two claimed runs.
    fn fill(
        &mut self,
        bitmaps: &Bitmaps<'_>,
        (start, before): (u64, Option<Owner>),
        end: u64,
        after: Option<Owner>,
    ) {
        let mut at = start;
        while at < end {
            let (piece_end, class) = bitmaps.piece(at, end);
            let mut rest = at..piece_end;
            if class == BlockClass::Unowned {
                let head = bitmaps.cluster_end(start).min(rest.end);
                if let Some(before) = before.filter(|_| rest.start == start && head > start) {
                    self.push(rest.start, before.with_class(BlockClass::ClusterRest));
                    rest.start = head;
                }
                let tail = bitmaps.cluster_start(end).max(rest.start);
                if let Some(after) = after.filter(|_| rest.end == end && tail < end) {
                    if tail > rest.start {
                        self.push(rest.start, Owner::nobody(class));
                    }
                    self.push(tail, after.with_class(BlockClass::ClusterRest));
                    rest.start = rest.end;
                }
            }
            if !rest.is_empty() {
                self.push(rest.start, Owner::nobody(class));
            }
            at = piece_end;
        }
    }

    fn push_free_but_owned(&mut self, blocks: Range<u64>) {
        match self.free_but_owned.last_mut() {
            Some(last) if last.end == blocks.start => last.end = blocks.end,
            _ => self.free_but_owned.push(blocks),
        }
    }

    fn push(&mut self, start: u64, owner: Owner) {
        if self.runs.last().is_none_or(|(_, last)| *last != owner) {
            self.runs.push((start, owner));
        }
    }

    /// Blocks of the filesystem.
    #[must_use]
    pub fn blocks_count(&self) -> u64 {
        self.geometry.blocks_count()
    }

    /// How many runs there are.
    #[must_use]
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Every run, in order; together they are all blocks.
    pub fn runs(&self) -> impl Iterator<Item = (Range<u64>, Owner)> {
        self.runs_in(0..self.blocks_count())
    }

    /// The runs of some blocks, cut at their borders.
    pub fn runs_in(
        &self,
        blocks: Range<u64>,
    ) -> impl DoubleEndedIterator<Item = (Range<u64>, Owner)> {
        let end = blocks.end.min(self.blocks_count());
        let first = self.runs.partition_point(|(start, _)| *start <= blocks.start);
        let first = if blocks.start < end { first.saturating_sub(1) } else { self.runs.len() };
        let last = self.runs.partition_point(|(start, _)| *start < end);
        let runs = self.runs.get(first..last).unwrap_or_default();
        runs.iter().zip(first..last).map(move |((start, owner), at)| {
            let next = at.checked_add(1).and_then(|next| self.runs.get(next));
            let run_end = next.map_or(end, |(start, _)| (*start).min(end));
            ((*start).max(blocks.start)..run_end, *owner)
        })
    }

    /// The run that a block is of; `None` outside the filesystem.
    #[must_use]
    pub fn run_at(&self, fsblk: Fsblk) -> Option<(Range<u64>, Owner)> {
        let block = fsblk.get();
        let at = self.runs.partition_point(|(start, _)| *start <= block).checked_sub(1)?;
        let (start, owner) = *self.runs.get(at)?;
        let next = at.checked_add(1).and_then(|next| self.runs.get(next));
        let end = next.map_or(self.blocks_count(), |(start, _)| *start);
        (block < end).then_some((start..end, owner))
    }

    /// Who claims a block, or another of its cluster, that is claimed more than once.
    pub fn claims_at(&self, fsblk: Fsblk) -> impl Iterator<Item = &Claim> {
        let cluster = self.geometry.cluster_blocks(fsblk);
        let to = self.conflicts.partition_point(|claim| claim.blocks().start < cluster.end);
        let claims = self.conflicts.get(..to).unwrap_or_default();
        claims.iter().filter(move |claim| claim.blocks().end > cluster.start)
    }

    /// Every claim on blocks that are claimed more than once, by its first block.
    #[must_use]
    pub fn conflicts(&self) -> &[Claim] {
        &self.conflicts
    }

    /// Blocks that are somebody's and free in the bitmap.
    #[must_use]
    pub fn free_but_owned(&self) -> &[Range<u64>] {
        &self.free_but_owned
    }

    /// Blocks of each class, in the order of [`BlockClass::ALL`].
    #[must_use]
    pub fn blocks_by_class(&self) -> Vec<(BlockClass, u64)> {
        let mut counts = BlockClass::ALL.map(|class| (class, 0_u64));
        for (run, owner) in self.runs() {
            for (_, count) in counts.iter_mut().filter(|(class, _)| *class == owner.class) {
                *count = count.saturating_add(run.end.saturating_sub(run.start));
            }
        }
        counts.to_vec()
    }

    /// What could not be followed on the way, the first of them.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }

    /// How much could not be followed.
    #[must_use]
    pub fn fault_count(&self) -> u64 {
        self.fault_count
    }
}

struct Bitmaps<'a> {
    used: &'a RunBitmap,
    unknown: &'a RunBitmap,
    geometry: &'a Geometry,
}

impl Bitmaps<'_> {
    /// What the blocks from `at` on are as far as they are the same, up to `end`.
    fn piece(&self, at: u64, end: u64) -> (u64, BlockClass) {
        if self.unknown.test(at) {
            let to = self.unknown.next_clear(at).unwrap_or(end);
            return (to.min(end), BlockClass::Unknown);
        }
        let known = self.unknown.next_set(at).unwrap_or(end).min(end);
        if self.used.test(at) {
            (self.used.next_clear(at).unwrap_or(end).min(known), BlockClass::Unowned)
        } else {
            (self.used.next_set(at).unwrap_or(end).min(known), BlockClass::Free)
        }
    }

    /// The end of the cluster that a block is of; the block itself when it starts one.
    fn cluster_end(&self, block: u64) -> u64 {
        let cluster = self.geometry.cluster_blocks(Fsblk::new(block));
        if cluster.start == block { block } else { cluster.end }
    }

    /// The start of the cluster that a block is of.
    fn cluster_start(&self, block: u64) -> u64 {
        self.geometry.cluster_blocks(Fsblk::new(block)).start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::BitsMut;
    use crate::fs::testing::Image;
    use crate::fs::{Filesystem, OpenOptions};
    use crate::units::Ino;

    /// A filesystem of clusters of 8 blocks.
    fn geometry() -> Geometry {
        let mut image = Image::new();
        image.superblock.s_log_cluster_size.set(3);
        image.superblock.s_clusters_per_group.set(1024);
        image.superblock.s_feature_ro_compat.set(0x211);
        image.superblock.s_first_data_block.set(0);
        *Filesystem::open(image.bytes(), OpenOptions::default()).expect("opens").geometry()
    }

    fn map(claimed: &[(Range<u64>, Owner)], used: Range<u64>, unknown: Range<u64>) -> OwnerMap {
        let geometry = geometry();
        let bits = [used, unknown].map(|range| {
            let mut bits = RunBitmap::new(geometry.blocks_count());
            bits.mark_range(range);
            bits
        });
        OwnerMap::new(Settled::uncontested(claimed), &bits[0], &bits[1], &geometry)
    }

    fn data(ino: u32) -> Owner {
        Owner::of_inode(BlockClass::Data, Ino::new(ino))
    }

    fn rest(ino: u32) -> Owner {
        data(ino).with_class(BlockClass::ClusterRest)
    }

    fn told(map: &OwnerMap) -> Vec<(Range<u64>, Owner)> {
        map.runs().collect()
    }

    const FREE: Owner = Owner::nobody(BlockClass::Free);
    const UNOWNED: Owner = Owner::nobody(BlockClass::Unowned);

    #[test]
    fn what_is_left_of_a_cluster_goes_to_its_file() {
        let map = map(&[(10..13, data(12)), (38..40, data(13))], 8..48, 0..0);
        let end = map.blocks_count();
        let due = [
            (0..8, FREE),
            (8..10, rest(12)),
            (10..13, data(12)),
            (13..16, rest(12)),
            (16..32, UNOWNED),
            (32..38, rest(13)),
            (38..40, data(13)),
            (40..48, UNOWNED),
            (48..end, FREE),
        ];
        assert_eq!(told(&map), due);
    }

    #[test]
    fn a_cluster_between_two_files_is_the_first_ones() {
        let map = map(&[(9..10, data(12)), (12..13, data(13))], 8..16, 0..0);
        let owners: Vec<_> = map.runs_in(8..16).collect();
        let due = [
            (8..9, rest(12)),
            (9..10, data(12)),
            (10..12, rest(12)),
            (12..13, data(13)),
            (13..16, rest(13)),
        ];
        assert_eq!(owners, due);
    }

    #[test]
    fn claims_and_bitmaps_that_disagree_are_told_of() {
        let map = map(&[(8..24, data(12))], 0..10, 16..64);
        assert_eq!(map.free_but_owned().first(), Some(&(10..16)));
        assert_eq!(map.free_but_owned().len(), 1);
        let owners: Vec<_> = map.runs_in(0..70).map(|(run, owner)| (run, owner.class)).collect();
        let due = [
            (0..8, BlockClass::Unowned),
            (8..24, BlockClass::Data),
            (24..64, BlockClass::Unknown),
            (64..70, BlockClass::Free),
        ];
        assert_eq!(owners, due);
    }

    #[test]
    fn a_block_is_looked_up() {
        let map = map(&[(8..16, data(12))], 8..16, 0..0);
        assert_eq!(map.run_at(Fsblk::new(15)), Some((8..16, data(12))));
        assert_eq!(map.run_at(Fsblk::new(16)), Some((16..map.blocks_count(), FREE)));
        assert_eq!(map.run_at(Fsblk::new(map.blocks_count())), None);
        assert_eq!(map.runs_in(map.blocks_count()..u64::MAX).count(), 0);
        let counts = map.blocks_by_class();
        assert!(counts.contains(&(BlockClass::Data, 8)));
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), map.blocks_count());
    }
}
