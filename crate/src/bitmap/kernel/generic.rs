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

/// See [`super::Kernels::count`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn count<V: Vector>(words: &[Word]) -> u64 {
    let end = words.len();
    let mut at = 0;
    // SAFETY: as promised by the caller; the loops' conditions keep every place before `end`.
    unsafe {
        let mut counter = Counter::new();
        while at + VECTORS * V::WORDS <= end {
            let mut vectors = [V::splat(0); VECTORS];
            for (i, vector) in vectors.iter_mut().enumerate() {
                *vector = V::load(words, at + i * V::WORDS);
            }
            counter.add(vectors);
            at += VECTORS * V::WORDS;
        }
        let mut total = counter.finish();
        while at + V::WORDS <= end {
            total += V::load(words, at).counts().sum();
            at += V::WORDS;
        }
        while at < end {
            total += u64::load(words, at).counts();
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

/// Counts of the pyramid that are made at once, 16 bits each in one word.
const COUNTS: usize = 4;

/// See [`super::Kernels::pyramid`].
///
/// A vector's words hold the counts of their own bits, and one count is the sum of eight of them.
/// Sums are slow, so four counts are kept beside each other in every word and summed together:
/// none is more than 512.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn pyramid<V: Vector>(words: &[Word], counts: &mut [u16]) {
    let (fours, _) = words.as_chunks::<{ COUNTS * PYRAMID_WORDS }>();
    let (counts_of_fours, _) = counts.as_chunks_mut::<COUNTS>();
    for (counts, words) in counts_of_fours.iter_mut().zip(fours) {
        // SAFETY: as promised by the caller; a four has as many words, and vectors divide eight.
        let sums = unsafe {
            let mut sums = V::splat(0);
            for at in (0..COUNTS).rev() {
                sums = sums.up_16();
                for i in (0..PYRAMID_WORDS).step_by(V::WORDS) {
                    sums = sums.add(V::load(words, at * PYRAMID_WORDS + i).counts());
                }
            }
            sums.sum()
        };
        for (at, count) in counts.iter_mut().enumerate() {
            *count = (sums >> (16 * at)) as u16;
        }
    }
    let done = fours.len().min(counts_of_fours.len()) * COUNTS;
    let (blocks, _) = words.as_chunks::<PYRAMID_WORDS>();
    for (count, block) in counts.iter_mut().zip(blocks).skip(done) {
        // SAFETY: as promised by the caller.
        *count = unsafe { self::count::<V>(block) } as u16;
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
