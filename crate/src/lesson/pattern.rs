//! Bitmaps to learn on where no image has the right one.

use serde::{Deserialize, Serialize};

use crate::bitmap::{Bitmap, BitsMut};
use crate::error::Result;

/// What a made-up bitmap looks like. The same in every run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pattern {
    /// The first half and a bit more in use without a gap, the rest free: a filesystem that was
    /// filled once, as in Debian's bug 663237.
    #[default]
    HalfFull,
    /// In use but for a bit here and there, one in some five hundred.
    Scattered,
    /// Every second bit in use.
    EverySecond,
    /// In use but for the last bits.
    Full,
}

impl Pattern {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::HalfFull, Self::Scattered, Self::EverySecond, Self::Full];

    /// The bitmap, of so many bits.
    ///
    /// # Errors
    /// Those of [`Bitmap::new`].
    pub fn bitmap(self, len: u64) -> Result<Bitmap> {
        let mut bits = Bitmap::new(len)?;
        match self {
            Self::HalfFull => {
                // The border is no border of bytes.
                bits.mark_range(0..(len / 2).saturating_add((len / 64).min(37)));
            }
            Self::Scattered => {
                bits.mark_range(0..len);
                let (mut at, mut seed) = (0_u64, 663_237_u64);
                loop {
                    // Ref: the linear congruential generator of Knuth's MMIX.
                    seed = seed
                        .wrapping_mul(0x5851_f42d_4c95_7f2d)
                        .wrapping_add(0x1405_7b7e_f767_814f);
                    at = at.saturating_add(1 + (seed >> 33) % 1000);
                    if at >= len {
                        break;
                    }
                    bits.unmark(at);
                }
            }
            Self::EverySecond => (0..len).step_by(2).for_each(|bit| {
                bits.mark(bit);
            }),
            Self::Full => {
                bits.mark_range(0..len.saturating_sub((len / 16).clamp(1, 21)));
            }
        }
        Ok(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::Bits;

    #[test]
    fn patterns_are_as_full_as_they_say() {
        let used = |pattern: Pattern| pattern.bitmap(100_000).expect("small").count();
        assert_eq!(used(Pattern::HalfFull), 50_037);
        assert_eq!(used(Pattern::EverySecond), 50_000);
        assert_eq!(used(Pattern::Full), 99_979);
        assert!((99_700..99_900).contains(&used(Pattern::Scattered)));
    }

    #[test]
    fn short_patterns_are_patterns_too() {
        for pattern in Pattern::ALL {
            for len in [0, 1, 5, 64] {
                assert_eq!(pattern.bitmap(len).expect("small").len(), len);
            }
        }
        let free = |pattern: Pattern, len| len - pattern.bitmap(len).expect("small").count();
        assert_eq!(free(Pattern::HalfFull, 64), 31);
        assert_eq!([1, 2, 16, 100].map(|len| free(Pattern::Full, len)), [1, 1, 1, 6]);
    }
}
