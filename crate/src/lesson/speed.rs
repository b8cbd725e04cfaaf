//! How long a bit of a scan takes here, bit by bit and by words.

use serde::{Deserialize, Serialize};

use super::race::{once, timed};
use super::{Take, Way};
use crate::bitmap::{Bitmap, BitsMut};
use crate::error::Result;

/// Bits that are gone over, all of them set but the last: a bitmap that stays in the cache.
const BITS: u32 = 1 << 16;

/// How long a bit of a scan takes here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanSpeed {
    /// Nanoseconds a bit where each is tested, with a division: [`Way::Modulo`].
    pub bit_nanos: f64,
    /// Nanoseconds a bit where words are compared: [`Way::Words`].
    pub word_nanos: f64,
}

impl ScanSpeed {
    /// Measures both, in some hundredths of a second. `clock` tells milliseconds.
    ///
    /// # Errors
    /// Those of [`Bitmap::new`].
    pub fn measure(clock: &dyn Fn() -> f64) -> Result<Self> {
        let mut bits = Bitmap::new(BITS.into())?;
        bits.mark_range(0..u64::from(BITS - 1));
        let mut nanos = |way| {
            let take = Take { way, has_cursor: false, wanted: 1 };
            timed(&mut 1, clock, || once(take, &mut bits, BITS)) / f64::from(BITS)
        };
        Ok(Self { bit_nanos: nanos(Way::Modulo), word_nanos: nanos(Way::Words) })
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    #[test]
    fn a_turn_of_the_clock_is_shared_among_all_bits() {
        // A clock that ticks 10 ms each time it is looked at: a run a turn.
        let now = Cell::new(0.0);
        let clock = || {
            now.set(now.get() + 10.0);
            now.get()
        };
        let speed = ScanSpeed::measure(&clock).expect("small");
        let each = 10e6 / f64::from(BITS);
        assert_eq!(speed, ScanSpeed { bit_nanos: each, word_nanos: each });
    }
}
