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
}

impl Layer {
    /// Every layer, in the order in which they are offered.
    pub const ALL: [Self; 6] =
        [Self::Kind, Self::Occupancy, Self::FreeRuns, Self::Owner, Self::Checksums, Self::Inodes];

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
        }
    }

    /// The layer of this name.
    #[must_use]
    pub fn parse(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.slug() == slug)
    }
}
