//! Bits, without filesystems.
//!
//! *Belongs here:* sets of bits in three forms, the verbs that all of them share, the kernels
//! that make the verbs fast, and what one sweep over bits can tell. *Does not:* what a bit stands
//! for. *May use:* layer 0. *Ref:* `struct ext2_bitmap_ops` (lib/ext2fs/bmap64.h).
//!
//! | form | memory | for |
//! |---|---|---|
//! | [`BitmapRef`] | none: borrows the bytes as they lie on the disk | looking at a bitmap block |
//! | [`Bitmap`] | one bit a bit | building a map of a group or of a filesystem up to 2³² bits |
//! | [`RunBitmap`] | per run | any length; a map of few runs |
//!
//! A bit past the end is neither set nor clear: [`Bits::test`] is false there, nothing finds it,
//! marking it does nothing, and ranges are cut at the end. No verb panics.

mod census;
mod claim;
mod compare;
mod dense;
#[allow(unsafe_code, reason = "instructions of one machine, loads without bounds checks")]
pub mod kernel;
mod pyramid;
mod run_bitmap;
mod runs;
mod scan;
mod span;
#[cfg(test)]
mod testing;
mod view;

use core::ops::Range;

pub use census::{Census, LengthHistogram, RunFigures};
pub use compare::{Comparison, Differences, compare, first_difference};
pub use dense::Bitmap;
pub use run_bitmap::RunBitmap;
pub use runs::Runs;
pub use scan::RunScan;
pub use view::BitmapRef;

/// Sixty-four bits as they lie on the disk: bit `n` is bit `n % 8` of byte `n / 8`.
pub type Word = [u8; 8];

/// Bits in a [`Word`].
pub const WORD_BITS: u32 = u64::BITS;

/// A set of bits that can be looked at.
pub trait Bits {
    /// Length in bits.
    fn len(&self) -> u64;

    /// Whether the bit is set.
    fn test(&self, bit: u64) -> bool;

    /// The first set bit at or after `from`. Ref: `find_next_bit`.
    fn next_set(&self, from: u64) -> Option<u64>;

    /// The first clear bit at or after `from`. Ref: `find_next_zero_bit`.
    fn next_clear(&self, from: u64) -> Option<u64>;

    /// How many bits of the range are set.
    fn count_range(&self, range: Range<u64>) -> u64;

    /// The bits as words, for a form that holds words: a quicker way to whatever goes by words.
    fn as_words(&self) -> Option<BitmapRef<'_>> {
        None
    }

    /// Whether there are no bits at all, set or clear.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bits are set. Ref: `ext2fs_bitcount`.
    fn count(&self) -> u64 {
        self.count_range(0..self.len())
    }

    /// The longest ranges of set bits, in order. Ref: `for_each_set_bitrange`.
    fn set_runs(&self) -> Runs<&Self>
    where
        Self: Sized,
    {
        Runs::new(self, true, 0..self.len())
    }

    /// The longest ranges of clear bits, in order. Ref: `for_each_clear_bitrange`.
    fn clear_runs(&self) -> Runs<&Self>
    where
        Self: Sized,
    {
        Runs::new(self, false, 0..self.len())
    }

    /// The range's part inside.
    fn clip(&self, range: Range<u64>) -> Range<u64> {
        let end = range.end.min(self.len());
        range.start.min(end)..end
    }
}

/// A set of bits that can be changed.
pub trait BitsMut: Bits {
    /// Sets a bit; says whether it was set before. Ref: `ext2fs_mark_generic_bmap`.
    fn mark(&mut self, bit: u64) -> bool {
        self.mark_range(bit..bit.saturating_add(1))
    }

    /// Clears a bit; says whether it was set before. Ref: `ext2fs_unmark_generic_bmap`.
    fn unmark(&mut self, bit: u64) -> bool {
        self.unmark_range(bit..bit.saturating_add(1))
    }

    /// Sets the bits of a range; says whether any was set before.
    fn mark_range(&mut self, range: Range<u64>) -> bool;

    /// Clears the bits of a range; says whether any was set before.
    fn unmark_range(&mut self, range: Range<u64>) -> bool;
}

impl<B: Bits + ?Sized> Bits for &B {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn test(&self, bit: u64) -> bool {
        (**self).test(bit)
    }

    fn next_set(&self, from: u64) -> Option<u64> {
        (**self).next_set(from)
    }

    fn next_clear(&self, from: u64) -> Option<u64> {
        (**self).next_clear(from)
    }

    fn count_range(&self, range: Range<u64>) -> u64 {
        (**self).count_range(range)
    }

    fn as_words(&self) -> Option<BitmapRef<'_>> {
        (**self).as_words()
    }
}
