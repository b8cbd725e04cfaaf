//! The nodes of an extent tree. Ref: `fs/ext4/ext4_extents.h`.

use core::mem::offset_of;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;
use crate::units::{Fsblk, Lblk};

/// `eh_magic` of every node.
pub const EXTENT_MAGIC: u16 = 0xF30A;

/// Deepest tree. Ref: `EXT4_MAX_EXTENT_DEPTH`.
pub const MAX_EXTENT_DEPTH: u16 = 5;

/// Longest written extent in blocks; a longer `ee_len` is that of an unwritten one, plus this.
/// Ref: `EXT_INIT_MAX_LEN`.
pub const INIT_MAX_LEN: u16 = 1 << 15;

/// What every node starts with.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct ExtentHeader {
    /// [`EXTENT_MAGIC`].
    pub eh_magic: U16,
    /// Entries in use.
    pub eh_entries: U16,
    /// Entries that there is room for.
    pub eh_max: U16,
    /// Levels below this node; 0 is a leaf.
    pub eh_depth: U16,
    /// Generation; never taken up.
    pub eh_generation: U32,
}

/// An entry of a leaf: blocks that follow one another in the file and on the disk.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct Extent {
    /// First block of the file.
    pub ee_block: U32,
    /// Blocks; past [`INIT_MAX_LEN`], that many fewer and unwritten.
    pub ee_len: U16,
    /// First block of the filesystem, high 16 bits.
    pub ee_start_hi: U16,
    /// First block of the filesystem, low 32 bits.
    pub ee_start_lo: U32,
}

/// An entry of any other node: the node below.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct ExtentIdx {
    /// First block of the file that the node below covers.
    pub ei_block: U32,
    /// Block of the node below, low 32 bits.
    pub ei_leaf_lo: U32,
    /// Block of the node below, high 16 bits.
    pub ei_leaf_hi: U16,
    /// Unused.
    pub ei_unused: U16,
}

const _: () = assert!(size_of::<ExtentHeader>() == 12);
const _: () = assert!(size_of::<Extent>() == 12);
const _: () = assert!(size_of::<ExtentIdx>() == 12);
const _: () = assert!(offset_of!(Extent, ee_start_lo) == 8);

impl ExtentHeader {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] =
        fields!(ExtentHeader: eh_magic eh_entries eh_max eh_depth eh_generation);

    /// Bytes from the start of a node to its checksum. Ref: `EXT4_EXTENT_TAIL_OFFSET`.
    #[must_use]
    pub fn tail_offset(&self) -> usize {
        usize::from(self.eh_max.get()).saturating_add(1).saturating_mul(size_of::<Extent>())
    }
}

impl Extent {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(Extent: ee_block ee_len ee_start_hi ee_start_lo);

    /// First block of the file.
    #[must_use]
    pub fn lblk(&self) -> Lblk {
        Lblk::new(self.ee_block.get())
    }

    /// First block of the filesystem. Ref: `ext4_ext_pblock`.
    #[must_use]
    pub fn fsblk(&self) -> Fsblk {
        Fsblk::new((u64::from(self.ee_start_hi.get()) << 32) | u64::from(self.ee_start_lo.get()))
    }

    /// Blocks. Ref: `ext4_ext_get_actual_len`.
    #[must_use]
    pub fn len(&self) -> u16 {
        let len = self.ee_len.get();
        if self.is_unwritten() { len.saturating_sub(INIT_MAX_LEN) } else { len }
    }

    /// Whether it has no blocks, which no sound extent has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its blocks are the file's but read as zeros. Ref: `ext4_ext_is_unwritten`.
    #[must_use]
    pub fn is_unwritten(&self) -> bool {
        self.ee_len.get() > INIT_MAX_LEN
    }
}

impl ExtentIdx {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] =
        fields!(ExtentIdx: ei_block ei_leaf_lo ei_leaf_hi ei_unused);

    /// First block of the file that the node below covers.
    #[must_use]
    pub fn lblk(&self) -> Lblk {
        Lblk::new(self.ei_block.get())
    }

    /// Block of the node below. Ref: `ext4_idx_pblock`.
    #[must_use]
    pub fn leaf(&self) -> Fsblk {
        Fsblk::new((u64::from(self.ei_leaf_hi.get()) << 32) | u64::from(self.ei_leaf_lo.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_past_32768_is_an_unwritten_one() {
        let extent = |len: u16| Extent {
            ee_block: 0.into(),
            ee_len: len.into(),
            ee_start_hi: 2.into(),
            ee_start_lo: 9.into(),
        };
        assert_eq!((extent(32768).len(), extent(32768).is_unwritten()), (32768, false));
        assert_eq!((extent(32769).len(), extent(32769).is_unwritten()), (1, true));
        assert!(extent(0).is_empty());
        assert_eq!(extent(1).fsblk(), Fsblk::new((2 << 32) + 9));
    }

    #[test]
    fn the_checksum_follows_the_room_for_entries() {
        let header = ExtentHeader::read_from_bytes(&[0x0a, 0xf3, 1, 0, 84, 0, 0, 0, 0, 0, 0, 0])
            .expect("12 bytes");
        assert_eq!(header.tail_offset(), 1020);
    }
}
