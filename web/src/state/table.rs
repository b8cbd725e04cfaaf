//! How the table of groups is sorted and filtered.

use super::Known;
use crate::protocol::{BgFlags, BitmapState, BlockStats, CsumState, GroupRow};

/// How the table of groups is sorted and filtered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupTable {
    /// The order.
    pub sort: GroupSort,
    /// What is shown.
    pub filter: Filter,
}

impl GroupTable {
    /// What of all that is known decides which groups are shown, and their order: while it is the
    /// same, so are the rows.
    #[must_use]
    pub fn decided_by(&self, known: &Known) -> Deciding {
        let by_descriptors = matches!(self.filter.chip, FilterChip::All | FilterChip::Uninit);
        match self.sort.column {
            SortColumn::Fragments | SortColumn::LargestFree => Deciding::Bitmaps(known.clone()),
            // Descriptors tell how much is free until a bitmap says something else, once.
            SortColumn::FreeClusters => Deciding::Contradictions(known.sums().odd()),
            _ if !by_descriptors => Deciding::Contradictions(known.sums().odd()),
            _ => Deciding::Descriptors,
        }
    }
}

/// What decides which groups are shown, and their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Deciding {
    /// The descriptors.
    Descriptors,
    /// The descriptors, and what contradicts them in so many groups.
    Contradictions(u32),
    /// What the bitmaps say.
    Bitmaps(Known),
}

/// An order of the groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupSort {
    /// The column.
    pub column: SortColumn,
    /// Whether the largest comes first.
    pub descending: bool,
}

impl GroupSort {
    /// The order after a click on a column's head: a new column from its more telling end, the
    /// same column the other way round.
    #[must_use]
    pub fn clicked(self, column: SortColumn) -> Self {
        let descending = if column == self.column { !self.descending } else { column.is_amount() };
        Self { column, descending }
    }
}

/// A column that the groups can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SortColumn {
    /// The group's number.
    #[default]
    Group,
    /// Free clusters, as [`free_clusters`] has them.
    FreeClusters,
    /// Free inodes.
    FreeInodes,
    /// Directories.
    UsedDirs,
    /// Inodes at the end of the table that were never used.
    ItableUnused,
    /// The flags.
    Flags,
    /// What the descriptor's checksum says: wrong ones last.
    Csum,
    /// Runs of free clusters, by the bitmap.
    Fragments,
    /// Clusters in the longest run of free ones, by the bitmap.
    LargestFree,
}

impl SortColumn {
    /// Whether the largest are the ones to look for.
    #[must_use]
    pub const fn is_amount(self) -> bool {
        !matches!(self, Self::Group)
    }
}

/// What the table shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The chip that is pressed.
    pub chip: FilterChip,
    /// What was typed: a group's number, a range `40-80`, or `b:` and a block's number.
    pub search: String,
}

/// A kind of group that can be shown alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FilterChip {
    /// Every group.
    #[default]
    All,
    /// Groups with free clusters.
    WithSpace,
    /// Groups without.
    Full,
    /// BLOCK_UNINIT or INODE_UNINIT.
    Uninit,
    /// A wrong checksum, an unreadable descriptor or bitmap, or a bitmap that counts differently.
    Odd,
}

impl FilterChip {
    /// The chips, in the order they are shown.
    pub const ALL: [Self; 5] = [Self::All, Self::WithSpace, Self::Full, Self::Uninit, Self::Odd];

    /// Whether the chip shows a group of which this is known.
    #[must_use]
    pub fn shows(self, row: &GroupRow, stats: &BlockStats) -> bool {
        match self {
            Self::All => true,
            Self::WithSpace => free_clusters(row, stats) > 0,
            Self::Full => free_clusters(row, stats) == 0,
            Self::Uninit => row.flags.intersects(BgFlags::BLOCK_UNINIT | BgFlags::INODE_UNINIT),
            Self::Odd => is_odd(row, stats),
        }
    }
}

/// Free clusters of a group: by its bitmap where that is known, else by its descriptor.
#[must_use]
pub fn free_clusters(row: &GroupRow, stats: &BlockStats) -> u32 {
    if stats.state.is_exact() { stats.free } else { row.free_clusters }
}

/// Whether something about a group does not add up.
fn is_odd(row: &GroupRow, stats: &BlockStats) -> bool {
    !row.readable
        || row.csum == CsumState::Bad
        || stats.csum == CsumState::Bad
        || stats.state == BitmapState::Failed
        || (stats.state.is_exact() && stats.free != row.free_clusters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::{alike, batch, read};

    #[test]
    fn rows_are_decided_anew_only_by_what_they_show() {
        let before = alike(300, 9);
        let mut agrees = before.clone();
        agrees.merge(&batch(&[(1, read(9))], Vec::new()));
        let mut differs = agrees.clone();
        differs.merge(&batch(&[(2, read(5))], Vec::new()));
        let table = |column, chip| GroupTable {
            sort: GroupSort { column, descending: true },
            filter: Filter { chip, search: String::new() },
        };
        let changes = |table: &GroupTable, known: &Known| {
            table.decided_by(known) != table.decided_by(&before)
        };
        let by_number = table(SortColumn::Group, FilterChip::All);
        assert!(!changes(&by_number, &agrees) && !changes(&by_number, &differs));
        for table in [
            table(SortColumn::FreeClusters, FilterChip::All),
            table(SortColumn::Group, FilterChip::Full),
            table(SortColumn::Group, FilterChip::Odd),
        ] {
            assert!(!changes(&table, &agrees) && changes(&table, &differs), "{table:?}");
        }
        assert!(changes(&table(SortColumn::Fragments, FilterChip::All), &agrees));
    }

    #[test]
    fn a_second_click_turns_the_order_round() {
        let first = GroupSort::default().clicked(SortColumn::FreeClusters);
        assert!(first.descending);
        assert!(!first.clicked(SortColumn::FreeClusters).descending);
        assert!(!first.clicked(SortColumn::Group).descending);
    }
}
