//! Where a shrink that has begun comes to grief, and what it leaves behind.

use serde::{Deserialize, Serialize};

use crate::ondisk::reserved;
use crate::units::{Group, Ino};

/// Why a shrink that has begun ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum Failure {
    /// The checksum of a bitmap is wrong.
    BitmapChecksum {
        /// Its group.
        group: Group,
        /// Whether it is the inode bitmap.
        of_inodes: bool,
    },
    /// The checksum of an inode that is read is wrong.
    InodeChecksum {
        /// The inode.
        ino: Ino,
        /// Whether it is read at the end only, when all else is rewritten.
        is_late: bool,
    },
    /// The image ends before a block that must move.
    ShortImage {
        /// The block.
        block: u64,
    },
    /// An inode table does not lie in the filesystem.
    ItablePlace {
        /// Its group.
        group: Group,
        /// Its place.
        inode_table: u64,
    },
    /// The map of a file leads to blocks that map nothing.
    BrokenMap {
        /// The file.
        ino: Ino,
    },
    /// A directory has an entry that is none.
    BrokenDirectory {
        /// The directory.
        ino: Ino,
    },
    /// The journal's inode is looked for at the end, and there is none of that number any more.
    NoJournalInode {
        /// Its number.
        s_journal_inum: u32,
    },
    /// The resize inode has no double indirect block, and the tool gives up at once.
    EmptyResizeInode,
    /// The one group that would be left has no room for its metadata.
    TooSmall,
    /// More inodes are in use than there would be.
    TooFewInodes {
        /// Inodes in use.
        used: u32,
        /// Inodes there would be.
        inodes: u32,
    },
    /// No room for a bitmap or an inode table.
    NoRoomForMetadata {
        /// The group whose metadata it is.
        group: Group,
    },
    /// The stride of a group comes to a division by nothing, and the tool crashes.
    StrideDivision {
        /// The group.
        group: Group,
    },
    /// No room for the blocks that must move.
    NoRoomForBlocks {
        /// Blocks that found no place.
        left: u64,
    },
    /// No room for a node of an extent tree that must grow.
    NoRoomForNode {
        /// The file.
        ino: Ino,
    },
    /// No free inode for one that must move.
    NoRoomForInode {
        /// The inode.
        ino: Ino,
    },
    /// The MMP block is metadata and stays past the new end: the last step fails.
    MmpBlock {
        /// Its place.
        s_mmp_block: u64,
    },
}

/// What a failed shrink leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftBehind {
    /// All as it was.
    Nothing,
    /// All as it was, but marked as having errors; e2fsck takes the mark away.
    ErrorMark,
    /// A damaged filesystem.
    Damage,
}

impl Failure {
    /// What it leaves behind.
    #[must_use]
    pub fn leaves(self) -> LeftBehind {
        match self {
            Self::BitmapChecksum { .. } => LeftBehind::Nothing,
            Self::InodeChecksum { is_late: false, .. }
            | Self::ShortImage { .. }
            | Self::TooSmall
            | Self::TooFewInodes { .. }
            | Self::NoRoomForMetadata { .. }
            | Self::StrideDivision { .. }
            | Self::NoRoomForBlocks { .. } => LeftBehind::ErrorMark,
            // The bad blocks and the table of group 0 are read before anything is written.
            Self::ItablePlace { group, .. } if group.get() == 0 => LeftBehind::ErrorMark,
            Self::BrokenMap { ino } if ino == reserved::BAD => LeftBehind::ErrorMark,
            Self::InodeChecksum { .. }
            | Self::ItablePlace { .. }
            | Self::BrokenMap { .. }
            | Self::BrokenDirectory { .. }
            | Self::NoJournalInode { .. }
            | Self::EmptyResizeInode
            | Self::NoRoomForNode { .. }
            | Self::NoRoomForInode { .. }
            | Self::MmpBlock { .. } => LeftBehind::Damage,
        }
    }
}
