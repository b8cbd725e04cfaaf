//! Bits owned, one bit each.

use core::ops::Range;

use super::span::Span;
use super::{Bits, BitsMut, Runs, Word, view::BitmapRef};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// A bitmap of its own, in the order of the disk, so that a view of it costs nothing.
///
/// Ref: `blkmap64_ba.c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    /// All words; bits past `len` are 0.
    pub(super) words: Vec<Word>,
    len: u64,
}

impl Bitmap {
    /// `len` clear bits.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] past [`limits::BITMAP_BYTES`]; a [`super::RunBitmap`] has no such limit.
    pub fn new(len: u64) -> Result<Self> {
        let words = usize::try_from(len.div_ceil(64))
            .ok()
            .filter(|_| len.div_ceil(8) <= limits::BITMAP_BYTES)
            .ok_or_else(|| {
                Error::new(ErrorKind::Limit, format!("a bitmap of {len} bits is too large to hold"))
            })?;
        Ok(Self { words: vec![Word::default(); words], len })
    }

    /// A range of other bits, of whatever form, as a bitmap of its own: bit 0 is the range's first.
    /// Bits past the other's end are clear.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// Ref: `ext2fs_get_block_bitmap_range2`.
    pub fn of_range(bits: &impl Bits, range: Range<u64>) -> Result<Self> {
        let mut of_range = Self::new(range.end.saturating_sub(range.start))?;
        for run in Runs::new(bits, true, range.clone()) {
            of_range.mark_range(run.start - range.start..run.end - range.start);
        }
        Ok(of_range)
    }

    /// The bits as borrowed ones.
    #[must_use]
    pub fn view(&self) -> BitmapRef<'_> {
        let bytes = self.words.as_flattened();
        BitmapRef::new(bytes, self.len).unwrap_or_else(|| unreachable!("words cover the length"))
    }

    /// The bytes as they would lie on the disk, whole words; padding is 0.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.words.as_flattened()
    }

    /// Lets `change` turn each word of the range, given its bits there; says whether any was set.
    fn change(&mut self, range: Range<u64>, change: impl Fn(u64, u64) -> u64) -> bool {
        let Some(span) = Span::new(&self.clip(range)) else { return false };
        let change_word = |word: &mut Word, mask: u64| {
            let old = u64::from_le_bytes(*word);
            *word = change(old, mask).to_le_bytes();
            old & mask
        };
        if span.first == span.last {
            return self
                .words
                .get_mut(span.first)
                .is_some_and(|word| change_word(word, span.head & span.tail) != 0);
        }
        let mut seen = 0;
        if let Some(word) = self.words.get_mut(span.first) {
            seen |= change_word(word, span.head);
        }
        for word in self.words.get_mut(span.body()).unwrap_or_default() {
            seen |= change_word(word, u64::MAX);
        }
        if let Some(word) = self.words.get_mut(span.last) {
            seen |= change_word(word, span.tail);
        }
        seen != 0
    }
}

impl From<BitmapRef<'_>> for Bitmap {
    fn from(bits: BitmapRef<'_>) -> Self {
        let mut words = bits.words().to_vec();
        if !bits.len().is_multiple_of(64) {
            words.push(bits.tail().to_le_bytes());
        }
        Self { words, len: bits.len() }
    }
}

impl Bits for Bitmap {
    fn len(&self) -> u64 {
        self.len
    }

    fn test(&self, bit: u64) -> bool {
        self.view().test(bit)
    }

    fn next_set(&self, from: u64) -> Option<u64> {
        self.view().next_set(from)
    }

    fn next_clear(&self, from: u64) -> Option<u64> {
        self.view().next_clear(from)
    }

    fn count_range(&self, range: Range<u64>) -> u64 {
        self.view().count_range(range)
    }

    fn as_words(&self) -> Option<BitmapRef<'_>> {
        Some(self.view())
    }
}

impl BitsMut for Bitmap {
    fn mark_range(&mut self, range: Range<u64>) -> bool {
        self.change(range, |old, mask| old | mask)
    }

    fn unmark_range(&mut self, range: Range<u64>) -> bool {
        self.change(range, |old, mask| old & !mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::RunBitmap;

    #[test]
    fn marking_says_what_was_there() {
        let mut bits = Bitmap::new(300).expect("small");
        assert!(!bits.mark(5));
        assert!(bits.mark(5));
        assert!(bits.mark_range(0..300));
        assert!(bits.unmark(299));
        assert!(!bits.unmark_range(299..u64::MAX));
        assert_eq!(bits.count(), 299);
    }

    #[test]
    fn past_the_end_nothing_is_marked() {
        let mut bits = Bitmap::new(70).expect("small");
        assert!(!bits.mark(70));
        bits.mark_range(69..u64::MAX);
        assert_eq!(bits.as_bytes(), [0, 0, 0, 0, 0, 0, 0, 0, 0b0010_0000, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_range_of_any_form_is_a_bitmap_of_its_own() {
        let mut runs = RunBitmap::new(1 << 40);
        runs.mark(1 << 39);
        runs.mark_range((1 << 39) + 5..(1 << 39) + 70);
        let range = Bitmap::of_range(&runs, 1 << 39..(1 << 39) + 64).expect("small");
        assert_eq!(range.set_runs().collect::<Vec<_>>(), [0..1, 5..64]);
        let past = Bitmap::of_range(&range, 60..100).expect("small");
        assert_eq!((past.len(), past.count()), (40, 4));
    }

    #[test]
    fn a_bitmap_too_large_is_an_error() {
        assert_eq!(Bitmap::new(u64::MAX).map_err(|e| e.kind()), Err(ErrorKind::Limit));
    }

    #[test]
    fn a_copy_of_a_view_drops_its_padding() {
        let view = BitmapRef::new(&[0xff; 16], 67).expect("enough bytes");
        assert_eq!(Bitmap::from(view).as_bytes()[8..], [7, 0, 0, 0, 0, 0, 0, 0]);
    }
}
