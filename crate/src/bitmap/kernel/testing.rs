//! The bit-by-bit oracle of the kernels, and the tests that every leaf runs.
//!
//! `EXTSCOPE_FUZZ_ROUNDS=1000 cargo test -p extscope kernel` goes on for as long as one likes; each
//! round has other random bits, and a failure names its round, length and pattern. Where a nightly
//! compiler has miri, it looks after the loads and stores, too, at fewer lengths since it is slow:
//!
//! ```text
//! RUSTFLAGS="-C target-feature=+avx2,+bmi1,+bmi2,+popcnt" EXTSCOPE_FUZZ_ROUNDS=1 \
//!     MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test -p extscope --lib oracle
//! ```

use super::{EDGE_WORDS, Edges, Kernels, PYRAMID_WORDS, Word};

#[cfg(not(target_arch = "wasm32"))]
pub(super) use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
pub(super) use wasm_bindgen_test::wasm_bindgen_test as test;

/// Tests a leaf's table of this name; tests nothing where the machine lacks the instructions.
macro_rules! define_kernel_tests {
    ($kernels:expr) => {
        mod tests {
            use super::*;
            use crate::bitmap::kernel::testing::{Law, test};

            fn keeps(law: Law) {
                if crate::bitmap::kernel::all().any(|kernels| core::ptr::eq(kernels, &$kernels)) {
                    law.assert_kept_by(&$kernels);
                }
            }

            #[test]
            fn counts_are_the_oracles() {
                keeps(Law::Counts);
            }

            #[test]
            fn searches_end_where_the_oracles_do() {
                keeps(Law::Searches);
            }

            #[test]
            fn comparisons_are_the_oracles() {
                keeps(Law::Comparisons);
            }

            #[test]
            fn edges_are_the_oracles() {
                keeps(Law::Edges);
            }

            #[test]
            fn claims_end_where_the_oracles_do() {
                keeps(Law::Claims);
            }
        }
    };
}

pub(super) use define_kernel_tests;

/// What a table of kernels is tested for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law {
    Counts,
    Searches,
    Comparisons,
    Edges,
    Claims,
}

impl Law {
    /// Asserts the law for all lengths that a kernel could treat by itself, for words at even and
    /// at odd addresses, and for all patterns.
    pub(super) fn assert_kept_by(self, kernels: &Kernels) {
        for round in 0..rounds() {
            let mut random = Random(round);
            for len in lengths() {
                for pattern in Pattern::all() {
                    let case = format!("round {round}, {len} words, {pattern:?}");
                    let shift = (random.next() % 8) as usize;
                    let mut bytes = vec![0xa5; shift];
                    bytes.extend(pattern.words(len, &mut random).as_flattened());
                    let words = bytes[shift..].as_chunks().0;
                    match self {
                        Self::Counts => assert_counts(kernels, words, &case),
                        Self::Searches => assert_searches(kernels, words, &case),
                        Self::Comparisons => {
                            assert_comparisons(kernels, words, &mut random, &case);
                        }
                        Self::Edges => assert_edges(kernels, words, &case),
                        Self::Claims => assert_claims(kernels, words, &case),
                    }
                }
            }
        }
    }
}

/// Numbers of words on both sides of all that is done at once: up to sixteen vectors of eight.
fn lengths() -> impl Iterator<Item = usize> {
    let step = if cfg!(miri) { 5 } else { 1 };
    (0..=4 * 8).step_by(step).chain([63, 64, 65, 127, 128, 129, 191, 300].into_iter().step_by(step))
}

fn rounds() -> u64 {
    std::env::var("EXTSCOPE_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2)
}

/// A bit, by the definition.
fn bit(words: &[Word], at: usize) -> bool {
    words[at / 64][at / 8 % 8] >> (at % 8) & 1 == 1
}

fn bits(words: &[Word]) -> impl Iterator<Item = bool> {
    (0..words.len() * 64).map(|at| bit(words, at))
}

fn set_bits(words: &[Word]) -> u64 {
    bits(words).filter(|bit| *bit).count() as u64
}

/// The bits that differ from the one before.
fn edges(words: &[Word], before: bool) -> Vec<u16> {
    let mut last = before;
    let mut edges = Vec::new();
    for (at, bit) in bits(words).enumerate() {
        if bit != last {
            edges.push(at as u16);
        }
        last = bit;
    }
    edges
}

fn assert_counts(kernels: &Kernels, words: &[Word], case: &str) {
    assert_eq!((kernels.count)(words), set_bits(words), "count, {case}");
    let mut counts = vec![u16::MAX; words.len() / PYRAMID_WORDS + 1];
    (kernels.pyramid)(words, &mut counts);
    let blocks = words.chunks_exact(PYRAMID_WORDS);
    let expected = blocks.map(|block| set_bits(block) as u16).chain([u16::MAX]);
    assert!(counts.iter().copied().eq(expected), "pyramid, {case}");
}

fn assert_searches(kernels: &Kernels, words: &[Word], case: &str) {
    for byte in [0, 0xff] {
        let expected = words.iter().take_while(|word| **word == [byte; 8]).count();
        let uniform = u64::from_le_bytes([byte; 8]);
        assert_eq!((kernels.skip)(words, uniform), expected, "skip {byte:#x}, {case}");
    }
}

fn assert_comparisons(kernels: &Kernels, words: &[Word], random: &mut Random, case: &str) {
    let assert = |other: &[Word]| {
        let equal = words.iter().zip(other).take_while(|(a, b)| a == b).count();
        assert_eq!((kernels.equal)(words, other), equal, "equal, {case}");
        let expected = (equal, set_bits(&words[..equal]));
        assert_eq!((kernels.compare)(words, other), expected, "compare, {case}");
    };
    assert(words);
    assert(&[words, &[[3; 8]; 9]].concat());
    for _ in 0..words.len().min(4) {
        let mut other = words.to_vec();
        let at = random.below(words.len() as u64) as usize;
        other[at][random.below(8) as usize] ^= 1 << random.below(8);
        assert(&other);
        assert(&other[..at]);
    }
}

fn assert_edges(kernels: &Kernels, words: &[Word], case: &str) {
    let mut found = Edges::new();
    let words = &words[..words.len().min(EDGE_WORDS)];
    for before in [false, true] {
        (kernels.edges)(words, before, &mut found);
        assert_eq!(found.places(), edges(words, before), "edges, {case}");
    }
}

fn assert_claims(kernels: &Kernels, words: &[Word], case: &str) {
    let clear = words.iter().take_while(|word| **word == [0; 8]).count();
    let mut claimed = words.to_vec();
    assert_eq!((kernels.claim)(&mut claimed), clear, "claim, {case}");
    assert_eq!(claimed[..clear], vec![[0xff; 8]; clear], "claimed, {case}");
    assert_eq!(claimed[clear..], words[clear..], "not claimed, {case}");
}

/// What the words of a case look like.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    Clear,
    Set,
    OneSet,
    OneClear,
    Alternating,
    Random,
    /// Runs of this many bits on average.
    Runs(u64),
}

impl Pattern {
    const ALL: [Self; 9] = [
        Self::Clear,
        Self::Set,
        Self::OneSet,
        Self::OneClear,
        Self::Alternating,
        Self::Random,
        Self::Runs(3),
        Self::Runs(50),
        Self::Runs(2000),
    ];

    /// All patterns; the two that reach every branch where time is short.
    fn all() -> &'static [Self] {
        if cfg!(miri) { &[Self::OneClear, Self::Random] } else { &Self::ALL }
    }

    fn words(self, len: usize, random: &mut Random) -> Vec<Word> {
        let one = random.below(len as u64 * 64 + 1);
        let mut run = 0;
        let mut set = false;
        let mut byte = |at: u64| {
            let bit = |at: u64| match self {
                Self::Clear => false,
                Self::Set => true,
                Self::OneSet => at == one,
                Self::OneClear => at != one,
                Self::Alternating => at % 2 == 1,
                Self::Random => random.next() % 2 == 1,
                Self::Runs(mean) => {
                    if run == 0 {
                        run = 1 + random.below(2 * mean);
                        set = !set;
                    }
                    run -= 1;
                    set
                }
            };
            (at..at + 8).map(bit).rev().fold(0, |byte, bit| byte << 1 | u8::from(bit))
        };
        (0..len as u64)
            .map(|word| core::array::from_fn(|i| byte(word * 64 + i as u64 * 8)))
            .collect()
    }
}

/// Numbers that look random and are the same in every run. Ref: SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}

/// Words of random bits.
pub(super) fn random_words(seed: u64, len: usize) -> Vec<Word> {
    let mut random = Random(seed);
    (0..len).map(|_| random.next().to_le_bytes()).collect()
}
