//! How the kernels' jobs are done without them: a bit at a time through a call, as most of
//! e2fsprogs does; a byte at a time; or in the steps of its faster places.

use std::hint::black_box;

use extscope::bitmap::Word;

use crate::cases::Input;

/// A plain way to do a case's job, and how many times faster than that the case should be.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// What it is.
    pub name: &'static str,
    /// Does the job once.
    pub run: fn(&mut Input) -> u64,
    /// The goal.
    pub times_faster: f64,
}

/// Whether a bit is set. Ref: `ext2fs_test_bit`.
fn test(words: &[Word], bit: usize) -> bool {
    words[bit / 64][bit / 8 % 8] >> (bit % 8) & 1 == 1
}

/// Every bit in order, asked for by a call.
fn bits(words: &[Word]) -> impl Iterator<Item = bool> {
    let test: fn(&[Word], usize) -> bool = black_box(test);
    (0..words.len() * 64).map(move |bit| test(words, bit))
}

/// Counts bit by bit.
pub(crate) fn count(input: &mut Input) -> u64 {
    bits(input.words()).map(u64::from).sum()
}

/// Looks for the first clear bit, bit by bit.
pub(crate) fn skip(input: &mut Input) -> u64 {
    bits(input.words()).take_while(|bit| *bit).count() as u64
}

/// Looks for the first byte with a clear bit.
pub(crate) fn skip_bytes(input: &mut Input) -> u64 {
    let bytes = input.words().as_flattened().iter();
    bytes.take_while(|byte| **byte == 0xff).count() as u64
}

/// Finds the runs of clear bits bit by bit; gives how many bits they have, weighed by their lengths.
pub(crate) fn census(input: &mut Input) -> u64 {
    let (mut sum, mut run) = (0, 0_u64);
    for bit in bits(input.words()).chain([true]) {
        if bit {
            sum += run.checked_ilog2().map_or(0, |log| u64::from(log) + run);
            run = 0;
        } else {
            run += 1;
        }
    }
    sum
}

/// Compares, then counts by adding bits within 32. Ref: `ext2fs_bitcount`.
pub(crate) fn compare(input: &mut Input) -> u64 {
    if input.words() != input.twin.as_bytes().as_chunks().0 {
        return u64::MAX;
    }
    let (halves, _) = input.words().as_flattened().as_chunks::<4>();
    let mut sum = 0;
    for half in halves {
        let x = u32::from_le_bytes(*half);
        let x = x - (x >> 1 & 0x5555_5555);
        let x = (x & 0x3333_3333) + (x >> 2 & 0x3333_3333);
        let x = (x + (x >> 4)) & 0x0f0f_0f0f;
        sum += u64::from(x.wrapping_mul(0x0101_0101) >> 24);
    }
    sum
}

/// Marks extents bit by bit.
pub(crate) fn claim(input: &mut Input) -> u64 {
    let mut bytes = vec![0_u8; input.words().as_flattened().len()];
    let mut twice = 0;
    for bit in input.extents.iter().cloned().flatten() {
        let byte = &mut bytes[bit as usize / 8];
        twice += u64::from(*byte >> (bit % 8) & 1);
        *byte |= 1 << (bit % 8);
    }
    twice + u64::from(black_box(bytes)[0])
}
