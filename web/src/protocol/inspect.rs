//! Everything about one block group.

use extscope::Error;
use extscope::bitmap::Bits;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::report;
use extscope::units::{Fsblk, Group};
use serde::{Deserialize, Serialize};

use super::{BitmapKind, BitmapPlace, CsumState, Field, GroupReport};

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

impl GroupDetail {
    /// Everything about one group, or `None` past the last.
    pub fn read<S: ByteSource>(filesystem: &Filesystem<S>, group: Group) -> Option<Self> {
        let report = GroupReport::new(filesystem, group)?;
        let descriptor =
            filesystem.group(group).map(|entry| report::descriptor_fields(&entry.desc));
        Some(Self {
            group,
            descriptor: descriptor.unwrap_or_default(),
            block_bitmap: BitmapDetail::read(filesystem, BitmapKind::Block, group),
            inode_bitmap: BitmapDetail::read(filesystem, BitmapKind::Inode, group),
            report,
        })
    }
}

impl BitmapDetail {
    /// A group's bitmap.
    fn read<S: ByteSource>(
        filesystem: &Filesystem<S>,
        kind: BitmapKind,
        group: Group,
    ) -> Result<Self, Error> {
        let desc = &filesystem.group(group)?.desc;
        let (fsblk, csum) = match kind {
            BitmapKind::Block => (desc.block_bitmap, desc.block_bitmap_csum),
            BitmapKind::Inode => (desc.inode_bitmap, desc.inode_bitmap_csum),
        };
        let bitmap = filesystem.bitmap(kind, group)?;
        Ok(Self {
            fsblk,
            origin: match bitmap.place {
                BitmapPlace::Disk(_) => BitmapOrigin::Read,
                BitmapPlace::Uninit => BitmapOrigin::Synthesised,
            },
            csum: bitmap.csum,
            csum_stored: bitmap.computed_csum.map(|_| csum),
            csum_expected: bitmap.computed_csum,
            // A bitmap has at most as many bits as a block of 64 KiB.
            bits: u32::try_from(bitmap.bits().len()).unwrap_or(0),
            bytes: bitmap.bytes().to_vec(),
        })
    }

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
