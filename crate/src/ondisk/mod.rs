//! What lies on the disk: structures, flags and checksums, letter for letter.
//!
//! *Belongs here:* the layout of bytes, the kernel's names, joins of a field's low and high
//! halves, and which bytes a checksum covers. *Does not:* reading, and judging whether a value
//! makes sense. *May use:* `units`. *Reference:* `fs/ext4/ext4.h`, `lib/ext2fs/ext2_fs.h`.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

pub mod csum;
pub mod features;
mod field;
mod group_desc;
mod superblock;

pub use field::Field;
pub use group_desc::{BgFlags, GROUP_DESC_MIN_BYTES, GroupDesc, RawGroupDesc};
pub use superblock::{SUPER_MAGIC, SUPERBLOCK_BYTES, SUPERBLOCK_OFFSET, Superblock};
