//! The tree of directories: one for each group that has files, one for each 256 of those, and so
//! on up to the root.

use core::iter;
use core::ops::Range;

use zerocopy::IntoBytes;

use super::shape::{FIRST_INODES, Shape, halves};
use crate::ondisk::csum::dirblock;
use crate::ondisk::{DirEntryHeader, DirEntryTail, FT_DIR_CSUM, FileType};
use crate::units::Ino;

/// Directories that one above the lowest level holds, at most.
const FAN_OUT: u64 = 256;

/// Bytes of the entry of a file, and of a directory.
const FILE_ENTRY: u64 = 16;
const DIR_ENTRY: u64 = 12;

/// Bytes of the entries `.` and `..`, and of that of lost+found in the root.
const DOTS: u64 = 24;
const LOST_FOUND_ENTRY: u64 = 20;

/// A directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dir {
    /// lost+found, which is empty.
    LostFound,
    /// One of the tree: on level 0 it holds the files of group `index`, on others directories of
    /// the level below. The only one of the highest level is the root.
    Node { level: u32, index: u64 },
}

/// How many directories there are on each level.
#[derive(Clone, Debug)]
pub(super) struct Dirs {
    /// From level 0, one for each group in use, up to the root.
    counts: Vec<u64>,
}

/// The files that lie in a group, to its directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupFiles {
    /// Inode of the first one.
    pub(super) first: u64,
    pub(super) count: u64,
}

impl Dirs {
    /// The tree over the first groups.
    pub(super) fn new(used_groups: u64) -> Self {
        let above = |count: &u64| (*count > 1).then(|| count.div_ceil(FAN_OUT));
        Self { counts: iter::successors(Some(used_groups.max(1)), above).collect() }
    }

    /// Groups that have files and a directory for them.
    pub(super) fn used_groups(&self) -> u64 {
        self.counts.first().copied().unwrap_or(1)
    }

    fn root_level(&self) -> u32 {
        u32::try_from(self.counts.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    fn is_root(&self, dir: Dir) -> bool {
        matches!(dir, Dir::Node { level, .. } if level == self.root_level())
    }

    /// Levels of which a group has a directory that is not the root.
    pub(super) fn levels_in(&self, group: u64) -> u32 {
        if group >= self.used_groups() {
            return 0;
        }
        let levels = (0..self.root_level()).take_while(|level| group.is_multiple_of(span(*level)));
        u32::try_from(levels.count()).unwrap_or(u32::MAX)
    }

    /// The directories of a group, in the order of their blocks.
    pub(super) fn in_group(&self, group: u64) -> impl Iterator<Item = Dir> + use<> {
        let root = Dir::Node { level: self.root_level(), index: 0 };
        let first = (group == 0).then_some([root, Dir::LostFound]);
        let nodes = (0..self.levels_in(group))
            .map(move |level| Dir::Node { level, index: group / span(level) });
        first.into_iter().flatten().chain(nodes)
    }

    /// Inodes of a group ahead of those of its files: the reserved ones and its directories.
    pub(super) fn inodes_before_files(&self, group: u64) -> u64 {
        let first = if group == 0 { FIRST_INODES } else { 0 };
        first + u64::from(self.levels_in(group))
    }

    /// The inode of a directory.
    pub(super) fn ino(&self, dir: Dir, inodes_per_group: u64) -> u64 {
        match dir {
            Dir::LostFound => FIRST_INODES,
            Dir::Node { level, .. } if level == self.root_level() => ROOT,
            Dir::Node { level, index } => {
                let group = index * span(level);
                let first = if group == 0 { FIRST_INODES } else { 0 };
                group * inodes_per_group + first + u64::from(level) + 1
            }
        }
    }

    fn parent(&self, dir: Dir) -> Dir {
        match dir {
            Dir::Node { level, index } if level < self.root_level() => {
                Dir::Node { level: level + 1, index: index / FAN_OUT }
            }
            Dir::LostFound | Dir::Node { .. } => Dir::Node { level: self.root_level(), index: 0 },
        }
    }

    /// The directories in a directory, by their numbers on the level below.
    fn subdirs(&self, dir: Dir) -> Range<u64> {
        let Dir::Node { level, index } = dir else { return 0..0 };
        let below = level.checked_sub(1).and_then(|level| usize::try_from(level).ok());
        let count = below.and_then(|below| self.counts.get(below)).copied().unwrap_or(0);
        let start = (index * FAN_OUT).min(count);
        start..(start + FAN_OUT).min(count)
    }

    /// `i_links_count` of a directory.
    pub(super) fn links(&self, dir: Dir) -> u64 {
        let subdirs = self.subdirs(dir);
        2 + (subdirs.end - subdirs.start) + u64::from(self.is_root(dir))
    }
}

/// Inode of the root.
const ROOT: u64 = 2;

/// Groups that a directory of a level stands for.
const fn span(level: u32) -> u64 {
    FAN_OUT.saturating_pow(level)
}

/// How the entries of a directory lie in its blocks.
struct Filling {
    /// Entries besides those that every directory has.
    entries: u64,
    entry_bytes: u64,
    /// Bytes of a block ahead of its checksum.
    room: u64,
    /// Entries of the first block.
    first: u64,
}

impl Filling {
    fn new(shape: &Shape, dir: Dir, files: u64) -> Self {
        let tail = if shape.has_tails() { size_of::<DirEntryTail>() as u64 } else { 0 };
        let room = shape.block_size() - tail;
        let (entries, entry_bytes) = match dir {
            Dir::LostFound => (0, DIR_ENTRY),
            Dir::Node { level: 0, .. } => (files, FILE_ENTRY),
            Dir::Node { .. } => {
                let subdirs = shape.dirs.subdirs(dir);
                (subdirs.end - subdirs.start, DIR_ENTRY)
            }
        };
        let lost_found = if shape.dirs.is_root(dir) { LOST_FOUND_ENTRY } else { 0 };
        let first = (room - DOTS - lost_found) / entry_bytes;
        Self { entries, entry_bytes, room, first }
    }

    fn blocks(&self) -> u64 {
        1 + self.entries.saturating_sub(self.first).div_ceil(self.room / self.entry_bytes)
    }

    fn entries_of(&self, block: u64) -> Range<u64> {
        let per_block = self.room / self.entry_bytes;
        let end = (self.first + block * per_block).min(self.entries);
        let start = if block == 0 { 0 } else { self.first + (block - 1) * per_block };
        start.min(end)..end
    }
}

/// Blocks of a directory; on level 0, of one with so many files.
pub(super) fn dir_blocks(shape: &Shape, dir: Dir, files: u64) -> u64 {
    Filling::new(shape, dir, files).blocks()
}

/// Writes a block of a directory.
pub(super) fn write_block(shape: &Shape, dir: Dir, number: u64, files: GroupFiles, to: &mut [u8]) {
    let dirs = &shape.dirs;
    let per_group = u64::from(shape.geometry.inodes_per_group());
    let filling = Filling::new(shape, dir, files.count);
    let own = dirs.ino(dir, per_group);
    let mut block = Block { to, room: filling.room, end: 0, last: 0 };
    if number == 0 {
        block.add(own, ".", FileType::Dir);
        block.add(dirs.ino(dirs.parent(dir), per_group), "..", FileType::Dir);
        if dirs.is_root(dir) {
            block.add(FIRST_INODES, "lost+found", FileType::Dir);
        }
    }
    let subdirs = dirs.subdirs(dir);
    for entry in filling.entries_of(number) {
        match dir {
            Dir::Node { level: 0, .. } => {
                block.add(files.first + entry, &format!("f{entry:06}"), FileType::RegFile);
            }
            Dir::Node { level, .. } => {
                let subdir = Dir::Node { level: level - 1, index: subdirs.start + entry };
                block.add(dirs.ino(subdir, per_group), &format!("{entry:02x}"), FileType::Dir);
            }
            Dir::LostFound => {}
        }
    }
    block.finish();
    if let Some(seed) = shape.csum.inode_seed(Ino::new(halves(own).1), 0) {
        let csum = dirblock(seed, to).unwrap_or(0);
        let tail = DirEntryTail {
            det_reserved_zero1: 0.into(),
            det_rec_len: 12.into(),
            det_reserved_zero2: 0,
            det_reserved_ft: FT_DIR_CSUM,
            det_checksum: csum.into(),
        };
        if let Some((_, end)) = to.split_last_chunk_mut::<{ size_of::<DirEntryTail>() }>() {
            end.copy_from_slice(tail.as_bytes());
        }
    }
}

/// A block to which entries are added.
struct Block<'a> {
    to: &'a mut [u8],
    room: u64,
    /// Where the next entry goes, and where the last one went.
    end: u64,
    last: u64,
}

impl Block<'_> {
    fn add(&mut self, ino: u64, name: &str, file_type: FileType) {
        let bytes = size_of::<DirEntryHeader>() as u64 + name.len() as u64;
        let len = bytes.next_multiple_of(4);
        let header = DirEntryHeader {
            inode: halves(ino).1.into(),
            rec_len: rec_len(len).into(),
            name_len: name.len().to_le_bytes()[0],
            file_type: if file_type == FileType::Dir { 2 } else { 1 },
        };
        self.put(self.end, header.as_bytes());
        self.put(self.end + size_of::<DirEntryHeader>() as u64, name.as_bytes());
        self.last = self.end;
        self.end += len;
    }

    /// Makes the last entry reach to the end of the block.
    fn finish(&mut self) {
        const REC_LEN_AT: u64 = 4;
        let len = rec_len(self.room - self.last);
        self.put(self.last + REC_LEN_AT, &len.to_le_bytes());
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        super::put(self.to, at, bytes);
    }
}

/// As `rec_len` holds a length: all of 64 KiB does not fit. Ref: `ext4_rec_len_to_disk`.
fn rec_len(len: u64) -> u16 {
    u16::try_from(len).unwrap_or(u16::MAX)
}
