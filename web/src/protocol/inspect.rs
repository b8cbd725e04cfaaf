//! Everything about one block group.

use extscope::Error;
use extscope::units::{Fsblk, Group};
use serde::{Deserialize, Serialize};

use super::{CsumState, Field, GroupReport};

/// Everything about one block group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupDetail {
    /// The group.
    pub group: Group,
    /// What lies where, and the free ranges.
    pub report: GroupReport,
    /// The descriptor's fields, by their kernel names; none where it could not be read.
    pub descriptor: Vec<Field>,
    /// The block bitmap: a bit for each cluster, 1 in use.
    pub block_bitmap: Result<BitmapDetail, Error>,
    /// The inode bitmap: a bit for each inode, 1 in use.
    pub inode_bitmap: Result<BitmapDetail, Error>,
}

/// A bitmap with all its bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BitmapDetail {
    /// The block it lies in.
    pub fsblk: Fsblk,
    /// How it came to be known.
    pub origin: BitmapOrigin,
    /// What its checksum says.
    pub csum: CsumState,
    /// The checksum stored for it in the descriptor.
    pub csum_stored: Option<u32>,
    /// The checksum of its bytes.
    pub csum_expected: Option<u32>,
    /// Bits that stand for something; those after them are padding.
    pub bits: u32,
    /// The bytes as they lie on the disk: bit `n` is bit `n % 8` of byte `n / 8`.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// How a bitmap came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BitmapOrigin {
    /// Read from the image.
    Read,
    /// BLOCK_UNINIT or INODE_UNINIT: made as the kernel would make it.
    Synthesised,
}

impl BitmapDetail {
    /// Whether bit `n` is set, or `None` past the last bit that stands for something.
    #[must_use]
    pub fn test(&self, n: u32) -> Option<bool> {
        let byte = self.bytes.get(usize::try_from(n / 8).ok()?)?;
        (n < self.bits).then_some(byte >> (n % 8) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_0_is_the_lowest_of_the_first_byte_and_padding_is_no_bit() {
        let bitmap = BitmapDetail {
            fsblk: Fsblk::new(3),
            origin: BitmapOrigin::Read,
            csum: CsumState::None,
            csum_stored: None,
            csum_expected: None,
            bits: 10,
            bytes: vec![0b0000_0001, 0b1111_1110],
        };
        let bits: Vec<_> = [0, 1, 8, 9, 10, 99].map(|n| bitmap.test(n)).into();
        assert_eq!(bits, [Some(true), Some(false), Some(false), Some(true), None, None]);
    }
}
