//! Which files are listed.

/// Which files are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileList {
    /// Those of the directories that are open.
    #[default]
    Tree,
    /// Those that take longest to read for their size.
    Scattered,
    /// Those with the most blocks.
    Largest,
    /// Directories with everything below them, by the blocks of that.
    Directories,
    /// Users, by the blocks of their files.
    Users,
    /// What blocks are, by how many are.
    Kinds,
    /// Inodes that were deleted, the last ones first.
    Deleted,
}

impl FileList {
    /// The lists, in the order in which they are offered.
    pub const ALL: [Self; 7] = [
        Self::Tree,
        Self::Scattered,
        Self::Largest,
        Self::Directories,
        Self::Users,
        Self::Kinds,
        Self::Deleted,
    ];

    /// The list's name in the address bar.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Scattered => "scattered",
            Self::Largest => "largest",
            Self::Directories => "directories",
            Self::Users => "users",
            Self::Kinds => "kinds",
            Self::Deleted => "deleted",
        }
    }

    /// The list of that name in the address bar; the tree where there is none.
    #[must_use]
    pub fn from_slug(slug: &str) -> Self {
        Self::ALL.into_iter().find(|list| list.slug() == slug).unwrap_or_default()
    }

    /// The list's name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree => "Directories as a tree",
            Self::Scattered => "Most scattered files",
            Self::Largest => "Largest files",
            Self::Directories => "Space by directory",
            Self::Users => "Space by user",
            Self::Kinds => "Space by kind of block",
            Self::Deleted => "Deleted inodes",
        }
    }

    /// Whether all inodes are read before there is a list.
    #[must_use]
    pub const fn is_of_survey(self) -> bool {
        !matches!(self, Self::Tree)
    }
}
