//! Where two sets of bits differ.

use core::ops::Range;

use super::{Bits, Runs};

/// Where two bitmaps differ, as a set of bits of its own: bit `n` is set where they differ at `n`.
///
/// As long as the shorter of the two; its [`Bits::set_runs`] are the difference runs. It costs what
/// the runs of the two cost and holds nothing.
#[derive(Clone, Copy, Debug)]
pub struct Differences<A, B>(pub A, pub B);

impl<A: Bits, B: Bits> Differences<A, B> {
    /// The first bit at or after `from` where the two differ, or agree if `!differ`.
    fn next(&self, from: u64, differ: bool) -> Option<u64> {
        let end = self.len();
        let mut at = from;
        while at < end {
            let (a, b) = (self.0.test(at), self.1.test(at));
            if (a != b) == differ {
                return Some(at);
            }
            // Until the first of the two changes, both stay as they are.
            at = change(&self.0, !a, at, end).min(change(&self.1, !b, at, end));
        }
        None
    }
}

/// The next bit that is `set`, or `end`.
fn change(bits: &impl Bits, set: bool, from: u64, end: u64) -> u64 {
    if set { bits.next_set(from) } else { bits.next_clear(from) }.unwrap_or(end)
}

impl<A: Bits, B: Bits> Bits for Differences<A, B> {
    fn len(&self) -> u64 {
        self.0.len().min(self.1.len())
    }

    fn test(&self, bit: u64) -> bool {
        bit < self.len() && self.0.test(bit) != self.1.test(bit)
    }

    fn next_set(&self, from: u64) -> Option<u64> {
        self.next(from, true)
    }

    fn next_clear(&self, from: u64) -> Option<u64> {
        self.next(from, false)
    }

    fn count_range(&self, range: Range<u64>) -> u64 {
        Runs::new(self, true, range).map(|run| run.end - run.start).sum()
    }
}

/// The first bit where two bitmaps differ, up to the end of the shorter.
pub fn first_difference(a: &impl Bits, b: &impl Bits) -> Option<u64> {
    Differences(a, b).next_set(0)
}
