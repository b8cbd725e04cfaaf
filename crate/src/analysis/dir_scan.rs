//! All directories, a block at a time.

use core::ops::Deref;
use std::collections::HashSet;

use crate::error::Result;
use crate::fs::{DirBlock, DirPlace, DirWalk, Filesystem, Inode, InodeScan};
use crate::io::ByteSource;
use crate::limits;
use crate::units::{Fsblk, Group, Ino};

/// Goes through all directories in use.
///
/// No block is gone through twice, and a directory is left after [`limits::BAD_DIR_BLOCKS`] blocks
/// without a name, so that time is that of the image whatever the directories say.
#[derive(Debug)]
pub(super) struct DirScan<F> {
    filesystem: F,
    scan: InodeScan,
    dirs: std::vec::IntoIter<Inode>,
    current: Option<(Ino, DirWalk)>,
    /// Blocks that were met.
    met: HashSet<Fsblk>,
    /// Blocks of the current directory, one behind the other, without a name.
    bad_blocks: u32,
}

/// What going on with a [`DirScan`] gives.
#[derive(Debug)]
pub(super) enum DirScanned {
    /// A block of a directory.
    Block(Ino, DirBlock),
    /// Nothing yet: more is to be read.
    More,
    /// A directory, a block of one or a piece of an inode table cannot be gone through.
    Unreadable,
    /// There are no more.
    End,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> DirScan<F> {
    /// Starts with the directories whose inodes are in a group; those of the groups before it come
    /// last. Nothing is read yet.
    pub(super) fn from_group(filesystem: F, group: Group) -> Self {
        Self {
            filesystem,
            scan: InodeScan::from_group(group),
            dirs: Vec::new().into_iter(),
            current: None,
            met: HashSet::new(),
            bad_blocks: 0,
        }
    }

    /// Groups that are behind it.
    pub(super) fn groups_done(&self) -> u32 {
        self.scan.groups_done()
    }

    /// Goes on: reads at most a block, or a piece of an inode table.
    pub(super) fn next_block(&mut self) -> DirScanned {
        if let Some((ino, mut walk)) = self.current.take() {
            return match walk.next_block(&*self.filesystem) {
                None => DirScanned::More,
                Some(block) => self.see(ino, walk, block),
            };
        }
        if let Some(dir) = self.dirs.next() {
            self.bad_blocks = 0;
            return match DirWalk::new(&*self.filesystem, &dir) {
                Ok(walk) => {
                    self.current = Some((dir.ino, walk));
                    DirScanned::More
                }
                Err(_) => DirScanned::Unreadable,
            };
        }
        match self.scan.next_piece(&*self.filesystem) {
            Some(Ok(piece)) => {
                let dirs = piece.inodes(&*self.filesystem);
                let dirs = dirs.filter(|inode| inode.is_dir() && inode.raw.i_links_count.get() > 0);
                self.dirs = dirs.collect::<Vec<_>>().into_iter();
                DirScanned::More
            }
            Some(Err(_)) => DirScanned::Unreadable,
            None => DirScanned::End,
        }
    }

    /// Takes a block, unless it was met or there are too many bad ones.
    fn see(&mut self, ino: Ino, walk: DirWalk, block: Result<DirBlock>) -> DirScanned {
        let is_good =
            block.as_ref().is_ok_and(|block| block.entries().next().is_none_or(|e| e.is_ok()));
        self.bad_blocks = if is_good { 0 } else { self.bad_blocks.saturating_add(1) };
        if self.bad_blocks < limits::BAD_DIR_BLOCKS {
            self.current = Some((ino, walk));
        }
        let Ok(block) = block else { return DirScanned::Unreadable };
        match block.place {
            DirPlace::Block(fsblk) if !self.met.insert(fsblk) => DirScanned::Unreadable,
            _ => DirScanned::Block(ino, block),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::{Files, dir_block};

    /// Directory and entries of each block, and how much cannot be gone through.
    fn scanned(files: &Files) -> (Vec<(u32, usize)>, u32) {
        let fs = files.filesystem();
        let mut scan = DirScan::from_group(&fs, Group::new(0));
        let (mut blocks, mut unreadable) = (Vec::new(), 0);
        loop {
            match scan.next_block() {
                DirScanned::Block(ino, block) => blocks.push((ino.get(), block.entries().count())),
                DirScanned::More => {}
                DirScanned::Unreadable => unreadable += 1,
                DirScanned::End => return (blocks, unreadable),
            }
        }
    }

    #[test]
    fn a_block_of_two_directories_is_gone_through_once() {
        let mut files = Files::new();
        dir_block(&mut files, 2, 50, &[(12, "a"), (13, "b")]);
        dir_block(&mut files, 12, 51, &[(14, "c")]);
        dir_block(&mut files, 13, 50, &[(12, "a"), (13, "b")]);
        let (blocks, unreadable) = scanned(&files);
        assert_eq!((blocks, unreadable), (vec![(2, 2), (12, 1)], 1));
    }

    #[test]
    fn a_directory_of_nothing_is_left() {
        let mut files = Files::new();
        let list =
            |blocks: core::ops::Range<u32>| blocks.flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        files.i_block_by_blocks(12, &list(100..113));
        files.block(112, &list(200..456));
        files.inode(12, |raw| {
            raw.i_mode.set(0o040_755);
            raw.i_size_lo.set((12 + 256) * 1024);
        });
        let (blocks, unreadable) = scanned(&files);
        assert_eq!((blocks.len() as u32, unreadable), (limits::BAD_DIR_BLOCKS, 0));
    }
}
