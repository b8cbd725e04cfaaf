//! The leaf for wasm with `simd128`: vectors of two words.
//!
//! Engines make sixteen byte counts of several instructions where they have one for a word, so
//! counting goes by words.

use core::arch::wasm32::*;

use super::leaf::leaf;
use super::{Word, vector::Vector};

leaf!("simd128", search: Simd128, ["simd128"], count: u64, [], edges: edges);

/// Two words.
#[derive(Clone, Copy)]
struct Simd128(v128);

impl Vector for Simd128 {
    const WORDS: usize = 2;
    const CARRY_SAVE: bool = false;

    #[inline(always)]
    unsafe fn load(words: &[Word], at: usize) -> Self {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises that the words are inside; alignment is not asked.
        Self(unsafe { v128_load(words.as_ptr().add(at).cast()) })
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        Self(u64x2_splat(word))
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [Word], at: usize) {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises that the words are inside; alignment is not asked.
        unsafe { v128_store(words.as_mut_ptr().add(at).cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn up_16(self) -> Self {
        Self(u64x2_shl(self.0, 16))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(self.0)
    }

    #[inline(always)]
    fn unlike(self, other: Self) -> u32 {
        u32::from(!i64x2_bitmask(i64x2_eq(self.0, other.0)) & 0b11)
    }

    #[inline(always)]
    fn counts(self) -> Self {
        let pairs = u16x8_extadd_pairwise_u8x16(u8x16_popcnt(self.0));
        let fours = u32x4_extadd_pairwise_u16x8(pairs);
        Self(u64x2_add(u64x2_shr(fours, 32), v128_and(fours, u64x2_splat(0xffff_ffff))))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        u64x2_extract_lane::<0>(self.0).wrapping_add(u64x2_extract_lane::<1>(self.0))
    }
}
