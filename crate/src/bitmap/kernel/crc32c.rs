//! The checksum of bitmap blocks.
//!
//! Two things are known of them that a general crc32c cannot use. Most are uniform, and all uniform
//! ones of a length have the same checksum. And there are many, so where the machine has no
//! instruction for it, two are done at once: each step of a crc waits for the one before, but not
//! for the other block's.
//!
//! *Ref:* `ext2fs_block_bitmap_csum_set` (lib/ext2fs/csum.c); Intel, "Slicing-by-8".

#[cfg(not(target_arch = "wasm32"))]
use crc_fast::{CrcAlgorithm, Digest};

use super::{Word, kernels};

/// Checksums of bitmap blocks of one length and one seed.
///
/// Nothing is inverted, neither before nor after, as everywhere in ext4.
#[derive(Clone, Copy, Debug)]
pub struct BlockCrc32c {
    seed: u32,
    len: usize,
    zeros: u32,
    ones: u32,
}

impl BlockCrc32c {
    /// For blocks of which the first `len` bytes count. Costs two checksums.
    #[must_use]
    pub fn new(seed: u32, len: usize) -> Self {
        let uniform = |byte| {
            let chunk = [byte; 256];
            let whole = (0..len / chunk.len()).fold(seed, |crc, _| update(crc, &chunk));
            update(whole, chunk.get(..len % chunk.len()).unwrap_or_default())
        };
        Self { seed, len, zeros: uniform(0), ones: uniform(0xff) }
    }

    /// The checksum of one block; of what there is, where there is less.
    #[must_use]
    pub fn of(&self, block: &[u8]) -> u32 {
        let block = block.get(..self.len).unwrap_or(block);
        self.of_uniform(block).unwrap_or_else(|| update(self.seed, block))
    }

    /// The checksums of two blocks.
    #[must_use]
    pub fn of_two(&self, a: &[u8], b: &[u8]) -> [u32; 2] {
        let [a, b] = [a, b].map(|block| block.get(..self.len).unwrap_or(block));
        match (self.of_uniform(a), self.of_uniform(b)) {
            (None, None) => update_two(self.seed, a, b),
            (crc_a, crc_b) => [
                crc_a.unwrap_or_else(|| update(self.seed, a)),
                crc_b.unwrap_or_else(|| update(self.seed, b)),
            ],
        }
    }

    /// The checksum of a block that is uniform and whole.
    fn of_uniform(&self, block: &[u8]) -> Option<u32> {
        let (first, last) = (*block.first()?, *block.last()?);
        let (byte, crc) = match first {
            0 => (0, self.zeros),
            0xff => (0xff, self.ones),
            _ => return None,
        };
        let (words, rest): (&[Word], _) = block.as_chunks();
        let uniform = u64::from_le_bytes([byte; 8]);
        let is_uniform = block.len() == self.len
            && last == byte
            && rest.iter().all(|other| *other == byte)
            && (kernels().skip)(words, uniform) == words.len();
        is_uniform.then_some(crc)
    }
}

/// Goes on with a crc over more bytes, by carry-less multiplication where the machine has it.
#[cfg(not(target_arch = "wasm32"))]
fn update(crc: u32, bytes: &[u8]) -> u32 {
    let mut digest = Digest::new_with_init_state(CrcAlgorithm::Crc32Iscsi, crc.into());
    digest.update(bytes);
    // Its result is inverted, its start is not.
    !(digest.finalize() as u32)
}

/// Goes on with a crc over more bytes.
#[cfg(target_arch = "wasm32")]
fn update(crc: u32, bytes: &[u8]) -> u32 {
    slicing::update([crc], [bytes])[0]
}

/// Two checksums. One after the other is as fast where there is an instruction for it.
#[cfg(not(target_arch = "wasm32"))]
fn update_two(crc: u32, a: &[u8], b: &[u8]) -> [u32; 2] {
    [update(crc, a), update(crc, b)]
}

/// Two checksums at once.
#[cfg(target_arch = "wasm32")]
fn update_two(crc: u32, a: &[u8], b: &[u8]) -> [u32; 2] {
    if a.len() == b.len() {
        slicing::update([crc; 2], [a, b])
    } else {
        [update(crc, a), update(crc, b)]
    }
}

/// Eight bytes a step, by one table for each of them.
#[cfg(any(target_arch = "wasm32", test))]
mod slicing {
    use super::Word;

    /// Crc32c's polynomial, lowest power first. Ref: `CRC32C_POLY_LE`.
    const POLY: u32 = 0x82f6_3b78;

    /// `TABLES[k][byte]`: what a byte makes of the crc when `k` bytes follow it.
    static TABLES: [[u32; 256]; 8] = tables();

    const fn tables() -> [[u32; 256]; 8] {
        let mut tables = [[0; 256]; 8];
        let mut byte = 0;
        while byte < 256 {
            let mut crc = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = (crc >> 1) ^ ((crc & 1) * POLY);
                bit += 1;
            }
            tables[0][byte] = crc;
            byte += 1;
        }
        let mut k = 1;
        while k < 8 {
            let mut byte = 0;
            while byte < 256 {
                let crc = tables[k - 1][byte];
                tables[k][byte] = (crc >> 8) ^ tables[0][(crc & 0xff) as usize];
                byte += 1;
            }
            k += 1;
        }
        tables
    }

    /// Goes on with some crcs, each over its own bytes; all are as long as the first.
    pub(super) fn update<const N: usize>(mut crcs: [u32; N], bytes: [&[u8]; N]) -> [u32; N] {
        let parts: [(&[Word], &[u8]); N] = bytes.map(<[u8]>::as_chunks);
        let words = parts.iter().map(|(words, _)| words.len()).min().unwrap_or(0);
        for at in 0..words {
            for (crc, (words, _)) in crcs.iter_mut().zip(&parts) {
                *crc = step(*crc, words[at]);
            }
        }
        for (crc, (_, rest)) in crcs.iter_mut().zip(&parts) {
            for byte in *rest {
                *crc = (*crc >> 8) ^ lookup(0, *crc ^ u32::from(*byte));
            }
        }
        crcs
    }

    /// Goes on over one word.
    #[inline(always)]
    fn step(crc: u32, word: Word) -> u32 {
        let word = u64::from_le_bytes(word) ^ u64::from(crc);
        (0..8).fold(0, |crc, at| crc ^ lookup(7 - at, (word >> (8 * at)) as u32))
    }

    /// What the lowest byte makes of the crc when `k` bytes follow it.
    #[inline(always)]
    fn lookup(k: usize, byte: u32) -> u32 {
        TABLES[k][(byte & 0xff) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{random_words, test};
    use super::*;

    /// Bit by bit, from the definition.
    fn naive(seed: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(seed, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ ((crc & 1) * 0x82f6_3b78))
        })
    }

    #[test]
    fn the_check_value_is_right() {
        assert_eq!(!update(u32::MAX, b"123456789"), 0xe306_9283);
        assert_eq!(!slicing::update([u32::MAX], [b"123456789"])[0], 0xe306_9283);
    }

    #[test]
    fn every_way_gives_the_naive_checksum() {
        let words = random_words(7, 64);
        let bytes = words.as_flattened();
        for len in 0..130 {
            for seed in [0, u32::MAX, 0x1234_5678] {
                let (a, b) = (&bytes[3..3 + len], &bytes[200..200 + len]);
                let expected = [naive(seed, a), naive(seed, b)];
                let crc = BlockCrc32c::new(seed, len);
                assert_eq!([crc.of(a), crc.of(b)], expected, "{len} bytes, seed {seed:#x}");
                assert_eq!(crc.of_two(a, b), expected, "two, {len} bytes, seed {seed:#x}");
                assert_eq!(slicing::update([seed; 2], [a, b]), expected, "slicing, {len} bytes");
            }
        }
    }

    #[test]
    fn uniform_blocks_and_almost_uniform_ones_are_told_apart() {
        for len in [1, 7, 8, 9, 255, 256, 257, 512] {
            let crc = BlockCrc32c::new(99, len);
            for byte in [0, 0xff] {
                let uniform = vec![byte; len];
                assert_eq!(crc.of(&uniform), naive(99, &uniform));
                for at in 0..len {
                    let mut other = uniform.clone();
                    other[at] ^= 0x10;
                    assert_eq!(crc.of(&other), naive(99, &other), "{len} bytes, other at {at}");
                }
            }
        }
    }

    #[test]
    fn only_the_first_bytes_of_a_block_count() {
        let crc = BlockCrc32c::new(5, 100);
        assert_eq!(crc.of(&[0xff; 4096]), naive(5, &[0xff; 100]));
        assert_eq!(crc.of(&[0xff; 60]), naive(5, &[0xff; 60]));
        assert_eq!(crc.of_two(&[0xaa; 60], &[0xaa; 200])[0], naive(5, &[0xaa; 60]));
    }
}
