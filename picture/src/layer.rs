//! What the colours of the map say.

use serde::{Deserialize, Serialize};

/// What the colours of the map say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Layer {
    /// What each block is.
    #[default]
    Kind,
    /// Whether blocks are in use.
    Occupancy,
    /// How long the run is that a free block is of.
    FreeRuns,
    /// The blocks of one inode among all others.
    Owner,
    /// Whether checksums of descriptors and bitmaps are right.
    Checksums,
    /// How many inodes of each group are in use.
    Inodes,
    /// How long the runs are in which files lie.
    FileRuns,
    /// When what lies in a block changed last.
    Age,
    /// Whether bitmaps and inode tables were ever written.
    Written,
    /// What bitmaps and inodes contradict each other about, and what a check complains of.
    Problems,
    /// What a shrink would do.
    Shrink,
    /// What of the image was read.
    Reads,
}

impl Layer {
    /// Every layer, in the order in which they are offered.
    pub const ALL: [Self; 12] = [
        Self::Kind,
        Self::Occupancy,
        Self::FreeRuns,
        Self::FileRuns,
        Self::Owner,
        Self::Age,
        Self::Checksums,
        Self::Inodes,
        Self::Written,
        Self::Problems,
        Self::Shrink,
        Self::Reads,
    ];

    /// Its name in addresses and options.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Occupancy => "occ",
            Self::FreeRuns => "frag",
            Self::Owner => "owner",
            Self::Checksums => "csum",
            Self::Inodes => "inodes",
            Self::FileRuns => "files",
            Self::Age => "age",
            Self::Written => "uninit",
            Self::Problems => "problems",
            Self::Shrink => "shrink",
            Self::Reads => "reads",
        }
    }

    /// The layer of this name.
    #[must_use]
    pub fn parse(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.slug() == slug)
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "Block kind",
            Self::Occupancy => "Occupancy",
            Self::FreeRuns => "Free runs",
            Self::Owner => "One owner",
            Self::Checksums => "Checksums",
            Self::Inodes => "Inodes in use",
            Self::FileRuns => "File runs",
            Self::Age => "Age",
            Self::Written => "Uninitialised",
            Self::Problems => "Problems",
            Self::Shrink => "Shrink plan",
            Self::Reads => "Read so far",
        }
    }

    /// Whether it tells more once all inodes were gone through.
    #[must_use]
    pub const fn asks_for_owners(self) -> bool {
        matches!(self, Self::Kind | Self::FileRuns | Self::Age | Self::Problems)
    }
}
