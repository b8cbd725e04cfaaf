//! What the block bitmaps say of each group, as the sweep brings it.

use extscope::analysis::{BitmapState, BlockStats};
use extscope::units::Group;
use serde::{Deserialize, Serialize};

use super::Column;
use super::groups::{csum_from_word, csum_to_word};

/// [`BlockStats`] of all groups, one column a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatsColumns {
    state: Column<u8>,
    csum: Column<u8>,
    largest_free_order: Column<u8>,
    free: Column<u32>,
    fragments: Column<u32>,
    first_free: Column<u32>,
    largest_free: Column<u32>,
}

impl StatsColumns {
    /// Columns of `count` groups of which nothing is known.
    #[must_use]
    pub fn unread(count: usize) -> Self {
        Self::from_rows(&vec![BlockStats::default(); count])
    }

    /// Columns of these rows.
    #[must_use]
    pub fn from_rows(rows: &[BlockStats]) -> Self {
        fn column<T>(rows: &[BlockStats], value: impl Fn(&BlockStats) -> T) -> Column<T> {
            rows.iter().map(value).collect()
        }
        Self {
            state: column(rows, |row| state_to_word(row.state)),
            csum: column(rows, |row| csum_to_word(row.csum)),
            largest_free_order: column(rows, |row| row.largest_free_order.cast_unsigned()),
            free: column(rows, |row| row.free),
            fragments: column(rows, |row| row.fragments),
            first_free: column(rows, |row| row.first_free),
            largest_free: column(rows, |row| row.largest_free),
        }
    }

    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.state.is_empty()
    }

    /// How a group's bitmap came to be known; unread past the last group.
    #[must_use]
    pub fn state(&self, group: Group) -> BitmapState {
        let at = usize::try_from(group.get()).ok();
        at.and_then(|at| self.state.get(at)).copied().map_or(BitmapState::Unread, state_from_word)
    }

    /// Free clusters of a group by its bitmap; `None` while that is not known.
    #[must_use]
    pub fn free(&self, group: Group) -> Option<u32> {
        let at = usize::try_from(group.get()).ok()?;
        let is_exact = self.state(group).is_exact();
        is_exact.then(|| self.free.get(at).copied()).flatten()
    }

    /// One group's, or `None` past the last.
    #[must_use]
    pub fn row(&self, group: Group) -> Option<BlockStats> {
        let at = usize::try_from(group.get()).ok()?;
        Some(BlockStats {
            state: state_from_word(*self.state.get(at)?),
            csum: csum_from_word(*self.csum.get(at)?),
            largest_free_order: self.largest_free_order.get(at)?.cast_signed(),
            free: *self.free.get(at)?,
            fragments: *self.fragments.get(at)?,
            first_free: *self.first_free.get(at)?,
            largest_free: *self.largest_free.get(at)?,
        })
    }

    /// Takes over the rows of `batch`; rows past the last group are dropped.
    pub fn merge(&mut self, batch: &StatsBatch) {
        for (&group, from) in batch.groups.iter().zip(0_u32..) {
            if let (Ok(at), Some(row)) = (usize::try_from(group), batch.stats.row(Group::new(from)))
            {
                self.set(at, row);
            }
        }
    }

    fn set(&mut self, at: usize, row: BlockStats) {
        fn put<T>(column: &mut Column<T>, at: usize, value: T) {
            if let Some(slot) = column.as_mut_slice().get_mut(at) {
                *slot = value;
            }
        }
        put(&mut self.state, at, state_to_word(row.state));
        put(&mut self.csum, at, csum_to_word(row.csum));
        put(&mut self.largest_free_order, at, row.largest_free_order.cast_unsigned());
        put(&mut self.free, at, row.free);
        put(&mut self.fragments, at, row.fragments);
        put(&mut self.first_free, at, row.first_free);
        put(&mut self.largest_free, at, row.largest_free);
    }
}

/// A bitmap's state as a column holds it.
const fn state_to_word(state: BitmapState) -> u8 {
    match state {
        BitmapState::Unread => 0,
        BitmapState::Read => 1,
        BitmapState::Synthesised => 2,
        BitmapState::Failed => 3,
    }
}

/// The bitmap's state that a column holds.
const fn state_from_word(word: u8) -> BitmapState {
    match word {
        1 => BitmapState::Read,
        2 => BitmapState::Synthesised,
        3 => BitmapState::Failed,
        _ => BitmapState::Unread,
    }
}

/// What one part of the sweep found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatsBatch {
    /// The groups, in the order they were read.
    pub groups: Column<u32>,
    /// Their statistics, in the same order.
    pub stats: StatsColumns,
    /// Their profiles one after the other, in the same order, all of the same length.
    pub profiles: Column<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(free: u32) -> BlockStats {
        BlockStats { state: BitmapState::Read, largest_free_order: -1, free, ..unread() }
    }

    fn unread() -> BlockStats {
        BlockStats::default()
    }

    #[test]
    fn a_batch_lands_on_its_own_groups_only() {
        let mut all = StatsColumns::unread(4);
        let batch = StatsBatch {
            groups: vec![2, 0, 9].into(),
            stats: StatsColumns::from_rows(&[read(20), read(5), read(7)]),
            ..StatsBatch::default()
        };
        all.merge(&batch);
        let rows: Vec<_> = (0..5).map(|group| all.row(Group::new(group))).collect();
        assert_eq!(rows, [Some(read(5)), Some(unread()), Some(read(20)), Some(unread()), None]);
    }

    #[test]
    fn a_batch_with_too_few_rows_is_taken_as_far_as_it_goes() {
        let mut all = StatsColumns::unread(2);
        let batch = StatsBatch { groups: vec![0, 1].into(), ..StatsBatch::default() };
        all.merge(&batch);
        assert_eq!(all, StatsColumns::unread(2));
    }
}
