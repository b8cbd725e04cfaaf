//! The block and inode bitmap of a group, on demand.

use serde::{Deserialize, Serialize};

use super::{CsumState, Filesystem};
use crate::bitmap::{Bitmap, BitmapRef, Bits, BitsMut};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind, out_of_bounds};
use crate::ondisk::{BgFlags, GroupDesc};
use crate::units::{ByteOffset, Fsblk, Group};

/// Which of a group's two bitmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BitmapKind {
    /// A bit a cluster.
    Block,
    /// A bit an inode.
    Inode,
}

/// Where a group's bitmap comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitmapPlace {
    /// It lies in this block.
    Disk(Fsblk),
    /// It was never written, and its contents follow from the layout.
    Uninit,
}

/// A group's bitmap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupBitmap {
    bytes: Vec<u8>,
    bit_count: u32,
    /// Where it comes from.
    pub place: BitmapPlace,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// The checksum that the descriptor should carry, where there is one.
    pub computed_csum: Option<u32>,
}

impl GroupBitmap {
    /// Its block as it lies on the disk, padding and all.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its bits: clusters or inodes of the group, set when in use.
    #[must_use]
    pub fn bits(&self) -> BitmapRef<'_> {
        BitmapRef::new(&self.bytes, u64::from(self.bit_count)).unwrap_or_default()
    }
}

impl<S: ByteSource> Filesystem<S> {
    /// Reads or synthesises a group's bitmap, through the cache.
    ///
    /// # Errors
    /// Those of [`Self::bitmap_place`], and [`ErrorKind::Io`] when the host
    /// cannot read.
    pub fn bitmap(&self, kind: BitmapKind, group: Group) -> Result<GroupBitmap> {
        let place = self.bitmap_place(kind, group)?;
        let bit_count = self.bitmap_bits(kind, group);
        match place {
            BitmapPlace::Uninit => Ok(GroupBitmap {
                bytes: self.synthesise_bitmap(kind, group)?.as_bytes().to_vec(),
                bit_count,
                place,
                csum: CsumState::None,
                computed_csum: None,
            }),
            BitmapPlace::Disk(fsblk) => {
                let mut bytes = vec![0; self.block_bytes()];
                let at = self.bitmap_offset(fsblk, group)?;
                self.reader()
                    .read_cached(kind.read_kind(), at.get(), &mut bytes)
                    .map_err(|error| error.at_group(group).at_fsblk(fsblk))?;
                let computed_csum = self.bitmap_csum(kind, &bytes);
                let csum = CsumState::compare(self.stored_csum(kind, group), computed_csum);
                Ok(GroupBitmap { bytes, bit_count, place, csum, computed_csum })
            }
        }
    }

    /// Where a group's bitmap comes from.
    ///
    /// BLOCK_UNINIT and INODE_UNINIT count only where descriptors carry checksums, and not when
    /// opened from a backup, whose flags nobody keeps up to date. Ref: `ext2fs_open2`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] past the listed groups and where
    /// the bitmap would lie outside the filesystem or the image; the error of reading the
    /// descriptor when that failed; [`ErrorKind::Corrupt`] when the
    /// bitmap would need more bits than a block has.
    pub fn bitmap_place(&self, kind: BitmapKind, group: Group) -> Result<BitmapPlace> {
        let entry = self.group(group)?;
        if self.bitmap_bits(kind, group) > self.geometry().bits_per_block() {
            return Err(
                Error::corrupt("a group has more inodes than a block has bits").at_group(group)
            );
        }
        if self.trusts_uninit() && entry.desc.flags.contains(kind.uninit_flag()) {
            return Ok(BitmapPlace::Uninit);
        }
        let fsblk = match kind {
            BitmapKind::Block => entry.desc.block_bitmap,
            BitmapKind::Inode => entry.desc.inode_bitmap,
        };
        if !self.geometry().contains(fsblk) {
            return Err(Error::new(
                ErrorKind::OutOfBounds,
                format!("the descriptor puts the {} outside the filesystem", kind.name()),
            )
            .at_group(group)
            .at_fsblk(fsblk));
        }
        self.bitmap_offset(fsblk, group)?;
        Ok(BitmapPlace::Disk(fsblk))
    }

    /// Whether BLOCK_UNINIT and INODE_UNINIT mean anything here.
    pub fn trusts_uninit(&self) -> bool {
        self.features().has_group_desc_csum() && !self.is_from_backup()
    }

    /// Bits of a group's bitmap; the rest of its block is padding.
    pub fn bitmap_bits(&self, kind: BitmapKind, group: Group) -> u32 {
        match kind {
            BitmapKind::Block => self.geometry().group_clusters(group),
            BitmapKind::Inode => self.geometry().inodes_per_group(),
        }
    }

    /// The checksum that a bitmap's block should have.
    pub fn bitmap_csum(&self, kind: BitmapKind, block: &[u8]) -> Option<u32> {
        self.bitmap_csums.as_ref().map(|csums| csums.of(kind, block))
    }

    /// Whether the checksum of a bitmap's block as read is the one in the descriptor.
    pub fn check_bitmap(&self, kind: BitmapKind, group: Group, block: &[u8]) -> CsumState {
        CsumState::compare(self.stored_csum(kind, group), self.bitmap_csum(kind, block))
    }

    /// The same for two bitmaps of a kind at once.
    pub fn check_two_bitmaps(
        &self,
        kind: BitmapKind,
        groups: [Group; 2],
        blocks: [&[u8]; 2],
    ) -> [CsumState; 2] {
        let [a, b] = blocks;
        let computed = self.bitmap_csums.as_ref().map(|csums| csums.of_two(kind, a, b));
        let [first, second] = groups.map(|group| self.stored_csum(kind, group));
        [
            CsumState::compare(first, computed.map(|[csum, _]| csum)),
            CsumState::compare(second, computed.map(|[_, csum]| csum)),
        ]
    }

    fn stored_csum(&self, kind: BitmapKind, group: Group) -> Option<u32> {
        self.groups().get(group).map(|entry| match kind {
            BitmapKind::Block => entry.desc.block_bitmap_csum,
            BitmapKind::Inode => entry.desc.inode_bitmap_csum,
        })
    }

    /// The block that the kernel would make as the bitmap of a group that never had one: the
    /// group's own metadata in use, and the padding at the end.
    ///
    /// # Errors
    /// None that a geometry allows: a block's bits always fit in memory.
    ///
    /// Ref: `ext4_init_block_bitmap`, `ext4_init_inode_bitmap`.
    pub fn synthesise_bitmap(&self, kind: BitmapKind, group: Group) -> Result<Bitmap> {
        let geometry = self.geometry();
        let mut bitmap = Bitmap::new(u64::from(geometry.bits_per_block()))?;
        let first = geometry.group_first_fsblk(group).get();
        let end = first.saturating_add(u64::from(geometry.group_blocks(group)));
        if kind == BitmapKind::Block {
            for blocks in self.own_metadata(group) {
                let bit = |fsblk| geometry.grpblk_from_fsblk(Fsblk::new(fsblk));
                let last = blocks.end.min(end).checked_sub(1).and_then(bit);
                if let (Some((from, start)), Some((to, last))) =
                    (bit(blocks.start.max(first)), last)
                    && (from, to) == (group, group)
                {
                    let end = u64::from(last.get()).saturating_add(1);
                    bitmap.mark_range(u64::from(start.get())..end);
                }
            }
        }
        bitmap.mark_range(u64::from(self.bitmap_bits(kind, group))..bitmap.len());
        Ok(bitmap)
    }

    /// Blocks of a group's own metadata, wherever they lie.
    fn own_metadata(&self, group: Group) -> Vec<core::ops::Range<u64>> {
        let base = self.layout().group_base(group);
        let single = |fsblk: Fsblk| fsblk.get()..fsblk.get().saturating_add(1);
        let mut blocks: Vec<_> = base.superblock.map(single).into_iter().collect();
        blocks.extend([base.gdt, base.reserved_gdt].map(|r| r.start.get()..r.end.get()));
        if let Some(entry) = self.groups().get(group) {
            let itable = entry.desc.inode_table.get();
            blocks.push(single(entry.desc.block_bitmap));
            blocks.push(single(entry.desc.inode_bitmap));
            blocks.push(itable..itable.saturating_add(self.geometry().itable_blocks()));
        }
        blocks
    }

    /// Byte of a bitmap that lies wholly in the image.
    fn bitmap_offset(&self, fsblk: Fsblk, group: Group) -> Result<ByteOffset> {
        let block_size = u64::from(self.geometry().block_size());
        let at = self.geometry().byte_from_fsblk(fsblk);
        let end = at.and_then(|at| at.checked_add(block_size));
        match at.zip(end) {
            Some((at, end)) if end.get() <= self.image_len() => Ok(at),
            _ => Err(out_of_bounds(at.map_or(u64::MAX, ByteOffset::get), self.image_len())
                .at_group(group)
                .at_fsblk(fsblk)),
        }
    }

    fn block_bytes(&self) -> usize {
        usize::try_from(self.geometry().block_size()).unwrap_or(0)
    }
}

impl BitmapKind {
    /// What its reads are counted as.
    #[must_use]
    pub fn read_kind(self) -> ReadKind {
        match self {
            Self::Block => ReadKind::BlockBitmap,
            Self::Inode => ReadKind::InodeBitmap,
        }
    }

    /// Where the bitmap of a group lies.
    #[must_use]
    pub fn place(self, desc: &GroupDesc) -> Fsblk {
        match self {
            Self::Block => desc.block_bitmap,
            Self::Inode => desc.inode_bitmap,
        }
    }

    pub(crate) fn uninit_flag(self) -> BgFlags {
        match self {
            Self::Block => BgFlags::BLOCK_UNINIT,
            Self::Inode => BgFlags::INODE_UNINIT,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Block => "block bitmap",
            Self::Inode => "inode bitmap",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BLOCK, Image};
    use super::super::{Filesystem, OpenOptions};
    use super::*;

    fn open(bytes: Vec<u8>) -> Filesystem<Vec<u8>> {
        Filesystem::open(bytes, OpenOptions::default()).unwrap()
    }

    fn used(filesystem: &Filesystem<Vec<u8>>, kind: BitmapKind, group: u32) -> Vec<(u64, u64)> {
        let bitmap = filesystem.bitmap(kind, Group::new(group)).unwrap();
        let bits = bitmap.bits();
        bits.set_runs().map(|run| (run.start, run.end)).collect()
    }

    #[test]
    fn a_bitmap_is_read_where_the_descriptor_says() {
        let filesystem = open(Image::new().bytes());
        let bitmap = filesystem.bitmap(BitmapKind::Block, Group::new(1)).unwrap();
        assert_eq!(bitmap.place, BitmapPlace::Disk(Fsblk::new(8195)));
        assert_eq!(bitmap.csum, CsumState::None);
        assert_eq!(bitmap.bits().len(), 8192);
        assert_eq!(bitmap.bits().count(), 2731);
        let inodes = filesystem.bitmap(BitmapKind::Inode, Group::new(0)).unwrap();
        assert_eq!((inodes.bits().len(), inodes.bits().count()), (256, 86));
    }

    #[test]
    fn a_bitmap_never_written_has_its_own_metadata_in_use_and_its_padding_set() {
        let filesystem = open(Image::new().bytes());
        assert_eq!(used(&filesystem, BitmapKind::Block, 2), [(0, 34)]);
        assert_eq!(used(&filesystem, BitmapKind::Block, 3), [(0, 36)]);
        assert_eq!(used(&filesystem, BitmapKind::Inode, 3), []);
        let last = filesystem.bitmap(BitmapKind::Block, Group::new(3)).unwrap();
        assert_eq!(last.place, BitmapPlace::Uninit);
        assert!(last.bytes()[1000 / 8..].iter().all(|byte| *byte == 0xff));
        let inodes = filesystem.bitmap(BitmapKind::Inode, Group::new(3)).unwrap();
        assert!(inodes.bytes()[256 / 8..].iter().all(|byte| *byte == 0xff));
    }

    #[test]
    fn metadata_that_lies_in_another_group_is_not_in_use_here() {
        let mut image = Image::new();
        image.descs[2].bg_inode_table_lo.set(100);
        let filesystem = open(image.bytes());
        assert_eq!(used(&filesystem, BitmapKind::Block, 2), [(0, 2)]);
    }

    #[test]
    fn metadata_that_reaches_over_the_border_is_cut_there() {
        let mut image = Image::new();
        image.descs[2].bg_inode_table_lo.set(1 + 2 * 8192 + 8190);
        let filesystem = open(image.bytes());
        assert_eq!(used(&filesystem, BitmapKind::Block, 2), [(0, 2), (8190, 8192)]);
    }

    #[test]
    fn uninit_means_nothing_without_checksums_and_from_a_backup() {
        let mut image = Image::new();
        image.superblock.s_feature_ro_compat.set(0x1);
        let plain = open(image.bytes());
        let place = plain.bitmap_place(BitmapKind::Block, Group::new(2)).unwrap();
        assert_eq!(place, BitmapPlace::Disk(Fsblk::new(16385)));
        let backup = OpenOptions { superblock: Some(Fsblk::new(8193)), block_size: None };
        let backup = Filesystem::open(Image::new().bytes(), backup).unwrap();
        assert!(backup.is_from_backup());
        let place = backup.bitmap_place(BitmapKind::Block, Group::new(2)).unwrap();
        assert_eq!(place, BitmapPlace::Disk(Fsblk::new(16385)));
    }

    #[test]
    fn a_bitmap_outside_the_filesystem_or_the_image_is_told_with_its_group() {
        let mut image = Image::new();
        image.descs[0].bg_block_bitmap_lo.set(999_999);
        let mut bytes = image.bytes();
        bytes.truncate(8190 * BLOCK);
        let filesystem = open(bytes);
        for group in [0, 1] {
            let error = filesystem.bitmap(BitmapKind::Block, Group::new(group)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfBounds);
            assert_eq!(error.at().group, Some(Group::new(group)));
        }
        let past = filesystem.bitmap(BitmapKind::Block, Group::new(4)).unwrap_err();
        assert_eq!(past.what(), "there are 4 groups");
    }

    #[test]
    fn more_inodes_than_a_block_has_bits_are_told() {
        let mut image = Image::new();
        image.superblock.s_inodes_per_group.set(8193);
        let filesystem = open(image.bytes());
        let error = filesystem.bitmap(BitmapKind::Inode, Group::new(0)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }

    #[test]
    fn a_bitmap_checksum_is_compared_with_the_descriptors() {
        let mut image = Image::new();
        image.superblock.s_feature_ro_compat.set(0x401);
        image.superblock.s_checksum_type = 1;
        let bitmap = [0x49, 0x92, 0x24].repeat(BLOCK);
        let right = crate::ondisk::csum::Csum::new(&image.superblock)
            .block_bitmap(&bitmap, 8192, 32)
            .unwrap();
        image.descs[0].bg_block_bitmap_csum_lo.set(right as u16);
        let filesystem = open(image.bytes());
        let csum = |group| filesystem.bitmap(BitmapKind::Block, Group::new(group)).unwrap().csum;
        assert_eq!((csum(0), csum(1)), (CsumState::Good, CsumState::Bad));
    }
}
