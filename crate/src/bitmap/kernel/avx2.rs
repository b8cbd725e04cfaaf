//! The leaf for x86-64 with AVX2: vectors of four words.

use core::arch::x86_64::*;

use super::leaf::{leaf, proven};
use super::{Word, vector::Vector};

/// Whether this machine runs the kernels.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

leaf!(
    "AVX2",
    search: Avx2, ["avx2", "bmi1", "bmi2", "popcnt"],
    count: Avx2, ["avx2", "bmi1", "bmi2", "popcnt"],
    edges: edges,
);

/// Four words.
#[derive(Clone, Copy)]
struct Avx2(__m256i);

impl Vector for Avx2 {
    const WORDS: usize = 4;
    const CARRY_SAVE: bool = true;

    #[inline(always)]
    unsafe fn load(words: &[Word], at: usize) -> Self {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises AVX2 and that the words are inside; alignment is not asked.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().add(at).cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller promises AVX2.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [Word], at: usize) {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises that the words are inside; alignment is not asked.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().add(at).cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(proven!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(proven!(_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(proven!(_mm256_xor_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn up_16(self) -> Self {
        Self(proven!(_mm256_slli_epi64::<16>(self.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        proven!(_mm256_testz_si256(self.0, self.0)) == 1
    }

    #[inline(always)]
    fn unlike(self, other: Self) -> u32 {
        let equal =
            proven!(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(self.0, other.0))));
        !equal.cast_unsigned() & 0b1111
    }

    /// Looks each half byte up in a table of sixteen counts, then adds bytes to words.
    #[inline(always)]
    fn counts(self) -> Self {
        Self(proven!({
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let half = _mm256_set1_epi8(15);
            let low = _mm256_and_si256(self.0, half);
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half);
            let bytes =
                _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
            _mm256_sad_epu8(bytes, _mm256_setzero_si256())
        }))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(proven!(_mm256_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        proven!({
            let pair = _mm_add_epi64(
                _mm256_castsi256_si128(self.0),
                _mm256_extracti128_si256::<1>(self.0),
            );
            let high = _mm_unpackhi_epi64(pair, pair);
            _mm_cvtsi128_si64(_mm_add_epi64(pair, high)).cast_unsigned()
        })
    }
}
