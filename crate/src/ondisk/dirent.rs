//! Directory entries. Ref: `struct ext4_dir_entry_2`, `fs/ext4/ext4.h`.

use core::mem::offset_of;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;

/// Longest name in bytes. Ref: `EXT4_NAME_LEN`.
pub const NAME_LEN: usize = 255;

/// Entries start at multiples of this many bytes. Ref: `EXT4_DIR_PAD`.
pub const DIR_PAD: usize = 4;

/// `det_reserved_ft` of the tail that holds a block's checksum. Ref: `EXT4_FT_DIR_CSUM`.
pub const FT_DIR_CSUM: u8 = 0xDE;

/// What an entry starts with; its name follows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct DirEntryHeader {
    /// Inode; 0 is an unused entry.
    pub inode: U32,
    /// Bytes to the next entry, coded as [`rec_len_from_disk`] says.
    pub rec_len: U16,
    /// Bytes of the name.
    pub name_len: u8,
    /// Type under the feature filetype; else the high byte of the name's length.
    pub file_type: u8,
}

/// The last entry of a block under metadata_csum: not an entry but a checksum.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct DirEntryTail {
    /// 0, so that it reads as an unused entry.
    pub det_reserved_zero1: U32,
    /// 12.
    pub det_rec_len: U16,
    /// 0.
    pub det_reserved_zero2: u8,
    /// [`FT_DIR_CSUM`].
    pub det_reserved_ft: u8,
    /// Checksum of the block before it.
    pub det_checksum: U32,
}

const _: () = assert!(size_of::<DirEntryHeader>() == 8);
const _: () = assert!(size_of::<DirEntryTail>() == 12);
const _: () = assert!(offset_of!(DirEntryTail, det_checksum) == 8);

impl DirEntryHeader {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(DirEntryHeader: inode rec_len name_len file_type);
}

impl DirEntryTail {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(DirEntryTail:
        det_reserved_zero1 det_rec_len det_reserved_zero2 det_reserved_ft det_checksum
    );

    /// The tail of a block, when it has one.
    #[must_use]
    pub fn from_block(block: &[u8]) -> Option<Self> {
        let (_, tail) = Self::read_from_suffix(block).ok()?;
        let is_tail = tail.det_reserved_zero1.get() == 0
            && usize::from(tail.det_rec_len.get()) == size_of::<Self>()
            && tail.det_reserved_zero2 == 0
            && tail.det_reserved_ft == FT_DIR_CSUM;
        is_tail.then_some(tail)
    }
}

/// Bytes to the next entry. Blocks of 64 KiB need 17 bits: 0 and 65535 are a whole block.
/// Ref: `ext4_rec_len_from_disk`.
#[must_use]
pub fn rec_len_from_disk(rec_len: u16, block_size: u32) -> u32 {
    let rec_len = u32::from(rec_len);
    if block_size < 1 << 16 {
        rec_len
    } else if rec_len == 0 || rec_len == u32::from(u16::MAX) {
        block_size
    } else {
        (rec_len & 0xfffc) | ((rec_len & 3) << 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_block_of_64_kib_has_a_length() {
        assert_eq!(rec_len_from_disk(0xffff, 65_536), 65_536);
        assert_eq!(rec_len_from_disk(0, 65_536), 65_536);
        assert_eq!(rec_len_from_disk(0xfffc, 65_536), 65_532);
        assert_eq!(rec_len_from_disk(0, 4096), 0);
        assert_eq!(rec_len_from_disk(12, 65_536), 12);
    }

    #[test]
    fn only_a_whole_tail_is_one() {
        let mut block = [0; 64];
        block[56] = 12;
        block[59] = FT_DIR_CSUM;
        block[52] = 1;
        assert!(DirEntryTail::from_block(&block).is_none());
        block[52] = 0;
        assert!(DirEntryTail::from_block(&block).is_some());
    }
}
