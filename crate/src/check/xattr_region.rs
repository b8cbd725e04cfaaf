//! Attributes as bytes: which of them overlap, and whether their hashes are right.

use core::ops::Range;

use zerocopy::FromBytes as _;

use crate::ondisk::xattr::{XATTR_PAD, XattrEntry};

/// Which bytes of a place are taken. Ref: `region_t`.
#[derive(Clone, Debug)]
pub(super) struct Region {
    len: usize,
    /// Taken ranges, in order.
    taken: Vec<Range<usize>>,
}

impl Region {
    /// A place of so many bytes, all free.
    pub(super) fn new(len: usize) -> Self {
        Self { len, taken: Vec::new() }
    }

    /// Takes bytes; false when any are taken or lie outside.
    pub(super) fn take(&mut self, start: usize, len: usize) -> bool {
        let Some(end) = start.checked_add(len).filter(|end| *end <= self.len) else {
            return false;
        };
        if len == 0 {
            return true;
        }
        let at = self.taken.partition_point(|range| range.end <= start);
        if self.taken.get(at).is_some_and(|range| range.start < end) {
            return false;
        }
        self.taken.insert(at, start..end);
        true
    }
}

/// An entry and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    /// What it starts with.
    pub(super) raw: XattrEntry,
    /// The name; cut off where the place ends.
    pub(super) name: &'a [u8],
}

impl<'a> Entry<'a> {
    /// The entry at the start of some bytes; `None` at the end mark and where bytes run out.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        if bytes.first_chunk().is_none_or(|word| *word == [0; 4]) {
            return None;
        }
        let (raw, rest) = XattrEntry::read_from_prefix(bytes).ok()?;
        let name = rest.get(..usize::from(raw.e_name_len)).unwrap_or(rest);
        Some(Self { raw, name })
    }

    /// Bytes of its value, padded.
    pub(super) fn padded_value(&self) -> usize {
        (self.raw.e_value_size.get() as usize).next_multiple_of(XATTR_PAD)
    }

    /// Where its value lies.
    pub(super) fn value_at(&self) -> usize {
        usize::from(self.raw.e_value_offs.get())
    }

    /// Whether the stored hash fits the name and a value, padding and all, with characters signed
    /// or not.
    pub(super) fn has_hash_of(&self, value: &[u8]) -> bool {
        [false, true].into_iter().any(|signed| {
            let hash = value_hash(name_hash(self.name, signed), value);
            hash == self.raw.e_hash.get()
        })
    }

    /// The same where the value is an inode's, of which the hash is known.
    pub(super) fn has_hash_of_inode(&self, value: u32) -> bool {
        [false, true].into_iter().any(|signed| {
            let hash = name_hash(self.name, signed).rotate_left(16) ^ value;
            hash == self.raw.e_hash.get()
        })
    }
}

/// Ref: `NAME_HASH_SHIFT`.
fn name_hash(name: &[u8], signed: bool) -> u32 {
    name.iter().fold(0_u32, |hash, byte| {
        let byte =
            if signed { i32::from(byte.cast_signed()).cast_unsigned() } else { (*byte).into() };
        hash.rotate_left(5) ^ byte
    })
}

/// Ref: `VALUE_HASH_SHIFT`.
fn value_hash(hash: u32, value: &[u8]) -> u32 {
    value.chunks(4).fold(hash, |hash, chunk| {
        let mut word = [0; 4];
        for (to, from) in word.iter_mut().zip(chunk) {
            *to = *from;
        }
        hash.rotate_left(16) ^ u32::from_le_bytes(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_once_and_inside() {
        let mut region = Region::new(100);
        assert!(region.take(0, 10) && region.take(20, 10) && region.take(10, 10));
        assert!(!region.take(29, 2));
        assert!(!region.take(99, 2));
        assert!(region.take(30, 70));
        assert!(region.take(5, 0));
    }

    #[test]
    fn signed_and_plain_characters_differ_from_128_on() {
        assert_eq!(name_hash(b"ab", false), name_hash(b"ab", true));
        assert_ne!(name_hash(&[0xe4, b'b'], false), name_hash(&[0xe4, b'b'], true));
        assert_eq!(name_hash(b"ab", false), (0x61 << 5) ^ 0x62);
        assert_eq!(value_hash(1, &[2]), 0x1_0002);
    }
}
