//! An inode, on demand.

use super::{CsumState, Filesystem};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::{FileType, GOOD_OLD_INODE_BYTES, I_BLOCK_BYTES, InodeFlags, RawInode};
use crate::units::{Fsblk, Ino};

/// An inode as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inode {
    /// Its number.
    pub ino: Ino,
    /// Its fields.
    pub raw: RawInode,
    /// Whether its checksum is right; an inode of zeros was never written and has none.
    pub csum: CsumState,
    /// The checksum that it should carry, where there is one.
    pub computed_csum: Option<u32>,
    bytes: Box<[u8]>,
}

impl Inode {
    /// All its `s_inode_size` bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its flags.
    #[must_use]
    pub fn flags(&self) -> InodeFlags {
        self.raw.flags()
    }

    /// What it is, or `None` for a mode that means nothing.
    #[must_use]
    pub fn file_type(&self) -> Option<FileType> {
        self.raw.file_type()
    }

    /// Whether it is a directory.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.file_type() == Some(FileType::Dir)
    }

    /// Whether it is a symbolic link whose target lies in `i_block`.
    /// Ref: `ext2fs_is_fast_symlink`.
    #[must_use]
    pub fn is_fast_symlink(&self) -> bool {
        let elsewhere = InodeFlags::INLINE_DATA | InodeFlags::EXTENTS;
        self.file_type() == Some(FileType::Symlink)
            && !self.flags().intersects(elsewhere)
            && usize::try_from(self.raw.size()).is_ok_and(|size| size < I_BLOCK_BYTES)
    }

    /// Whether `i_block` maps blocks. Ref: `ext2fs_inode_has_valid_blocks2`.
    #[must_use]
    pub fn has_blocks(&self) -> bool {
        if self.flags().contains(InodeFlags::INLINE_DATA) {
            return false;
        }
        match self.file_type() {
            Some(FileType::RegFile | FileType::Dir) => true,
            Some(FileType::Symlink) => !self.is_fast_symlink(),
            Some(_) => false,
            // The list of bad blocks has no type.
            None => self.ino == crate::ondisk::reserved::BAD,
        }
    }

    /// Whether it was deleted and still tells what it was.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.raw.i_links_count.get() == 0
            && self.raw.i_dtime.get() != 0
            && self.raw.i_mode.get() != 0
    }

    /// Decodes the `s_inode_size` bytes of an inode.
    pub(crate) fn new<S: ByteSource>(fs: &Filesystem<S>, ino: Ino, bytes: Box<[u8]>) -> Self {
        let raw = RawInode::from_bytes(&bytes);
        let computed_csum = fs.csum().inode(ino, &bytes);
        let csum = if bytes.iter().all(|byte| *byte == 0) {
            CsumState::None
        } else {
            CsumState::compare(Some(raw.checksum()), computed_csum)
        };
        Self { ino, raw, csum, computed_csum, bytes }
    }
}

impl<S: ByteSource> Filesystem<S> {
    /// Reads an inode, in use or not, through the cache.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for 0 and past the last, and where its table lies outside the
    /// image; the error of reading the descriptor when that failed; [`ErrorKind::Corrupt`] when
    /// inodes have an impossible size; [`ErrorKind::Io`] when the host cannot read.
    pub fn inode(&self, ino: Ino) -> Result<Inode> {
        let inode_bytes = self.inode_bytes()?;
        let (fsblk, in_block) = self.inode_place(ino)?;
        let block = self.block(ReadKind::InodeTable, fsblk).map_err(|error| error.at_ino(ino))?;
        let bytes = usize::try_from(in_block)
            .ok()
            .and_then(|start| block.get(start..start.checked_add(inode_bytes)?))
            .unwrap_or_default();
        Ok(Inode::new(self, ino, bytes.into()))
    }

    /// The block of the table that holds an inode, and the inode's first byte in it.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for 0 and past the last; the error of reading the descriptor when
    /// that failed.
    pub fn inode_place(&self, ino: Ino) -> Result<(Fsblk, u64)> {
        let geometry = self.geometry();
        let (group, index) = geometry.group_from_ino(ino).ok_or_else(|| {
            let what = format!("inodes are numbered 1 to {}", geometry.inodes_count());
            Error::new(ErrorKind::OutOfBounds, what).at_ino(ino)
        })?;
        let table = self.group(group).map_err(|error| error.at_ino(ino))?.desc.inode_table;
        let offset = geometry.itable_offset(index);
        let in_table = offset.checked_div(u64::from(geometry.block_size())).unwrap_or(0);
        let in_block = offset.checked_rem(u64::from(geometry.block_size())).unwrap_or(0);
        Ok((Fsblk::new(table.get().saturating_add(in_table)), in_block))
    }

    /// Bytes of an inode, when they are as many as an inode can have.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when they are not.
    pub(super) fn inode_bytes(&self) -> Result<usize> {
        let (size, block) = (self.geometry().inode_size(), self.geometry().block_size());
        usize::try_from(size)
            .ok()
            .filter(|bytes| {
                *bytes >= GOOD_OLD_INODE_BYTES && size <= block && size.is_power_of_two()
            })
            .ok_or_else(|| {
                Error::corrupt(format!("s_inode_size is {size}; it is 128, 256 … to {block}"))
                    .with_hint("Open the filesystem from a backup superblock.")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Files, Image};
    use super::*;
    use crate::fs::OpenOptions;

    #[test]
    fn an_inode_is_found_in_the_table_of_its_group() {
        let mut files = Files::new();
        files.inode(9, |raw| raw.i_mode.set(0o100_600));
        let fs = files.filesystem();
        let inode = fs.inode(Ino::new(9)).expect("inside");
        assert_eq!((inode.file_type(), inode.bytes().len()), (Some(FileType::RegFile), 128));
        assert_eq!(fs.meter().count(ReadKind::InodeTable).requests, 1);
        for ino in [0, 4 * 256 + 1, u32::MAX] {
            let error = fs.inode(Ino::new(ino)).expect_err("no such inode");
            assert_eq!(
                (error.kind(), error.at().ino),
                (ErrorKind::OutOfBounds, Some(Ino::new(ino)))
            );
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for size in [0, 64, 192, 2048] {
            let mut image = Image::new();
            image.superblock.s_inode_size.set(size);
            let fs = Filesystem::open(image.bytes(), OpenOptions::default()).expect("opens");
            let error = fs.inode(Ino::new(2)).expect_err("no such inode");
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{size}");
        }
    }

    #[test]
    fn only_a_link_with_a_short_target_is_fast() {
        let mut files = Files::new();
        let mut told = |mode: u16, size: u32, flags: InodeFlags| {
            files.inode(9, |raw| {
                raw.i_mode.set(mode);
                raw.i_size_lo.set(size);
                raw.i_flags.set(flags.bits());
            });
            let (_, inode) = files.open(9);
            (inode.is_fast_symlink(), inode.has_blocks())
        };
        assert_eq!(told(0o120_777, 59, InodeFlags::empty()), (true, false));
        assert_eq!(told(0o120_777, 60, InodeFlags::empty()), (false, true));
        assert_eq!(told(0o120_777, 9, InodeFlags::EXTENTS), (false, true));
        assert_eq!(told(0o120_777, 9, InodeFlags::INLINE_DATA), (false, false));
        assert_eq!(told(0o100_777, 9, InodeFlags::empty()), (false, true));
        assert_eq!(told(0o060_777, 9, InodeFlags::empty()), (false, false));
        assert_eq!(told(0, 9, InodeFlags::empty()), (false, false));
    }
}
