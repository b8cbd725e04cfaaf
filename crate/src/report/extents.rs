//! The extents of a file as `filefrag -v` lists them.

use core::mem::offset_of;

use serde::{Deserialize, Serialize};

use crate::analysis::{ExtentJoin, FileExtent, FileFrag, FragCount};
use crate::error::Error;
use crate::fs::{Filesystem, Inode, MapItem, MapWalk, MappingState};
use crate::io::ByteSource;
use crate::ondisk::{InodeFlags, RawInode};

/// An extent of a file. Numbers are blocks; of data inside the inode they are bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtentReport {
    /// First block of the file.
    pub logical: u64,
    /// First block of the filesystem.
    pub physical: u64,
    /// How many.
    pub length: u64,
    /// Where `filefrag` expects it, when it is not there.
    pub expected: Option<u64>,
    /// What FIEMAP says of it, in `filefrag`'s words and order: `last`, `not_aligned`, `inline`,
    /// `unwritten`, `merged` (every extent of a file mapped by blocks), `eof`.
    pub flags: Vec<String>,
}

/// Goes through the extents of a file, in the order in which they are mapped. What cannot be
/// followed comes in between as an error.
#[derive(Debug)]
pub struct ExtentRows<'a, S: ByteSource> {
    filesystem: &'a Filesystem<S>,
    walk: MapWalk,
    count: FragCount,
    join: ExtentJoin,
    /// Complete, but maybe the last.
    held: Option<FileExtent>,
    inline: Option<ExtentReport>,
    size: u64,
    is_block_mapped: bool,
}

impl<'a, S: ByteSource> ExtentRows<'a, S> {
    /// Starts at the first; nothing is read yet.
    #[must_use]
    pub fn new(filesystem: &'a Filesystem<S>, inode: &Inode) -> Self {
        Self {
            filesystem,
            walk: MapWalk::new(filesystem, inode),
            count: FragCount::new(filesystem.geometry(), inode, false),
            join: ExtentJoin::default(),
            held: None,
            inline: inline_extent(filesystem, inode),
            size: inode.raw.size(),
            is_block_mapped: !inode.flags().contains(InodeFlags::EXTENTS),
        }
    }

    /// How the file lies, as far as its extents were gone through.
    #[must_use]
    pub fn frag(&self) -> FileFrag {
        self.count.clone().finish()
    }

    fn report(&self, extent: &FileExtent, is_last: bool) -> ExtentReport {
        let block_size = u64::from(self.filesystem.geometry().block_size());
        let is_eof = extent.lblk_end().saturating_mul(block_size) >= self.size;
        let flags = [
            ("last", is_last),
            ("unwritten", extent.state == MappingState::Unwritten),
            ("merged", self.is_block_mapped),
            ("eof", is_eof),
        ];
        ExtentReport {
            logical: u64::from(extent.lblk.get()),
            physical: extent.fsblk.get(),
            length: extent.len,
            expected: extent.expected.map(|fsblk| fsblk.get()),
            flags: flags.iter().filter(|(_, is_set)| *is_set).map(|(n, _)| (*n).into()).collect(),
        }
    }
}

impl<S: ByteSource> Iterator for ExtentRows<'_, S> {
    type Item = Result<ExtentReport, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(inline) = self.inline.take() {
            return Some(Ok(inline));
        }
        loop {
            let complete = match self.walk.next_item(self.filesystem) {
                Some(Ok(item)) => {
                    self.count.add(&item);
                    match item {
                        MapItem::Mapping(mapping) => self.join.add(mapping),
                        MapItem::Node(_) => None,
                    }
                }
                Some(Err(error)) => return Some(Err(error)),
                None => match self.join.finish() {
                    Some(last) => Some(last),
                    None => return self.held.take().map(|last| Ok(self.report(&last, true))),
                },
            };
            if let Some(complete) = complete
                && let Some(before) = self.held.replace(complete)
            {
                return Some(Ok(self.report(&before, false)));
            }
        }
    }
}

/// The one extent of a file whose data is inside its inode. Ref: `ext4_inline_data_iomap`.
fn inline_extent<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Option<ExtentReport> {
    let size = inode.raw.size();
    if !inode.flags().contains(InodeFlags::INLINE_DATA) || size == 0 {
        return None;
    }
    let (fsblk, in_block) = fs.inode_place(inode.ino).ok()?;
    let inode_at = fs.geometry().byte_from_fsblk(fsblk)?.get().checked_add(in_block)?;
    Some(ExtentReport {
        logical: 0,
        physical: inode_at.checked_add(offset_of!(RawInode, i_block) as u64)?,
        length: size,
        expected: None,
        flags: ["last", "not_aligned", "inline", "eof"].map(str::to_owned).to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;

    fn rows(files: &Files) -> Vec<(u64, u64, u64, Option<u64>, String)> {
        let (fs, inode) = files.open(12);
        ExtentRows::new(&fs, &inode)
            .map(|row| row.expect("sound"))
            .map(|row| (row.logical, row.physical, row.length, row.expected, row.flags.join(",")))
            .collect()
    }

    #[test]
    fn the_last_extent_and_the_end_of_the_file_are_marked() {
        let mut files = Files::new();
        let blocks: Vec<u8> =
            [50_u32, 51, 60, 0, 62].iter().flat_map(|block| block.to_le_bytes()).collect();
        files.i_block_by_blocks(12, &blocks);
        files.inode(12, |raw| raw.i_size_lo.set(3 * 1024));
        let due = [
            (0, 50, 2, None, "merged".to_owned()),
            (2, 60, 1, Some(52), "merged,eof".to_owned()),
            (4, 62, 1, None, "last,merged,eof".to_owned()),
        ];
        assert_eq!(rows(&files), due);
    }

    #[test]
    fn data_inside_the_inode_is_counted_in_bytes() {
        let mut files = Files::new();
        files.i_block_by_blocks(12, b"hello");
        files.inode(12, |raw| {
            raw.i_flags.set(InodeFlags::INLINE_DATA.bits());
            raw.i_size_lo.set(5);
        });
        let rows = rows(&files);
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].2, rows[0].4.as_str()), (5, "last,not_aligned,inline,eof"));
        let at = usize::try_from(rows[0].1).expect("small");
        let (fs, _) = files.open(12);
        let mut bytes = [0; 5];
        let reader = fs.reader();
        reader.read(crate::io::ReadKind::InodeTable, at as u64, &mut bytes).expect("inside");
        assert_eq!(&bytes, b"hello");
    }
}
