//! Files for the used runs of a fragmented image, so that every block in use has an owner.

use std::fs::File;
use std::io::{Error, Result};
use std::os::unix::fs::FileExt;

use extscope::fs::{Filesystem, Inode, InodeScan};
use extscope::io::FileSource;
use extscope::ondisk::csum::extent_block;
use extscope::ondisk::{
    EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx, FileType, InodeFlags, RawInode,
};
use extscope::units::{Fsblk, Ino};
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U16, U32};

/// Sectors that `i_blocks` counts in.
const SECTOR_BYTES: u32 = 512;

/// Gives runs of blocks to empty files, in order: as many to each as a leaf has entries. The leaf
/// lies in the first block of the first of them.
pub(crate) struct Owners<'a> {
    image: &'a File,
    filesystem: &'a Filesystem<FileSource>,
    files: std::vec::IntoIter<Ino>,
    leaf: Option<Fsblk>,
    extents: Vec<Extent>,
    /// Blocks of the file so far.
    blocks: u32,
}

/// Extents that one file is given, where blocks are of so many bytes.
pub(crate) const fn extents_per_file(block_size: u32) -> u64 {
    (block_size as u64 - size_of::<ExtentHeader>() as u64) / size_of::<Extent>() as u64
}

impl<'a> Owners<'a> {
    /// All regular files of an image, which must be empty.
    pub(crate) fn new(image: &'a File, filesystem: &'a Filesystem<FileSource>) -> Result<Self> {
        let mut files = Vec::new();
        let mut scan = InodeScan::new();
        while let Some(piece) = scan.next_piece(filesystem) {
            let piece = piece.map_err(Error::other)?;
            let empty = piece.inodes(filesystem).filter(|inode| {
                inode.ino >= filesystem.geometry().first_ino()
                    && inode.file_type() == Some(FileType::RegFile)
                    && inode.raw.size() == 0
            });
            files.extend(empty.map(|inode| inode.ino));
        }
        let files = files.into_iter();
        Ok(Self { image, filesystem, files, leaf: None, extents: Vec::new(), blocks: 0 })
    }

    /// Gives a run of at most [`extscope::ondisk::INIT_MAX_LEN`] blocks to a file.
    pub(crate) fn give(&mut self, mut start: u64, mut len: u64) -> Result<()> {
        if self.leaf.is_none() {
            self.leaf = Some(Fsblk::new(start));
            (start, len) = (start + 1, len - 1);
        }
        if len > 0 {
            self.extents.push(Extent {
                ee_block: U32::new(self.blocks),
                ee_len: U16::new(len as u16),
                ee_start_hi: U16::new((start >> 32) as u16),
                ee_start_lo: U32::new(start as u32),
            });
            self.blocks += len as u32;
        }
        let most = extents_per_file(self.filesystem.geometry().block_size());
        if self.extents.len() as u64 == most { self.finish() } else { Ok(()) }
    }

    /// Writes the file whose extents are at hand.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let Some(leaf) = self.leaf.take() else { return Ok(()) };
        let extents = std::mem::take(&mut self.extents);
        let blocks = std::mem::take(&mut self.blocks);
        let ino = self.files.next().ok_or_else(|| Error::other("too few files for the runs"))?;
        let file = self.filesystem.inode(ino).map_err(Error::other)?;
        self.write_leaf(&file, leaf, &extents)?;

        let geometry = self.filesystem.geometry();
        let root = ExtentHeader {
            eh_magic: U16::new(EXTENT_MAGIC),
            eh_entries: U16::new(1),
            eh_max: U16::new(4),
            eh_depth: U16::new(1),
            eh_generation: U32::new(0),
        };
        let index = ExtentIdx {
            ei_block: U32::new(0),
            ei_leaf_lo: U32::new(leaf.get() as u32),
            ei_leaf_hi: U16::new((leaf.get() >> 32) as u16),
            ei_unused: U16::new(0),
        };
        let mut raw = file.raw.clone();
        raw.i_flags.set((raw.flags() | InodeFlags::EXTENTS).bits());
        let size = u64::from(blocks) * u64::from(geometry.block_size());
        raw.i_size_lo.set(size as u32);
        raw.i_size_high.set((size >> 32) as u32);
        raw.i_blocks_lo.set((blocks + 1) * (geometry.block_size() / SECTOR_BYTES));
        let (header, rest) = raw.i_block.split_at_mut(size_of::<ExtentHeader>());
        header.copy_from_slice(root.as_bytes());
        rest[..size_of::<ExtentIdx>()].copy_from_slice(index.as_bytes());
        self.write_inode(&file, raw)
    }

    fn write_leaf(&self, file: &Inode, at: Fsblk, extents: &[Extent]) -> Result<()> {
        let block_size = self.filesystem.geometry().block_size();
        let header = ExtentHeader {
            eh_magic: U16::new(EXTENT_MAGIC),
            eh_entries: U16::new(extents.len() as u16),
            eh_max: U16::new(extents_per_file(block_size) as u16),
            eh_depth: U16::new(0),
            eh_generation: U32::new(0),
        };
        let mut block = [header.as_bytes(), extents.as_bytes()].concat();
        block.resize(block_size as usize, 0);
        let seed = self.filesystem.csum().inode_seed(file.ino, file.raw.i_generation.get());
        if let Some(csum) = seed.and_then(|seed| extent_block(seed, &header, &block)) {
            let tail = header.tail_offset();
            block[tail..tail + 4].copy_from_slice(&csum.to_le_bytes());
        }
        self.image.write_all_at(&block, at.get() * u64::from(block_size))
    }

    fn write_inode(&self, file: &Inode, mut raw: RawInode) -> Result<()> {
        let mut bytes = file.bytes().to_vec();
        let meant = bytes.len().min(raw.as_bytes().len());
        bytes[..meant].copy_from_slice(&raw.as_bytes()[..meant]);
        if let Some(csum) = self.filesystem.csum().inode(file.ino, &bytes) {
            raw.l_i_checksum_lo.set(csum as u16);
            raw.i_checksum_hi.set((csum >> 16) as u16);
            bytes[..meant].copy_from_slice(&raw.as_bytes()[..meant]);
        }
        let geometry = self.filesystem.geometry();
        let (group, index) = geometry
            .group_from_ino(file.ino)
            .ok_or_else(|| Error::other("an inode outside of all groups"))?;
        let table = self.filesystem.group(group).map_err(Error::other)?.desc.inode_table;
        let table = table.get() * u64::from(geometry.block_size());
        self.image.write_all_at(&bytes, table + geometry.itable_offset(index))
    }
}
