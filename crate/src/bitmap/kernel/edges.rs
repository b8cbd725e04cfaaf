//! Edges: the bits where a bitmap changes from clear to set or back.
//!
//! All runs of a bitmap follow from its edges: they alternate, each begins one run and ends the
//! one before. In a word `x` they are the set bits of `x ^ (x << 1 | before)`, where `before` is
//! the bit below the lowest.
//!
//! Eight words that only go on with what was before have no edge and cost one test. Where all edges
//! lie in one of them, as where runs are long, that one is found by two comparisons: it is the first
//! unlike what was before, and those after it go on with its highest bit. Elsewhere the processor
//! would guess the answer to "another edge in this word?" wrong about once a word. So a few places
//! are written whether there are that many edges or not, the count says how many of them stand, and
//! the next word writes over the rest; how few depends on how many edges the eight words have.
//!
//! Ref: Langdale, Lemire, "Parsing Gigabytes of JSON per Second" (flattening bit sets).

use super::{Word, vector::Vector};
use crate::bitmap::WORD_BITS;

/// Most words a kernel looks at for edges at once, so that places fit 16 bits and the first cache.
pub const EDGE_WORDS: usize = 256;

/// Places written at once for a word where edges are few, and where they are many.
pub(super) const FEW: usize = 2;
pub(super) const MANY: usize = 8;

/// Edges in eight words up to which they are few.
pub(super) const FEW_IN_EIGHT: u32 = 10;

/// Where bits change in up to [`EDGE_WORDS`] words, in order.
#[derive(Clone, Debug)]
pub struct Edges {
    places: [u16; EDGE_WORDS * WORD_BITS as usize + MANY],
    count: usize,
    #[cfg(target_arch = "x86_64")]
    pub(super) gathered: super::gather::Gathered,
}

impl Edges {
    /// Room for edges; none yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            places: [0; _],
            count: 0,
            #[cfg(target_arch = "x86_64")]
            gathered: super::gather::Gathered::new(),
        }
    }

    /// The bits that differ from the one before, counted from the first word.
    #[must_use]
    pub fn places(&self) -> &[u16] {
        self.places.get(..self.count).unwrap_or_default()
    }

    /// Writes the places of one word's edges, `N` at a time.
    #[inline(always)]
    pub(super) fn push<const N: usize>(&mut self, base: u16, mut edges: u64) {
        let end = self.count + edges.count_ones() as usize;
        let mut at = self.count;
        loop {
            if let Some(places) = self.places.get_mut(at..at + N) {
                for place in places {
                    *place = base + edges.trailing_zeros() as u16;
                    edges &= edges.wrapping_sub(1);
                }
            }
            at += N;
            if at >= end {
                break;
            }
        }
        self.count = end;
    }

    /// Writes the places of the edges of up to eight words; `before` is the bit before the first,
    /// then that of the last.
    #[inline(always)]
    pub(super) fn push_words(&mut self, base: u16, words: &[Word], before: &mut u64) {
        let mut edges: [u64; 8] = [0; 8];
        let mut count = 0;
        for (edges, word) in edges.iter_mut().zip(words) {
            *edges = edges_of(*word, before);
            count += edges.count_ones();
        }
        let base_of = |at: usize| base + at as u16 * WORD_BITS as u16;
        if count <= FEW_IN_EIGHT {
            for (at, edges) in edges.iter().enumerate() {
                self.push::<FEW>(base_of(at), *edges);
            }
        } else {
            for (at, edges) in edges.iter().enumerate() {
                self.push::<MANY>(base_of(at), *edges);
            }
        }
    }

    /// Forgets all edges.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }
}

impl Default for Edges {
    fn default() -> Self {
        Self::new()
    }
}

/// Finds the edges of the first [`EDGE_WORDS`] words; `before` is the bit before the first.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn edges<V: Vector>(words: &[Word], before: bool, out: &mut Edges) {
    out.clear();
    let words = words.get(..EDGE_WORDS).unwrap_or(words);
    let mut before = u64::from(before);
    let mut base = 0;
    let (blocks, rest) = words.as_chunks::<8>();
    for block in blocks {
        let uniform = before.wrapping_neg();
        // SAFETY: as promised by the caller.
        if unsafe { is_uniform::<V>(block, uniform) } {
            base += 8 * WORD_BITS as u16;
            continue;
        }
        // SAFETY: as promised by the caller.
        let first = unsafe { unlike::<V>(block, uniform) }.trailing_zeros() % 8;
        let mut after = before;
        let edges = edges_of(block[first as usize], &mut after);
        // SAFETY: as promised by the caller.
        let others = unsafe { unlike::<V>(block, after.wrapping_neg()) } & (u32::MAX - 1) << first;
        if others == 0 {
            out.push::<FEW>(base + (first * WORD_BITS) as u16, edges);
            before = after;
        } else {
            out.push_words(base, block, &mut before);
        }
        base += 8 * WORD_BITS as u16;
    }
    out.push_words(base, rest, &mut before);
}

/// The bits of a word that differ from the one before; then `before` is its highest bit.
#[inline(always)]
fn edges_of(word: Word, before: &mut u64) -> u64 {
    let word = u64::from_le_bytes(word);
    let edges = word ^ (word << 1 | *before);
    *before = word >> 63;
    edges
}

/// Whether all words equal the one given.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
unsafe fn is_uniform<V: Vector>(words: &[Word; 8], uniform: u64) -> bool {
    // SAFETY: as promised by the caller; every load ends at word 8 or before it, since the vectors'
    // widths divide it.
    unsafe {
        let uniform = V::splat(uniform);
        let mut differ = V::splat(0);
        for at in (0..8).step_by(V::WORDS) {
            differ = differ.or(V::load(words, at).xor(uniform));
        }
        differ.is_zero()
    }
}

/// A bit a word, set where it is not the one given.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
unsafe fn unlike<V: Vector>(words: &[Word; 8], uniform: u64) -> u32 {
    // SAFETY: as promised by the caller, and as above.
    unsafe {
        let uniform = V::splat(uniform);
        let mut bits = 0;
        for at in (0..8).step_by(V::WORDS) {
            bits |= V::load(words, at).unlike(uniform) << at;
        }
        bits
    }
}
