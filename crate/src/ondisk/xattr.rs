//! Extended attributes. Ref: `fs/ext4/xattr.h`.

use core::mem::offset_of;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;

/// `h_magic` of an attribute block, and of the attributes inside an inode.
pub const XATTR_MAGIC: u32 = 0xEA02_0000;

/// Names and values start at multiples of this many bytes. Ref: `EXT4_XATTR_PAD`.
pub const XATTR_PAD: usize = 4;

/// What an attribute block starts with; entries follow, values fill it from its end.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct XattrHeader {
    /// [`XATTR_MAGIC`].
    pub h_magic: U32,
    /// Inodes that share the block.
    pub h_refcount: U32,
    /// Blocks: 1.
    pub h_blocks: U32,
    /// Hash of all attributes.
    pub h_hash: U32,

    /// Checksum of the block.
    pub h_checksum: U32,
    /// Unused.
    pub h_reserved: [U32; 3],
}

/// What the attributes inside an inode start with; entries follow.
/// Ref: `struct ext4_xattr_ibody_header`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct XattrIbodyHeader {
    /// [`XATTR_MAGIC`].
    pub h_magic: U32,
}

/// What an entry starts with; its name follows. Four bytes of 0 end the entries.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct XattrEntry {
    /// Bytes of the name, its prefix not counted.
    pub e_name_len: u8,
    /// Which prefix; see [`prefix`].
    pub e_name_index: u8,
    /// Byte of the value, from the start of the block or of the inode's first entry.
    pub e_value_offs: U16,
    /// Inode that holds the value; 0 when it lies here.
    pub e_value_inum: U32,
    /// Bytes of the value.
    pub e_value_size: U32,
    /// Hash of name and value.
    pub e_hash: U32,
}

const _: () = assert!(size_of::<XattrHeader>() == 32);
const _: () = assert!(size_of::<XattrEntry>() == 16);
const _: () = assert!(offset_of!(XattrHeader, h_checksum) == 16);

impl XattrHeader {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] =
        fields!(XattrHeader: h_magic h_refcount h_blocks h_hash h_checksum h_reserved);
}

impl XattrEntry {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(XattrEntry:
        e_name_len e_name_index e_value_offs e_value_inum e_value_size e_hash
    );

    /// Bytes from this entry to the next. Ref: `EXT4_XATTR_LEN`.
    #[must_use]
    pub fn entry_len(&self) -> usize {
        size_of::<Self>().saturating_add(usize::from(self.e_name_len)).next_multiple_of(XATTR_PAD)
    }
}

/// What comes before a name of `e_name_index`; `None` for a number that means nothing.
/// Ref: `EXT4_XATTR_INDEX_*`.
#[must_use]
pub fn prefix(name_index: u8) -> Option<&'static str> {
    Some(match name_index {
        0 => "",
        1 => "user.",
        2 => "system.posix_acl_access",
        3 => "system.posix_acl_default",
        4 => "trusted.",
        5 => "lustre.",
        6 => "security.",
        7 => "system.",
        8 => "system.richacl",
        9 => "encryption.",
        10 => "gnu.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_padded() {
        let mut entry = XattrEntry::read_from_bytes(&[0; 16]).expect("16 bytes");
        let lens = [0, 1, 4, 5, 255].map(|len| {
            entry.e_name_len = len;
            entry.entry_len()
        });
        assert_eq!(lens, [16, 20, 20, 24, 272]);
    }
}
