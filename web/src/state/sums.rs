//! Sums over groups: what the legend, the filters and the glance at the whole disk show.

use std::iter::Sum;

use super::{FilterChip, Fullness};
use crate::protocol::{BitmapState, BlockStats, GroupRow};

/// Classes of groups by how full they are, each a tenth.
pub const CLASSES: usize = 10;

/// Sums over groups. What only bitmaps tell is summed over those that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Clusters in use; by the descriptor while the bitmap is unread.
    pub used: u64,
    /// Clusters in all.
    pub of: u64,
    /// Runs of free clusters.
    pub fragments: u64,
    /// Clusters of the longest free run within a group.
    pub largest_free: u32,
    /// Groups whose bitmap was never written.
    pub never_written: u32,
    /// Groups of which only the descriptor is known.
    pub unread: u32,
    /// Groups that cannot be read.
    pub failed: u32,
    /// Groups that can be read by tenths of fullness; a full one counts to the last.
    pub by_fullness: [u32; CLASSES],
    /// Groups that each chip shows, in the order of [`FilterChip::ALL`].
    pub by_chip: [u32; FilterChip::ALL.len()],
}

impl Sums {
    /// Groups about which something does not add up.
    #[must_use]
    pub fn odd(&self) -> u32 {
        let mut counts = FilterChip::ALL.into_iter().zip(self.by_chip);
        counts.find(|(chip, _)| *chip == FilterChip::Odd).map_or(0, |(_, count)| count)
    }

    /// Adds one group.
    pub(super) fn add_group(&mut self, row: &GroupRow, stats: &BlockStats, fullness: Fullness) {
        let Fullness { state, used, of } = fullness;
        let class = used.saturating_mul(CLASSES as u64).checked_div(of).unwrap_or(0);
        let class = usize::try_from(class).unwrap_or(usize::MAX).min(CLASSES - 1);
        let count = self.by_fullness.get_mut(class).filter(|_| state != BitmapState::Failed);
        if let Some(count) = count {
            *count = count.saturating_add(1);
        }
        for (count, chip) in self.by_chip.iter_mut().zip(FilterChip::ALL) {
            *count = count.saturating_add(chip.shows(row, stats).into());
        }
        self.used = self.used.saturating_add(used);
        self.of = self.of.saturating_add(of);
        self.fragments = self.fragments.saturating_add(stats.fragments.into());
        self.largest_free = self.largest_free.max(stats.largest_free);
        let of_state = match state {
            BitmapState::Unread => &mut self.unread,
            BitmapState::Read => return,
            BitmapState::Synthesised => &mut self.never_written,
            BitmapState::Failed => &mut self.failed,
        };
        *of_state = of_state.saturating_add(1);
    }

    fn add(&mut self, other: &Self) {
        fn add_all(counts: &mut [u32], others: &[u32]) {
            for (count, other) in counts.iter_mut().zip(others) {
                *count = count.saturating_add(*other);
            }
        }
        self.used = self.used.saturating_add(other.used);
        self.of = self.of.saturating_add(other.of);
        self.fragments = self.fragments.saturating_add(other.fragments);
        self.largest_free = self.largest_free.max(other.largest_free);
        self.never_written = self.never_written.saturating_add(other.never_written);
        self.unread = self.unread.saturating_add(other.unread);
        self.failed = self.failed.saturating_add(other.failed);
        add_all(&mut self.by_fullness, &other.by_fullness);
        add_all(&mut self.by_chip, &other.by_chip);
    }
}

impl<'a> Sum<&'a Self> for Sums {
    fn sum<I: Iterator<Item = &'a Self>>(sums: I) -> Self {
        let mut all = Self::default();
        sums.for_each(|sums| all.add(sums));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_tenths_and_full_is_the_last() {
        let mut sums = Sums::default();
        for (used, of) in [(0, 100), (9, 100), (10, 100), (100, 100), (99, 100), (0, 0)] {
            let fullness = Fullness { state: BitmapState::Read, used, of };
            sums.add_group(&GroupRow::default(), &BlockStats::default(), fullness);
        }
        assert_eq!(sums.by_fullness, [3, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn a_group_that_cannot_be_read_is_of_no_class() {
        let mut sums = Sums::default();
        let fullness = Fullness { state: BitmapState::Failed, used: 0, of: 0 };
        sums.add_group(&GroupRow::default(), &BlockStats::default(), fullness);
        assert_eq!((sums.by_fullness, sums.failed), ([0; CLASSES], 1));
    }
}
