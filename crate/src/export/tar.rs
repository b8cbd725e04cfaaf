//! A folder as a tar archive, with owners, modes, times, links, attributes and holes.

use core::ops::{Deref, Range};
use std::collections::HashMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use tar::EntryType;

use super::pax::{PaxRecords, TAR_BLOCK, TarHeader, pad};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{DataPiece, FileData, Filesystem, Inode, MapItem, MappingState, TreeWalk};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::FileType;
use crate::units::Ino;

/// Bytes of zeros given at once.
const ZEROS: u64 = 1 << 20;

/// Blocks of zeros that end an archive.
const END_BLOCKS: usize = 2;

/// What came into an archive so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TarCounts {
    /// Entries.
    pub entries: u64,
    /// Bytes of the archive.
    pub bytes: u64,
    /// Sockets, which no archive keeps.
    pub sockets: u64,
    /// What could not be read; the place of unreadable data is filled with zeros.
    pub faults: u64,
}

/// Gives the archive of a folder piece by piece, each no longer than some tens of MiB.
///
/// Names are relative to the folder, which is `./` itself. Files with holes keep them, the way of
/// GNU tar's sparse format 1.0; ACLs and other attributes are the records that GNU tar and bsdtar
/// read. Files of several names come once, and then as links; where there are so many that their
/// paths are not kept, as copies.
#[derive(Debug)]
pub struct TarStream<F> {
    filesystem: F,
    walk: TreeWalk,
    state: State,
    /// The first path of every file that has several.
    linked: HashMap<Ino, Vec<u8>>,
    /// Bytes of these paths.
    linked_bytes: usize,
    counts: TarCounts,
    faults: Vec<Error>,
}

#[derive(Debug)]
enum State {
    Root(Box<Inode>),
    Entries,
    Data(Box<Contents>),
    Over,
}

/// The data of a file that is still to come.
#[derive(Debug)]
struct Contents {
    inode: Inode,
    pieces: std::vec::IntoIter<Range<u64>>,
    current: Option<FileData>,
    /// Bytes of the current piece that are still to come.
    left: u64,
    /// Zeros behind it all.
    padding: u64,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> TarStream<F> {
    /// Starts with `folder`.
    ///
    /// # Errors
    /// Those of [`TreeWalk::new`].
    pub fn new(filesystem: F, folder: &Inode) -> Result<Self> {
        Ok(Self {
            walk: TreeWalk::new(&*filesystem, folder)?,
            state: State::Root(Box::new(folder.clone())),
            linked: HashMap::new(),
            linked_bytes: 0,
            counts: TarCounts::default(),
            faults: Vec::new(),
            filesystem,
        })
    }

    /// The next bytes; `None` at the end of the archive.
    pub fn next_piece(&mut self) -> Option<Vec<u8>> {
        loop {
            let piece = match core::mem::replace(&mut self.state, State::Over) {
                State::Root(inode) => {
                    self.state = State::Entries;
                    self.entry(b"./", &inode)
                }
                State::Entries => match self.walk.next_entry(&*self.filesystem) {
                    Some(Ok(entry)) => {
                        self.state = State::Entries;
                        let mut path = entry.path;
                        if entry.inode.is_dir() {
                            path.push(b'/');
                        }
                        self.entry(&path, &entry.inode)
                    }
                    Some(Err(error)) => {
                        self.state = State::Entries;
                        self.fault(error);
                        continue;
                    }
                    None => Ok(vec![0; TAR_BLOCK.saturating_mul(END_BLOCKS)]),
                },
                State::Data(contents) => Ok(self.data(contents)),
                State::Over => return None,
            };
            match piece {
                Ok(bytes) if bytes.is_empty() => {}
                Ok(bytes) => {
                    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                    self.counts.bytes = self.counts.bytes.saturating_add(len);
                    return Some(bytes);
                }
                Err(error) => self.fault(error),
            }
        }
    }

    /// What came into the archive so far.
    #[must_use]
    pub fn counts(&self) -> TarCounts {
        self.counts
    }

    /// What could not be read, the first of it.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }

    /// The headers of an entry; its data is to follow.
    fn entry(&mut self, path: &[u8], inode: &Inode) -> Result<Vec<u8>> {
        let file_type = inode.file_type().ok_or_else(|| {
            Error::corrupt("an inode of a type that means nothing").at_ino(inode.ino)
        })?;
        if file_type == FileType::Sock {
            self.counts.sockets = self.counts.sockets.saturating_add(1);
            return Ok(Vec::new());
        }
        let raw = &inode.raw;
        let mut header = TarHeader {
            kind: kind_of(file_type),
            path,
            link: b"",
            mode: raw.i_mode.get(),
            uid: raw.uid(),
            gid: raw.gid(),
            mtime: raw.mtime(),
            device: raw.device(),
            size: 0,
        };
        let is_dir = file_type == FileType::Dir;
        if let Some(first) = self.linked.get(&inode.ino).cloned().filter(|_| !is_dir) {
            header.kind = EntryType::Link;
            header.link = &first;
            let bytes = header.bytes(PaxRecords::default());
            self.counts.entries = self.counts.entries.saturating_add(1);
            return Ok(bytes);
        }
        let mut records = self.records(inode);
        let target;
        let mut start = Vec::new();
        match file_type {
            FileType::Symlink => {
                target = self.filesystem.symlink_target(inode)?;
                header.link = &target;
            }
            FileType::RegFile => {
                let pieces = self.pieces(inode)?;
                let kept = pieces.iter().map(|piece| piece.end.saturating_sub(piece.start));
                header.size = kept.fold(0, u64::saturating_add);
                if header.size < raw.size() {
                    start = sparse_map(&pieces, raw.size());
                    records.add(b"GNU.sparse.major", b"1");
                    records.add(b"GNU.sparse.minor", b"0");
                    records.add(b"GNU.sparse.name", path);
                    records.add(b"GNU.sparse.realsize", raw.size().to_string().as_bytes());
                    let map_len = u64::try_from(start.len()).unwrap_or(u64::MAX);
                    header.size = header.size.saturating_add(map_len);
                }
                let block = u64::try_from(TAR_BLOCK).unwrap_or(1);
                let padded = header.size.checked_next_multiple_of(block).unwrap_or(header.size);
                self.state = State::Data(Box::new(Contents {
                    inode: inode.clone(),
                    pieces: pieces.into_iter(),
                    current: None,
                    left: 0,
                    padding: padded.saturating_sub(header.size),
                }));
            }
            _ => {}
        }
        let mut bytes = header.bytes(records);
        bytes.extend(start);
        let linked_bytes = self.linked_bytes.saturating_add(path.len());
        if raw.i_links_count.get() > 1 && !is_dir && linked_bytes <= limits::LINKED_BYTES {
            self.linked_bytes = linked_bytes;
            self.linked.insert(inode.ino, path.to_vec());
        }
        self.counts.entries = self.counts.entries.saturating_add(1);
        Ok(bytes)
    }

    /// What ustar has no room for: times to the nanosecond, attributes.
    fn records(&mut self, inode: &Inode) -> PaxRecords {
        let mut records = PaxRecords::default();
        for (key, time) in [
            ("mtime", inode.raw.mtime()),
            ("atime", inode.raw.atime()),
            ("ctime", inode.raw.ctime()),
        ] {
            records.add_time(key, time);
        }
        let mut room = limits::XATTR_BYTES;
        for xattr in self.filesystem.xattrs(inode) {
            let xattr = match xattr {
                Ok(xattr) if xattr.is_inline_data() => continue,
                Ok(xattr) => xattr,
                Err(error) => {
                    self.fault(error);
                    continue;
                }
            };
            if let Some((key, acl)) = xattr.acl() {
                records.add(key.as_bytes(), acl.text().join(",").as_bytes());
                continue;
            }
            let Some(left) = room.checked_sub(xattr.value.len()) else {
                let what = "attributes that are too long together";
                self.fault(Error::new(ErrorKind::Limit, what).at_ino(inode.ino));
                break;
            };
            room = left;
            match self.filesystem.xattr_value(&xattr) {
                Ok(value) => {
                    let key = [b"SCHILY.xattr.".as_slice(), &xattr.name()].concat();
                    // The key ends where the equals sign is.
                    if !key.contains(&b'=') {
                        records.add(&key, &value);
                    }
                }
                Err(error) => self.fault(error.at_ino(inode.ino)),
            }
        }
        records
    }

    /// The ranges of a file, in bytes, that are no holes.
    fn pieces(&self, inode: &Inode) -> Result<Vec<Range<u64>>> {
        let size = inode.raw.size();
        // A size that is a lie would be many zeros.
        FileData::new(&*self.filesystem, inode, 0..size)?;
        if !inode.has_blocks() {
            return Ok((size > 0).then_some(0..size).into_iter().collect());
        }
        let block_size = u64::from(self.filesystem.geometry().block_size());
        let mut pieces: Vec<Range<u64>> = Vec::new();
        for item in self.filesystem.map_items(inode) {
            let MapItem::Mapping(mapping) = item? else { continue };
            let start = u64::from(mapping.lblk.get()).saturating_mul(block_size);
            let end = mapping.lblk_end().saturating_mul(block_size).min(size);
            if mapping.state == MappingState::Unwritten || start >= end {
                continue;
            }
            let count = pieces.len();
            match pieces.last_mut() {
                Some(last) if last.end == start => last.end = end,
                Some(last) if last.end > start => {
                    let what = format!("block {} of the file is mapped twice", mapping.lblk);
                    return Err(Error::corrupt(what).at_ino(inode.ino).at_fsblk(mapping.fsblk));
                }
                _ if count >= limits::FILE_PIECES => {
                    let what = format!("a file in over {} pieces", limits::FILE_PIECES);
                    return Err(Error::new(ErrorKind::Limit, what).at_ino(inode.ino));
                }
                _ => pieces.push(start..end),
            }
        }
        Ok(pieces)
    }

    /// The next bytes of a file's data; nothing at its end.
    fn data(&mut self, mut contents: Box<Contents>) -> Vec<u8> {
        let fs = &*self.filesystem;
        if contents.left == 0 {
            let Some(piece) = contents.pieces.next() else {
                self.state = State::Entries;
                return vec![0; usize::try_from(contents.padding).unwrap_or(0)];
            };
            contents.left = piece.end.saturating_sub(piece.start);
            match FileData::new(fs, &contents.inode, piece) {
                Ok(data) => contents.current = Some(data),
                Err(error) => self.fault(error),
            }
        }
        let next = contents.current.as_mut().and_then(|data| data.next_piece(&*self.filesystem));
        let mut bytes = match next {
            Some(Ok(DataPiece::Bytes(bytes))) => bytes,
            Some(Ok(DataPiece::Zeros(_))) | None => Vec::new(),
            Some(Err(error)) => {
                self.fault(error.at_ino(contents.inode.ino));
                contents.current = None;
                Vec::new()
            }
        };
        if bytes.is_empty() {
            // What was promised and cannot be read.
            contents.current = None;
            bytes = vec![0; usize::try_from(contents.left.min(ZEROS)).unwrap_or(0)];
        }
        bytes.truncate(usize::try_from(contents.left).unwrap_or(usize::MAX));
        let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        contents.left = contents.left.saturating_sub(len);
        self.state = State::Data(contents);
        bytes
    }

    fn fault(&mut self, error: Error) {
        self.counts.faults = self.counts.faults.saturating_add(1);
        if self.faults.len() < limits::FAILURES_KEPT {
            self.faults.push(error);
        }
    }
}

fn kind_of(file_type: FileType) -> EntryType {
    match file_type {
        FileType::RegFile | FileType::Sock => EntryType::Regular,
        FileType::Dir => EntryType::Directory,
        FileType::Symlink => EntryType::Symlink,
        FileType::Chrdev => EntryType::Char,
        FileType::Blkdev => EntryType::Block,
        FileType::Fifo => EntryType::Fifo,
    }
}

/// Where data lies in a file with holes: how many pieces, then start and length of each, in
/// decimal, a line each.
fn sparse_map(pieces: &[Range<u64>], size: u64) -> Vec<u8> {
    // An empty piece tells where the file ends.
    let end = size..size;
    let ends_in_hole = pieces.last().is_none_or(|last| last.end < size);
    let last = ends_in_hole.then_some(&end);
    let count = pieces.len().saturating_add(usize::from(ends_in_hole));
    let mut text = format!("{count}\n");
    for piece in pieces.iter().chain(last) {
        let len = piece.end.saturating_sub(piece.start);
        let _ = write!(text, "{}\n{len}\n", piece.start);
    }
    let mut bytes = text.into_bytes();
    pad(&mut bytes);
    bytes
}
