//! What the blocks of an inode are, and whether they are its own.

use super::class::BlockClass;
use crate::bitmap::Bits as _;
use crate::fs::{BitmapKind, Filesystem, Inode, NodeKind};
use crate::io::ByteSource;
use crate::ondisk::{FileType, InodeFlags, reserved};
use crate::units::Ino;

/// Inodes that are not what their type says: those that the superblock names, and the fixed ones.
#[derive(Clone, Debug)]
pub(super) struct InodeClasses {
    special: Vec<(Ino, BlockClass)>,
}

impl InodeClasses {
    pub(super) fn new<S: ByteSource>(fs: &Filesystem<S>) -> Self {
        let superblock = fs.superblock();
        let named = [
            (superblock.s_journal_inum.get(), BlockClass::Journal),
            (superblock.s_usr_quota_inum.get(), BlockClass::Quota),
            (superblock.s_grp_quota_inum.get(), BlockClass::Quota),
            (superblock.s_prj_quota_inum.get(), BlockClass::Quota),
            (superblock.s_orphan_file_inum.get(), BlockClass::OrphanFile),
        ];
        let fixed =
            [(reserved::BAD, BlockClass::BadBlock), (reserved::RESIZE, BlockClass::ReservedGdt)];
        let named = named.into_iter().filter(|(ino, _)| *ino != 0);
        let named = named.map(|(ino, class)| (Ino::new(ino), class));
        Self { special: fixed.into_iter().chain(named).collect() }
    }

    /// Their numbers.
    pub(super) fn special(&self) -> impl Iterator<Item = Ino> {
        self.special.iter().map(|(ino, _)| *ino)
    }

    /// Whether an inode is one of them.
    pub(super) fn is_special(&self, ino: Ino) -> bool {
        self.special().any(|special| special == ino)
    }

    /// What the blocks of an inode are.
    pub(super) fn of(&self, inode: &Inode) -> BlockClass {
        if let Some((_, class)) = self.special.iter().find(|(ino, _)| *ino == inode.ino) {
            return *class;
        }
        match inode.file_type() {
            _ if inode.flags().contains(InodeFlags::EA_INODE) => BlockClass::EaInode,
            Some(FileType::Dir) => BlockClass::Dir,
            Some(FileType::Symlink) => BlockClass::Symlink,
            _ => BlockClass::Data,
        }
    }
}

/// What a node of an inode's map is.
pub(super) fn of_node(ino: Ino, kind: NodeKind) -> BlockClass {
    match kind {
        NodeKind::Extent(_) => BlockClass::ExtentNode,
        // The reserved GDT blocks are the indirect blocks of the resize inode.
        NodeKind::Ind if ino == reserved::RESIZE => BlockClass::ReservedGdt,
        NodeKind::Ind | NodeKind::Dind | NodeKind::Tind => BlockClass::Ind,
    }
}

/// Whether an inode's blocks are its own: it has a name, or the bitmap says so, as of one that was
/// deleted while open.
pub(super) fn is_in_use<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> bool {
    if inode.raw.i_links_count.get() > 0 || inode.ino == reserved::BAD {
        return true;
    }
    // The time of deletion of an orphan is the number of the next one.
    let is_orphan = inode.raw.i_dtime.get() <= fs.geometry().inodes_count();
    if inode.raw.i_mode.get() == 0 || !is_orphan {
        return false;
    }
    let Some((group, index)) = fs.geometry().group_from_ino(inode.ino) else {
        return false;
    };
    fs.bitmap(BitmapKind::Inode, group).is_ok_and(|bitmap| bitmap.bits().test(u64::from(index)))
}
