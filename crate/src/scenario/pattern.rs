//! Runs and gaps: what of a group's clusters files use, told for any place without the ones before.
//!
//! A group's clusters are cut into cells of the same length. Each cell has one run, which varies in
//! length and place by the cell's number. Cells come in pairs: what one has more the other has
//! less, so that the sum is known without looking at any of them.

use core::ops::Range;

/// Runs and gaps of a flex group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Clusters of a run, on average.
    run: u64,
    /// Clusters of a run and the gap that goes with it.
    cell: u64,
    /// Most that a run is longer or shorter than the average.
    spread: u64,
    /// Whether a run lies anywhere in its cell, or at its start.
    is_varied: bool,
}

impl Pattern {
    /// Runs of `run` clusters or of `longest` if that is less, which use `fill` of a hundred. `None`
    /// for a fill of 0.
    ///
    /// A gap has a cluster at least, so high fills make runs longer.
    pub(super) fn new(fill: u64, run: u64, longest: u64, is_varied: bool) -> Option<Self> {
        let (free, run) = (100_u64.saturating_sub(fill), run.min(longest));
        let gap_for = |run: u64| (run.saturating_mul(free) + fill / 2).checked_div(fill);
        let gap = if free == 0 { 0 } else { gap_for(run)?.max(1) };
        let filled = (gap.saturating_mul(fill) + free / 2).checked_div(free);
        let run = filled.filter(|_| fill > 50).unwrap_or(run).clamp(1, longest.max(1));
        let spread = run.saturating_sub(1).min(gap).min(longest.saturating_sub(run));
        (fill > 0).then_some(Self {
            run,
            cell: run + gap,
            spread: if is_varied { spread } else { 0 },
            is_varied,
        })
    }

    /// Whether there is nothing between the runs.
    pub(super) const fn is_gapless(&self) -> bool {
        self.cell == self.run
    }

    /// Cells of so many clusters. The last may be shorter than the others.
    pub(super) const fn cells(&self, clusters: u64) -> u64 {
        clusters.div_ceil(self.cell)
    }

    /// How many of so many clusters the runs use.
    pub(super) fn used(&self, clusters: u64) -> u64 {
        let rest = clusters % self.cell;
        clusters / self.cell * self.run + self.rest_run(rest)
    }

    /// The run of a cell, in clusters from the first cell on. It has one cluster at least.
    pub(super) fn run(&self, seed: u64, cell: u64, clusters: u64) -> Range<u64> {
        let start = cell * self.cell;
        let whole = clusters / self.cell;
        if cell >= whole {
            return start..start + self.rest_run(clusters.saturating_sub(start).min(self.cell));
        }
        let pair = cell ^ 1;
        let spread = if pair < whole { self.spread } else { 0 };
        let more = below(mix(seed, cell.min(pair)), 2 * spread + 1);
        let less = 2 * spread - more;
        let len = self.run - spread + if cell & 1 == 0 { more } else { less };
        let room = if self.is_varied { self.cell.saturating_sub(len) } else { 0 };
        let skip = below(mix(!seed, cell), room + 1);
        start + skip..start + skip + len
    }

    /// Clusters of the run in a last cell of so many, in proportion.
    const fn rest_run(&self, clusters: u64) -> u64 {
        match clusters * self.run / self.cell {
            0 if clusters > 0 => 1,
            run => run,
        }
    }
}

/// A number that looks random and follows from both. Ref: SplitMix64.
pub(super) const fn mix(seed: u64, number: u64) -> u64 {
    let state = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The random number brought below an end.
pub(super) const fn below(random: u64, end: u64) -> u64 {
    match random.checked_rem(end) {
        Some(rest) => rest,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_follow_one_another_and_their_sum_is_known(
            (fill, run, longest) in (1_u64..=100, 1_u64..300, 1_u64..600),
            clusters in 0_u64..5000,
            (seed, is_varied) in (any::<u64>(), any::<bool>()),
        ) {
            let pattern = Pattern::new(fill, run, longest, is_varied).expect("runs");
            let mut end = 0;
            let mut used = 0;
            for cell in 0..pattern.cells(clusters) {
                let run = pattern.run(seed, cell, clusters);
                prop_assert!(run.start >= end && run.end <= clusters);
                prop_assert!(!run.is_empty() && run.end - run.start <= longest);
                used += run.end - run.start;
                end = run.end;
            }
            prop_assert_eq!(used, pattern.used(clusters));
        }
    }

    #[test]
    fn the_fill_is_what_was_asked_for() {
        for (fill, run) in [(1, 1), (50, 1), (50, 512), (90, 1), (97, 512), (99, 40), (100, 7)] {
            let pattern = Pattern::new(fill, run, 32767, true).expect("runs");
            let share = pattern.used(1_000_000) / 10_000;
            assert!(share.abs_diff(fill) <= 1, "{fill}: {share}");
        }
        assert_eq!(Pattern::new(0, 5, 100, true), None);
    }

    #[test]
    fn what_no_extent_holds_is_cut_and_leaves_the_fill_as_it_was() {
        for fill in [10, 50, 90] {
            let pattern = Pattern::new(fill, 1 << 20, 511, true).expect("runs");
            let share = pattern.used(1_000_000) / 10_000;
            assert!(share.abs_diff(fill) <= 2, "{fill}: {share}");
        }
    }
}
