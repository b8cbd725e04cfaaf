//! Claiming ranges, and noticing what is claimed twice.

use core::ops::Range;

use super::kernel::kernels;
use super::span::Span;
use super::view::bit_at;
use super::{Bitmap, Bits};

impl Bitmap {
    /// Sets the bits of a range and shows, in order, the longest ranges of those that were set
    /// before: with bits for blocks and a range for each extent, the blocks of two owners.
    ///
    /// One pass, as fast as only setting them where nothing is claimed twice.
    pub fn claim(&mut self, range: Range<u64>, see_twice: impl FnMut(Range<u64>)) {
        let Some(span) = Span::new(&self.clip(range)) else { return };
        let mut twice = Twice { pending: 0..0, see: see_twice };
        if span.first == span.last {
            self.claim_word(span.first, span.head & span.tail, &mut twice);
        } else {
            self.claim_word(span.first, span.head, &mut twice);
            let mut at = span.body().start;
            while let Some(words) = self.words.get_mut(at..span.last).filter(|w| !w.is_empty()) {
                at += (kernels().claim)(words);
                if at < span.last {
                    self.claim_word(at, u64::MAX, &mut twice);
                    at += 1;
                }
            }
            self.claim_word(span.last, span.tail, &mut twice);
        }
        twice.finish();
    }

    /// Claims the bits of a mask in one word.
    #[inline]
    fn claim_word(&mut self, index: usize, mask: u64, twice: &mut Twice<impl FnMut(Range<u64>)>) {
        let Some(word) = self.words.get_mut(index) else { return };
        let old = u64::from_le_bytes(*word);
        *word = (old | mask).to_le_bytes();
        let mut both = old & mask;
        while both != 0 {
            let start = both.trailing_zeros();
            let len = (both >> start).trailing_ones();
            twice.push(bit_at(index) + u64::from(start), len);
            both &= u64::MAX.checked_shl(start + len).unwrap_or(0);
        }
    }
}

/// Joins ranges that touch.
struct Twice<F> {
    pending: Range<u64>,
    see: F,
}

impl<F: FnMut(Range<u64>)> Twice<F> {
    fn push(&mut self, start: u64, len: u32) {
        let end = start + u64::from(len);
        if self.pending.end == start && !self.pending.is_empty() {
            self.pending.end = end;
        } else {
            let done = core::mem::replace(&mut self.pending, start..end);
            self.show(done);
        }
    }

    fn finish(mut self) {
        let done = self.pending.clone();
        self.show(done);
    }

    fn show(&mut self, done: Range<u64>) {
        if !done.is_empty() {
            (self.see)(done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_claimed_twice_is_shown_as_whole_ranges() {
        let mut bits = Bitmap::new(1000).expect("small");
        let mut claim = |range| {
            let mut twice = Vec::new();
            bits.claim(range, |range| twice.push(range));
            twice
        };
        assert_eq!(claim(10..900), []);
        assert_eq!(claim(0..5), []);
        assert_eq!(claim(3..2000), [3..5, 10..900]);
        assert_eq!(claim(64..64), []);
    }
}
