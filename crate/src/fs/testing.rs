//! A small filesystem made in memory, to be damaged by tests.

use zerocopy::IntoBytes;

use super::{Filesystem, Inode, OpenOptions};
use crate::ondisk::csum::Csum;
use crate::ondisk::{
    InodeFlags, RawGroupDesc, RawInode, SUPER_MAGIC, SUPERBLOCK_BYTES, Superblock,
};
use crate::units::{Group, Ino};

/// Bytes of a block.
pub(crate) const BLOCK: usize = 1024;

/// Four groups of 8192 blocks of 1 KiB, the last with 1000; sparse_super, uninit_bg; each group
/// has its bitmaps and an inode table of 32 blocks behind its superblock and descriptors, or at
/// its start. Groups 2 and 3 were never written.
pub(crate) struct Image {
    pub(crate) superblock: Superblock,
    pub(crate) descs: Vec<RawGroupDesc>,
}

impl Image {
    pub(crate) fn new() -> Self {
        let mut superblock = Superblock::from_prefix(&[0; SUPERBLOCK_BYTES]).unwrap();
        superblock.s_inodes_count.set(4 * 256);
        superblock.s_blocks_count_lo.set(1 + 3 * 8192 + 1000);
        superblock.s_first_data_block.set(1);
        superblock.s_blocks_per_group.set(8192);
        superblock.s_clusters_per_group.set(8192);
        superblock.s_inodes_per_group.set(256);
        superblock.s_magic.set(SUPER_MAGIC);
        superblock.s_rev_level.set(1);
        superblock.s_first_ino.set(11);
        superblock.s_inode_size.set(128);
        superblock.s_feature_ro_compat.set(0x11);
        superblock.s_uuid = *b"a test's own id.";
        let descs = (0..4)
            .map(|group: u32| {
                let base = 1 + group * 8192 + if group == 2 { 0 } else { 2 };
                let mut desc = RawGroupDesc::from_bytes(&[]);
                desc.bg_block_bitmap_lo.set(base);
                desc.bg_inode_bitmap_lo.set(base + 1);
                desc.bg_inode_table_lo.set(base + 2);
                desc.bg_free_inodes_count_lo.set(256);
                desc.bg_flags.set(if group < 2 { 0 } else { 3 });
                desc
            })
            .collect();
        Self { superblock, descs }
    }

    /// The superblock and the descriptors alone, for tables too long for the small layout.
    pub(crate) fn bytes_with_table_in_group_0(&self) -> Vec<u8> {
        let mut bytes = vec![0; BLOCK];
        bytes.extend(self.superblock.as_bytes());
        for desc in &self.descs {
            bytes.extend(&desc.as_bytes()[..32]);
        }
        bytes.resize(1 << 20, 0);
        bytes
    }

    /// Lays everything out, checksums and copies included; bitmaps of groups 0 and 1 have every
    /// third bit set.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let csum = Csum::new(&self.superblock);
        let mut bytes = vec![0; self.superblock.s_blocks_count_lo.get() as usize * BLOCK];
        let mut table = Vec::new();
        for (desc, group) in self.descs.iter().zip(0..) {
            let mut desc = desc.as_bytes()[..32].to_vec();
            if let Some(sum) = csum.group_desc(Group::new(group), &desc) {
                desc[0x1e..].copy_from_slice(&sum.to_le_bytes());
            }
            table.extend(desc);
        }
        for group in [0_usize, 1, 3] {
            let mut superblock = self.superblock.clone();
            superblock.s_block_group_nr.set(group as u16);
            let at = (1 + group * 8192) * BLOCK;
            bytes[at..][..SUPERBLOCK_BYTES].copy_from_slice(superblock.as_bytes());
            bytes[at + BLOCK..][..table.len()].copy_from_slice(&table);
        }
        for desc in &self.descs[..2] {
            for block in [desc.bg_block_bitmap_lo.get(), desc.bg_inode_bitmap_lo.get()] {
                let at = block as usize * BLOCK;
                if let Some(bitmap) = bytes.get_mut(at..at + BLOCK) {
                    bitmap.copy_from_slice(&[0x49, 0x92, 0x24].repeat(BLOCK)[..BLOCK]);
                }
            }
        }
        bytes
    }
}

/// A filesystem with inodes of 128 bytes and blocks that tests lay out by hand.
pub(crate) struct Files {
    bytes: Vec<u8>,
}

impl Files {
    pub(crate) fn new() -> Self {
        Self::with_descs(|_| {})
    }

    /// With other descriptors than usual.
    pub(crate) fn with_descs(change: impl FnOnce(&mut [RawGroupDesc])) -> Self {
        let mut image = Image::new();
        change(&mut image.descs);
        Self { bytes: image.bytes() }
    }

    /// With another superblock than usual.
    pub(crate) fn with_superblock(change: impl FnOnce(&mut Superblock)) -> Self {
        let mut image = Image::new();
        change(&mut image.superblock);
        Self { bytes: image.bytes() }
    }

    /// Puts bytes at the start of a block.
    pub(crate) fn block(&mut self, fsblk: usize, bytes: &[u8]) {
        self.bytes[fsblk * BLOCK..][..bytes.len()].copy_from_slice(bytes);
    }

    /// Changes the fields of an inode of group 0.
    pub(crate) fn inode(&mut self, ino: usize, change: impl FnOnce(&mut RawInode)) {
        let at = 5 * BLOCK + (ino - 1) * 128;
        let bytes = &mut self.bytes[at..][..128];
        let mut raw = RawInode::from_bytes(bytes);
        change(&mut raw);
        bytes.copy_from_slice(&raw.as_bytes()[..128]);
    }

    /// A regular file mapped by extents, with this root.
    pub(crate) fn i_block(&mut self, ino: usize, root: &[u8]) {
        self.inode(ino, |raw| raw.i_flags.set(InodeFlags::EXTENTS.bits()));
        self.file(ino, root);
    }

    /// A regular file mapped by blocks, with these numbers.
    pub(crate) fn i_block_by_blocks(&mut self, ino: usize, numbers: &[u8]) {
        self.file(ino, numbers);
    }

    fn file(&mut self, ino: usize, i_block: &[u8]) {
        self.inode(ino, |raw| {
            raw.i_mode.set(0o100_644);
            raw.i_links_count.set(1);
            raw.i_block[..i_block.len()].copy_from_slice(i_block);
        });
    }

    /// Opens it.
    pub(crate) fn filesystem(&self) -> Filesystem<Vec<u8>> {
        Filesystem::open(self.bytes.clone(), OpenOptions::default()).unwrap()
    }

    /// Opens it and reads an inode.
    pub(crate) fn open(&self, ino: u32) -> (Filesystem<Vec<u8>>, Inode) {
        let fs = self.filesystem();
        let inode = fs.inode(Ino::new(ino)).unwrap();
        (fs, inode)
    }
}

/// A directory of one block with these entries.
pub(crate) fn dir_block(files: &mut Files, ino: usize, block: usize, names: &[(u32, &str)]) {
    files.i_block_by_blocks(ino, &(block as u32).to_le_bytes());
    files.inode(ino, |raw| {
        raw.i_mode.set(0o040_755);
        raw.i_size_lo.set(BLOCK as u32);
    });
    let mut bytes = Vec::new();
    for (ino, name) in names {
        bytes.extend(dirent(*ino, 32, name));
    }
    bytes.extend(dirent(0, (BLOCK - bytes.len()) as u16, ""));
    files.block(block, &bytes);
}

/// A directory entry of a regular file.
pub(crate) fn dirent(ino: u32, rec_len: u16, name: &str) -> Vec<u8> {
    let mut bytes = ino.to_le_bytes().to_vec();
    bytes.extend(rec_len.to_le_bytes());
    bytes.extend([name.len() as u8, 1]);
    bytes.extend(name.as_bytes());
    bytes.resize(usize::from(rec_len).max(bytes.len()), 0);
    bytes
}
