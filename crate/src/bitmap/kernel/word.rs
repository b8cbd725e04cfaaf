//! The portable kernels: plain words, built everywhere, and the measure of the others.

use super::{Kernels, Word};

/// The portable kernels.
pub static KERNELS: Kernels = Kernels { name: "u64", count, skip };

fn count(words: &[Word]) -> u64 {
    words.iter().map(|word| u64::from(u64::from_le_bytes(*word).count_ones())).sum()
}

fn skip(words: &[Word], uniform: u64) -> usize {
    /// Words tested at once; the branch costs more than the words.
    const STRIDE: usize = 8;
    let (blocks, _) = words.as_chunks::<STRIDE>();
    let differs = |block: &[Word; STRIDE]| {
        block.iter().fold(0, |bits, word| bits | (u64::from_le_bytes(*word) ^ uniform)) != 0
    };
    let skipped = blocks.iter().position(differs).unwrap_or(blocks.len()) * STRIDE;
    let rest = words.get(skipped..).unwrap_or_default();
    let in_rest = rest.iter().position(|word| u64::from_le_bytes(*word) != uniform);
    skipped + in_rest.unwrap_or(rest.len())
}
