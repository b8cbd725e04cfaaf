//! How many bits are set in each part of a bitmap: the lowest step of the pyramid that pictures of
//! a filesystem are made of. What lies above are sums.

use super::kernel::{PYRAMID_WORDS, kernels};
use super::{BitmapRef, Bits, WORD_BITS};

/// Bits under one count of the kernel.
const KERNEL_BITS: u64 = PYRAMID_WORDS as u64 * WORD_BITS as u64;

impl BitmapRef<'_> {
    /// How many bits are set in each part of `each` bits, in order; the last part may be shorter.
    ///
    /// Parts of a multiple of 512 bits cost a pass over the bitmap.
    #[must_use]
    pub fn counts(&self, each: u64) -> Vec<u32> {
        let each = each.max(1);
        let mut counts = Vec::new();
        if each.is_multiple_of(KERNEL_BITS) {
            let mut lowest = vec![0; self.words().len() / PYRAMID_WORDS];
            (kernels().pyramid)(self.words(), &mut lowest);
            let per_part = usize::try_from(each / KERNEL_BITS).unwrap_or(usize::MAX);
            let whole = lowest.chunks_exact(per_part);
            counts.extend(whole.map(|part| part.iter().copied().map(u32::from).sum::<u32>()));
        } else if each.is_multiple_of(u64::from(WORD_BITS)) {
            let per_part = usize::try_from(each / u64::from(WORD_BITS)).unwrap_or(usize::MAX);
            let whole = self.words().chunks_exact(per_part);
            let count = |word: &super::Word| u64::from_le_bytes(*word).count_ones();
            counts.extend(whole.map(|part| part.iter().map(count).sum::<u32>()));
        }
        let mut at = counts.len() as u64 * each;
        while at < self.len() {
            let end = at.saturating_add(each);
            counts.push(u32::try_from(self.count_range(at..end)).unwrap_or(u32::MAX));
            at = end;
        }
        counts
    }
}
