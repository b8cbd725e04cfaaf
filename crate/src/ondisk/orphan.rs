//! The blocks of the orphan file: inode numbers, and a tail.
//! Ref: `struct ext4_orphan_block_tail`, `fs/ext4/ext4.h`.

use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Field;
use super::field::fields;

/// `ob_magic`. Ref: `EXT4_ORPHAN_BLOCK_MAGIC`.
pub const ORPHAN_BLOCK_MAGIC: u32 = 0x0B10_CA04;

/// What every block of the orphan file ends with.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct OrphanBlockTail {
    /// [`ORPHAN_BLOCK_MAGIC`].
    pub ob_magic: U32,
    /// Checksum of the block before the tail, under metadata_csum.
    pub ob_checksum: U32,
}

const _: () = assert!(size_of::<OrphanBlockTail>() == 8);

impl OrphanBlockTail {
    /// Every field, in order, without a gap.
    pub const FIELDS: &'static [Field] = fields!(OrphanBlockTail: ob_magic ob_checksum);
}

/// The orphans of a block, unused places left out.
pub fn orphans(block: &[u8]) -> impl Iterator<Item = u32> {
    let len = block.len().saturating_sub(size_of::<OrphanBlockTail>());
    let (words, _) = block.get(..len).unwrap_or_default().as_chunks();
    words.iter().map(|word| u32::from_le_bytes(*word)).filter(|ino| *ino != 0)
}
