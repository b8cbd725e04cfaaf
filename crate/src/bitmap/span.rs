//! A range of bits cut at the borders of words.

use core::ops::Range;

use super::WORD_BITS;

/// The words a range of bits touches: whole ones between two that count in part.
///
/// Where both ends lie in one word, `first == last` and the range is `head & tail` of it. The last
/// word may be one past the range and then has an empty `tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Word of the first bit.
    pub(super) first: usize,
    /// Word of the end.
    pub(super) last: usize,
    /// Bits of the first word that lie at or after the start.
    pub(super) head: u64,
    /// Bits of the last word that lie before the end.
    pub(super) tail: u64,
}

impl Span {
    /// Cuts a range; `None` when it is empty or its words cannot be in memory.
    #[inline]
    pub(super) fn new(range: &Range<u64>) -> Option<Self> {
        (range.start < range.end).then_some(())?;
        Some(Self {
            first: usize::try_from(range.start / u64::from(WORD_BITS)).ok()?,
            last: usize::try_from(range.end / u64::from(WORD_BITS)).ok()?,
            head: from_mask(range.start),
            tail: below_mask(range.end),
        })
    }

    /// The whole words between the first and the last.
    #[inline]
    pub(super) fn body(&self) -> Range<usize> {
        self.first + 1..self.last
    }
}

/// The bits of a word that lie at or after bit `n` of the bitmap.
#[inline]
pub(super) fn from_mask(n: u64) -> u64 {
    u64::MAX << (n % u64::from(WORD_BITS))
}

/// The bits of a word that lie before bit `n` of the bitmap.
#[inline]
pub(super) fn below_mask(n: u64) -> u64 {
    !from_mask(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_in_one_word_is_head_and_tail() {
        let span = Span::new(&(65..70)).expect("not empty");
        assert_eq!((span.first, span.last), (1, 1));
        assert_eq!(span.head & span.tail, 0b11_1110);
    }

    #[test]
    fn an_end_on_a_border_leaves_an_empty_tail() {
        let span = Span::new(&(0..128)).expect("not empty");
        assert_eq!((span.first, span.last, span.tail), (0, 2, 0));
        assert_eq!(span.body(), 1..2);
    }

    #[test]
    fn nothing_is_no_span() {
        assert_eq!(Span::new(&(7..7)), None);
        #[expect(clippy::reversed_empty_ranges)]
        let reversed = 8..7;
        assert_eq!(Span::new(&reversed), None);
    }
}
