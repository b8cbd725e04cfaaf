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
    /// Ranges of bytes, first and end, that were read meanwhile.
    pub reads: Vec<(u64, u64)>,
}
