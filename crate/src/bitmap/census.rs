//! What one pass over bitmaps tells of their clear bits.
//!
//! A census of two bitmaps in a row is the two censuses joined: what lies inside a bitmap is final,
//! only the runs at the border may be one. So bitmaps can be looked at in any order, by any number
//! of workers, and the whole is the same.

use core::ops::Range;

use super::scan::{RunScan, RunSink};
use super::{BitmapRef, Bits};

/// Numbers of runs by length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LengthHistogram {
    runs: [u64; Self::BUCKETS],
    bits: [u64; Self::BUCKETS],
}

impl LengthHistogram {
    /// Buckets; the last one has no end. Ref: `MAX_HIST` (misc/e2freefrag.h).
    pub const BUCKETS: usize = 31;

    /// The bucket of a length: its binary logarithm, rounded down.
    #[must_use]
    pub const fn bucket(len: u64) -> usize {
        let log = match len.checked_ilog2() {
            Some(log) => log as usize,
            None => 0,
        };
        if log < Self::BUCKETS { log } else { Self::BUCKETS - 1 }
    }

    /// Counts so many runs of so many bits together, all of one bucket.
    #[inline]
    fn add(&mut self, bucket: usize, runs: u64, bits: u64) {
        self.runs[bucket] += runs;
        self.bits[bucket] += bits;
    }

    /// Counts all runs of another, each `2^shift` times as long.
    fn merge_longer(&mut self, other: &Self, shift: u32) {
        for (log, (runs, bits)) in other.buckets().enumerate() {
            let bucket = (log + shift as usize).min(Self::BUCKETS - 1);
            self.add(bucket, runs, bits << shift);
        }
    }

    /// Runs in each bucket and the bits that they have together; lengths from 2ⁿ on are in the nth.
    pub fn buckets(&self) -> impl ExactSizeIterator<Item = (u64, u64)> {
        self.runs.iter().copied().zip(self.bits.iter().copied())
    }
}

/// Figures of some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFigures {
    /// Runs.
    pub runs: u64,
    /// Their bits.
    pub bits: u64,
    /// Bits of the shortest; 0 without runs.
    pub shortest: u64,
    /// Bits of the longest; 0 without runs.
    pub longest: u64,
    /// All by length.
    pub lengths: LengthHistogram,
}

impl RunFigures {
    /// Counts a run; one of no bits is none.
    #[inline]
    pub fn add(&mut self, len: u64) {
        if len > 0 {
            self.shortest = if self.runs == 0 { len } else { self.shortest.min(len) };
            self.longest = self.longest.max(len);
            self.runs += 1;
            self.bits += len;
            self.lengths.add(LengthHistogram::bucket(len), 1, len);
        }
    }

    /// Counts many runs by their ends, which lie in one part of a scan.
    ///
    /// Neighbours are often of one bucket, where an addition would wait for the one before. So runs
    /// and bits are added as one number, and by turns to two tables.
    fn add_all(&mut self, runs: &[[u16; 2]]) {
        /// Fewer are faster one by one.
        const MANY: usize = 24;
        let one_by_one = |figures: &mut Self, runs: &[[u16; 2]]| {
            for [start, end] in runs {
                figures.add(u64::from(end - start));
            }
        };
        if runs.len() < MANY {
            return one_by_one(self, runs);
        }
        let (pairs, rest) = runs.as_chunks::<2>();
        one_by_one(self, rest);
        let mut tables = [[0_u32; 16]; 2];
        let (mut shortest, mut longest) = (u16::MAX, 0);
        for pair in pairs {
            for (table, [start, end]) in tables.iter_mut().zip(pair) {
                let len = end - start;
                (shortest, longest) = (shortest.min(len), longest.max(len));
                table[(len | 1).ilog2() as usize] += 1 << 16 | u32::from(len);
            }
        }
        let mut all =
            Self { shortest: u64::from(shortest), longest: u64::from(longest), ..Self::default() };
        let [a, b] = tables;
        for (bucket, (a, b)) in a.iter().zip(b).enumerate() {
            let runs = u64::from((a >> 16) + (b >> 16));
            let bits = u64::from((a & 0xffff) + (b & 0xffff));
            all.runs += runs;
            all.bits += bits;
            all.lengths.add(bucket, runs, bits);
        }
        self.merge(&all);
    }

    /// Counts all runs of another.
    pub fn merge(&mut self, other: &Self) {
        self.merge_longer(other, 0);
    }

    /// Counts all runs of another, each `2^shift` times as long.
    pub fn merge_longer(&mut self, other: &Self, shift: u32) {
        if other.runs == 0 {
            return;
        }
        let shortest = other.shortest << shift;
        self.shortest = if self.runs == 0 { shortest } else { self.shortest.min(shortest) };
        self.longest = self.longest.max(other.longest << shift);
        self.runs += other.runs;
        self.bits += other.bits << shift;
        self.lengths.merge_longer(&other.lengths, shift);
    }
}

/// The runs of clear bits of a bitmap, or of several that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Bits, set and clear.
    pub len: u64,
    /// Clear bits before the first set one.
    pub head: u64,
    /// Clear bits after the last set one.
    pub tail: u64,
    /// The runs between two set bits.
    pub inner: RunFigures,
}

impl Census {
    /// Takes the census of a bitmap.
    #[must_use]
    pub fn new(scan: &mut RunScan, bits: BitmapRef<'_>) -> Self {
        let mut census = Self { len: bits.len(), ..Self::default() };
        scan.scan(bits, &mut census);
        census
    }

    /// Whether no bit is set.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.head == self.len
    }

    /// Takes in the bitmap that follows.
    pub fn join(&mut self, next: &Self) {
        if self.is_clear() {
            self.head += next.head;
        } else if !next.is_clear() {
            self.inner.add(self.tail + next.head);
        }
        self.tail = if next.is_clear() { self.tail + next.len } else { next.tail };
        self.inner.merge(&next.inner);
        self.len += next.len;
    }

    /// Figures of all runs, when nothing follows.
    #[must_use]
    pub fn figures(&self) -> RunFigures {
        let mut figures = self.inner;
        figures.add(self.head);
        if !self.is_clear() {
            figures.add(self.tail);
        }
        figures
    }
}

impl RunSink for Census {
    #[inline]
    fn run(&mut self, run: Range<u64>) {
        let clear = run.end - run.start;
        if run.start == 0 {
            self.head = clear;
        }
        if run.end == self.len {
            self.tail = clear;
        }
        if run.start > 0 && run.end < self.len {
            self.inner.add(clear);
        }
    }

    fn runs(&mut self, base: u64, mut runs: &[[u16; 2]]) {
        // Only the first and the last can touch a border.
        let range = |[start, end]: [u16; 2]| base + u64::from(start)..base + u64::from(end);
        if let Some((first, rest)) = runs.split_first() {
            self.run(range(*first));
            runs = rest;
        }
        if let Some((last, rest)) = runs.split_last() {
            self.run(range(*last));
            runs = rest;
        }
        self.inner.add_all(runs);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bitmap::{Bitmap, BitsMut};

    /// Figures by the plain iterator.
    fn figures(bits: &impl Bits) -> RunFigures {
        let mut figures = RunFigures::default();
        bits.clear_runs().for_each(|run| figures.add(run.end - run.start));
        figures
    }

    /// Runs of such lengths, clear ones first.
    fn bitmap(lens: &[u64]) -> Bitmap {
        let mut bits = Bitmap::new(lens.iter().sum()).expect("small");
        let mut at = 0;
        for (len, is_set) in lens.iter().zip([false, true].into_iter().cycle()) {
            if is_set {
                bits.mark_range(at..at + len);
            }
            at += len;
        }
        bits
    }

    fn any_lens() -> impl Strategy<Value = Vec<u64>> {
        let len = prop_oneof![0..3_u64, 0..100_u64, 0..3000_u64, 16_000..40_000_u64];
        prop_oneof![prop::collection::vec(len, 0..40), prop::collection::vec(1..9_u64, 0..3000),]
    }

    #[test]
    fn buckets_are_powers_of_two() {
        assert_eq!(
            [1, 2, 3, 4, 7, 8, 1 << 30, u64::MAX].map(LengthHistogram::bucket),
            [0, 1, 1, 2, 2, 3, 30, 30]
        );
    }

    proptest! {
        #[test]
        fn a_scan_shows_the_runs_of_the_iterator(lens in any_lens()) {
            let bits = bitmap(&lens);
            let mut runs = Vec::new();
            RunScan::default().clear_runs(bits.view(), |run| runs.push(run));
            prop_assert!(bits.clear_runs().eq(runs));
        }

        #[test]
        fn a_census_of_parts_is_that_of_the_whole(
            parts in prop::collection::vec(any_lens(), 0..6),
        ) {
            let mut scan = RunScan::default();
            let mut whole = Vec::new();
            let mut joined = Census::default();
            for lens in &parts {
                let bits = bitmap(lens);
                let census = Census::new(&mut scan, bits.view());
                prop_assert_eq!(census.figures(), figures(&bits));
                joined.join(&census);
                whole.extend(lens.iter().copied().chain([0].into_iter().filter(|_| lens.len() % 2 == 1)));
            }
            let whole = bitmap(&whole);
            prop_assert_eq!(joined, Census::new(&mut scan, whole.view()));
            prop_assert_eq!(joined.figures(), figures(&whole));
        }
    }
}
