//! Free extents of the whole filesystem. Ref: `scan_block_bitmap`, misc/e2freefrag.c.
//!
//! A free extent is not cut where a group ends. What lies inside a group counts at once; what
//! touches a border waits until the end, when all groups are known. So groups may come in any
//! order, and figures of several workers are put together without loss. All lengths are blocks.

use core::mem;
use core::ops::Range;

use crate::bitmap::{BitmapRef, Bits, Census, RunFigures, RunScan};
use crate::fs::Geometry;
use crate::units::Group;

/// Gathers free extents from the block bitmaps of groups.
#[derive(Clone, Debug, Default)]
pub struct FreeFrag {
    scan: RunScan,
    closed: Closed,
    groups: Vec<Borders>,
}

/// Free extents of which both ends are known.
#[derive(Clone, Copy, Debug, Default)]
struct Closed {
    figures: RunFigures,
    chunk_bits: Option<u32>,
    free_chunks: u64,
}

/// Free blocks at the borders of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Borders {
    group: Group,
    /// Before the first block that is used.
    head: u32,
    /// After the last block that is used.
    tail: u32,
}

/// Free extents of a filesystem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FreeExtents {
    /// All of them.
    pub figures: RunFigures,
    /// Chunks that are free as a whole, when chunks were asked for.
    pub free_chunks: Option<u64>,
}

impl FreeFrag {
    /// Nothing seen. Free chunks are counted, too, where they have a size: that power of two, in
    /// blocks.
    #[must_use]
    pub fn new(chunk_bits: Option<u32>) -> Self {
        let closed = Closed { chunk_bits, ..Closed::default() };
        Self { closed, ..Self::default() }
    }

    /// Takes in a group's block bitmap, once. A group that is never taken in counts as used, and so
    /// does one whose bitmap could not be had: it has no bits.
    pub fn add(&mut self, geometry: &Geometry, group: Group, bits: BitmapRef<'_>) {
        if bits.is_empty() {
            return;
        }
        let Self { scan, closed, groups } = self;
        let Range { start, end } = blocks(geometry, group);
        let cluster_bits = geometry.blocks_per_cluster().trailing_zeros();
        // A cluster may reach over the end of the last group.
        let place = |bit: u64| start.saturating_add(bit.wrapping_shl(cluster_bits)).min(end);
        let census = Census::new(scan, bits);
        closed.figures.merge_longer(&census.inner, cluster_bits);
        if closed.chunk_bits.is_some() {
            scan.clear_runs(bits, |run| {
                let run = place(run.start)..place(run.end);
                if run.start != start && run.end != end {
                    closed.add_chunks(&run);
                }
            });
        }
        let len =
            |run: Range<u64>| u32::try_from(run.end.saturating_sub(run.start)).unwrap_or(u32::MAX);
        groups.push(Borders {
            group,
            head: len(start..place(census.head)),
            tail: len(place(census.len.saturating_sub(census.tail))..end),
        });
    }

    /// Takes in what another saw of other groups.
    pub fn merge(&mut self, other: Self) {
        self.closed.figures.merge(&other.closed.figures);
        self.closed.free_chunks = self.closed.free_chunks.saturating_add(other.closed.free_chunks);
        self.groups.extend(other.groups);
    }

    /// Joins what touches borders.
    #[must_use]
    pub fn finish(mut self, geometry: &Geometry) -> FreeExtents {
        self.groups.sort_unstable();
        // The free blocks before the group, up to its start.
        let mut open = 0..0;
        for Borders { group, head, tail } in self.groups {
            let Range { start, end } = blocks(geometry, group);
            if open.end != start {
                self.closed.add(mem::replace(&mut open, start..start));
            }
            open.end = start.saturating_add(u64::from(head));
            if open.end != end {
                let tail = end.saturating_sub(u64::from(tail))..end;
                self.closed.add(mem::replace(&mut open, tail));
            }
        }
        self.closed.add(open);
        FreeExtents {
            figures: self.closed.figures,
            free_chunks: self.closed.chunk_bits.map(|_| self.closed.free_chunks),
        }
    }
}

impl Closed {
    fn add(&mut self, run: Range<u64>) {
        self.figures.add(run.end.saturating_sub(run.start));
        self.add_chunks(&run);
    }

    fn add_chunks(&mut self, run: &Range<u64>) {
        if let Some(bits) = self.chunk_bits {
            // Chunks are counted from block 0, whatever the first data block.
            let whole = |block: u64| block.checked_shr(bits).unwrap_or(0);
            let first = whole(run.start.saturating_add(whole_mask(bits)));
            let chunks = whole(run.end).saturating_sub(first);
            self.free_chunks = self.free_chunks.saturating_add(chunks);
        }
    }
}

/// Blocks of a chunk but one.
fn whole_mask(chunk_bits: u32) -> u64 {
    1_u64.checked_shl(chunk_bits).map_or(u64::MAX, |blocks| blocks.saturating_sub(1))
}

/// The blocks of a group.
fn blocks(geometry: &Geometry, group: Group) -> Range<u64> {
    let start = geometry.group_first_fsblk(group).get();
    start..start.saturating_add(u64::from(geometry.group_blocks(group)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bitmap::{Bitmap, BitsMut};
    use crate::fs::testing::Image;

    /// Four groups of 8192 blocks from block 1 on, the last with 1000.
    fn geometry() -> Geometry {
        Geometry::new(&Image::new().superblock).expect("sound")
    }

    /// The whole filesystem's bitmap: bit 0 is block 0, used as is everything outside groups.
    fn whole(used: &[Range<u64>]) -> Bitmap {
        let mut bits = Bitmap::new(geometry().blocks_count()).expect("small");
        bits.mark(0);
        for range in used {
            bits.mark_range(range.clone());
        }
        bits
    }

    fn add_group(frag: &mut FreeFrag, whole: &Bitmap, group: u32) {
        let blocks = blocks(&geometry(), Group::new(group));
        let mut bits = Bitmap::new(blocks.end - blocks.start).expect("small");
        for block in blocks.clone().filter(|block| whole.test(*block)) {
            bits.mark(block - blocks.start);
        }
        frag.add(&geometry(), Group::new(group), bits.view());
    }

    #[test]
    fn an_extent_over_three_groups_is_one() {
        let whole = whole(&[1..8000, 16_390..16_400]);
        let mut frag = FreeFrag::new(Some(10));
        (0..4).for_each(|group| add_group(&mut frag, &whole, group));
        let extents = frag.finish(&geometry());
        assert_eq!(extents.figures.runs, 2);
        assert_eq!(extents.figures.shortest, 16_390 - 8000);
        assert_eq!(extents.figures.longest, 25_577 - 16_400);
        // 8192..16384 holds 8, 17408..24576 holds 7, and the last chunk is short.
        assert_eq!(extents.free_chunks, Some(15));
    }

    #[test]
    fn a_group_that_was_not_seen_or_whose_bitmap_could_not_be_had_is_used() {
        let whole = whole(&[]);
        let mut frag = FreeFrag::new(None);
        [3, 0, 2].into_iter().for_each(|group| add_group(&mut frag, &whole, group));
        frag.add(&geometry(), Group::new(1), BitmapRef::default());
        let extents = frag.finish(&geometry());
        assert_eq!((extents.figures.runs, extents.figures.bits), (2, 8192 + 8192 + 1000));
        assert_eq!(extents.free_chunks, None);
    }

    proptest! {
        #[test]
        fn neither_order_nor_split_matters(
            used in prop::collection::vec((1..25_577_u64, 0..9000_u64), 0..12),
            order in Just((0..4).collect::<Vec<u32>>()).prop_shuffle(),
            split in 0..=4_usize,
            chunk_bits in 0..14_u32,
        ) {
            let used: Vec<_> = used.into_iter().map(|(start, len)| start..start + len).collect();
            let whole = whole(&used);
            let mut naive = Closed { chunk_bits: Some(chunk_bits), ..Closed::default() };
            whole.clear_runs().for_each(|run| naive.figures.add(run.end - run.start));
            let chunk = 1 << chunk_bits;
            let chunks = (0..whole.len() / chunk).map(|n| n * chunk..(n + 1) * chunk);
            let free = chunks.filter(|chunk| whole.count_range(chunk.clone()) == 0).count() as u64;

            let mut parts = [FreeFrag::new(Some(chunk_bits)), FreeFrag::new(Some(chunk_bits))];
            for (at, group) in order.into_iter().enumerate() {
                add_group(&mut parts[usize::from(at < split)], &whole, group);
            }
            let [mut frag, other] = parts;
            frag.merge(other);
            let extents = frag.finish(&geometry());
            prop_assert_eq!(extents.figures, naive.figures);
            prop_assert_eq!(extents.free_chunks, Some(free));
        }
    }
}
