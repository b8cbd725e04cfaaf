//! In which unit sizes of a shrink are shown and typed.

use crate::text::{THIN_SPACE, number, size};

/// A unit of sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Whatever fits: MiB, GiB, TiB.
    #[default]
    Fitting,
    /// MiB.
    Mib,
    /// GiB.
    Gib,
    /// Blocks of the filesystem.
    Blocks,
    /// Sectors of 512 bytes.
    Sectors,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Fitting, Self::Mib, Self::Gib, Self::Blocks, Self::Sectors, Self::Bytes];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fitting => "as fits",
            Self::Mib => "MiB",
            Self::Gib => "GiB",
            Self::Blocks => "blocks",
            Self::Sectors => "sectors of 512 bytes",
            Self::Bytes => "bytes",
        }
    }

    /// A size of so many blocks.
    #[must_use]
    pub fn text(self, blocks: u64, block_size: u32) -> String {
        let bytes = blocks.saturating_mul(block_size.into());
        match self {
            Self::Fitting => size::whole(bytes),
            Self::Mib => hundredths(bytes, 20, "MiB"),
            Self::Gib => hundredths(bytes, 30, "GiB"),
            Self::Blocks => number::count_of(blocks, "block", "blocks"),
            Self::Sectors => number::count_of(bytes / 512, "sector", "sectors"),
            Self::Bytes => size::exact(bytes),
        }
    }

    /// The end that a bare number gets, as [`parse_target`](super::shrink_target::parse_target)
    /// reads it.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::Fitting | Self::Gib => "gib",
            Self::Mib => "mib",
            Self::Blocks => "blocks",
            Self::Sectors => "s",
            Self::Bytes => "bytes",
        }
    }
}

/// Two decimals of `2^shift` bytes.
fn hundredths(bytes: u64, shift: u32, name: &str) -> String {
    let one = 1_u128 << shift;
    let value = (u128::from(bytes) * 100 + one / 2) / one;
    let whole = u64::try_from(value / 100).unwrap_or(u64::MAX);
    format!("{}.{:02}{THIN_SPACE}{name}", number::count(whole), value % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_told_in_every_unit() {
        let texts = Unit::ALL.map(|unit| unit.text(215_676, 4096).replace(THIN_SPACE, " "));
        let due = [
            "842 MiB",
            "842.48 MiB",
            "0.82 GiB",
            "215,676 blocks",
            "1,725,408 sectors",
            "883,408,896 bytes",
        ];
        assert_eq!(texts, due);
    }
}
