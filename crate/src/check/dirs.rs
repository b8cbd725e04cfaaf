//! What is kept of directories from pass 1 to pass 3.

use std::collections::BTreeMap;

use crate::fs::{Filesystem, Inode};
use crate::io::ByteSource;
use crate::ondisk::InodeFlags;
use crate::units::{Ino, Lblk};

/// What is known of a directory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DirInfo {
    /// The directory that has its name; 0 while none was found.
    pub(super) parent: u32,
    /// Where its dot-dot entry leads; 0 when that was not told.
    pub(super) dotdot: u32,
    /// What its blocks' checksums start from, where there are any.
    pub(super) seed: Option<u32>,
    /// The checksum of its inode is wrong.
    pub(super) fails_csum: bool,
    /// Its entries lie in its inode.
    pub(super) is_inline: bool,
}

impl DirInfo {
    /// What the inode of a directory tells of it.
    pub(super) fn of<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode, fails_csum: bool) -> Self {
        Self {
            seed: fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get()),
            fails_csum,
            is_inline: inode.flags().contains(InodeFlags::INLINE_DATA),
            ..Self::default()
        }
    }
}

/// What a block of an indexed directory is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DxKind {
    /// The root of the index.
    Root,
    /// A node below it.
    Node,
    /// Names.
    #[default]
    Leaf,
}

/// A block of an indexed directory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DxBlock {
    /// What it is.
    pub(super) kind: DxKind,
    /// It was seen in pass 2.
    pub(super) is_seen: bool,
    /// How often index entries lead to it: not, once, or more.
    pub(super) references: u32,
    /// Bounds that its index entry sets.
    pub(super) node_min: u32,
    /// The same.
    pub(super) node_max: u32,
    /// Bounds of the hashes in it.
    pub(super) min_hash: u32,
    /// The same.
    pub(super) max_hash: u32,
    /// Block whose entry leads to it.
    pub(super) parent: u32,
    /// It has the first, or the last entry of its index block.
    pub(super) is_first: bool,
    /// The same.
    pub(super) is_last: bool,
}

/// An indexed directory.
#[derive(Clone, Debug, Default)]
pub(super) struct DxDir {
    /// Blocks, as pass 1 found.
    pub(super) block_count: u64,
    /// Levels of index blocks below the root, plus one.
    pub(super) depth: u32,
    /// Which hash.
    pub(super) hash_version: u8,
    /// The hashes of some names are not to be had.
    pub(super) is_unknown: bool,
    /// What is known of its blocks, by their number.
    pub(super) blocks: BTreeMap<u32, DxBlock>,
}

/// Blocks of a directory that follow one another, or holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DirRun {
    /// The directory.
    pub(super) ino: Ino,
    /// First block of the directory.
    pub(super) lblk: Lblk,
    /// First block of the filesystem; 0 for a hole and for an inline directory.
    pub(super) fsblk: u64,
    /// How many.
    pub(super) len: u32,
}

/// Blocks of all directories. Ref: `ext2_dblist`.
#[derive(Clone, Debug, Default)]
pub(super) struct DirBlocks {
    /// The runs, in no order until sorted.
    pub(super) runs: Vec<DirRun>,
}

impl DirBlocks {
    /// Adds blocks, or with `fsblk` 0 holes.
    pub(super) fn add(&mut self, ino: Ino, lblk: u32, fsblk: u64, len: u32) {
        let len = len.min(u32::MAX - lblk);
        if len == 0 {
            return;
        }
        if let Some(last) = self.runs.last_mut()
            && last.ino == ino
            && last.lblk.get().checked_add(last.len) == Some(lblk)
            && (last.fsblk != 0 && last.fsblk + u64::from(last.len) == fsblk
                || last.fsblk == 0 && fsblk == 0)
        {
            last.len = last.len.saturating_add(len);
            return;
        }
        self.runs.push(DirRun { ino, lblk: Lblk::new(lblk), fsblk, len });
    }

    /// Puts them into the order of pass 2: with dir_index the first blocks of all directories
    /// before the rest; then as they lie on the disk.
    pub(super) fn sort(&mut self, first_blocks_first: bool) {
        if first_blocks_first {
            let rests: Vec<DirRun> = self
                .runs
                .iter_mut()
                .filter(|run| run.lblk.get() == 0 && run.len > 1)
                .map(|run| {
                    let fsblk = if run.fsblk == 0 { 0 } else { run.fsblk + 1 };
                    let rest = DirRun { lblk: Lblk::new(1), fsblk, len: run.len - 1, ..*run };
                    run.len = 1;
                    rest
                })
                .collect();
            self.runs.extend(rests);
        }
        self.runs.sort_by_key(|run| {
            let is_late = first_blocks_first && run.lblk.get() != 0;
            (is_late, run.fsblk, run.ino, run.lblk)
        });
    }
}
