//! Checksums: which kind, from which seed, over exactly which bytes.

use core::mem::offset_of;

use crc::{CRC_16_MODBUS, Crc, Table};
use zerocopy::IntoBytes;

use super::dirent::DirEntryTail;
use super::extent::ExtentHeader;
use super::features::{Features, Incompat, RoCompat};
use super::group_desc::RawGroupDesc;
use super::htree::{DxEntry, DxTail};
use super::inode::{GOOD_OLD_INODE_BYTES, RawInode};
use super::mmp::MmpStruct;
use super::orphan::OrphanBlockTail;
use super::superblock::Superblock;
use super::xattr::XattrHeader;
use crate::units::{Fsblk, Group, Ino};

/// The crc16 of uninit_bg: polynomial 0x8005 reflected, starting at all ones, not inverted.
static CRC16: Crc<u16, Table<1>> = Crc::<u16, Table<1>>::new(&CRC_16_MODBUS);

/// `s_checksum_type` of crc32c, the only one there is. Ref: `EXT4_CRC32C_CHKSUM`.
pub(crate) const CRC32C_CHKSUM: u8 = 1;

/// Length of the descriptor that holds the high half of the block bitmap's checksum.
/// Ref: `EXT4_BG_BLOCK_BITMAP_CSUM_HI_END`.
pub(crate) const BLOCK_BITMAP_CSUM_HI_END: usize =
    offset_of!(RawGroupDesc, bg_block_bitmap_csum_hi) + 2;

/// The same for the inode bitmap. Ref: `EXT4_BG_INODE_BITMAP_CSUM_HI_END`.
pub(crate) const INODE_BITMAP_CSUM_HI_END: usize =
    offset_of!(RawGroupDesc, bg_inode_bitmap_csum_hi) + 2;

/// crc32c as the kernel keeps it: neither start nor result is inverted. Ref: `ext4_chksum`.
#[must_use]
pub fn crc32c(seed: u32, bytes: &[u8]) -> u32 {
    !crc32c::crc32c_append(!seed, bytes)
}

/// The checksum that a superblock should carry; `None` where it carries none.
#[must_use]
pub fn superblock_csum(superblock: &Superblock) -> Option<u32> {
    let covered = superblock.as_bytes().get(..offset_of!(Superblock, s_checksum))?;
    matches!(Csum::new(superblock), Csum::Metadata { .. }).then(|| crc32c(!0, covered))
}

/// How a filesystem checks its descriptors and bitmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Csum {
    /// Nothing is checked.
    None,
    /// uninit_bg: descriptors by crc16, bitmaps not at all.
    Gdt {
        /// `s_uuid`, which every checksum starts with.
        uuid: [u8; 16],
    },
    /// metadata_csum: everything by crc32c.
    Metadata {
        /// What every checksum starts from.
        seed: u32,
    },
}

impl Csum {
    /// Reads off the features which it is. metadata_csum wins over uninit_bg, but cannot be
    /// checked when `s_checksum_type` is not that of crc32c.
    #[must_use]
    pub fn new(superblock: &Superblock) -> Self {
        let Features { incompat, ro_compat, .. } = superblock.features();
        if ro_compat.contains(RoCompat::METADATA_CSUM) {
            if superblock.s_checksum_type != CRC32C_CHKSUM {
                return Self::None;
            }
            let seed = if incompat.contains(Incompat::CSUM_SEED) {
                superblock.s_checksum_seed.get()
            } else {
                crc32c(!0, &superblock.s_uuid)
            };
            Self::Metadata { seed }
        } else if ro_compat.contains(RoCompat::GDT_CSUM) {
            Self::Gdt { uuid: superblock.s_uuid }
        } else {
            Self::None
        }
    }

    /// `bg_checksum` of a descriptor of `s_desc_size` bytes, its own two bytes not counted.
    /// Ref: `ext4_group_desc_csum`.
    #[must_use]
    pub fn group_desc(self, group: Group, desc: &[u8]) -> Option<u16> {
        const AT: usize = offset_of!(RawGroupDesc, bg_checksum);
        let number = group.get().to_le_bytes();
        let before = desc.get(..AT)?;
        let after = desc.get(AT.saturating_add(2)..)?;
        match self {
            Self::None => None,
            Self::Gdt { uuid } => {
                let mut digest = CRC16.digest();
                for bytes in [uuid.as_slice(), &number, before, after] {
                    digest.update(bytes);
                }
                Some(digest.finalize())
            }
            Self::Metadata { seed } => {
                let crc =
                    [number.as_slice(), before, &[0, 0], after].into_iter().fold(seed, crc32c);
                Some(low_half(crc))
            }
        }
    }

    /// `bg_block_bitmap_csum` of a bitmap block with `clusters_per_group` bits, as much of it as
    /// a descriptor of `desc_size` bytes can hold. Ref: `ext4_block_bitmap_csum_set`.
    #[must_use]
    pub fn block_bitmap(
        self,
        bitmap: &[u8],
        clusters_per_group: u32,
        desc_size: u32,
    ) -> Option<u32> {
        self.bitmap(bitmap, clusters_per_group, desc_size, BLOCK_BITMAP_CSUM_HI_END)
    }

    /// `bg_inode_bitmap_csum`, likewise. Ref: `ext4_inode_bitmap_csum_set`.
    #[must_use]
    pub fn inode_bitmap(self, bitmap: &[u8], inodes_per_group: u32, desc_size: u32) -> Option<u32> {
        self.bitmap(bitmap, inodes_per_group, desc_size, INODE_BITMAP_CSUM_HI_END)
    }

    /// Checksum of an inode of `s_inode_size` bytes, its own bytes read as 0; as much of it as the
    /// inode can hold. Ref: `ext4_inode_csum`.
    #[must_use]
    pub fn inode(self, ino: Ino, inode: &[u8]) -> Option<u32> {
        const LO: usize = offset_of!(RawInode, l_i_checksum_lo);
        const HI: usize = offset_of!(RawInode, i_checksum_hi);
        let raw = RawInode::from_bytes(inode);
        let seed = self.inode_seed(ino, raw.i_generation.get())?;
        let has_hi = inode.len() > GOOD_OLD_INODE_BYTES && raw.has_checksum_hi();
        let crc = crc32c(seed, inode.get(..LO)?);
        let crc = crc32c(crc, &[0, 0]);
        let crc = if has_hi {
            let crc = crc32c(crc, inode.get(LO.saturating_add(2)..HI)?);
            let crc = crc32c(crc, &[0, 0]);
            crc32c(crc, inode.get(HI.saturating_add(2)..)?)
        } else {
            crc32c(crc, inode.get(LO.saturating_add(2)..)?)
        };
        Some(if has_hi { crc } else { u32::from(low_half(crc)) })
    }

    /// What the checksums of an inode's own blocks start from. Ref: `i_csum_seed`.
    #[must_use]
    pub fn inode_seed(self, ino: Ino, generation: u32) -> Option<u32> {
        let Self::Metadata { seed } = self else {
            return None;
        };
        Some(crc32c(crc32c(seed, &ino.get().to_le_bytes()), &generation.to_le_bytes()))
    }

    /// Checksum of an attribute block, its own bytes read as 0. Ref: `ext4_xattr_block_csum`.
    #[must_use]
    pub fn xattr_block(self, fsblk: Fsblk, block: &[u8]) -> Option<u32> {
        const AT: usize = offset_of!(XattrHeader, h_checksum);
        let Self::Metadata { seed } = self else {
            return None;
        };
        let crc = crc32c(seed, &fsblk.get().to_le_bytes());
        let crc = crc32c(crc, block.get(..AT)?);
        let crc = crc32c(crc, &[0; 4]);
        Some(crc32c(crc, block.get(AT.saturating_add(4)..)?))
    }

    /// `mmp_checksum`. Ref: `ext4_mmp_csum`.
    #[must_use]
    pub fn mmp(self, mmp: &MmpStruct) -> Option<u32> {
        let Self::Metadata { seed } = self else {
            return None;
        };
        Some(crc32c(seed, mmp.as_bytes().get(..offset_of!(MmpStruct, mmp_checksum))?))
    }

    /// Whole bytes alone are covered, even where the last bits of the bitmap lie past them.
    fn bitmap(self, bitmap: &[u8], bits: u32, desc_size: u32, hi_end: usize) -> Option<u32> {
        let Self::Metadata { seed } = self else {
            return None;
        };
        let len = usize::try_from(bits / 8).ok()?;
        let crc = crc32c(seed, bitmap.get(..len)?);
        let whole = usize::try_from(desc_size).ok()? >= hi_end;
        Some(if whole { crc } else { u32::from(low_half(crc)) })
    }
}

/// Checksum of a node of an extent tree: all of it up to the checksum itself. The root, inside
/// the inode, has none. Ref: `ext4_extent_block_csum`.
#[must_use]
pub fn extent_block(inode_seed: u32, header: &ExtentHeader, block: &[u8]) -> Option<u32> {
    Some(crc32c(inode_seed, block.get(..header.tail_offset())?))
}

/// Checksum of a block of directory entries: all of it but the tail. Ref: `ext4_dirblock_csum`.
#[must_use]
pub fn dirblock(inode_seed: u32, block: &[u8]) -> Option<u32> {
    let len = block.len().checked_sub(size_of::<DirEntryTail>())?;
    Some(crc32c(inode_seed, block.get(..len)?))
}

/// Checksum of an index block of a hashed directory, whose `count` entries in use start at
/// `entries_at` and whose tail is at `tail_at`. Ref: `ext4_dx_csum`.
#[must_use]
pub fn dx_block(
    inode_seed: u32,
    block: &[u8],
    entries_at: usize,
    count: u16,
    tail_at: usize,
) -> Option<u32> {
    let len = usize::from(count).saturating_mul(size_of::<DxEntry>()).checked_add(entries_at)?;
    let tail_end = tail_at.checked_add(offset_of!(DxTail, dt_checksum))?;
    let crc = crc32c(inode_seed, block.get(..len)?);
    let crc = crc32c(crc, block.get(tail_at..tail_end)?);
    Some(crc32c(crc, &[0; 4]))
}

/// Checksum of a block of the orphan file. Ref: `ext4_orphan_file_block_csum`.
#[must_use]
pub fn orphan_block(inode_seed: u32, fsblk: Fsblk, block: &[u8]) -> Option<u32> {
    let len = block.len().checked_sub(size_of::<OrphanBlockTail>())?;
    Some(crc32c(crc32c(inode_seed, &fsblk.get().to_le_bytes()), block.get(..len)?))
}

fn low_half(crc: u32) -> u16 {
    let [b0, b1, ..] = crc.to_le_bytes();
    u16::from_le_bytes([b0, b1])
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: [u8; 16] = *b"0123456789abcdef";

    #[test]
    fn crc32c_is_the_raw_one() {
        // The published check value of CRC-32C, which inverts the result.
        assert_eq!(!crc32c(!0, b"123456789"), 0xE306_9283);
        assert_eq!(crc32c(crc32c(!0, b"1234"), b"56789"), crc32c(!0, b"123456789"));
    }

    #[test]
    fn a_descriptor_checksum_covers_all_but_itself() {
        for csum in [Csum::Gdt { uuid: UUID }, Csum::Metadata { seed: 7 }] {
            for len in [32, 64, 96] {
                let desc = vec![0x5a; len];
                let sum = csum.group_desc(Group::new(3), &desc);
                assert!(sum.is_some());
                for at in 0..len {
                    let mut other = desc.clone();
                    other[at] ^= 1;
                    let same = csum.group_desc(Group::new(3), &other) == sum;
                    assert_eq!(same, at == 0x1e || at == 0x1f, "{csum:?} byte {at} of {len}");
                }
                assert_ne!(csum.group_desc(Group::new(4), &desc), sum);
            }
        }
    }

    #[test]
    fn short_descriptors_hold_half_of_a_bitmap_checksum() {
        let csum = Csum::Metadata { seed: 1 };
        let bitmap = [0xf0; 1024];
        let whole = csum.block_bitmap(&bitmap, 8192, 64).expect("checked");
        assert!(whole > 0xffff);
        assert_eq!(csum.block_bitmap(&bitmap, 8192, 32), Some(whole & 0xffff));
        assert_eq!(csum.block_bitmap(&bitmap, 8192, 0x3a), Some(whole));
        assert_eq!(csum.inode_bitmap(&bitmap, 8192, 0x3a), Some(whole & 0xffff));
        assert_eq!(csum.inode_bitmap(&bitmap, 8192, 0x3c), Some(whole));
    }

    #[test]
    fn an_inode_checksum_covers_all_but_itself() {
        let csum = Csum::Metadata { seed: 7 };
        for (len, extra) in [(128, 0), (256, 32), (256, 2), (1024, 32)] {
            let mut inode = vec![0x5a; len];
            if len > 128 {
                inode[128..130].copy_from_slice(&[extra, 0]);
            }
            let sum = csum.inode(Ino::new(12), &inode).expect("checked");
            let whole = extra >= 4;
            assert_eq!(sum > 0xffff, whole);
            for at in (0..len).filter(|at| !(128..130).contains(at)) {
                let mut other = inode.clone();
                other[at] ^= 1;
                let own = at == 0x7c || at == 0x7d || whole && (at == 0x82 || at == 0x83);
                assert_eq!(
                    csum.inode(Ino::new(12), &other) == Some(sum),
                    own,
                    "byte {at} of {len}"
                );
            }
            assert_ne!(csum.inode(Ino::new(13), &inode), Some(sum));
        }
    }

    #[test]
    fn an_attribute_block_checksum_covers_all_but_itself() {
        let csum = Csum::Metadata { seed: 7 };
        let block = [0x5a; 1024];
        let sum = csum.xattr_block(Fsblk::new(9), &block);
        for at in 0..1024 {
            let mut other = block;
            other[at] ^= 1;
            assert_eq!(csum.xattr_block(Fsblk::new(9), &other) == sum, (16..20).contains(&at));
        }
        assert_ne!(csum.xattr_block(Fsblk::new(8), &block), sum);
    }

    #[test]
    fn bitmaps_are_checked_by_metadata_csum_alone() {
        assert_eq!(Csum::Gdt { uuid: UUID }.block_bitmap(&[0; 1024], 8192, 32), None);
        assert_eq!(Csum::None.inode_bitmap(&[0; 1024], 8192, 32), None);
        assert_eq!(Csum::None.group_desc(Group::new(0), &[0; 32]), None);
    }

    #[test]
    fn an_unknown_kind_of_checksum_is_not_checked() {
        let mut superblock = Superblock::from_prefix(&[0; 1024]).expect("long enough");
        superblock.s_feature_ro_compat.set(0x400);
        assert_eq!(Csum::new(&superblock), Csum::None);
        superblock.s_checksum_type = 1;
        assert!(matches!(Csum::new(&superblock), Csum::Metadata { .. }));
    }

    #[test]
    fn a_bitmap_shorter_than_its_bits_has_no_checksum() {
        assert_eq!(Csum::Metadata { seed: 1 }.block_bitmap(&[0; 1024], 8200, 64), None);
    }
}
