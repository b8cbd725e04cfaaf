//! What a kernel asks of a vector.

use super::Word;

/// A few words worked on at once.
///
/// A value is the proof that the machine has the instructions, so only [`load`](Self::load) and
/// [`splat`](Self::splat), which make values from nothing, are unsafe.
pub(super) trait Vector: Copy {
    /// Words in a vector.
    const WORDS: usize;

    /// Whether adding whole vectors first (see `counter.rs`) is cheaper than counting each.
    const CARRY_SAVE: bool;

    /// The vector from word `at` on.
    ///
    /// # Safety
    /// The machine has the instructions, and `at + Self::WORDS <= words.len()`.
    unsafe fn load(words: &[Word], at: usize) -> Self;

    /// The word in every lane.
    ///
    /// # Safety
    /// The machine has the instructions.
    unsafe fn splat(word: u64) -> Self;

    /// Puts the vector to word `at` on.
    ///
    /// # Safety
    /// `at + Self::WORDS <= words.len()`.
    unsafe fn store(self, words: &mut [Word], at: usize);

    /// Bits of both.
    fn and(self, other: Self) -> Self;

    /// Bits of any.
    fn or(self, other: Self) -> Self;

    /// Bits of one of the two.
    fn xor(self, other: Self) -> Self;

    /// Each word moved up by 16 bits; the lowest ones 0.
    fn up_16(self) -> Self;

    /// Whether no bit is set.
    fn is_zero(self) -> bool;

    /// A bit a word from the lowest on, set where the two differ.
    fn unlike(self, other: Self) -> u32;

    /// How many bits are set in each word.
    fn counts(self) -> Self;

    /// The sums of words.
    fn add(self, other: Self) -> Self;

    /// The sum of all words.
    fn sum(self) -> u64;
}

/// The vector of one word, which every machine has.
impl Vector for u64 {
    const WORDS: usize = 1;
    const CARRY_SAVE: bool = false;

    #[inline(always)]
    unsafe fn load(words: &[Word], at: usize) -> Self {
        debug_assert!(at < words.len());
        // SAFETY: the caller promises that `at` is inside.
        Self::from_le_bytes(unsafe { *words.get_unchecked(at) })
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        word
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [Word], at: usize) {
        debug_assert!(at < words.len());
        // SAFETY: the caller promises that `at` is inside.
        unsafe { *words.get_unchecked_mut(at) = self.to_le_bytes() }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    fn up_16(self) -> Self {
        self << 16
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn unlike(self, other: Self) -> u32 {
        u32::from(self != other)
    }

    #[inline(always)]
    fn counts(self) -> Self {
        u64::from(self.count_ones())
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self
    }
}
