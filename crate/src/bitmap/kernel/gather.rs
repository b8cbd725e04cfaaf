//! Edges where a vector can move some of its words to the front.
//!
//! Whether a word has an edge cannot be guessed where runs are about as long as a vector, so it is
//! not asked: words that have some are put side by side, whether it is none or all eight, and the
//! count says where the next ones go. Then every word that is looked at has an edge, and mostly one.

use super::edges::{EDGE_WORDS, Edges, FEW, FEW_IN_EIGHT, MANY};
use super::{Word, vector::Vector};
use crate::bitmap::WORD_BITS;

/// Words of a vector that gathers.
pub(super) const LANES: usize = 8;

/// A vector of [`LANES`] words that can be gathered.
pub(super) trait Gather: Vector {
    /// The bits that differ from the one before; before the first is the highest bit of `before`.
    fn edges(self, before: Self) -> Self;

    /// Puts the words that are not 0 to the front of `words`, and the same ones of `bases`, of which
    /// the lowest 16 bits count, to that of `to`. What is behind them is lost. Gives their count.
    fn gather(self, bases: Self, words: &mut [u64; LANES], to: &mut [u16; LANES]) -> usize;
}

/// Vectors that are passed over together where none has an edge.
const STRIDE: usize = 4;

/// Bits of a vector.
const BLOCK_BITS: usize = LANES * WORD_BITS as usize;

/// The places of the first bits of a vector's words.
const BASES: [Word; LANES] = {
    let mut bases = [[0; 8]; LANES];
    let mut at = 0;
    while at < LANES {
        bases[at] = (at as u64 * WORD_BITS as u64).to_le_bytes();
        at += 1;
    }
    bases
};

/// Words that have edges, with what is left behind them from before.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// Their edges.
    edges: [u64; EDGE_WORDS],
    /// Where the words begin, in bits.
    bases: [u16; EDGE_WORDS],
}

impl Gathered {
    pub(super) const fn new() -> Self {
        Self { edges: [0; _], bases: [0; _] }
    }
}

/// Finds the edges of the first [`EDGE_WORDS`] words; `before` is the bit before the first.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn edges<V: Gather>(words: &[Word], before: bool, out: &mut Edges) {
    out.clear();
    let words = words.get(..EDGE_WORDS).unwrap_or(words);
    let (blocks, rest) = words.as_chunks::<LANES>();
    let mut before = u64::from(before);
    let mut at = 0;
    let mut count = 0;
    // SAFETY: as promised by the caller; there are as many bases as a vector has words.
    let (mut last, first, mut counts) =
        unsafe { (V::splat(before.wrapping_neg()), V::load(&BASES, 0), V::splat(0)) };
    while let Some(block) = blocks.get(at) {
        if at.is_multiple_of(STRIDE)
            && let Some(stride) = blocks.get(at..at + STRIDE)
            // SAFETY: as promised by the caller.
            && unsafe { are_uniform::<V>(stride, before.wrapping_neg()) }
        {
            at += STRIDE;
            continue;
        }
        // SAFETY: as promised by the caller; a block has as many words as a vector.
        let (vector, base) = unsafe { (V::load(block, 0), V::splat((at * BLOCK_BITS) as u64)) };
        let edges = vector.edges(last);
        // There is room: each block before this one has put in eight words at most.
        if let (Some(words), Some(bases)) = (
            out.gathered.edges.get_mut(count..).and_then(<[_]>::first_chunk_mut),
            out.gathered.bases.get_mut(count..).and_then(<[_]>::first_chunk_mut),
        ) {
            count += edges.gather(first.add(base), words, bases);
        }
        counts = counts.add(edges.counts());
        last = vector;
        before = u64::from_le_bytes(block[LANES - 1]) >> 63;
        at += 1;
    }
    if counts.sum() * 8 <= count as u64 * u64::from(FEW_IN_EIGHT) {
        push_gathered::<FEW>(out, count);
    } else {
        push_gathered::<MANY>(out, count);
    }
    out.push_words((at * BLOCK_BITS) as u16, rest, &mut before);
}

/// Writes the places of the edges of the first `count` gathered words, `N` at a time.
#[inline(always)]
fn push_gathered<const N: usize>(out: &mut Edges, count: usize) {
    for at in 0..count.min(EDGE_WORDS) {
        out.push::<N>(out.gathered.bases[at], out.gathered.edges[at]);
    }
}

/// Whether all words of some blocks equal the one given.
///
/// # Safety
/// The machine has the instructions of `V`.
#[inline(always)]
unsafe fn are_uniform<V: Gather>(blocks: &[[Word; LANES]], uniform: u64) -> bool {
    // SAFETY: as promised by the caller; a block has as many words as a vector.
    unsafe {
        let uniform = V::splat(uniform);
        let mut differ = V::splat(0);
        for block in blocks {
            differ = differ.or(V::load(block, 0).xor(uniform));
        }
        differ.is_zero()
    }
}
