//! Where two sets of bits differ.

use core::ops::Range;

use super::kernel::kernels;
use super::span::from_mask;
use super::view::bit_at;
use super::{BitmapRef, Bits, Runs, WORD_BITS};

/// Where two bitmaps differ, as a set of bits of its own: bit `n` is set where they differ at `n`.
///
/// As long as the shorter of the two; its [`Bits::set_runs`] are the difference runs. It holds
/// nothing. Where both are words, finding the next difference costs reading them; else it costs
/// what the runs of the two cost.
#[derive(Clone, Copy, Debug)]
pub struct Differences<A, B>(pub A, pub B);

impl<A: Bits, B: Bits> Differences<A, B> {
    /// The first bit at or after `from` where the two differ, or agree if `!differ`.
    fn next(&self, from: u64, differ: bool) -> Option<u64> {
        let end = self.len();
        if from >= end {
            return None;
        }
        if let (Some(a), Some(b)) = (self.0.as_words(), self.1.as_words()) {
            return next_by_words(a, b, from, differ).filter(|bit| *bit < end);
        }
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

/// The same by words; may find a bit past the end.
fn next_by_words(a: BitmapRef<'_>, b: BitmapRef<'_>, from: u64, differ: bool) -> Option<u64> {
    let flip = if differ { 0 } else { u64::MAX };
    let found = |index| a.word(index) ^ b.word(index) ^ flip;
    let mut index = usize::try_from(from / u64::from(WORD_BITS)).ok()?;
    let mut word = found(index) & from_mask(from);
    let whole = a.words().len().min(b.words().len());
    while word == 0 {
        index += 1;
        if index > whole {
            return None;
        }
        if differ {
            index += (kernels().equal)(a.words_from(index), b.words_from(index));
        }
        word = found(index);
    }
    Some(bit_at(index) + u64::from(word.trailing_zeros()))
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

/// How two bitmaps compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are equal, with so many bits set.
    Equal(u64),
    /// They differ, at this bit first; [`Differences`] tells where else.
    Differ(u64),
}

/// Compares two bitmaps up to the end of the shorter and counts while that goes well: what has to
/// be done for every group of a sound filesystem, in one pass.
///
/// Ref: `check_block_bitmaps` (e2fsck/pass5.c), which does it in two.
#[must_use]
pub fn compare(a: BitmapRef<'_>, b: BitmapRef<'_>) -> Comparison {
    let (equal, count) = (kernels().compare)(a.words(), b.words());
    let end = a.len().min(b.len());
    match next_by_words(a, b, bit_at(equal), true).filter(|bit| *bit < end) {
        Some(bit) => Comparison::Differ(bit),
        None => Comparison::Equal(count + a.count_range(bit_at(equal)..end)),
    }
}
