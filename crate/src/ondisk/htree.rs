//! The index blocks of a hashed directory. Ref: `struct dx_root`, `fs/ext4/namei.c`.
//!
//! Each looks like a block of entries to whoever does not know the index: the root as `.`, `..`
//! and padding, a node as one unused entry.

use core::mem::offset_of;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;

/// Byte of block 0 at which [`DxRootInfo`] lies: past `.` and `..`.
pub const DX_ROOT_INFO_OFFSET: usize = 24;

/// Byte of any other index block at which its entries start: past the unused entry.
pub const DX_NODE_ENTRIES_OFFSET: usize = 8;

/// What the root says of the index.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct DxRootInfo {
    /// 0.
    pub reserved_zero: U32,
    /// Which hash; see [`HashVersion`].
    pub hash_version: u8,
    /// Bytes of this structure: 8.
    pub info_length: u8,
    /// Levels of index blocks below the root.
    pub indirect_levels: u8,
    /// 0.
    pub unused_flags: u8,
}

/// An entry of an index block: names with this hash or a greater one, up to the next entry's, lie
/// in this block of the directory.
///
/// The first entry has no hash: a [`DxCountlimit`] takes its place.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct DxEntry {
    /// Least hash; its lowest bit tells that the run of this hash began in an earlier block.
    pub hash: U32,
    /// Block of the directory; the top 4 bits are reserved.
    pub block: U32,
}

/// How many entries an index block has.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct DxCountlimit {
    /// Entries that there is room for.
    pub limit: U16,
    /// Entries in use.
    pub count: U16,
}

/// Follows the room for entries under metadata_csum.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct DxTail {
    /// 0.
    pub dt_reserved: U32,
    /// Checksum of the block up to the last entry in use.
    pub dt_checksum: U32,
}

const _: () = assert!(size_of::<DxRootInfo>() == 8);
const _: () = assert!(size_of::<DxEntry>() == 8);
const _: () = assert!(size_of::<DxCountlimit>() == 4);
const _: () = assert!(size_of::<DxTail>() == 8);
const _: () = assert!(offset_of!(DxRootInfo, indirect_levels) == 6);

impl DxRootInfo {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] =
        fields!(DxRootInfo: reserved_zero hash_version info_length indirect_levels unused_flags);

    /// Byte of block 0 at which the root's entries start.
    #[must_use]
    pub fn entries_offset(&self) -> usize {
        DX_ROOT_INFO_OFFSET.saturating_add(usize::from(self.info_length))
    }
}

impl DxEntry {
    /// Block of the directory. Ref: `dx_get_block`.
    #[must_use]
    pub fn lblk(&self) -> u32 {
        self.block.get() & 0x0fff_ffff
    }
}

/// Which hash orders the names. Ref: `DX_HASH_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashVersion {
    /// The first one.
    Legacy,
    /// Half of MD4.
    HalfMd4,
    /// TEA.
    Tea,
    /// SipHash, of encrypted names in a casefold directory.
    SipHash,
}

impl HashVersion {
    /// The hash of a number, and whether the number itself says that characters are unsigned.
    #[must_use]
    pub fn from_disk(number: u8) -> Option<(Self, bool)> {
        Some(match number {
            0 => (Self::Legacy, false),
            1 => (Self::HalfMd4, false),
            2 => (Self::Tea, false),
            3 => (Self::Legacy, true),
            4 => (Self::HalfMd4, true),
            5 => (Self::Tea, true),
            6 => (Self::SipHash, true),
            _ => return None,
        })
    }
}
