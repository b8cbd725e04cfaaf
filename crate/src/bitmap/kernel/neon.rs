//! The leaf for 64-bit ARM, where NEON is always there: vectors of two words.

use core::arch::aarch64::*;

use super::leaf::{leaf, proven};
use super::{Word, vector::Vector};

leaf!("NEON", search: Neon, ["neon"], count: Neon, ["neon"], edges: edges);

/// Two words.
#[derive(Clone, Copy)]
struct Neon(uint64x2_t);

impl Vector for Neon {
    const WORDS: usize = 2;
    const CARRY_SAVE: bool = true;

    #[inline(always)]
    unsafe fn load(words: &[Word], at: usize) -> Self {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises NEON and that the words are inside; bytes have no alignment.
        Self(unsafe { vreinterpretq_u64_u8(vld1q_u8(words.as_ptr().add(at).cast())) })
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller promises NEON.
        Self(unsafe { vdupq_n_u64(word) })
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [Word], at: usize) {
        debug_assert!(at + Self::WORDS <= words.len());
        // SAFETY: the caller promises that the words are inside; bytes have no alignment.
        unsafe { vst1q_u8(words.as_mut_ptr().add(at).cast(), vreinterpretq_u8_u64(self.0)) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(proven!(vandq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(proven!(vorrq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(proven!(veorq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn up_16(self) -> Self {
        Self(proven!(vshlq_n_u64::<16>(self.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        proven!(vmaxvq_u32(vreinterpretq_u32_u64(self.0))) == 0
    }

    #[inline(always)]
    fn unlike(self, other: Self) -> u32 {
        let equal = proven!(vceqq_u64(self.0, other.0));
        let lanes = proven!([vgetq_lane_u64::<0>(equal), vgetq_lane_u64::<1>(equal)]);
        u32::from(lanes[0] == 0) | u32::from(lanes[1] == 0) << 1
    }

    #[inline(always)]
    fn counts(self) -> Self {
        Self(proven!({
            let bytes = vcntq_u8(vreinterpretq_u8_u64(self.0));
            vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)))
        }))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(proven!(vaddq_u64(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        proven!(vaddvq_u64(self.0))
    }
}
