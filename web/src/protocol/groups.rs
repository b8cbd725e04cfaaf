//! The block groups of an image as columns: 131,072 of them go over in a few buffers.

use bitflags::bitflags;
use extscope::units::{Fsblk, Group};
use serde::{Deserialize, Serialize};

use super::Column;

bitflags! {
    /// What a group descriptor says of its group. Ref: `EXT2_BG_*`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GroupFlags: u16 {
        /// The inode bitmap and table were never written.
        const INODE_UNINIT = 0x1;
        /// The block bitmap was never written.
        const BLOCK_UNINIT = 0x2;
        /// The inode table is zeroed.
        const INODE_ZEROED = 0x4;
        /// Any other.
        const _ = !0;
    }
}

/// What a checksum says of the bytes beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CsumVerdict {
    /// None is stored, or it was not looked at.
    #[default]
    None,
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
}

impl CsumVerdict {
    /// The verdict as a column holds it.
    #[must_use]
    pub const fn to_word(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Right => 1,
            Self::Wrong => 2,
        }
    }

    /// The verdict that a column holds; what is unknown is [`CsumVerdict::None`].
    #[must_use]
    pub const fn from_word(word: u8) -> Self {
        match word {
            1 => Self::Right,
            2 => Self::Wrong,
            _ => Self::None,
        }
    }
}

/// The descriptors of all block groups, one column a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupColumns {
    /// Free clusters. Ref: `bg_free_blocks_count`.
    pub free_clusters: Column<u32>,
    /// Free inodes. Ref: `bg_free_inodes_count`.
    pub free_inodes: Column<u32>,
    /// Directories. Ref: `bg_used_dirs_count`.
    pub used_dirs: Column<u32>,
    /// Inodes at the end of the table that were never used. Ref: `bg_itable_unused`.
    pub itable_unused: Column<u32>,
    /// [`GroupFlags`]. Ref: `bg_flags`.
    pub flags: Column<u16>,
    /// [`CsumVerdict`] of the descriptor. Ref: `bg_checksum`.
    pub csum: Column<u8>,
    /// Block of the block bitmap. Ref: `bg_block_bitmap`.
    pub block_bitmap: Column<u64>,
    /// Block of the inode bitmap. Ref: `bg_inode_bitmap`.
    pub inode_bitmap: Column<u64>,
    /// First block of the inode table. Ref: `bg_inode_table`.
    pub inode_table: Column<u64>,
    /// 1 where the descriptor could not be read, and every other column holds 0.
    pub unreadable: Column<u8>,
}

/// One group's descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// The group.
    pub group: Group,
    /// Free clusters.
    pub free_clusters: u32,
    /// Free inodes.
    pub free_inodes: u32,
    /// Directories.
    pub used_dirs: u32,
    /// Inodes at the end of the table that were never used.
    pub itable_unused: u32,
    /// What the descriptor says of the group.
    pub flags: GroupFlags,
    /// What the descriptor's checksum says.
    pub csum: CsumVerdict,
    /// Block of the block bitmap.
    pub block_bitmap: Fsblk,
    /// Block of the inode bitmap.
    pub inode_bitmap: Fsblk,
    /// First block of the inode table.
    pub inode_table: Fsblk,
    /// Whether the descriptor could be read.
    pub readable: bool,
}

impl GroupColumns {
    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Whether there are none, as on an external journal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// One group's descriptor, or `None` past the last group.
    #[must_use]
    pub fn row(&self, group: Group) -> Option<GroupRow> {
        let at = usize::try_from(group.get()).ok()?;
        Some(GroupRow {
            group,
            free_clusters: *self.free_clusters.get(at)?,
            free_inodes: *self.free_inodes.get(at)?,
            used_dirs: *self.used_dirs.get(at)?,
            itable_unused: *self.itable_unused.get(at)?,
            flags: GroupFlags::from_bits_retain(*self.flags.get(at)?),
            csum: CsumVerdict::from_word(*self.csum.get(at)?),
            block_bitmap: Fsblk::new(*self.block_bitmap.get(at)?),
            inode_bitmap: Fsblk::new(*self.inode_bitmap.get(at)?),
            inode_table: Fsblk::new(*self.inode_table.get(at)?),
            readable: *self.unreadable.get(at)? == 0,
        })
    }
}
