//! The kernels, once for all vectors.
//!
//! Each goes through the words in blocks of several vectors, so that one branch serves many words,
//! then by vectors, then by words. What a branch asks is gathered in a block by *or*: a bit that
//! is not as it should be in any of them survives.
//!
//! The functions are inlined into the leaves, which alone switch instructions on.

use super::counter::{Counter, VECTORS};
use super::vector::Vector;
use super::{PYRAMID_WORDS, Word};

/// Vectors under one branch of a search.
const STRIDE: usize = 8;

/// What a kernel makes of the words at a place: the same for a vector's words as for one.
///
/// A trait and not a closure, since closures are compiled without the leaf's instructions and need
/// not be inlined.
///
/// # Safety
/// `len` is within every slice of words that the two functions load from.
unsafe trait Words<V: Vector>: Copy {
    /// How many words there are.
    fn len(self) -> usize;

    /// What is made of a vector's words from `at` on.
    ///
    /// # Safety
    /// The machine has the instructions of `V`, and all the words lie before `len`.
    unsafe fn vector(self, at: usize) -> V;

    /// What is made of the word at `at`.
    ///
    /// # Safety
    /// The word lies before `len`.
    unsafe fn word(self, at: usize) -> u64;
}

/// The words themselves.
#[derive(Clone, Copy)]
struct Plain<'a>(&'a [Word]);

// SAFETY: all loads are from the one slice.
unsafe impl<V: Vector> Words<V> for Plain<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    unsafe fn vector(self, at: usize) -> V {
        // SAFETY: as promised by the caller.
        unsafe { V::load(self.0, at) }
    }

    #[inline(always)]
    unsafe fn word(self, at: usize) -> u64 {
        // SAFETY: as promised by the caller.
        unsafe { u64::load(self.0, at) }
    }
}

/// The bits that differ from one word repeated.
#[derive(Clone, Copy)]
struct Unlike<'a> {
    words: &'a [Word],
    uniform: u64,
}

// SAFETY: all loads are from the one slice.
unsafe impl<V: Vector> Words<V> for Unlike<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    unsafe fn vector(self, at: usize) -> V {
        // SAFETY: as promised by the caller.
        unsafe { V::load(self.words, at).xor(V::splat(self.uniform)) }
    }

    #[inline(always)]
    unsafe fn word(self, at: usize) -> u64 {
        // SAFETY: as promised by the caller.
        unsafe { u64::load(self.words, at) ^ self.uniform }
    }
}

/// The bits that differ between two slices, up to the end of the shorter.
#[derive(Clone, Copy)]
struct Differences<'a>(&'a [Word], &'a [Word]);

// SAFETY: the length is that of the shorter slice.
unsafe impl<V: Vector> Words<V> for Differences<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len().min(self.1.len())
    }

    #[inline(always)]
    unsafe fn vector(self, at: usize) -> V {
        // SAFETY: as promised by the caller.
        unsafe { V::load(self.0, at).xor(V::load(self.1, at)) }
    }

    #[inline(always)]
    unsafe fn word(self, at: usize) -> u64 {
        // SAFETY: as promised by the caller.
        unsafe { u64::load(self.0, at) ^ u64::load(self.1, at) }
    }
}

/// The bits that are set where the one before is not, from the second word on.
#[derive(Clone, Copy)]
struct Begins<'a>(&'a [Word]);

// SAFETY: the length is one less than the slice's, and loads reach one word further than `at`.
unsafe impl<V: Vector> Words<V> for Begins<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// The highest bit of each word before comes from a second load, one word lower.
    #[inline(always)]
    unsafe fn vector(self, at: usize) -> V {
        // SAFETY: as promised by the caller.
        unsafe {
            let (words, before) = (V::load(self.0, at + 1), V::load(self.0, at));
            words.and_not(words.up().or(before.highest()))
        }
    }

    #[inline(always)]
    unsafe fn word(self, at: usize) -> u64 {
        // SAFETY: as promised by the caller.
        unsafe {
            let (word, before) = (u64::load(self.0, at + 1), u64::load(self.0, at));
            word.and_not(word.up().or(before.highest()))
        }
    }
}

/// See [`super::Kernels::count`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn count<V: Vector>(words: &[Word]) -> u64 {
    // SAFETY: as promised by the caller.
    unsafe { sum_counts::<V>(Plain(words)) }
}

/// See [`super::Kernels::run_count`]. A run begins at a bit that is set where the one before is not.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn run_count<V: Vector>(words: &[Word], before: bool) -> u64 {
    let Some(first) = words.first() else { return 0 };
    let first = u64::from_le_bytes(*first);
    let begins = first & !(first << 1 | u64::from(before));
    // SAFETY: as promised by the caller.
    u64::from(begins.count_ones()) + unsafe { sum_counts::<V>(Begins(words)) }
}

/// How many bits are set.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
unsafe fn sum_counts<V: Vector>(words: impl Words<V>) -> u64 {
    let end = words.len();
    let mut at = 0;
    // SAFETY: as promised by the caller; the loops' conditions keep every place before `end`.
    unsafe {
        let mut counter = Counter::new();
        while at + VECTORS * V::WORDS <= end {
            let mut vectors = [V::splat(0); VECTORS];
            for (i, vector) in vectors.iter_mut().enumerate() {
                *vector = words.vector(at + i * V::WORDS);
            }
            counter.add(vectors);
            at += VECTORS * V::WORDS;
        }
        let mut total = counter.finish();
        while at + V::WORDS <= end {
            total += words.vector(at).counts().sum();
            at += V::WORDS;
        }
        while at < end {
            total += u64::from(words.word(at).count_ones());
            at += 1;
        }
        total
    }
}

/// See [`super::Kernels::skip`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn skip<V: Vector>(words: &[Word], uniform: u64) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { first_nonzero::<V>(Unlike { words, uniform }) }
}

/// See [`super::Kernels::equal`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn equal<V: Vector>(a: &[Word], b: &[Word]) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { first_nonzero::<V>(Differences(a, b)) }
}

/// The first place that is not 0, or the end.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
unsafe fn first_nonzero<V: Vector>(words: impl Words<V>) -> usize {
    let end = words.len();
    let mut at = 0;
    // SAFETY: as promised by the caller; the loops' conditions keep every place before `end`.
    unsafe {
        while at + STRIDE * V::WORDS <= end {
            let mut any = V::splat(0);
            for i in 0..STRIDE {
                any = any.or(words.vector(at + i * V::WORDS));
            }
            if !any.is_zero() {
                break;
            }
            at += STRIDE * V::WORDS;
        }
        while at + V::WORDS <= end && words.vector(at).is_zero() {
            at += V::WORDS;
        }
        while at < end && words.word(at) == 0 {
            at += 1;
        }
    }
    at
}

/// See [`super::Kernels::compare`]. Equal words have equal counts, so one side is counted.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn compare<V: Vector>(a: &[Word], b: &[Word]) -> (usize, u64) {
    let end = a.len().min(b.len());
    let mut at = 0;
    // SAFETY: as promised by the caller; the loop's condition keeps every load inside both.
    let counted = unsafe {
        let mut counter = Counter::new();
        while at + VECTORS * V::WORDS <= end {
            let mut differ = V::splat(0);
            let mut vectors = [differ; VECTORS];
            for (i, vector) in vectors.iter_mut().enumerate() {
                *vector = V::load(a, at + i * V::WORDS);
                differ = differ.or(vector.xor(V::load(b, at + i * V::WORDS)));
            }
            if !differ.is_zero() {
                break;
            }
            counter.add(vectors);
            at += VECTORS * V::WORDS;
        }
        counter.finish()
    };
    let (a, b) = (a.get(at..end).unwrap_or_default(), b.get(at..end).unwrap_or_default());
    // SAFETY: as promised by the caller.
    unsafe {
        let equal = equal::<V>(a, b);
        (at + equal, counted + count::<V>(a.get(..equal).unwrap_or_default()))
    }
}

/// See [`super::Kernels::pyramid`]. Counting words is the fastest where a count has so few of them.
#[inline(always)]
pub(super) fn pyramid(words: &[Word], counts: &mut [u16]) {
    let (blocks, _) = words.as_chunks::<PYRAMID_WORDS>();
    for (count, block) in counts.iter_mut().zip(blocks) {
        *count = 0;
        for word in block {
            *count += u64::from_le_bytes(*word).count_ones() as u16;
        }
    }
}

/// See [`super::Kernels::claim`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn claim<V: Vector>(words: &mut [Word]) -> usize {
    let end = words.len();
    let mut at = 0;
    // SAFETY: as promised by the caller; the loops' conditions keep every place inside.
    unsafe {
        let ones = V::splat(u64::MAX);
        while at + V::WORDS <= end && V::load(words, at).is_zero() {
            ones.store(words, at);
            at += V::WORDS;
        }
        while at < end && u64::load(words, at) == 0 {
            u64::MAX.store(words, at);
            at += 1;
        }
    }
    at
}
