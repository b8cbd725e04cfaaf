//! The profile of a group: how full each of its parts is, in order.
//!
//! A group's clusters are cut into equal parts, each one byte: 0 says that none of the part is in
//! use, 255 that all of it is, and nothing else does. It is all that a picture of a filesystem
//! needs, and its size depends on the number of groups alone.

use crate::bitmap::Bits;

/// Bytes that the profiles of all groups may take; decides how finely groups are cut.
const BUDGET: u32 = 16 << 20;
/// Parts of a group, at least and at most; powers of two.
const PARTS: (u32, u32) = (32, 4096);

/// Parts that each group of a filesystem of `groups` groups is cut into; a power of two.
#[must_use]
pub fn parts_for(groups: u32) -> u32 {
    let (least, most) = PARTS;
    let share = BUDGET.checked_div(groups).unwrap_or(BUDGET);
    share.checked_ilog2().map_or(least, |log| 1 << log).clamp(least, most)
}

/// The profile of a block bitmap, `parts` bytes; a bitmap shorter than that repeats its bits.
#[must_use]
pub fn profile(bitmap: &impl Bits, parts: u32) -> Vec<u8> {
    let (len, count) = (bitmap.len(), bitmap.count());
    if count == 0 || count == len {
        let part = if count == 0 { 0 } else { u8::MAX };
        return vec![part; parts as usize];
    }
    let each = len.checked_div(u64::from(parts)).unwrap_or(0);
    if let Some(words) = bitmap.as_words()
        && each.saturating_mul(u64::from(parts)) == len
        && each > 0
    {
        return words.counts(each).into_iter().map(|count| share(count.into(), each)).collect();
    }
    let bound = |part: u32| {
        let at = u128::from(len) * u128::from(part) / u128::from(parts.max(1));
        u64::try_from(at).unwrap_or(len)
    };
    (0..parts)
        .map(|part| {
            let from = bound(part);
            let to = bound(part.saturating_add(1)).max(from.saturating_add(1));
            share(bitmap.count_range(from..to), to.saturating_sub(from))
        })
        .collect()
}

/// `part` of `whole` as a byte: 0 for none, 255 for all, 1 to 254 for what lies between.
#[must_use]
pub fn share(part: u64, whole: u64) -> u8 {
    if part == 0 {
        return 0;
    }
    if part >= whole {
        return u8::MAX;
    }
    let share = match part.checked_mul(255) {
        Some(scaled) => scaled.checked_div(whole),
        // So large a whole is divided first, without a loss that a byte would show.
        None => part.checked_div(whole / 255),
    };
    let share = share.and_then(|share| u8::try_from(share).ok());
    share.unwrap_or(u8::MAX).clamp(1, 254)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bitmap::{Bitmap, BitsMut};

    fn bitmap(len: u64, marked: &[(u64, u64)]) -> Bitmap {
        let mut bitmap = Bitmap::new(len).expect("short");
        for &(from, to) in marked {
            bitmap.mark_range(from..to);
        }
        bitmap
    }

    #[test]
    fn groups_are_cut_finer_the_fewer_there_are() {
        let parts = [0, 1, 238, 8192, 131_072, u32::MAX].map(parts_for);
        assert_eq!(parts, [4096, 4096, 4096, 2048, 128, 32]);
    }

    #[test]
    fn parts_lie_in_the_order_of_the_blocks() {
        let half = bitmap(32_768, &[(0, 1024), (2048, 2560)]);
        let profile = profile(&half, 32);
        assert_eq!(profile[..4], [255, 0, 127, 0]);
    }

    #[test]
    fn a_short_bitmap_fills_all_parts() {
        assert_eq!(profile(&bitmap(2, &[(1, 2)]), 8), [0, 0, 0, 0, 255, 255, 255, 255]);
        assert_eq!(profile(&bitmap(0, &[]), 4), [0; 4]);
    }

    proptest! {
        #[test]
        fn only_nothing_is_0_and_only_all_is_255(
            len in 32_u64..70_000, from in 0_u64..70_000, to in 0_u64..70_000, log in 5_u32..13,
        ) {
            let bitmap = bitmap(len, &[(from.min(to), to.max(from))]);
            let parts = 1 << log;
            for (part, &byte) in (0_u64..).zip(&profile(&bitmap, parts)) {
                let (from, to) = (len * part / u64::from(parts), len * (part + 1) / u64::from(parts));
                let to = to.max(from + 1);
                let count = bitmap.count_range(from..to);
                prop_assert_eq!(byte == 0, count == 0);
                prop_assert_eq!(byte == 255, count == to - from);
            }
        }
    }
}
