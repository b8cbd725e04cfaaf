//! What the bitmaps say of each group, as the sweep brings it.

use extscope::Error;
use extscope::units::{Group, Grpblk};
use serde::{Deserialize, Serialize};

use super::{Column, CsumVerdict};

/// How a group's block bitmap came to be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatsState {
    /// Not read yet: only the descriptor is known.
    #[default]
    Unread,
    /// Read from the image.
    Read,
    /// BLOCK_UNINIT: made as the kernel would make it; nothing was read.
    Synthesised,
    /// Cannot be read.
    Failed,
}

impl StatsState {
    /// The state as a column holds it.
    #[must_use]
    pub const fn to_word(self) -> u8 {
        match self {
            Self::Unread => 0,
            Self::Read => 1,
            Self::Synthesised => 2,
            Self::Failed => 3,
        }
    }

    /// The state that a column holds; what is unknown is [`StatsState::Unread`].
    #[must_use]
    pub const fn from_word(word: u8) -> Self {
        match word {
            1 => Self::Read,
            2 => Self::Synthesised,
            3 => Self::Failed,
            _ => Self::Unread,
        }
    }

    /// Whether the numbers beside it are the bitmap's.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Read | Self::Synthesised)
    }
}

/// What one group's block bitmap says, in mballoc's words. Ref: `struct ext4_group_info`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupStats {
    /// How it came to be known; while it is not exact, the numbers are 0.
    pub state: StatsState,
    /// What the block bitmap's checksum says.
    pub csum: CsumVerdict,
    /// Free clusters.
    pub free: u32,
    /// Runs of free clusters. Ref: `bb_fragments`.
    pub fragments: u32,
    /// The first free cluster; meaningless where `free` is 0. Ref: `bb_first_free`.
    pub first_free: Grpblk,
    /// Clusters in the longest run of free ones.
    pub largest_free: u32,
}

/// [`GroupStats`] of all groups, one column a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatsColumns {
    state: Column<u8>,
    csum: Column<u8>,
    free: Column<u32>,
    fragments: Column<u32>,
    first_free: Column<u32>,
    largest_free: Column<u32>,
}

impl StatsColumns {
    /// Columns of `count` groups of which nothing is known.
    #[must_use]
    pub fn unread(count: usize) -> Self {
        Self::from_rows(core::iter::repeat_n(GroupStats::default(), count))
    }

    /// Columns of these rows.
    pub fn from_rows(rows: impl IntoIterator<Item = GroupStats>) -> Self {
        let mut columns = [const { Vec::new() }; 4];
        let (mut state, mut csum) = (Vec::new(), Vec::new());
        for row in rows {
            state.push(row.state.to_word());
            csum.push(row.csum.to_word());
            let values = [row.free, row.fragments, row.first_free.get(), row.largest_free];
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        let [free, fragments, first_free, largest_free] = columns.map(Column::from);
        let (state, csum) = (state.into(), csum.into());
        Self { state, csum, free, fragments, first_free, largest_free }
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
    pub fn row(&self, group: Group) -> Option<GroupStats> {
        let at = usize::try_from(group.get()).ok()?;
        Some(GroupStats {
            state: StatsState::from_word(*self.state.get(at)?),
            csum: CsumVerdict::from_word(*self.csum.get(at)?),
            free: *self.free.get(at)?,
            fragments: *self.fragments.get(at)?,
            first_free: Grpblk::new(*self.first_free.get(at)?),
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

    fn set(&mut self, at: usize, row: GroupStats) {
        fn put<T>(column: &mut Column<T>, at: usize, value: T) {
            if let Some(slot) = column.as_mut_slice().get_mut(at) {
                *slot = value;
            }
        }
        put(&mut self.state, at, row.state.to_word());
        put(&mut self.csum, at, row.csum.to_word());
        put(&mut self.free, at, row.free);
        put(&mut self.fragments, at, row.fragments);
        put(&mut self.first_free, at, row.first_free.get());
        put(&mut self.largest_free, at, row.largest_free);
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
    /// Why bitmaps could not be read: the first reasons, each with its group.
    pub errors: Vec<Error>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(free: u32) -> GroupStats {
        GroupStats { state: StatsState::Read, free, ..GroupStats::default() }
    }

    #[test]
    fn a_batch_lands_on_its_own_groups_only() {
        let mut all = StatsColumns::unread(4);
        let batch = StatsBatch {
            groups: vec![2, 0, 9].into(),
            stats: StatsColumns::from_rows([read(20), read(5), read(7)]),
            ..StatsBatch::default()
        };
        all.merge(&batch);
        let rows: Vec<_> = (0..5).map(|group| all.row(Group::new(group))).collect();
        let unread = Some(GroupStats::default());
        assert_eq!(rows, [Some(read(5)), unread, Some(read(20)), unread, None]);
    }

    #[test]
    fn a_batch_with_too_few_rows_is_taken_as_far_as_it_goes() {
        let mut all = StatsColumns::unread(2);
        let batch = StatsBatch { groups: vec![0, 1].into(), ..StatsBatch::default() };
        all.merge(&batch);
        assert_eq!(all, StatsColumns::unread(2));
    }
}
