//! The checksums that bitmaps should have.

use super::bitmaps::BitmapKind;
use super::geometry::Geometry;
use crate::bitmap::kernel::BlockCrc32c;
use crate::ondisk::csum::{BLOCK_BITMAP_CSUM_HI_END, Csum, INODE_BITMAP_CSUM_HI_END};

/// Checksums of the block and the inode bitmaps of a filesystem under metadata_csum: what
/// [`Csum::block_bitmap`] and [`Csum::inode_bitmap`] say, those of uniform bitmaps known beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitmapCsums {
    block: BitmapCsum,
    inode: BitmapCsum,
}

#[derive(Clone, Copy, Debug)]
struct BitmapCsum {
    crc: BlockCrc32c,
    /// The bits that a descriptor can hold.
    kept: u32,
}

impl BitmapCsums {
    /// Those of a filesystem; `None` where bitmaps have no checksums.
    pub(super) fn new(csum: Csum, geometry: &Geometry) -> Option<Self> {
        let Csum::Metadata { seed } = csum else {
            return None;
        };
        // Whole bytes alone are covered, even where the last bits of the bitmap lie past them.
        let bitmap = |bits: u32, hi_end| {
            let len = usize::try_from(bits / 8).ok()?;
            let is_whole = usize::try_from(geometry.desc_size()).ok()? >= hi_end;
            let kept = if is_whole { u32::MAX } else { u32::from(u16::MAX) };
            Some(BitmapCsum { crc: BlockCrc32c::new(seed, len), kept })
        };
        Some(Self {
            block: bitmap(geometry.clusters_per_group(), BLOCK_BITMAP_CSUM_HI_END)?,
            inode: bitmap(geometry.inodes_per_group(), INODE_BITMAP_CSUM_HI_END)?,
        })
    }

    /// The checksum of a bitmap's block.
    pub(super) fn of(&self, kind: BitmapKind, block: &[u8]) -> u32 {
        let BitmapCsum { crc, kept } = self.of_kind(kind);
        crc.of(block) & kept
    }

    /// The checksums of two bitmaps' blocks; quicker than one by one where that takes no instruction.
    pub(super) fn of_two(&self, kind: BitmapKind, a: &[u8], b: &[u8]) -> [u32; 2] {
        let BitmapCsum { crc, kept } = self.of_kind(kind);
        crc.of_two(a, b).map(|crc| crc & kept)
    }

    fn of_kind(&self, kind: BitmapKind) -> &BitmapCsum {
        match kind {
            BitmapKind::Block => &self.block,
            BitmapKind::Inode => &self.inode,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Image;

    #[test]
    fn checksums_are_those_of_the_descriptors_layout() {
        let mut image = Image::new();
        for desc_size in [32, 64] {
            image.superblock.s_feature_incompat.set(if desc_size == 64 { 0x80 } else { 0 });
            image.superblock.s_feature_ro_compat.set(0x400);
            image.superblock.s_desc_size.set(desc_size);
            image.superblock.s_checksum_type = 1;
            let geometry = Geometry::new(&image.superblock).expect("sound");
            assert_eq!(geometry.desc_size(), u32::from(desc_size));
            let csum = Csum::new(&image.superblock);
            let csums = BitmapCsums::new(csum, &geometry).expect("metadata_csum is on");
            for block in [vec![0; 1024], vec![0xff; 1024], b"ragged".repeat(171)[..1024].to_vec()] {
                assert_eq!(
                    [csums.of(BitmapKind::Block, &block), csums.of(BitmapKind::Inode, &block)]
                        .map(Some),
                    [
                        csum.block_bitmap(&block, 8192, geometry.desc_size()),
                        csum.inode_bitmap(&block, 256, geometry.desc_size()),
                    ]
                );
            }
        }
        assert!(
            BitmapCsums::new(Csum::None, &Geometry::new(&image.superblock).expect("sound"))
                .is_none()
        );
    }
}
