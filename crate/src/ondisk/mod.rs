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

mod acl;
pub mod csum;
mod dirent;
pub mod dirhash;
mod extent;
pub mod features;
mod field;
mod group_desc;
pub mod htree;
mod inode;
pub mod jbd2;
pub mod jbd2_csum;
mod mmp;
pub mod orphan;
pub mod quota;
mod superblock;
pub mod xattr;

pub use acl::{Acl, AclTag};
pub use dirent::{DIR_PAD, DirEntryHeader, DirEntryTail, FT_DIR_CSUM, NAME_LEN, rec_len_from_disk};
pub use extent::{EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx, INIT_MAX_LEN, MAX_EXTENT_DEPTH};
pub use field::Field;
pub use group_desc::{BgFlags, GROUP_DESC_MIN_BYTES, GroupDesc, RawGroupDesc};
pub use inode::{
    FileType, GOOD_OLD_INODE_BYTES, I_BLOCK_BYTES, InodeFlags, InodeTime, N_BLOCKS, NDIR_BLOCKS,
    RawInode, reserved,
};
pub use mmp::{MMP_MAGIC, MMP_SEQ_CLEAN, MMP_SEQ_FSCK, MmpStruct};
pub use superblock::{SUPER_MAGIC, SUPERBLOCK_BYTES, SUPERBLOCK_OFFSET, Superblock};
