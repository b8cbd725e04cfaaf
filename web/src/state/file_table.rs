//! How the tree of files is sorted.

/// How the tree of files is sorted: every directory by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSort {
    /// The column.
    pub column: FileColumn,
    /// Whether the largest comes first.
    pub descending: bool,
}

impl FileSort {
    /// The order after a click on a column's head: a new column from its more telling end, the
    /// same column the other way round.
    #[must_use]
    pub fn clicked(self, column: FileColumn) -> Self {
        let descending = if column == self.column { !self.descending } else { column.is_amount() };
        Self { column, descending }
    }
}

/// A column that files can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileColumn {
    /// The name.
    #[default]
    Name,
    /// The size.
    Size,
    /// Extents.
    Extents,
    /// How many times as long reading takes as it would in one piece.
    Slowdown,
    /// The inode.
    Inode,
    /// The last change.
    Changed,
}

impl FileColumn {
    /// Whether the largest are the ones to look for.
    #[must_use]
    pub const fn is_amount(self) -> bool {
        !matches!(self, Self::Name | Self::Inode)
    }
}
