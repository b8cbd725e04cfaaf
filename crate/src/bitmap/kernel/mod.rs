//! What has to be fast: loops over whole words, once in words and once an instruction set.
//!
//! *Belongs here:* functions over slices of [`Word`], without lengths in bits and without padding;
//! the forms above cut ranges and add the ends. *Does not:* anything that is called seldom.
//!
//! | file | what it is |
//! |---|---|
//! | `vector.rs` | what a kernel asks of a vector |
//! | `generic.rs`, `counter.rs`, `edges.rs` | the algorithms, explained and written once |
//! | `gather.rs` | edges once more, for vectors that can gather words |
//! | `word.rs` | the portable leaf: a vector of one word; built everywhere |
//! | `avx2.rs`, `avx512.rs`, `neon.rs`, `simd128.rs` | leaves: the algorithms for one instruction set |
//! | `crc32c.rs` | the checksum of bitmap blocks |
//!
//! Natively the instruction set is found at run time and the build stays a baseline one. A wasm
//! module has no such question to ask: one with `simd128` in it loads only where that is known,
//! which is every browser since 2023. No build sets the features globally, since compilers then
//! turn good scalar loops into bad vector ones.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod counter;
mod crc32c;
mod edges;
#[cfg(target_arch = "x86_64")]
mod gather;
mod generic;
mod leaf;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "wasm32")]
mod simd128;
#[cfg(test)]
mod testing;
mod vector;
mod word;

use super::Word;

pub use crc32c::BlockCrc32c;
pub use edges::{EDGE_WORDS, Edges};

/// The kernels of one instruction set; all tables give equal answers.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// The instruction set, for reports.
    pub name: &'static str,
    /// Words in a vector of the searches.
    pub search_words: usize,
    /// How many bits are set.
    pub count: fn(&[Word]) -> u64,
    /// How many words from the start on equal the given one, which is 0 or all ones.
    pub skip: fn(&[Word], u64) -> usize,
    /// How many words from the start on are equal in both, up to the end of the shorter.
    pub equal: fn(&[Word], &[Word]) -> usize,
    /// As `equal`, and how many bits are set in the words that are equal, in the same pass.
    pub compare: fn(&[Word], &[Word]) -> (usize, u64),
    /// Set bits of each [`PYRAMID_WORDS`] words; one count an output, as many as both slices have.
    pub pyramid: fn(&[Word], &mut [u16]),
    /// Where bits change, for at most [`EDGE_WORDS`] words.
    pub edges: fn(&[Word], bool, &mut Edges),
    /// Sets all bits of the words that are clear, up to the first that is not; how many words.
    pub claim: fn(&mut [Word]) -> usize,
}

/// Words under one count of the pyramid: 64 bytes, 512 bits.
pub const PYRAMID_WORDS: usize = 8;

/// The fastest kernels that this machine runs.
#[must_use]
pub fn kernels() -> &'static Kernels {
    #[cfg(target_arch = "x86_64")]
    {
        if avx512::is_available() {
            return &avx512::KERNELS;
        }
        if avx2::is_available() {
            return &avx2::KERNELS;
        }
    }
    #[cfg(target_arch = "aarch64")]
    return &neon::KERNELS;
    #[cfg(target_arch = "wasm32")]
    return &simd128::KERNELS;
    #[cfg(not(any(target_arch = "aarch64", target_arch = "wasm32")))]
    &word::KERNELS
}

/// Every table that this machine runs, the portable one first.
pub fn all() -> impl Iterator<Item = &'static Kernels> {
    let mut tables = vec![&word::KERNELS];
    #[cfg(target_arch = "x86_64")]
    {
        tables.extend(avx2::is_available().then_some(&avx2::KERNELS));
        tables.extend(avx512::is_available().then_some(&avx512::KERNELS));
    }
    #[cfg(target_arch = "aarch64")]
    tables.push(&neon::KERNELS);
    #[cfg(target_arch = "wasm32")]
    tables.push(&simd128::KERNELS);
    tables.into_iter()
}
