//! Bits kept as runs.

use core::ops::Range;
use std::collections::BTreeMap;

use super::{Bits, BitsMut};

/// A bitmap that holds the runs of its set bits, so that its size is the number of runs and its
/// length can be anything.
///
/// Ref: `blkmap64_rb.c`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunBitmap {
    /// Start and end of each run; runs neither overlap nor touch, and none is empty.
    runs: BTreeMap<u64, u64>,
    len: u64,
}

impl RunBitmap {
    /// `len` clear bits.
    #[must_use]
    pub const fn new(len: u64) -> Self {
        Self { runs: BTreeMap::new(), len }
    }

    /// How many runs of set bits there are.
    #[must_use]
    pub fn run_count(&self) -> u64 {
        self.runs.len() as u64
    }

    /// The last run that starts at or before `bit`.
    fn run_before(&self, bit: u64) -> Option<Range<u64>> {
        self.runs.range(..=bit).next_back().map(|(&start, &end)| start..end)
    }

    /// Takes out all runs that meet the range; gives the range that they and it cover, and whether
    /// any shares a bit with it. With `touching`, a run that only borders on it meets it too.
    fn take(&mut self, range: &Range<u64>, touching: bool) -> (Range<u64>, bool) {
        let mut reach = range.clone();
        let mut seen = false;
        while let Some(run) = self.run_before(range.end - u64::from(!touching)) {
            if run.end < range.start || run.end == range.start && !touching {
                break;
            }
            seen |= run.start < range.end && range.start < run.end;
            reach = reach.start.min(run.start)..reach.end.max(run.end);
            self.runs.remove(&run.start);
        }
        (reach, seen)
    }
}

impl Bits for RunBitmap {
    fn len(&self) -> u64 {
        self.len
    }

    fn test(&self, bit: u64) -> bool {
        self.run_before(bit).is_some_and(|run| bit < run.end)
    }

    fn next_set(&self, from: u64) -> Option<u64> {
        if self.test(from) {
            return Some(from);
        }
        self.runs.range(from..).next().map(|(&start, _)| start)
    }

    fn next_clear(&self, from: u64) -> Option<u64> {
        let clear = self.run_before(from).map_or(from, |run| run.end.max(from));
        (clear < self.len).then_some(clear)
    }

    fn count_range(&self, range: Range<u64>) -> u64 {
        let range = self.clip(range);
        let before = self.run_before(range.start).map_or(range.start, |run| run.start);
        self.runs
            .range(before..range.end.max(before))
            .map(|(&start, &end)| end.min(range.end).saturating_sub(start.max(range.start)))
            .sum()
    }
}

impl BitsMut for RunBitmap {
    fn mark_range(&mut self, range: Range<u64>) -> bool {
        let range = self.clip(range);
        if range.is_empty() {
            return false;
        }
        let (run, seen) = self.take(&range, true);
        self.runs.insert(run.start, run.end);
        seen
    }

    fn unmark_range(&mut self, range: Range<u64>) -> bool {
        let range = self.clip(range);
        if range.is_empty() {
            return false;
        }
        let (reach, seen) = self.take(&range, false);
        for rest in [reach.start..range.start, range.end..reach.end] {
            if !rest.is_empty() {
                self.runs.insert(rest.start, rest.end);
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_touch_become_one() {
        let mut bits = RunBitmap::new(1 << 48);
        bits.mark_range(10..20);
        bits.mark_range(30..40);
        assert_eq!(bits.run_count(), 2);
        assert!(!bits.mark_range(20..30));
        assert_eq!(bits.set_runs().next(), Some(10..40));
        assert_eq!(bits.run_count(), 1);
    }

    #[test]
    fn the_longest_bitmap_has_no_overflow() {
        let mut bits = RunBitmap::new(u64::MAX);
        bits.mark_range(0..u64::MAX);
        assert!(bits.mark(u64::MAX - 1));
        assert!(!bits.mark(u64::MAX));
        assert_eq!((bits.count(), bits.next_clear(0)), (u64::MAX, None));
    }

    #[test]
    fn a_run_splits() {
        let mut bits = RunBitmap::new(1 << 48);
        bits.mark_range(0..u64::MAX);
        assert!(bits.unmark_range(1 << 20..1 << 40));
        assert_eq!(bits.set_runs().collect::<Vec<_>>(), [0..1 << 20, 1 << 40..1 << 48]);
        assert_eq!(bits.count(), (1 << 48) - (1 << 40) + (1 << 20));
    }
}
