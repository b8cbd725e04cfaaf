//! Bits borrowed as they lie on the disk.

use core::ops::Range;

use super::span::{Span, below_mask, from_mask};
use super::{Bits, WORD_BITS, Word, kernel::kernels};

/// A bitmap over borrowed bytes, without copying: bit `n` is bit `n % 8` of byte `n / 8`.
///
/// Padding after the last bit is never looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitmapRef<'a> {
    /// The words that are whole.
    words: &'a [Word],
    /// What is left, `len % 64` bits; 0 above them.
    tail: u64,
    len: u64,
}

impl<'a> BitmapRef<'a> {
    /// The first `len` bits of `bytes`; `None` when there are fewer.
    #[must_use]
    pub fn new(bytes: &'a [u8], len: u64) -> Option<Self> {
        let byte_count = usize::try_from(len.div_ceil(8)).ok()?;
        let (words, rest) = bytes.get(..byte_count)?.as_chunks();
        // A last word with padding is whole in bytes but not in bits.
        let (words, rest) = match words.split_last() {
            Some((last, words)) if rest.is_empty() && below_mask(len) != 0 => (words, &last[..]),
            _ => (words, rest),
        };
        let mut tail = Word::default();
        for (to, from) in tail.iter_mut().zip(rest) {
            *to = *from;
        }
        Some(Self { words, tail: u64::from_le_bytes(tail) & below_mask(len), len })
    }

    /// The words that are whole, for kernels; [`Self::tail`] follows them.
    #[must_use]
    pub fn words(&self) -> &'a [Word] {
        self.words
    }

    /// The `len % 64` bits after the whole words; 0 above them.
    #[must_use]
    pub fn tail(&self) -> u64 {
        self.tail
    }

    /// Whether every bit is `set`; true without bits.
    #[must_use]
    pub fn is_uniform(&self, set: bool) -> bool {
        let other = if set { self.next_clear(0) } else { self.next_set(0) };
        other.is_none()
    }

    /// The `index`th word; past the last bit everything is 0.
    pub(super) fn word(&self, index: usize) -> u64 {
        match self.words.get(index) {
            Some(word) => u64::from_le_bytes(*word),
            None if index == self.words.len() => self.tail,
            None => 0,
        }
    }

    /// The whole words from `index` on.
    pub(super) fn words_from(&self, index: usize) -> &'a [Word] {
        self.words.get(index..).unwrap_or_default()
    }

    /// The first bit at or after `from` that is not as in `flip`, which is 0 or all ones.
    fn next(&self, from: u64, flip: u64) -> Option<u64> {
        let first = usize::try_from(from / u64::from(WORD_BITS)).ok()?;
        if from >= self.len {
            return None;
        }
        let mut index = first;
        let mut found = (self.word(index) ^ flip) & from_mask(from);
        if found == 0 {
            index += 1;
            index += (kernels().skip)(self.words_from(index), flip);
            found = self.word(index) ^ flip;
        }
        let bit = bit_at(index) + u64::from(found.trailing_zeros());
        (bit < self.len).then_some(bit)
    }
}

impl Bits for BitmapRef<'_> {
    fn len(&self) -> u64 {
        self.len
    }

    fn test(&self, bit: u64) -> bool {
        usize::try_from(bit / u64::from(WORD_BITS))
            .is_ok_and(|index| self.word(index) >> (bit % u64::from(WORD_BITS)) & 1 == 1)
    }

    fn next_set(&self, from: u64) -> Option<u64> {
        self.next(from, 0)
    }

    fn next_clear(&self, from: u64) -> Option<u64> {
        self.next(from, u64::MAX)
    }

    fn count_range(&self, range: Range<u64>) -> u64 {
        let Some(span) = Span::new(&self.clip(range)) else { return 0 };
        if span.first == span.last {
            return u64::from((self.word(span.first) & span.head & span.tail).count_ones());
        }
        let ends = (self.word(span.first) & span.head).count_ones()
            + (self.word(span.last) & span.tail).count_ones();
        let body = self.words.get(span.body()).unwrap_or_default();
        (kernels().count)(body) + u64::from(ends)
    }

    fn as_words(&self) -> Option<BitmapRef<'_>> {
        Some(*self)
    }
}

/// Bit 0 of a word.
#[inline]
pub(super) fn bit_at(index: usize) -> u64 {
    index as u64 * u64::from(WORD_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_counted() {
        for len in 0..=72 {
            let bits = BitmapRef::new(&[0xff; 9], len).expect("enough bytes");
            assert_eq!(bits.count(), len);
            assert_eq!(bits.next_clear(0), None);
            assert!(bits.is_uniform(true));
            assert_eq!(bits.is_uniform(false), len == 0);
        }
    }

    #[test]
    fn too_few_bytes_are_refused() {
        assert!(BitmapRef::new(&[0; 8], 65).is_none());
        assert!(BitmapRef::new(&[0; 8], u64::MAX).is_none());
        assert!(BitmapRef::new(&[], 0).is_some());
    }

    #[test]
    fn bit_order_is_the_disks() {
        let bits = BitmapRef::new(&[0b0000_0010, 0b1000_0000], 16).expect("enough bytes");
        assert_eq!(bits.set_runs().collect::<Vec<_>>(), [1..2, 15..16]);
    }

    #[test]
    fn nothing_lies_past_the_end() {
        let bits = BitmapRef::new(&[0xff; 8], 64).expect("enough bytes");
        assert!(bits.test(63));
        for far in [64, 65, 1 << 40, u64::MAX] {
            assert!(!bits.test(far));
            assert_eq!((bits.next_set(far), bits.next_clear(far)), (None, None));
            assert_eq!(bits.count_range(far..u64::MAX), 0);
        }
        assert_eq!(bits.count_range(60..u64::MAX), 4);
    }
}
