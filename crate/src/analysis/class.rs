//! What a block is, and whose.

use serde::{Deserialize, Serialize};

use crate::units::{Group, Ino};

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum BlockClass {
    /// Ahead of the superblock: a boot loader's, or nothing.
    Boot,
    /// The superblock or a backup of it.
    Superblock,
    /// The descriptor table or a copy of it.
    Gdt,
    /// Kept so that the descriptor table can grow.
    ReservedGdt,
    /// A block bitmap.
    BlockBitmap,
    /// An inode bitmap.
    InodeBitmap,
    /// An inode table.
    Itable,
    /// The block of multiple mount protection.
    Mmp,
    /// The journal.
    Journal,
    /// A quota file.
    Quota,
    /// The orphan file.
    OrphanFile,
    /// On the list of blocks that cannot be read or written.
    BadBlock,
    /// A directory.
    Dir,
    /// The target of a symbolic link.
    Symlink,
    /// The contents of a file.
    Data,
    /// The value of an attribute, in an inode of its own.
    EaInode,
    /// Extended attributes.
    Xattr,
    /// A node of an extent tree.
    ExtentNode,
    /// A single, double or triple indirect block.
    Ind,
    /// Not mapped, but of a cluster of which other blocks are.
    ClusterRest,
    /// Claimed more than once.
    MultiplyClaimed,
    /// In use, and nobody's.
    Unowned,
    /// Free, and nobody's.
    Free,
    /// Nobody's; the bitmap that tells whether it is in use could not be read.
    Unknown,
}

impl BlockClass {
    /// Every class.
    pub const ALL: [Self; 24] = [
        Self::Boot,
        Self::Superblock,
        Self::Gdt,
        Self::ReservedGdt,
        Self::BlockBitmap,
        Self::InodeBitmap,
        Self::Itable,
        Self::Mmp,
        Self::Journal,
        Self::Quota,
        Self::OrphanFile,
        Self::BadBlock,
        Self::Dir,
        Self::Symlink,
        Self::Data,
        Self::EaInode,
        Self::Xattr,
        Self::ExtentNode,
        Self::Ind,
        Self::ClusterRest,
        Self::MultiplyClaimed,
        Self::Unowned,
        Self::Free,
        Self::Unknown,
    ];

    /// Its name, as reports and the command line show it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boot => "boot block",
            Self::Superblock => "superblock",
            Self::Gdt => "group descriptors",
            Self::ReservedGdt => "reserved GDT",
            Self::BlockBitmap => "block bitmap",
            Self::InodeBitmap => "inode bitmap",
            Self::Itable => "inode table",
            Self::Mmp => "MMP block",
            Self::Journal => "journal",
            Self::Quota => "quota file",
            Self::OrphanFile => "orphan file",
            Self::BadBlock => "bad block",
            Self::Dir => "directory",
            Self::Symlink => "symbolic link",
            Self::Data => "file data",
            Self::EaInode => "attribute value",
            Self::Xattr => "attribute block",
            Self::ExtentNode => "extent node",
            Self::Ind => "indirect block",
            Self::ClusterRest => "rest of a cluster",
            Self::MultiplyClaimed => "multiply claimed",
            Self::Unowned => "in use but unowned",
            Self::Free => "free",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it is there whatever files there are: what making the filesystem laid out.
    #[must_use]
    pub fn is_fixed(self) -> bool {
        self <= Self::Mmp
    }

    /// Whether somebody says that it is theirs.
    #[must_use]
    pub fn is_owned(self) -> bool {
        self < Self::Unowned
    }
}

/// Whose a block is, and what it is to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    /// What the block is.
    pub class: BlockClass,
    kind: OwnerKind,
    number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum OwnerKind {
    Nobody,
    Group,
    Inode,
}

impl Owner {
    /// Nobody's.
    #[must_use]
    pub const fn nobody(class: BlockClass) -> Self {
        Self { class, kind: OwnerKind::Nobody, number: 0 }
    }

    /// A group's.
    #[must_use]
    pub const fn of_group(class: BlockClass, group: Group) -> Self {
        Self { class, kind: OwnerKind::Group, number: group.get() }
    }

    /// An inode's.
    #[must_use]
    pub const fn of_inode(class: BlockClass, ino: Ino) -> Self {
        Self { class, kind: OwnerKind::Inode, number: ino.get() }
    }

    /// The same owner's, but something else.
    #[must_use]
    pub const fn with_class(self, class: BlockClass) -> Self {
        Self { class, ..self }
    }

    /// The inode whose it is, if it is one's.
    #[must_use]
    pub fn ino(self) -> Option<Ino> {
        (self.kind == OwnerKind::Inode).then(|| Ino::new(self.number))
    }

    /// The group whose it is, if it is one's.
    #[must_use]
    pub fn group(self) -> Option<Group> {
        (self.kind == OwnerKind::Group).then(|| Group::new(self.number))
    }
}

const _: () = assert!(size_of::<Owner>() == 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_listed_once_and_in_order() {
        assert!(BlockClass::ALL.is_sorted_by(|a, b| a < b));
        assert_eq!(BlockClass::ALL.last().map(|class| *class as usize), Some(23));
    }

    #[test]
    fn an_owner_is_a_group_or_an_inode_or_nobody() {
        let of_group = Owner::of_group(BlockClass::Itable, Group::new(3));
        assert_eq!((of_group.group(), of_group.ino()), (Some(Group::new(3)), None));
        let of_inode = Owner::of_inode(BlockClass::Data, Ino::new(12));
        assert_eq!((of_inode.group(), of_inode.ino()), (None, Some(Ino::new(12))));
        let free = Owner::nobody(BlockClass::Free);
        assert_eq!((free.group(), free.ino()), (None, None));
        assert!(BlockClass::Mmp.is_fixed() && !BlockClass::Journal.is_fixed());
        assert!(BlockClass::MultiplyClaimed.is_owned() && !BlockClass::Free.is_owned());
    }
}
