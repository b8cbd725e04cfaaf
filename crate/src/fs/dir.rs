//! Directories: block by block, whether linear, hashed or inline.
//!
//! The index of a hashed directory looks like unused entries, so that going through all blocks
//! gives every name without it.

use core::iter;

use zerocopy::FromBytes;

use super::file::inline_rest;
use super::{CsumState, Filesystem, Inode, MapItem, MapWalk, Mapping, MappingState};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::Incompat;
use crate::ondisk::htree::{DX_NODE_ENTRIES_OFFSET, DX_ROOT_INFO_OFFSET, DxCountlimit, DxTail};
use crate::ondisk::htree::{DxEntry, DxRootInfo};
use crate::ondisk::{
    DIR_PAD, DirEntryHeader, DirEntryTail, FileType, InodeFlags, csum, rec_len_from_disk,
};
use crate::units::{Fsblk, Ino, Lblk};

/// Bytes of `i_block` ahead of the entries of an inline directory: its parent.
/// Ref: `EXT4_INLINE_DOTDOT_SIZE`.
const INLINE_DOTDOT_SIZE: usize = 4;

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// The inode it names; as stored, so maybe none.
    pub ino: Ino,
    /// The name; bytes, for nothing keeps it from being no text.
    pub name: Vec<u8>,
    /// What the entry says that it names; `None` without the feature filetype.
    pub file_type: Option<FileType>,
    /// Byte of the entry, from the start of its block.
    pub offset: u32,
}

impl DirEntry {
    /// Whether it is `.` or `..`.
    #[must_use]
    pub fn is_dot(&self) -> bool {
        self.name == b"." || self.name == b".."
    }
}

/// Where a block of a directory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirPlace {
    /// A block of the filesystem.
    Block(Fsblk),
    /// `i_block` of an inline directory.
    Inode,
    /// The attribute `system.data` of an inline directory.
    Xattr,
}

/// What a block of a directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirBlockKind {
    /// It holds names.
    Leaf,
    /// It holds the index: the root or a node below it.
    Index,
}

/// A block of a directory, or a part of an inline one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirBlock {
    /// Block of the directory.
    pub lblk: Lblk,
    /// Its place.
    pub place: DirPlace,
    /// What it is.
    pub kind: DirBlockKind,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// Whether entries tell the type of file.
    has_filetype: bool,
    /// `.` and `..` of an inline directory, which are not stored as entries.
    dots: Option<(Ino, Ino)>,
    bytes: Vec<u8>,
}

impl DirBlock {
    /// Its bytes as stored.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The names in it, unused entries left out. An error ends them.
    ///
    /// Its errors: [`ErrorKind::Corrupt`] for an entry that cannot be one.
    pub fn entries(&self) -> impl Iterator<Item = Result<DirEntry>> {
        let dot = |ino: Ino, name: &[u8]| {
            Ok(DirEntry { ino, name: name.to_vec(), file_type: Some(FileType::Dir), offset: 0 })
        };
        let dots =
            self.dots.into_iter().flat_map(move |(own, up)| [dot(own, b"."), dot(up, b"..")]);
        let skip = if self.dots.is_some() { INLINE_DOTDOT_SIZE } else { 0 };
        let mut at = skip;
        let stored = iter::from_fn(move || {
            loop {
                if at >= self.bytes.len() {
                    return None;
                }
                match self.entry_at(at) {
                    Ok((entry, next)) => {
                        at = next;
                        if entry.ino.get() != 0 {
                            return Some(Ok(entry));
                        }
                    }
                    Err(error) => {
                        at = usize::MAX;
                        return Some(Err(error));
                    }
                }
            }
        });
        dots.chain(stored)
    }

    /// The entry at a byte, and where the next one is.
    fn entry_at(&self, at: usize) -> Result<(DirEntry, usize)> {
        let bad = |what: &str| {
            let error = Error::corrupt(format!("{what}, at byte {at} of the block"));
            match self.place {
                DirPlace::Block(fsblk) => error.at_fsblk(fsblk),
                DirPlace::Inode | DirPlace::Xattr => error,
            }
        };
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let (header, rest) = DirEntryHeader::read_from_prefix(bytes)
            .map_err(|_| bad("a directory entry is cut off"))?;
        let block_size = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        let rec_len = usize::try_from(rec_len_from_disk(header.rec_len.get(), block_size))
            .unwrap_or(usize::MAX);
        let name_len = usize::from(header.name_len);
        if rec_len < size_of::<DirEntryHeader>() || !rec_len.is_multiple_of(DIR_PAD) {
            return Err(bad("rec_len of a directory entry is too small or odd"));
        }
        if rec_len > bytes.len() {
            return Err(bad("rec_len of a directory entry leads out of its block"));
        }
        if name_len > rec_len.saturating_sub(size_of::<DirEntryHeader>()) {
            return Err(bad("name_len of a directory entry is longer than the entry"));
        }
        let entry = DirEntry {
            ino: Ino::new(header.inode.get()),
            name: rest.get(..name_len).unwrap_or_default().to_vec(),
            file_type: if self.has_filetype {
                FileType::from_dirent(header.file_type)
            } else {
                None
            },
            offset: u32::try_from(at).unwrap_or(u32::MAX),
        };
        Ok((entry, at.saturating_add(rec_len)))
    }
}

/// Goes through a directory, a block at a time.
#[derive(Clone, Debug)]
pub struct DirWalk {
    ino: Ino,
    seed: Option<u32>,
    is_indexed: bool,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    /// The parts of an inline directory that are still to come.
    Inline(std::vec::IntoIter<DirBlock>),
    Blocks {
        walk: MapWalk,
        /// Blocks that are still to come of the mapping met last.
        mapping: Option<Mapping>,
        /// Block of the directory up to which mappings were met.
        mapped: u64,
        /// Block of the directory behind its last.
        end: u64,
    },
}

impl DirWalk {
    /// Starts at the first block; nothing is read yet.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for anything but a directory, [`ErrorKind::Corrupt`] when the
    /// data of an inline one is not where it should be.
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Result<Self> {
        if !inode.is_dir() {
            return Err(Error::new(ErrorKind::Unsupported, "not a directory").at_ino(inode.ino));
        }
        let way = if inode.flags().contains(InodeFlags::INLINE_DATA) {
            Way::Inline(inline_parts(fs, inode)?.into_iter())
        } else {
            // No directory has holes, so none has more blocks than there are.
            let blocks = inode.raw.size().div_ceil(u64::from(fs.geometry().block_size()));
            let end = blocks.min(fs.geometry().blocks_count());
            Way::Blocks { walk: MapWalk::new(fs, inode), mapping: None, mapped: 0, end }
        };
        Ok(Self {
            ino: inode.ino,
            seed: fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get()),
            is_indexed: inode.flags().contains(InodeFlags::INDEX),
            way,
        })
    }

    /// The next block; `None` after the last. An error costs that block or a node of the map, and
    /// the walk goes on behind.
    ///
    /// Its errors: those of [`MapWalk::next_item`] and [`Filesystem::block`], and
    /// [`ErrorKind::Corrupt`] where blocks are mapped twice or out of order.
    pub fn next_block<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Option<Result<DirBlock>> {
        let (lblk, fsblk) = match self.next_place(fs)? {
            Ok(Place::Inline(block)) => return Some(Ok(block)),
            Ok(Place::Block(lblk, fsblk)) => (lblk, fsblk),
            Err(error) => return Some(Err(error.at_ino(self.ino))),
        };
        Some(self.read_block(fs, lblk, fsblk))
    }

    /// Reads the block that lies in a place.
    ///
    /// # Errors
    /// Those of [`Filesystem::block`].
    pub(super) fn read_block<S: ByteSource>(
        &self,
        fs: &Filesystem<S>,
        lblk: Lblk,
        fsblk: Fsblk,
    ) -> Result<DirBlock> {
        let bytes = fs.block(ReadKind::Directory, fsblk).map_err(|error| error.at_ino(self.ino))?;
        let index = self.is_indexed.then(|| index_entries(&bytes, lblk)).flatten();
        let kind = if index.is_some() { DirBlockKind::Index } else { DirBlockKind::Leaf };
        let csum = self.seed.map_or(CsumState::None, |seed| check(seed, &bytes, index));
        let has_filetype = has_filetype(fs);
        let place = DirPlace::Block(fsblk);
        Ok(DirBlock { lblk, place, kind, csum, has_filetype, dots: None, bytes })
    }

    fn next_place<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Option<Result<Place>> {
        let (walk, mapping, mapped, end) = match &mut self.way {
            Way::Inline(parts) => return parts.next().map(|part| Ok(Place::Inline(part))),
            Way::Blocks { walk, mapping, mapped, end } => (walk, mapping, mapped, *end),
        };
        loop {
            if let Some(run) = mapping.filter(|run| u64::from(run.lblk.get()) < end) {
                *mapping = rest_of(run);
                return Some(Ok(Place::Block(run.lblk, run.fsblk)));
            }
            *mapping = None;
            match walk.next_item(fs)? {
                Ok(MapItem::Node(_)) => {}
                Ok(MapItem::Mapping(run)) if u64::from(run.lblk.get()) < *mapped => {
                    let what = format!("block {} of the directory is mapped twice", run.lblk);
                    return Some(Err(Error::corrupt(what).at_fsblk(run.fsblk)));
                }
                Ok(MapItem::Mapping(run)) => {
                    *mapped = run.lblk_end();
                    *mapping = (run.state == MappingState::Written).then_some(run);
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

enum Place {
    Inline(DirBlock),
    Block(Lblk, Fsblk),
}

/// A mapping without its first block.
fn rest_of(run: Mapping) -> Option<Mapping> {
    Some(Mapping {
        lblk: run.lblk.checked_add(1)?,
        fsblk: run.fsblk.checked_add(1)?,
        len: run.len.checked_sub(1).filter(|len| *len > 0)?,
        ..run
    })
}

/// The two parts of an inline directory. Ref: `ext4_read_inline_dir`.
fn inline_parts<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Result<Vec<DirBlock>> {
    let parent = inode.raw.block_numbers().next().unwrap_or(0);
    let first = DirBlock {
        lblk: Lblk::new(0),
        place: DirPlace::Inode,
        kind: DirBlockKind::Leaf,
        csum: CsumState::None,
        has_filetype: has_filetype(fs),
        dots: Some((inode.ino, Ino::new(parent))),
        bytes: inode.raw.i_block.to_vec(),
    };
    let second = DirBlock {
        place: DirPlace::Xattr,
        dots: None,
        bytes: inline_rest(inode)?,
        ..first.clone()
    };
    Ok(vec![first, second])
}

fn has_filetype<S: ByteSource>(fs: &Filesystem<S>) -> bool {
    fs.features().incompat.contains(Incompat::FILETYPE)
}

/// Byte at which the index entries of a block start, when it is one of the index.
/// Ref: `get_dx_countlimit`.
fn index_entries(block: &[u8], lblk: Lblk) -> Option<usize> {
    let header = |at: usize| DirEntryHeader::read_from_prefix(block.get(at..)?).ok();
    let block_size = u32::try_from(block.len()).ok()?;
    let (first, _) = header(0)?;
    if lblk.get() == 0 {
        let info = DxRootInfo::read_from_prefix(block.get(DX_ROOT_INFO_OFFSET..)?).ok()?.0;
        return Some(info.entries_offset());
    }
    let is_node =
        rec_len_from_disk(first.rec_len.get(), block_size) == block_size && first.inode.get() == 0;
    is_node.then_some(DX_NODE_ENTRIES_OFFSET)
}

fn check(seed: u32, block: &[u8], index: Option<usize>) -> CsumState {
    let sums = match index {
        Some(entries_at) => dx_sums(seed, block, entries_at),
        None => DirEntryTail::from_block(block)
            .zip(csum::dirblock(seed, block))
            .map(|(tail, computed)| (tail.det_checksum.get(), computed)),
    };
    // Without a place for it there is no checksum where there should be one.
    match sums {
        Some((stored, computed)) if stored == computed => CsumState::Good,
        _ => CsumState::Bad,
    }
}

/// The stored and the computed checksum of an index block.
fn dx_sums(seed: u32, block: &[u8], entries_at: usize) -> Option<(u32, u32)> {
    let (counts, _) = DxCountlimit::read_from_prefix(block.get(entries_at..)?).ok()?;
    let room = usize::from(counts.limit.get()).checked_mul(size_of::<DxEntry>())?;
    let tail_at = entries_at.checked_add(room)?;
    let (tail, _) = DxTail::read_from_prefix(block.get(tail_at..)?).ok()?;
    let computed = csum::dx_block(seed, block, entries_at, counts.count.get(), tail_at)?;
    Some((tail.dt_checksum.get(), computed))
}

impl<S: ByteSource> Filesystem<S> {
    /// All names of a directory; an error costs the block in which it lies.
    ///
    /// # Errors
    /// Those of [`DirWalk::new`]; of the names, those of [`DirWalk::next_block`] and
    /// [`DirBlock::entries`].
    pub fn dir_entries(&self, inode: &Inode) -> Result<impl Iterator<Item = Result<DirEntry>>> {
        let mut walk = DirWalk::new(self, inode)?;
        let ino = inode.ino;
        let blocks = iter::from_fn(move || walk.next_block(self));
        Ok(blocks.flat_map(move |block| -> Vec<_> {
            match block {
                Ok(block) => {
                    block.entries().map(|entry| entry.map_err(|error| error.at_ino(ino))).collect()
                }
                Err(error) => vec![Err(error)],
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BLOCK, Files, dirent};
    use super::*;

    fn dir(blocks: &[Vec<u8>]) -> Files {
        let mut files = Files::new();
        let numbers = 50..50 + blocks.len() as u32;
        let list: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        files.i_block_by_blocks(12, &list);
        files.inode(12, |raw| {
            raw.i_mode.set(0o040_755);
            raw.i_size_lo.set((blocks.len() * BLOCK) as u32);
        });
        for (block, at) in blocks.iter().zip(50..) {
            files.block(at, &block[..BLOCK.min(block.len())]);
        }
        files
    }

    fn names(files: &Files) -> Vec<Result<String, ErrorKind>> {
        let (fs, inode) = files.open(12);
        let names = fs.dir_entries(&inode).expect("a directory").map(|entry| match entry {
            Ok(entry) => Ok(String::from_utf8_lossy(&entry.name).into_owned()),
            Err(error) => {
                assert!(error.at().ino.is_some());
                Err(error.kind())
            }
        });
        names.collect()
    }

    #[test]
    fn unused_entries_are_passed_over() {
        let block =
            [dirent(12, 12, "."), dirent(2, 12, ".."), dirent(0, 16, "gone"), dirent(9, 984, "x")];
        let second = dirent(0, 1024, "");
        let third = dirent(13, 1024, "y");
        let due = [".", "..", "x", "y"].map(|name| Ok(name.to_owned()));
        assert_eq!(names(&dir(&[block.concat(), second, third])), due);
    }

    #[test]
    fn an_impossible_entry_costs_its_block_alone() {
        for rec_len in [0, 4, 13, 1013, 2000, 1016] {
            let bad = [dirent(9, 12, "ok"), dirent(9, rec_len, "bad")].concat();
            let told = names(&dir(&[bad, dirent(13, 1024, "next")]));
            let due = [Ok("ok".to_owned()), Err(ErrorKind::Corrupt), Ok("next".to_owned())];
            assert_eq!(told, due, "{rec_len}");
        }
        let long = [dirent(9, 1012, "ok"), dirent(9, 12, "longer")].concat();
        assert_eq!(names(&dir(&[long]))[1], Err(ErrorKind::Corrupt));
    }

    #[test]
    fn a_directory_of_a_lying_size_ends_with_its_blocks() {
        let mut files = dir(&[dirent(13, 1024, "only")]);
        files.inode(12, |raw| raw.i_size_high.set(u32::MAX));
        assert_eq!(names(&files), [Ok("only".to_owned())]);
        files.inode(12, |raw| {
            raw.i_size_high.set(0);
            raw.i_size_lo.set(0);
        });
        assert_eq!(names(&files), []);
    }

    #[test]
    fn what_is_no_directory_is_refused() {
        let mut files = dir(&[]);
        files.inode(12, |raw| raw.i_mode.set(0o100_644));
        let (fs, inode) = files.open(12);
        let error = DirWalk::new(&fs, &inode).expect_err("a file");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
}
