//! Counting the set bits of a stream of vectors.
//!
//! Counting bits inside a vector takes about eight instructions where there is no instruction for
//! it, adding vectors bit by bit takes five. So sixteen vectors are added first, as in a column of
//! sums: every bit position keeps how many of them had it, as a binary number whose digits lie in
//! the vectors *ones*, *twos*, *fours* and *eights*. What overflows a sum of sixteen, the
//! *sixteens*, is counted at once; the digits are counted at the very end.
//!
//! ```text
//! 16 vectors ─pairs→ ones, 8 carries ─pairs→ twos, 4 ─→ fours, 2 ─→ eights, 1 = sixteens → counted
//! ```
//!
//! Ref: Muła, Kurz, Lemire, "Faster Population Counts Using AVX2 Instructions" (Harley-Seal).

use super::vector::Vector;

/// Vectors added at once.
pub(super) const VECTORS: usize = 16;

/// Set bits seen so far.
pub(super) struct Counter<V> {
    /// How often each bit was seen, below sixteen: ones, twos, fours, eights.
    digits: [V; 4],
    /// Sixteens seen, a sum a word; or all bits, where vectors are not added first.
    counted: V,
}

impl<V: Vector> Counter<V> {
    /// Nothing seen.
    ///
    /// # Safety
    /// The machine has the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        // SAFETY: as promised by the caller.
        let zero = unsafe { V::splat(0) };
        Self { digits: [zero; 4], counted: zero }
    }

    /// Counts sixteen vectors.
    #[inline(always)]
    pub(super) fn add(&mut self, vectors: [V; VECTORS]) {
        if !V::CARRY_SAVE {
            for vector in vectors {
                self.counted = self.counted.add(vector.counts());
            }
            return;
        }
        let v = vectors;
        let a = self.add_four(v[0], v[1], v[2], v[3]);
        let b = self.add_four(v[4], v[5], v[6], v[7]);
        let c = self.add_four(v[8], v[9], v[10], v[11]);
        let d = self.add_four(v[12], v[13], v[14], v[15]);
        let first = add3(&mut self.digits[2], a, b);
        let second = add3(&mut self.digits[2], c, d);
        let sixteens = add3(&mut self.digits[3], first, second);
        self.counted = self.counted.add(sixteens.counts());
    }

    /// Adds four vectors to ones and twos; the carry is fours.
    #[inline(always)]
    fn add_four(&mut self, a: V, b: V, c: V, d: V) -> V {
        let first = add3(&mut self.digits[0], a, b);
        let second = add3(&mut self.digits[0], c, d);
        add3(&mut self.digits[1], first, second)
    }

    /// How many set bits were seen.
    #[inline(always)]
    pub(super) fn finish(self) -> u64 {
        if !V::CARRY_SAVE {
            return self.counted.sum();
        }
        let [ones, twos, fours, eights] = self.digits;
        (self.counted.sum() << 4)
            + (eights.counts().sum() << 3)
            + (fours.counts().sum() << 2)
            + (twos.counts().sum() << 1)
            + ones.counts().sum()
    }
}

/// Adds three bits in every position: the sum stays in `digit`, the carries are given.
#[inline(always)]
fn add3<V: Vector>(digit: &mut V, b: V, c: V) -> V {
    let half = digit.xor(b);
    let carry = digit.and(b).or(half.and(c));
    *digit = half.xor(c);
    carry
}
