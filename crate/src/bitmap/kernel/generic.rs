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

/// See [`super::Kernels::count`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn count<V: Vector>(words: &[Word]) -> u64 {
    // SAFETY: `sum_counts` asks only for places that are inside.
    unsafe { sum_counts(0, words.len(), |at| V::load(words, at), |at| u64::load(words, at)) }
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
    // The highest bit of the word before comes from a second load, one word below the first.
    // SAFETY: `sum_counts` asks only for places that are inside, from 1 on.
    let rest = unsafe {
        sum_counts(
            1,
            words.len(),
            |at| {
                V::load(words, at)
                    .and_not(V::load(words, at).up().or(V::load(words, at - 1).highest()))
            },
            |at| {
                u64::load(words, at)
                    .and_not(u64::load(words, at).up().or(u64::load(words, at - 1).highest()))
            },
        )
    };
    u64::from(begins.count_ones()) + rest
}

/// Set bits of what `vector` and `word` make of the words from `at` to `end`; they are asked for
/// places from which a whole vector, or a word, is inside.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
unsafe fn sum_counts<V: Vector>(
    mut at: usize,
    end: usize,
    vector: impl Fn(usize) -> V,
    word: impl Fn(usize) -> u64,
) -> u64 {
    // SAFETY: as promised by the caller.
    let mut counter = unsafe { Counter::new() };
    while at + VECTORS * V::WORDS <= end {
        counter.add(core::array::from_fn(|i| vector(at + i * V::WORDS)));
        at += VECTORS * V::WORDS;
    }
    let mut total = counter.finish();
    while at + V::WORDS <= end {
        total += vector(at).counts().sum();
        at += V::WORDS;
    }
    while at < end {
        total += u64::from(word(at).count_ones());
        at += 1;
    }
    total
}

/// See [`super::Kernels::skip`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn skip<V: Vector>(words: &[Word], uniform: u64) -> usize {
    // SAFETY: `first_nonzero` asks only for places that are inside.
    unsafe {
        let uniforms = V::splat(uniform);
        first_nonzero(
            0,
            words.len(),
            |at| V::load(words, at).xor(uniforms),
            |at| u64::load(words, at) ^ uniform,
        )
    }
}

/// See [`super::Kernels::equal`].
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn equal<V: Vector>(a: &[Word], b: &[Word]) -> usize {
    // SAFETY: `first_nonzero` asks only for places that are inside both.
    unsafe {
        first_nonzero(
            0,
            a.len().min(b.len()),
            |at| V::load(a, at).xor(V::load(b, at)),
            |at| u64::load(a, at) ^ u64::load(b, at),
        )
    }
}

/// The first place from `at` to `end` where `word` is not 0, or `end`; `vector` says the same of
/// several. They are asked for places from which a whole vector, or a word, is inside.
#[inline(always)]
fn first_nonzero<V: Vector>(
    mut at: usize,
    end: usize,
    vector: impl Fn(usize) -> V,
    word: impl Fn(usize) -> u64,
) -> usize {
    while at + STRIDE * V::WORDS <= end {
        let [a, b, c, d, e, f, g, h]: [V; STRIDE] =
            core::array::from_fn(|i| vector(at + i * V::WORDS));
        let any = a.or(b).or(c.or(d)).or(e.or(f).or(g.or(h)));
        if !any.is_zero() {
            break;
        }
        at += STRIDE * V::WORDS;
    }
    while at + V::WORDS <= end && vector(at).is_zero() {
        at += V::WORDS;
    }
    while at < end && word(at) == 0 {
        at += 1;
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
            let vectors = core::array::from_fn(|i| {
                let vector = V::load(a, at + i * V::WORDS);
                differ = differ.or(vector.xor(V::load(b, at + i * V::WORDS)));
                vector
            });
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
        *count = block.iter().map(|word| u64::from_le_bytes(*word).count_ones() as u16).sum();
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
