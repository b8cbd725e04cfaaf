//! How the table of groups is sorted and filtered.

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
    /// Whether which groups are shown, or their order, changes while bitmaps are read.
    #[must_use]
    pub const fn is_from_bitmaps(&self) -> bool {
        self.sort.column.is_from_bitmaps() || self.filter.chip.is_from_bitmaps()
    }
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

    /// Whether the column comes from the bitmaps, so that the order changes while they are read.
    #[must_use]
    pub const fn is_from_bitmaps(self) -> bool {
        matches!(self, Self::FreeClusters | Self::Fragments | Self::LargestFree)
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

    /// Whether the chip asks the bitmaps, so that what it shows changes while they are read.
    #[must_use]
    pub const fn is_from_bitmaps(self) -> bool {
        !matches!(self, Self::All | Self::Uninit)
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

    #[test]
    fn a_second_click_turns_the_order_round() {
        let first = GroupSort::default().clicked(SortColumn::FreeClusters);
        assert!(first.descending);
        assert!(!first.clicked(SortColumn::FreeClusters).descending);
        assert!(!first.clicked(SortColumn::Group).descending);
    }
}
