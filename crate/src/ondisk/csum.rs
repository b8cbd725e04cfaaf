//! Checksums: which kind, from which seed, over exactly which bytes.

use core::mem::offset_of;

use crc::{CRC_16_MODBUS, Crc, Table};
use zerocopy::IntoBytes;

use super::features::{Features, Incompat, RoCompat};
use super::group_desc::RawGroupDesc;
use super::superblock::Superblock;
use crate::units::Group;

/// The crc16 of uninit_bg: polynomial 0x8005 reflected, starting at all ones, not inverted.
static CRC16: Crc<u16, Table<1>> = Crc::<u16, Table<1>>::new(&CRC_16_MODBUS);

/// Length of the descriptor that holds the high half of the block bitmap's checksum.
/// Ref: `EXT4_BG_BLOCK_BITMAP_CSUM_HI_END`.
const BLOCK_BITMAP_CSUM_HI_END: usize = offset_of!(RawGroupDesc, bg_block_bitmap_csum_hi) + 2;

/// The same for the inode bitmap. Ref: `EXT4_BG_INODE_BITMAP_CSUM_HI_END`.
const INODE_BITMAP_CSUM_HI_END: usize = offset_of!(RawGroupDesc, bg_inode_bitmap_csum_hi) + 2;

/// crc32c as the kernel keeps it: neither start nor result is inverted. Ref: `ext4_chksum`.
#[must_use]
pub fn crc32c(seed: u32, bytes: &[u8]) -> u32 {
    !crc32c::crc32c_append(!seed, bytes)
}

/// The checksum that a superblock should carry, without regard to whether it must carry one.
#[must_use]
pub fn superblock_csum(superblock: &Superblock) -> u32 {
    let covered = superblock.as_bytes().get(..offset_of!(Superblock, s_checksum));
    crc32c(!0, covered.unwrap_or_default())
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
    /// Reads off the features which it is. metadata_csum wins over uninit_bg.
    #[must_use]
    pub fn new(superblock: &Superblock) -> Self {
        let Features { incompat, ro_compat, .. } = superblock.features();
        if ro_compat.contains(RoCompat::METADATA_CSUM) {
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
    fn bitmaps_are_checked_by_metadata_csum_alone() {
        assert_eq!(Csum::Gdt { uuid: UUID }.block_bitmap(&[0; 1024], 8192, 32), None);
        assert_eq!(Csum::None.inode_bitmap(&[0; 1024], 8192, 32), None);
        assert_eq!(Csum::None.group_desc(Group::new(0), &[0; 32]), None);
    }

    #[test]
    fn a_bitmap_shorter_than_its_bits_has_no_checksum() {
        assert_eq!(Csum::Metadata { seed: 1 }.block_bitmap(&[0; 1024], 8200, 64), None);
    }
}
