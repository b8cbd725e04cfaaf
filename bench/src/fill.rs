//! Bitmaps to measure on, the same in every run.

use core::fmt;

use extscope::bitmap::{Bitmap, BitsMut};

/// What a bitmap looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Every bit clear.
    Empty,
    /// Every bit set.
    Full,
    /// One bit in so many is clear.
    AlmostFull(u64),
    /// Runs of set and of clear bits in turn, of so many bits on average.
    Runs(u64),
}

impl Fill {
    /// A bitmap of so many bytes.
    ///
    /// # Errors
    /// When it is too large to hold.
    pub fn bitmap(self, bytes: u64) -> extscope::Result<Bitmap> {
        let mut bits = Bitmap::new(bytes * 8)?;
        match self {
            Self::Empty => {}
            Self::Full => {
                bits.mark_range(0..bytes * 8);
            }
            Self::AlmostFull(one_in) => {
                bits.mark_range(0..bytes * 8);
                (one_in / 2..bytes * 8).step_by(one_in as usize).for_each(|bit| {
                    bits.unmark(bit);
                });
            }
            Self::Runs(mean) => {
                let mut at = 0;
                let mut random = Random::new(mean);
                while at < bytes * 8 {
                    let end = at + random.geometric(mean);
                    bits.mark_range(at..end);
                    at = end + random.geometric(mean);
                }
            }
        }
        Ok(bits)
    }
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::Full => f.write_str("full"),
            Self::AlmostFull(one_in) => write!(f, "1 clear in {one_in}"),
            Self::Runs(mean) => write!(f, "runs of {mean}"),
        }
    }
}

/// Numbers that look random and are the same in every run. Ref: SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A length of at least 1, geometrically distributed about a mean.
    pub fn geometric(&mut self, mean: u64) -> u64 {
        if mean <= 1 {
            return 1;
        }
        let uniform = ((self.number() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        1 + (uniform.ln() / (1.0 - 1.0 / mean as f64).ln()) as u64
    }
}
