//! What the colours of a layer mean, in words.

use super::ink::Ink;
use super::kind::Kind;
use super::layer::Layer;
use super::palette::{Palette, Ramp};

/// Places on a ramp from 0 to 1, and what is there.
pub type Marks = &'static [(f32, &'static str)];

const SHARES: Marks = &[(0.0, "0 %"), (0.5, "50"), (1.0, "100 %")];
const RUNS: Marks = &[(0.0, "long"), (1.0, "1 block")];
/// Before the last write to the filesystem. Ref: [`recency`](super::recency), `s_wtime`.
const AGES: Marks = &[(0.0, "10 y"), (0.33, "3 y"), (0.536, "1 y"), (1.0, "last write")];

const FREE: (Ink, &str) = (Ink::kind(Kind::Free), "Free");

impl Layer {
    /// What its colours are about.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Kind => "Kind of block",
            Self::Occupancy => "Share of blocks in use",
            Self::FreeRuns => "Run of free blocks",
            Self::FileRuns => "Run of a file\u{2019}s blocks",
            Self::Owner => "Whose blocks",
            Self::Age => "Last change of contents",
            Self::Checksums => "Above descriptor, below block bitmap",
            Self::Inodes => "Share of inodes in use",
            Self::Written => "Above block bitmap, below inode table",
            Self::Problems => "What does not add up",
            Self::Shrink => "Blocks of the planned shrink",
            Self::Reads => "Bytes that extscope asked for",
        }
    }

    /// What is written along its ramp, if it has one.
    #[must_use]
    pub const fn marks(self) -> Marks {
        match self {
            Self::Occupancy | Self::Inodes => SHARES,
            Self::FreeRuns | Self::FileRuns => RUNS,
            Self::Age => AGES,
            _ => &[],
        }
    }

    /// Its ramp, if it has one.
    #[must_use]
    pub const fn ramp(self, palette: &Palette) -> Option<&Ramp> {
        match self {
            Self::Occupancy | Self::Inodes => Some(&palette.occupancy),
            Self::FreeRuns | Self::FileRuns => Some(&palette.fragments),
            Self::Age => Some(&palette.age),
            _ => None,
        }
    }

    /// What each of its colours means. Those of [`Layer::Kind`] are the kinds.
    #[must_use]
    pub const fn inks(self) -> &'static [(Ink, &'static str)] {
        match self {
            Self::Kind | Self::Occupancy | Self::Inodes => &[],
            Self::FreeRuns => &[(Ink::NOT_FREE, "In use")],
            Self::FileRuns | Self::Age => &[(Ink::OTHER_OWNER, "In use otherwise"), FREE],
            Self::Owner => &[(Ink::OWNER, "Of the inode"), (Ink::OTHER_OWNER, "Of others"), FREE],
            Self::Checksums => &[
                (Ink::GOOD, "Right"),
                (Ink::BAD, "Wrong"),
                (Ink::NO_CSUM, "None stored"),
                (Ink::UNKNOWN, "Not read yet"),
            ],
            Self::Written => &[
                (Ink::WRITTEN, "Written"),
                (Ink::UNINIT, "Never written"),
                (Ink::NOT_ZEROED, "Table not zeroed"),
            ],
            Self::Problems => &[
                (Ink::FAULTY, "Named by the check"),
                (Ink::UNOWNED, "In use, unowned"),
                (Ink::FREE_BUT_OWNED, "Owned, marked free"),
                (Ink::CONTESTED, "Claimed twice, or bad"),
                (Ink::OTHER_OWNER, "In use"),
                FREE,
            ],
            Self::Shrink => &[
                (Ink::OTHER_OWNER, "Stays"),
                (Ink::LEAVES, "Moves, or is given up"),
                (Ink::ARRIVES, "Is filled"),
                FREE,
                (Ink::GONE, "Free, past the new end"),
            ],
            Self::Reads => &[(Ink::READ, "Read"), (Ink::NOT_READ, "Not read")],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recency::recency;

    #[test]
    fn every_layer_says_what_its_colours_mean() {
        for layer in Layer::ALL {
            let says =
                layer == Layer::Kind || !layer.marks().is_empty() || !layer.inks().is_empty();
            assert!(says, "{layer:?}");
            let ramp = layer.ramp(&Palette::of(crate::palette::Theme::Dark)).is_some();
            assert_eq!(ramp, !layer.marks().is_empty(), "{layer:?}");
        }
    }

    #[test]
    fn ages_are_written_where_the_ramp_has_them() {
        let now = 2_000_000_000;
        for ((place, text), hours) in AGES.iter().zip([87_660, 26_298, 8766, 0_i64]) {
            let drawn = f32::from(recency(now - hours * 3600, now)) / 255.0;
            assert!((drawn - place).abs() < 0.01, "{text} at {drawn}");
        }
    }
}
