//! All inodes in use together: what `e2fsck -v` sums up.

use serde::{Deserialize, Serialize};

use super::filefrag::FileFrag;
use crate::ondisk::{FileType, reserved};

/// Bytes from which on e2fsck calls a file large.
/// Ref: `ext2fs_needs_large_file_feature`.
const LARGE_FILE: u64 = 1 << 31;

/// What e2fsck sums up of all inodes in use. Those of the filesystem itself, such as the journal,
/// count where it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FragTotals {
    /// Regular files; not the filesystem's own.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
    /// Character devices.
    pub character_devices: u64,
    /// Block devices.
    pub block_devices: u64,
    /// Pipes.
    pub fifos: u64,
    /// Sockets.
    pub sockets: u64,
    /// Symbolic links.
    pub symlinks: u64,
    /// Of these, the ones whose target lies in `i_block`.
    pub fast_symlinks: u64,
    /// Names of files beyond the first, as the inodes count them.
    pub links: u64,
    /// Regular files of 2 GiB and more; the filesystem's own included, of which the resize inode is
    /// one in blocks of 4 KiB.
    pub large_files: u64,
    /// Blocks on the list of bad ones.
    pub bad_blocks: u64,
    /// Files, and whatever else is no directory, that e2fsck calls non-contiguous; the
    /// filesystem's own among them.
    pub noncontiguous_files: u64,
    /// Directories that it does.
    pub noncontiguous_dirs: u64,
    /// Blocks that inodes are mapped to, the filesystem's own included.
    pub blocks: u64,
    /// Nodes of extent trees and indirect blocks; likewise.
    pub nodes: u64,
    /// Extents as FIEMAP lists them; likewise.
    pub extents: u64,
    /// Inodes with an indirect block, a double and a triple one; not the filesystem's own.
    pub ind: [u64; 3],
    /// Inodes mapped by extents, by the depth of their tree; the filesystem's own included.
    pub depths: [u64; 6],
}

impl FragTotals {
    /// Adds one inode.
    pub fn add(&mut self, frag: &FileFrag) {
        self.add_layout(frag);
        if frag.ino == reserved::BAD {
            self.bad_blocks = self.bad_blocks.saturating_add(frag.blocks);
        }
        if frag.is_internal {
            return;
        }
        let by_type = match frag.file_type {
            Some(FileType::RegFile) => Some(&mut self.files),
            Some(FileType::Dir) => Some(&mut self.dirs),
            Some(FileType::Chrdev) => Some(&mut self.character_devices),
            Some(FileType::Blkdev) => Some(&mut self.block_devices),
            Some(FileType::Fifo) => Some(&mut self.fifos),
            Some(FileType::Sock) => Some(&mut self.sockets),
            Some(FileType::Symlink) => Some(&mut self.symlinks),
            None => None,
        };
        if let Some(count) = by_type {
            *count = count.saturating_add(1);
        }
        self.fast_symlinks = self.fast_symlinks.saturating_add(u64::from(frag.is_fast_symlink));
        if frag.file_type != Some(FileType::Dir) {
            self.links = self.links.saturating_add(u64::from(frag.links.saturating_sub(1)));
        }
        for (count, has) in self.ind.iter_mut().zip(frag.has_ind) {
            *count = count.saturating_add(u64::from(has));
        }
    }

    /// Adds how an inode lies, be it the filesystem's own or not.
    fn add_layout(&mut self, frag: &FileFrag) {
        let apart = if frag.file_type == Some(FileType::Dir) {
            &mut self.noncontiguous_dirs
        } else {
            &mut self.noncontiguous_files
        };
        *apart = apart.saturating_add(u64::from(frag.is_noncontiguous));
        let is_large = frag.file_type == Some(FileType::RegFile) && frag.size >= LARGE_FILE;
        self.large_files = self.large_files.saturating_add(u64::from(is_large));
        self.blocks = self.blocks.saturating_add(frag.blocks);
        self.nodes = self.nodes.saturating_add(frag.nodes);
        self.extents = self.extents.saturating_add(frag.extents);
        if let Some(count) = frag.depth.and_then(|depth| self.depths.get_mut(usize::from(depth))) {
            *count = count.saturating_add(1);
        }
    }

    /// Everything that has a name, and every further name: the last line of `e2fsck -v`.
    #[must_use]
    pub fn names(&self) -> u64 {
        let inodes = [
            self.files,
            self.dirs,
            self.character_devices,
            self.block_devices,
            self.fifos,
            self.sockets,
            self.symlinks,
            self.links,
        ];
        inodes.into_iter().fold(0, u64::saturating_add)
    }
}
