//! The group descriptor. Ref: `struct ext4_group_desc`, `fs/ext4/ext4.h`.

use core::mem::offset_of;

use bitflags::bitflags;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;
use crate::units::Fsblk;

/// Bytes of a descriptor without 64bit; every descriptor has at least these.
pub const GROUP_DESC_MIN_BYTES: usize = 32;

/// A descriptor as it lies on the disk: the 64 bytes that have a meaning.
///
/// Without 64bit there are 32 bytes, with it `s_desc_size`; what is missing reads as 0.
#[derive(Clone, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct RawGroupDesc {
    /// Block of the block bitmap, low 32 bits.
    pub bg_block_bitmap_lo: U32,
    /// Block of the inode bitmap, low 32 bits.
    pub bg_inode_bitmap_lo: U32,
    /// First block of the inode table, low 32 bits.
    pub bg_inode_table_lo: U32,
    /// Free clusters, low 16 bits.
    pub bg_free_blocks_count_lo: U16,
    /// Free inodes, low 16 bits.
    pub bg_free_inodes_count_lo: U16,

    /// Directories, low 16 bits.
    pub bg_used_dirs_count_lo: U16,
    /// [`BgFlags`].
    pub bg_flags: U16,
    /// Block of the snapshot exclude bitmap, low 32 bits; never taken up.
    pub bg_exclude_bitmap_lo: U32,
    /// Checksum of the block bitmap, low 16 bits.
    pub bg_block_bitmap_csum_lo: U16,
    /// Checksum of the inode bitmap, low 16 bits.
    pub bg_inode_bitmap_csum_lo: U16,
    /// Inodes at the end of the table that were never used, low 16 bits.
    pub bg_itable_unused_lo: U16,
    /// Checksum of the descriptor.
    pub bg_checksum: U16,

    /// Block of the block bitmap, high 32 bits.
    pub bg_block_bitmap_hi: U32,
    /// Block of the inode bitmap, high 32 bits.
    pub bg_inode_bitmap_hi: U32,
    /// First block of the inode table, high 32 bits.
    pub bg_inode_table_hi: U32,
    /// Free clusters, high 16 bits.
    pub bg_free_blocks_count_hi: U16,
    /// Free inodes, high 16 bits.
    pub bg_free_inodes_count_hi: U16,

    /// Directories, high 16 bits.
    pub bg_used_dirs_count_hi: U16,
    /// Inodes at the end of the table that were never used, high 16 bits.
    pub bg_itable_unused_hi: U16,
    /// Block of the snapshot exclude bitmap, high 32 bits.
    pub bg_exclude_bitmap_hi: U32,
    /// Checksum of the block bitmap, high 16 bits.
    pub bg_block_bitmap_csum_hi: U16,
    /// Checksum of the inode bitmap, high 16 bits.
    pub bg_inode_bitmap_csum_hi: U16,
    /// Unused.
    pub bg_reserved: U32,
}

const _: () = assert!(size_of::<RawGroupDesc>() == 64);
const _: () = assert!(offset_of!(RawGroupDesc, bg_checksum) == 0x1e);
const _: () = assert!(offset_of!(RawGroupDesc, bg_block_bitmap_hi) == 0x20);
const _: () = assert!(offset_of!(RawGroupDesc, bg_block_bitmap_csum_hi) == 0x38);

bitflags! {
    /// `bg_flags`. Ref: `EXT4_BG_*`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct BgFlags: u16 {
        /// The inode bitmap and table were never written.
        const INODE_UNINIT = 0x1;
        /// The block bitmap was never written.
        const BLOCK_UNINIT = 0x2;
        /// The inode table is filled with zeros where it is unused.
        const INODE_ZEROED = 0x4;
        const _ = !0;
    }
}

impl RawGroupDesc {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(RawGroupDesc:
        bg_block_bitmap_lo bg_inode_bitmap_lo bg_inode_table_lo bg_free_blocks_count_lo
        bg_free_inodes_count_lo bg_used_dirs_count_lo bg_flags bg_exclude_bitmap_lo
        bg_block_bitmap_csum_lo bg_inode_bitmap_csum_lo bg_itable_unused_lo bg_checksum
        bg_block_bitmap_hi bg_inode_bitmap_hi bg_inode_table_hi bg_free_blocks_count_hi
        bg_free_inodes_count_hi bg_used_dirs_count_hi bg_itable_unused_hi bg_exclude_bitmap_hi
        bg_block_bitmap_csum_hi bg_inode_bitmap_csum_hi bg_reserved
    );

    /// Copies the descriptor out of its `s_desc_size` bytes; missing ones read as 0.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut raw = Self::new_zeroed();
        let len = bytes.len().min(size_of::<Self>());
        if let (Some(to), Some(from)) = (raw.as_mut_bytes().get_mut(..len), bytes.get(..len)) {
            to.copy_from_slice(from);
        }
        raw
    }
}

/// A descriptor with low and high halves joined, `EXT4_MIN_DESC_SIZE_64BIT` = 64 bytes or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupDesc {
    /// `bg_block_bitmap`: block of the block bitmap.
    pub block_bitmap: Fsblk,
    /// `bg_inode_bitmap`: block of the inode bitmap.
    pub inode_bitmap: Fsblk,
    /// `bg_inode_table`: first block of the inode table.
    pub inode_table: Fsblk,
    /// `bg_free_blocks_count`: free clusters.
    pub free_blocks_count: u32,
    /// `bg_free_inodes_count`: free inodes.
    pub free_inodes_count: u32,
    /// `bg_used_dirs_count`: directories.
    pub used_dirs_count: u32,
    /// `bg_itable_unused`: inodes at the end of the table that were never used.
    pub itable_unused: u32,
    /// `bg_block_bitmap_csum`: checksum of the block bitmap.
    pub block_bitmap_csum: u32,
    /// `bg_inode_bitmap_csum`: checksum of the inode bitmap.
    pub inode_bitmap_csum: u32,
    /// `bg_flags`.
    pub flags: BgFlags,
    /// `bg_checksum`: checksum of the descriptor.
    pub checksum: u16,
}

impl From<&RawGroupDesc> for GroupDesc {
    fn from(raw: &RawGroupDesc) -> Self {
        let block =
            |lo: U32, hi: U32| Fsblk::new((u64::from(hi.get()) << 32) | u64::from(lo.get()));
        let word = |lo: U16, hi: U16| (u32::from(hi.get()) << 16) | u32::from(lo.get());
        Self {
            block_bitmap: block(raw.bg_block_bitmap_lo, raw.bg_block_bitmap_hi),
            inode_bitmap: block(raw.bg_inode_bitmap_lo, raw.bg_inode_bitmap_hi),
            inode_table: block(raw.bg_inode_table_lo, raw.bg_inode_table_hi),
            free_blocks_count: word(raw.bg_free_blocks_count_lo, raw.bg_free_blocks_count_hi),
            free_inodes_count: word(raw.bg_free_inodes_count_lo, raw.bg_free_inodes_count_hi),
            used_dirs_count: word(raw.bg_used_dirs_count_lo, raw.bg_used_dirs_count_hi),
            itable_unused: word(raw.bg_itable_unused_lo, raw.bg_itable_unused_hi),
            block_bitmap_csum: word(raw.bg_block_bitmap_csum_lo, raw.bg_block_bitmap_csum_hi),
            inode_bitmap_csum: word(raw.bg_inode_bitmap_csum_lo, raw.bg_inode_bitmap_csum_hi),
            flags: BgFlags::from_bits_retain(raw.bg_flags.get()),
            checksum: raw.bg_checksum.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_follow_one_another_without_a_gap() {
        let mut next = 0;
        for field in RawGroupDesc::FIELDS {
            assert_eq!(field.offset, next, "{}", field.name);
            next += field.len;
        }
        assert_eq!(next, 64);
    }

    #[test]
    fn a_short_descriptor_has_no_high_halves() {
        let mut raw = RawGroupDesc::from_bytes(&[0; 64]);
        raw.bg_block_bitmap_lo.set(9);
        raw.bg_block_bitmap_hi.set(1);
        raw.bg_free_blocks_count_lo.set(3);
        raw.bg_free_blocks_count_hi.set(2);
        let long = GroupDesc::from(&RawGroupDesc::from_bytes(raw.as_bytes()));
        assert_eq!(long.block_bitmap, Fsblk::new((1 << 32) + 9));
        assert_eq!(long.free_blocks_count, (2 << 16) + 3);
        let short = GroupDesc::from(&RawGroupDesc::from_bytes(&raw.as_bytes()[..32]));
        assert_eq!(short.block_bitmap, Fsblk::new(9));
        assert_eq!(short.free_blocks_count, 3);
    }

    #[test]
    fn descriptors_longer_than_known_are_read_by_their_start() {
        let mut bytes = vec![0xff; 128];
        bytes[..64].fill(0);
        assert_eq!(GroupDesc::from(&RawGroupDesc::from_bytes(&bytes)), GroupDesc::default());
    }
}
