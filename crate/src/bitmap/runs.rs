//! Runs: the longest ranges of equal bits.

use core::iter::FusedIterator;
use core::ops::Range;

use super::Bits;

/// Iterator over the runs of set or of clear bits in a range, as ranges of bits in order.
///
/// A run that crosses the range's border is cut there.
#[derive(Clone, Debug)]
pub struct Runs<B> {
    bits: B,
    set: bool,
    rest: Range<u64>,
}

impl<B: Bits> Runs<B> {
    /// The runs of set bits, or of clear ones, in a range.
    pub fn new(bits: B, set: bool, range: Range<u64>) -> Self {
        let rest = bits.clip(range);
        Self { bits, set, rest }
    }
}

impl<B: Bits> Iterator for Runs<B> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        if self.rest.is_empty() {
            return None;
        }
        let next = |set, from| {
            let bit = if set { self.bits.next_set(from) } else { self.bits.next_clear(from) };
            bit.map_or(self.rest.end, |bit| bit.min(self.rest.end))
        };
        let start = next(self.set, self.rest.start);
        let end = if start < self.rest.end { next(!self.set, start) } else { start };
        self.rest.start = end;
        (start < end).then_some(start..end)
    }
}

impl<B: Bits> FusedIterator for Runs<B> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::BitmapRef;

    #[test]
    fn runs_are_cut_at_the_range() {
        let bits = BitmapRef::new(&[0b1111_1100, 0b1000_0011], 16).expect("enough bytes");
        let runs = |set, range| Runs::new(bits, set, range).collect::<Vec<_>>();
        assert_eq!(runs(true, 0..16), [2..10, 15..16]);
        assert_eq!(runs(true, 4..20), [4..10, 15..16]);
        assert_eq!(runs(false, 1..u64::MAX), [1..2, 10..15]);
        assert_eq!(runs(false, 2..10), []);
        assert_eq!(runs(true, 16..20), []);
    }
}
