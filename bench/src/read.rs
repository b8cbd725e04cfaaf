//! The reference: the fastest way to only read.

use extscope::bitmap::Word;

/// Reads all words and makes one number of them, so that no read can be left out.
#[must_use]
pub fn read(words: &[Word]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has AVX-512.
            #[allow(unsafe_code, reason = "instructions of one machine")]
            return unsafe { read_avx512(words) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2.
            #[allow(unsafe_code, reason = "instructions of one machine")]
            return unsafe { read_avx2(words) };
        }
    }
    read_words::<32>(words)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn read_avx2(words: &[Word]) -> u64 {
    read_words::<32>(words)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn read_avx512(words: &[Word]) -> u64 {
    read_words::<64>(words)
}

/// Ors words in so many sums that none waits for another.
#[inline(always)]
fn read_words<const SUMS: usize>(words: &[Word]) -> u64 {
    let (blocks, rest) = words.as_chunks::<SUMS>();
    let mut sums = [0; SUMS];
    for block in blocks {
        for (sum, word) in sums.iter_mut().zip(block) {
            *sum |= u64::from_le_bytes(*word);
        }
    }
    let rest = rest.iter().map(|word| u64::from_le_bytes(*word));
    sums.into_iter().chain(rest).fold(0, |all, word| all | word)
}
