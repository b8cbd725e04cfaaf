//! What a cell is to the eye: an index into the colours of a [`Look`](super::Look).

use super::kind::Kind;

/// What a cell is to the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ink(pub(crate) u16);

/// Where the kinds begin; below are shares.
const KINDS: u16 = 256;
/// Where the shades of file data begin.
const SHADES: u16 = KINDS + 16;
/// Shades of file data, so that neighbouring files separate.
pub(crate) const SHADE_COUNT: u16 = 6;
/// Where what is none of these begins.
const OTHERS: u16 = SHADES + SHADE_COUNT;

impl Ink {
    /// Free, in a group whose bitmap was never written.
    pub const UNINIT: Self = Self(OTHERS);
    /// Nothing is known of it.
    pub const UNKNOWN: Self = Self(OTHERS + 1);
    /// Not the owner's that is looked for.
    pub const OTHER_OWNER: Self = Self(OTHERS + 2);
    /// The owner's that is looked for.
    pub const OWNER: Self = Self(OTHERS + 3);
    /// A checksum that is right.
    pub const GOOD: Self = Self(OTHERS + 4);
    /// A checksum that is wrong.
    pub const BAD: Self = Self(OTHERS + 5);
    /// Where no checksum is stored.
    pub const NO_CSUM: Self = Self(OTHERS + 6);
    /// In use, where only free blocks are told apart.
    pub const NOT_FREE: Self = Self(OTHERS + 7);
    /// The image is too short to have it.
    pub const MISSING: Self = Self(OTHERS + 8);
    /// In use, and nobody's.
    pub const UNOWNED: Self = Self(OTHERS + 9);
    /// Somebody's, and free in the bitmap.
    pub const FREE_BUT_OWNED: Self = Self(OTHERS + 10);
    /// Claimed more than once, or on the list of bad blocks.
    pub const CONTESTED: Self = Self(OTHERS + 11);
    /// A check complains of it.
    pub const FAULTY: Self = Self(OTHERS + 12);
    /// A bitmap or an inode table that was written.
    pub const WRITTEN: Self = Self(OTHERS + 13);
    /// An inode table that was never written and may hold anything.
    pub const NOT_ZEROED: Self = Self(OTHERS + 14);
    /// A shrink moves it away, or gives it up.
    pub const LEAVES: Self = Self(OTHERS + 15);
    /// A shrink fills it.
    pub const ARRIVES: Self = Self(OTHERS + 16);
    /// Free, and past the end of what a shrink leaves.
    pub const GONE: Self = Self(OTHERS + 17);
    /// It was read.
    pub const READ: Self = Self(OTHERS + 18);
    /// It was not read.
    pub const NOT_READ: Self = Self(OTHERS + 19);
    /// How many inks there are.
    pub(crate) const COUNT: u16 = OTHERS + 20;

    /// A part of which a share is in use, 255 for all.
    #[must_use]
    pub const fn share(share: u8) -> Self {
        Self(share as u16)
    }

    /// A block of a kind.
    #[must_use]
    pub const fn kind(kind: Kind) -> Self {
        Self(KINDS + kind as u16)
    }

    /// A block of a file, its shade chosen by the file's number.
    #[must_use]
    pub const fn data(ino: u32) -> Self {
        // Multiplicative hashing: neighbouring numbers get different shades.
        let hash = ino.wrapping_mul(0x9e37_79b9) >> 16;
        Self(SHADES + (hash % SHADE_COUNT as u32) as u16)
    }

    /// What it stands for.
    pub(crate) fn meaning(self) -> Meaning {
        match self.0 {
            share @ 0..KINDS => Meaning::Share(share as u8),
            other @ OTHERS.. => Meaning::Other(Self(other)),
            shade @ SHADES.. => Meaning::Shade(shade - SHADES),
            kind => match Kind::ALL.get(usize::from(kind - KINDS)) {
                Some(kind) => Meaning::Kind(*kind),
                None => Meaning::Other(Self::UNKNOWN),
            },
        }
    }

    /// The digit of a bit, where it is one.
    pub(crate) fn digit(self) -> Option<char> {
        match self.meaning() {
            Meaning::Share(0) => Some('0'),
            Meaning::Share(u8::MAX) => Some('1'),
            _ => None,
        }
    }

    /// The letter of its kind, in cells that are large enough.
    pub(crate) fn letter(self) -> Option<char> {
        match self.meaning() {
            Meaning::Kind(Kind::Free | Kind::Used) | Meaning::Share(_) => None,
            Meaning::Kind(kind) => Some(kind.letter()),
            Meaning::Shade(_) => Some(Kind::Data.letter()),
            Meaning::Other(Self::OWNER) => Some(Kind::Data.letter()),
            Meaning::Other(Self::UNOWNED) => Some(Kind::Unowned.letter()),
            Meaning::Other(Self::CONTESTED | Self::FAULTY) => Some(Kind::Problem.letter()),
            Meaning::Other(_) => None,
        }
    }
}

/// What an ink stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A share in use.
    Share(u8),
    /// A kind.
    Kind(Kind),
    /// File data, in one of its shades.
    Shade(u16),
    /// One of the named inks.
    Other(Ink),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ink_stands_for_what_it_was_made_of() {
        for kind in Kind::ALL {
            assert_eq!(Ink::kind(kind).meaning(), Meaning::Kind(kind));
        }
        for share in [0, 7, 255] {
            assert_eq!(Ink::share(share).meaning(), Meaning::Share(share));
        }
        for ino in 0..1000 {
            assert!(matches!(Ink::data(ino).meaning(), Meaning::Shade(0..SHADE_COUNT)));
        }
        for ink in [Ink::UNINIT, Ink::UNKNOWN, Ink::NOT_READ] {
            assert_eq!(ink.meaning(), Meaning::Other(ink));
        }
    }
}
