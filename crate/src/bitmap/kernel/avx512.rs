//! The leaf for x86-64 with AVX-512 and its bit counts: vectors of eight words.

use core::arch::x86_64::*;

use super::gather::{Gather, LANES};
use super::leaf::{leaf, proven};
use super::{Word, vector::Vector};

/// Whether this machine runs the kernels.
pub(super) fn is_available() -> bool {
    super::avx2::is_available()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

leaf!(
    "AVX-512",
    search: Avx512, ["avx2", "bmi1", "bmi2", "popcnt", "avx512f", "avx512vpopcntdq"],
    count: Avx512, ["avx2", "bmi1", "bmi2", "popcnt", "avx512f", "avx512vpopcntdq"],
    edges: gather,
);

/// Eight words.
#[derive(Clone, Copy)]
struct Avx512(__m512i);

impl Vector for Avx512 {
    const WORDS: usize = 8;
    const CARRY_SAVE: bool = false;

    #[inline(always)]
    unsafe fn load(words: &[Word], at: usize) -> Self {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises AVX-512 and that the words are inside; alignment is not asked.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().add(at).cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller promises AVX-512.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [Word], at: usize) {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises that the words are inside; alignment is not asked.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().add(at).cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(proven!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(proven!(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(proven!(_mm512_xor_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn up_16(self) -> Self {
        Self(proven!(_mm512_slli_epi64::<16>(self.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        proven!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn unlike(self, other: Self) -> u32 {
        u32::from(proven!(_mm512_cmpneq_epi64_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn counts(self) -> Self {
        Self(proven!(_mm512_popcnt_epi64(self.0)))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(proven!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        proven!(_mm512_reduce_add_epi64(self.0)).cast_unsigned()
    }
}

impl Gather for Avx512 {
    #[inline(always)]
    fn edges(self, before: Self) -> Self {
        let lower = proven!(_mm512_srli_epi64::<63>(_mm512_alignr_epi64::<7>(self.0, before.0)));
        self.xor(Self(proven!(_mm512_slli_epi64::<1>(self.0))).or(Self(lower)))
    }

    #[inline(always)]
    fn gather(self, bases: Self, words: &mut [u64; LANES], to: &mut [u16; LANES]) -> usize {
        let some = proven!(_mm512_test_epi64_mask(self.0, self.0));
        let edges = proven!(_mm512_maskz_compress_epi64(some, self.0));
        let bases = proven!(_mm512_cvtepi64_epi16(_mm512_maskz_compress_epi64(some, bases.0)));
        // SAFETY: both arrays are as long as what is stored; alignment is not asked.
        unsafe {
            _mm512_storeu_si512(words.as_mut_ptr().cast(), edges);
            _mm_storeu_si128(to.as_mut_ptr().cast(), bases);
        }
        some.count_ones() as usize
    }
}
