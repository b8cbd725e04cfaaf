//! The hashes that order the names of an indexed directory. Ref: `fs/ext4/hash.c`.

use super::htree::HashVersion;

/// Seed of half MD4 and TEA where the superblock has none: that of MD4 (RFC 1320).
const DEFAULT_SEED: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Marks the end of a directory, and is no hash of a name. Ref: `EXT4_HTREE_EOF_32BIT`.
const EOF: u32 = 0x7fff_ffff;

/// The hash of a name, its lowest bit 0; `None` for SipHash, which needs a key.
#[must_use]
pub fn dirhash(
    version: HashVersion,
    is_unsigned: bool,
    seed: [u32; 4],
    name: &[u8],
) -> Option<u32> {
    let seed = if seed == [0; 4] { DEFAULT_SEED } else { seed };
    let hash = match version {
        HashVersion::Legacy => legacy(name, is_unsigned),
        HashVersion::HalfMd4 => {
            let mut state = seed;
            for block in blocks::<8>(name, is_unsigned) {
                half_md4(&mut state, &block);
            }
            let [_, hash, ..] = state;
            hash
        }
        HashVersion::Tea => {
            let mut state = seed;
            for block in blocks::<4>(name, is_unsigned) {
                tea(&mut state, &block);
            }
            let [hash, ..] = state;
            hash
        }
        HashVersion::SipHash => return None,
    };
    let hash = hash & !1;
    Some(if hash == EOF << 1 { hash.wrapping_sub(2) } else { hash })
}

/// A character as C's `char` widens it.
fn widen(byte: u8, is_unsigned: bool) -> u32 {
    if is_unsigned { u32::from(byte) } else { i32::from(byte.cast_signed()).cast_unsigned() }
}

/// Ref: `dx_hack_hash_signed`, `dx_hack_hash_unsigned`.
fn legacy(name: &[u8], is_unsigned: bool) -> u32 {
    let (mut newer, mut older) = (0x12a3_fe2d_u32, 0x37ab_e8f9_u32);
    for byte in name {
        let mixed = widen(*byte, is_unsigned).wrapping_mul(7_152_373);
        let mut next = older.wrapping_add(newer ^ mixed);
        if next & 0x8000_0000 != 0 {
            next = next.wrapping_sub(0x7fff_ffff);
        }
        (older, newer) = (newer, next);
    }
    newer << 1
}

/// The name in blocks of so many words, filled up with its length. Ref: `str2hashbuf_signed`.
fn blocks<const WORDS: usize>(
    name: &[u8],
    is_unsigned: bool,
) -> impl Iterator<Item = [u32; WORDS]> {
    let bytes = WORDS.saturating_mul(4);
    let count = name.len().div_ceil(bytes);
    (0..count).map(move |index| {
        let rest = name.get(index.saturating_mul(bytes)..).unwrap_or_default();
        let len = u32::try_from(rest.len()).unwrap_or(u32::MAX);
        let pad = (len | (len << 8)) | ((len | (len << 8)) << 16);
        let part = rest.get(..bytes).unwrap_or(rest);
        let mut words = [pad; WORDS];
        for (word, chars) in words.iter_mut().zip(part.chunks(4)) {
            *word = chars
                .iter()
                .fold(pad, |word, byte| widen(*byte, is_unsigned).wrapping_add(word << 8));
        }
        words
    })
}

/// Ref: `TEA_transform`.
fn tea(state: &mut [u32; 4], block: &[u32; 4]) {
    const DELTA: u32 = 0x9e37_79b9;
    let [a, b, c, d] = *block;
    let [mut left, mut right, ..] = *state;
    let mut sum = 0_u32;
    for _ in 0..16 {
        sum = sum.wrapping_add(DELTA);
        let mix = |half: u32, low: u32, high: u32| {
            (half << 4).wrapping_add(low) ^ half.wrapping_add(sum) ^ (half >> 5).wrapping_add(high)
        };
        left = left.wrapping_add(mix(right, a, b));
        right = right.wrapping_add(mix(left, c, d));
    }
    let [first, second, ..] = state;
    *first = first.wrapping_add(left);
    *second = second.wrapping_add(right);
}

/// Three of MD4's rounds over half of its block. Ref: `half_md4_transform`.
fn half_md4(state: &mut [u32; 4], block: &[u32; 8]) {
    const ROUNDS: [(u32, [u32; 4], [usize; 8]); 3] = [
        (0, [3, 7, 11, 19], [0, 1, 2, 3, 4, 5, 6, 7]),
        (0x5a82_7999, [3, 5, 9, 13], [1, 3, 5, 7, 0, 2, 4, 6]),
        (0x6ed9_eba1, [3, 9, 11, 15], [3, 7, 2, 6, 1, 5, 0, 4]),
    ];
    let [mut a, mut b, mut c, mut d] = *state;
    for (round, (constant, shifts, order)) in ROUNDS.into_iter().enumerate() {
        for (index, shift) in order.into_iter().zip(shifts.into_iter().cycle()) {
            let mixed = match round {
                0 => d ^ (b & (c ^ d)),
                1 => (b & c).wrapping_add((b ^ c) & d),
                _ => b ^ c ^ d,
            };
            let word = block.get(index).copied().unwrap_or(0).wrapping_add(constant);
            let turned = a.wrapping_add(mixed).wrapping_add(word).rotate_left(shift);
            (a, b, c, d) = (d, turned, b, c);
        }
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: [u32; 4] = [0x8c2f_6e4a, 0x1b7d_4e93, 0xa5c0_d6f1, 0xe2b3_a497];

    #[test]
    fn hashes_have_their_lowest_bit_free_and_tell_names_apart() {
        for version in [HashVersion::Legacy, HashVersion::HalfMd4, HashVersion::Tea] {
            let hashes: Vec<u32> = (0..300)
                .map(|n| dirhash(version, false, SEED, format!("name{n}").as_bytes()))
                .map(|hash| hash.expect("no key is needed"))
                .collect();
            assert!(hashes.iter().all(|hash| hash & 1 == 0));
            let distinct: std::collections::HashSet<_> = hashes.iter().collect();
            assert_eq!(distinct.len(), 300, "{version:?}");
        }
    }

    #[test]
    fn only_characters_past_127_have_a_sign() {
        for version in [HashVersion::Legacy, HashVersion::HalfMd4, HashVersion::Tea] {
            let both = |name: &[u8]| [false, true].map(|u| dirhash(version, u, SEED, name));
            let [signed, unsigned] = both(b"plain");
            assert_eq!(signed, unsigned);
            let [signed, unsigned] = both(b"b\xc3\xa4r");
            assert_ne!(signed, unsigned);
        }
    }
}
