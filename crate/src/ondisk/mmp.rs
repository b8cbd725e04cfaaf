//! The block of multiple mount protection. Ref: `struct mmp_struct`, `fs/ext4/ext4.h`.

use core::mem::offset_of;

use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;

/// `mmp_magic`. Ref: `EXT4_MMP_MAGIC`.
pub const MMP_MAGIC: u32 = 0x004D_4D50;

/// `mmp_seq` of a filesystem that nobody has mounted. Ref: `EXT4_MMP_SEQ_CLEAN`.
pub const MMP_SEQ_CLEAN: u32 = 0xFF4D_4D50;

/// `mmp_seq` while e2fsck runs. Ref: `EXT4_MMP_SEQ_FSCK`.
pub const MMP_SEQ_FSCK: u32 = 0xE24D_4D50;

/// What the MMP block holds.
#[derive(Clone, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct MmpStruct {
    /// [`MMP_MAGIC`].
    pub mmp_magic: U32,
    /// Changes while mounted; or one of the fixed ones.
    pub mmp_seq: U32,
    /// Last update, seconds since 1970.
    pub mmp_time: U64,

    /// Host that mounted it last.
    pub mmp_nodename: [u8; 64],

    /// Device that it mounted.
    pub mmp_bdevname: [u8; 32],

    /// Seconds between updates.
    pub mmp_check_interval: U16,
    /// Unused.
    pub mmp_pad1: U16,
    /// Unused.
    pub mmp_pad2: [U32; 226],
    /// crc32c of the bytes before it, under metadata_csum.
    pub mmp_checksum: U32,
}

const _: () = assert!(size_of::<MmpStruct>() == 1024);
const _: () = assert!(offset_of!(MmpStruct, mmp_checksum) == 0x3fc);

impl MmpStruct {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(MmpStruct:
        mmp_magic mmp_seq mmp_time mmp_nodename mmp_bdevname mmp_check_interval mmp_pad1 mmp_pad2
        mmp_checksum
    );
}
