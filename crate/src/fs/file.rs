//! What is in a file: its bytes in order, holes as holes.

use core::ops::Range;

use super::xattr::inode_xattrs;
use super::{Filesystem, Inode, MapItem, MapWalk, Mapping, MappingState, XattrValue};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::{FileType, InodeFlags};

/// Blocks that a file can number. Ref: `EXT_MAX_BLOCKS`.
const MOST_BLOCKS: u64 = 1 << 32;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataPiece {
    /// Bytes.
    Bytes(Vec<u8>),
    /// So many zeros that are not on the disk: a hole or unwritten blocks.
    Zeros(u64),
}

/// Goes through a range of a file in pieces of at most [`limits::READ_BYTES`] read bytes.
#[derive(Clone, Debug)]
pub struct FileData {
    walk: MapWalk,
    /// What the file holds inside its inode.
    inline: Option<Vec<u8>>,
    /// Blocks being read.
    mapping: Option<Mapping>,
    /// Block of the file up to which mappings were met.
    mapped: u64,
    /// What is still to come, in bytes of the file.
    rest: Range<u64>,
}

impl FileData {
    /// The part of `range` (bytes) before the end of the file; nothing is read yet.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when inline data is not where it should be, and when the file says to
    /// be longer than it can be.
    pub fn new<S: ByteSource>(
        fs: &Filesystem<S>,
        inode: &Inode,
        range: Range<u64>,
    ) -> Result<Self> {
        let size = inode.raw.size();
        let is_inline = inode.flags().contains(InodeFlags::INLINE_DATA);
        let inline = if is_inline {
            Some(inline_data(inode)?)
        } else if inode.is_fast_symlink() {
            Some(inode.raw.i_block.to_vec())
        } else {
            None
        };
        let most = match &inline {
            Some(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            None => u64::from(fs.geometry().block_size()).saturating_mul(MOST_BLOCKS),
        };
        if size > most {
            let what = format!("the file says to have {size} bytes, and can have {most}");
            return Err(Error::corrupt(what).at_ino(inode.ino));
        }
        let end = range.end.min(size);
        let rest = range.start.min(end)..end;
        Ok(Self { walk: MapWalk::new(fs, inode), inline, mapping: None, mapped: 0, rest })
    }

    /// The next piece; `None` at the end, and after an error.
    ///
    /// Its errors: those of [`MapWalk::next_item`] and [`Filesystem::read_blocks`], and
    /// [`ErrorKind::Corrupt`] when blocks of the file are mapped twice or out of order.
    pub fn next_piece<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Option<Result<DataPiece>> {
        if self.rest.is_empty() {
            return None;
        }
        let piece = self.piece(fs);
        match &piece {
            Ok(piece) => {
                self.rest.start = self.rest.start.saturating_add(piece.len()).min(self.rest.end);
            }
            Err(_) => self.rest.start = self.rest.end,
        }
        Some(piece)
    }

    fn piece<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Result<DataPiece> {
        let Range { start, end } = self.rest.clone();
        if let Some(inline) = &self.inline {
            let bytes = usize::try_from(start).ok().and_then(|start| inline.get(start..));
            let most = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
            return Ok(match bytes {
                Some(bytes) if !bytes.is_empty() => {
                    DataPiece::Bytes(bytes.get(..most).unwrap_or(bytes).to_vec())
                }
                _ => DataPiece::Zeros(end.saturating_sub(start)),
            });
        }
        let block_size = u64::from(fs.geometry().block_size());
        let Some(mapping) = self.mapping_at(fs, start)? else {
            return Ok(DataPiece::Zeros(end.saturating_sub(start)));
        };
        let from = u64::from(mapping.lblk.get()).saturating_mul(block_size);
        let to = mapping.lblk_end().saturating_mul(block_size).min(end);
        if from > start {
            return Ok(DataPiece::Zeros(from.min(end).saturating_sub(start)));
        }
        let len = to.saturating_sub(start);
        if mapping.state == MappingState::Unwritten {
            return Ok(DataPiece::Zeros(len));
        }
        let len = len.min(u64::from(limits::READ_BYTES));
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
        fs.read_blocks(ReadKind::Data, mapping.fsblk, start.saturating_sub(from), &mut bytes)?;
        Ok(DataPiece::Bytes(bytes))
    }

    /// The mapping that holds a byte, or the next one behind it.
    fn mapping_at<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        byte: u64,
    ) -> Result<Option<Mapping>> {
        let block_size = u64::from(fs.geometry().block_size());
        loop {
            if let Some(mapping) = self.mapping
                && mapping.lblk_end().saturating_mul(block_size) > byte
            {
                return Ok(Some(mapping));
            }
            match self.walk.next_item(fs).transpose()? {
                None => return Ok(None),
                Some(MapItem::Node(_)) => {}
                Some(MapItem::Mapping(mapping)) => {
                    if u64::from(mapping.lblk.get()) < self.mapped {
                        let what = format!("block {} of the file is mapped twice", mapping.lblk);
                        return Err(Error::corrupt(what).at_fsblk(mapping.fsblk));
                    }
                    self.mapped = mapping.lblk_end();
                    self.mapping = Some(mapping);
                }
            }
        }
    }
}

impl DataPiece {
    /// Bytes of the file that it is.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            Self::Zeros(len) => *len,
        }
    }

    /// Whether it is nothing, which no piece of a file is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<S: ByteSource> Filesystem<S> {
    /// At most `len` bytes of a file from `offset` on, holes filled with zeros; fewer at its end.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for more than [`limits::FILE_BYTES`]; those of [`FileData`].
    pub fn read_file(&self, inode: &Inode, offset: u64, len: u64) -> Result<Vec<u8>> {
        let range = offset..offset.saturating_add(len);
        let mut data = FileData::new(self, inode, range)?;
        if data.rest.end.saturating_sub(data.rest.start) > limits::FILE_BYTES {
            let what = format!("more than {} bytes of a file at once", limits::FILE_BYTES);
            return Err(Error::new(ErrorKind::Limit, what).at_ino(inode.ino));
        }
        let mut bytes = Vec::new();
        while let Some(piece) = data.next_piece(self) {
            match piece.map_err(|error| error.at_ino(inode.ino))? {
                DataPiece::Bytes(more) => bytes.extend(more),
                DataPiece::Zeros(zeros) => {
                    let zeros = usize::try_from(zeros).unwrap_or(usize::MAX);
                    bytes.resize(bytes.len().saturating_add(zeros), 0);
                }
            }
        }
        Ok(bytes)
    }

    /// The target of a symbolic link, as stored.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for anything but a link, [`ErrorKind::Corrupt`] for a target
    /// longer than a block; those of [`FileData`].
    pub fn symlink_target(&self, inode: &Inode) -> Result<Vec<u8>> {
        if inode.file_type() != Some(FileType::Symlink) {
            return Err(Error::new(ErrorKind::Unsupported, "not a symbolic link").at_ino(inode.ino));
        }
        let size = inode.raw.size();
        if size > u64::from(self.geometry().block_size()) {
            let what = format!("a symbolic link of {size} bytes");
            return Err(Error::corrupt(what).at_ino(inode.ino));
        }
        self.read_file(inode, 0, size)
    }
}

/// What a file holds inside its inode: `i_block`, and behind it the attribute `system.data`.
///
/// # Errors
/// [`ErrorKind::Corrupt`] without that attribute. Ref: `ext4_find_inline_data_nolock`.
pub(super) fn inline_data(inode: &Inode) -> Result<Vec<u8>> {
    let mut bytes = inode.raw.i_block.to_vec();
    bytes.extend(inline_rest(inode)?);
    Ok(bytes)
}

/// The part of inline data behind `i_block`.
pub(super) fn inline_rest(inode: &Inode) -> Result<Vec<u8>> {
    let found = inode_xattrs(inode).into_iter().flatten().find(|xattr| xattr.is_inline_data());
    match found.map(|xattr| xattr.value) {
        Some(XattrValue::Bytes(bytes)) => Ok(bytes),
        _ => Err(Error::corrupt("the inode has no inline data").at_ino(inode.ino)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BLOCK, Files};
    use super::*;

    /// Maps the direct blocks, and fills each block with its own number.
    fn file(size: u32, numbers: &[u32]) -> Files {
        let mut files = Files::new();
        let list: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        files.i_block_by_blocks(12, &list);
        files.inode(12, |raw| raw.i_size_lo.set(size));
        for number in numbers.iter().filter(|number| **number != 0) {
            files.block(*number as usize, &[*number as u8; BLOCK]);
        }
        files
    }

    #[test]
    fn runs_are_read_at_once_and_holes_not_at_all() {
        let (fs, inode) = file(5000, &[50, 51, 0, 0, 60]).open(12);
        let mut data = FileData::new(&fs, &inode, 0..u64::MAX).expect("mapped");
        let mut pieces = Vec::new();
        while let Some(piece) = data.next_piece(&fs) {
            pieces.push(piece.expect("readable"));
        }
        let two = [[50; BLOCK], [51; BLOCK]].concat();
        let due = [
            DataPiece::Bytes(two),
            DataPiece::Zeros(2048),
            DataPiece::Bytes(vec![60; 5000 - 4096]),
        ];
        assert_eq!(pieces, due);
        assert_eq!(fs.meter().count(ReadKind::Data).requests, 2);
        assert_eq!(fs.meter().count(ReadKind::Data).bytes, 2048 + 904);
    }

    #[test]
    fn a_part_is_read_alone() {
        let (fs, inode) = file(1 << 30, &[50, 0, 52]).open(12);
        assert_eq!(fs.read_file(&inode, 1000, 50), Ok([[50; 24].as_slice(), &[0; 26]].concat()));
        assert_eq!(fs.read_file(&inode, 2048, 3), Ok(vec![52; 3]));
        assert_eq!(fs.read_file(&inode, 1 << 31, 3), Ok(Vec::new()));
        assert_eq!(fs.meter().count(ReadKind::Data).bytes, 24 + 3);
    }

    #[test]
    fn the_longest_file_is_one_piece_of_zeros_and_no_file_is_longer() {
        let longest = MOST_BLOCKS * BLOCK as u64;
        let mut files = file(0, &[]);
        files.inode(12, |raw| raw.i_size_high.set((longest >> 32) as u32));
        let (fs, inode) = files.open(12);
        let mut data = FileData::new(&fs, &inode, 0..u64::MAX).expect("mapped");
        assert_eq!(data.next_piece(&fs), Some(Ok(DataPiece::Zeros(longest))));
        assert_eq!(data.next_piece(&fs), None);
        let error = fs.read_file(&inode, 0, u64::MAX).expect_err("too long");
        assert_eq!(error.kind(), ErrorKind::Limit);

        files.inode(12, |raw| raw.i_size_lo.set(1));
        let (fs, inode) = files.open(12);
        let error = FileData::new(&fs, &inode, 0..1).expect_err("a lie");
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }

    #[test]
    fn short_targets_lie_in_the_inode_and_long_ones_in_a_block() {
        let mut files = file(5, &[]);
        files.inode(12, |raw| {
            raw.i_mode.set(0o120_777);
            raw.i_block[..5].copy_from_slice(b"../up");
        });
        let (fs, inode) = files.open(12);
        assert_eq!(fs.symlink_target(&inode), Ok(b"../up".to_vec()));
        let mut files = file(100, &[65]);
        files.inode(12, |raw| raw.i_mode.set(0o120_777));
        let (fs, inode) = files.open(12);
        assert_eq!(fs.symlink_target(&inode), Ok(vec![65; 100]));
        files.inode(12, |raw| raw.i_size_lo.set(1025));
        let (fs, inode) = files.open(12);
        assert_eq!(fs.symlink_target(&inode).map_err(|e| e.kind()), Err(ErrorKind::Corrupt));
    }
}
