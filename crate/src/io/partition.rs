//! Partition tables: where the partitions of a whole disk's image lie.

use super::{ByteSource, ReadKind, Reader};
use crate::error::{ErrorKind, Result};

/// A partition, in bytes of the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) offset: u64,
    pub(super) len: u64,
}

impl Partition {
    /// Whether the magic of an ext superblock lies in it.
    pub(super) fn holds_ext<S: ByteSource>(&self, reader: &Reader<S>) -> Result<bool> {
        let mut magic = [0; 2];
        match reader.read(ReadKind::Superblock, self.offset.saturating_add(1080), &mut magic) {
            Ok(()) => Ok(magic == [0x53, 0xef]),
            Err(error) if error.kind() == ErrorKind::OutOfBounds => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The kind of table at the head of an image, and its partitions; none without a table.
pub(super) fn partitions(head: &[u8]) -> (&'static str, Vec<Partition>) {
    for sector_bytes in [512, 4096] {
        if let Some(found) = gpt(head, sector_bytes) {
            return ("a GPT partition table", found);
        }
    }
    ("an MBR partition table", mbr(head).unwrap_or_default())
}

/// Ref: UEFI specification, GUID partition table.
fn gpt(head: &[u8], sector_bytes: u32) -> Option<Vec<Partition>> {
    /// Entries listed; a table has 128.
    const MOST: u32 = 128;
    let sector = u64::from(sector_bytes);
    let header = head.get(usize::try_from(sector_bytes).ok()?..)?;
    if !header.starts_with(b"EFI PART") {
        return None;
    }
    let entries_at = usize::try_from(u64_at(header, 72)?.checked_mul(sector)?).ok()?;
    let count = u32_at(header, 80)?.min(MOST);
    let entry_bytes = usize::try_from(u32_at(header, 84)?).ok()?.max(128);
    let entries = head.get(entries_at..)?.chunks_exact(entry_bytes);
    let used = entries
        .take(usize::try_from(count).ok()?)
        .filter(|entry| entry.iter().take(16).any(|byte| *byte != 0));
    Some(
        used.filter_map(|entry| {
            let (first, last) = (u64_at(entry, 32)?, u64_at(entry, 40)?);
            Some(Partition {
                offset: first.checked_mul(sector)?,
                len: last.checked_sub(first)?.checked_add(1)?.checked_mul(sector)?,
            })
        })
        .collect(),
    )
}

/// The four primary partitions, when the boot sector's mark and entries are those of a table.
fn mbr(head: &[u8]) -> Option<Vec<Partition>> {
    if head.get(510..512)? != [0x55, 0xaa] {
        return None;
    }
    let entries = head.get(446..510)?.chunks_exact(16);
    // A boot sector of a filesystem carries the same mark, but code where the entries would be.
    if entries.clone().any(|entry| entry.first().is_none_or(|status| status & 0x7f != 0)) {
        return None;
    }
    let sector = |entry: &[u8], at| u32_at(entry, at).map(|lba| u64::from(lba).saturating_mul(512));
    Some(
        entries
            .filter_map(|entry| {
                Some(Partition { offset: sector(entry, 8)?, len: sector(entry, 12)? })
            })
            .filter(|partition| partition.len > 0)
            .collect(),
    )
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
pub(super) mod testing {
    /// Writes an MBR with partitions given as first sector and sectors.
    pub(in crate::io) fn write_mbr(disk: &mut [u8], partitions: &[(u32, u32)]) {
        disk[510..512].copy_from_slice(&[0x55, 0xaa]);
        for (index, (first, count)) in partitions.iter().enumerate() {
            let entry = &mut disk[446 + 16 * index..][..16];
            entry[4] = 0x83;
            entry[8..12].copy_from_slice(&first.to_le_bytes());
            entry[12..16].copy_from_slice(&count.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_mbr_lists_its_used_entries() {
        let mut disk = vec![0; 4096];
        testing::write_mbr(&mut disk, &[(2048, 10), (0, 0), (4096, 20)]);
        let (table, found) = partitions(&disk);
        assert_eq!(table, "an MBR partition table");
        assert_eq!(
            found,
            [
                Partition { offset: 2048 * 512, len: 5120 },
                Partition { offset: 4096 * 512, len: 10_240 },
            ]
        );
    }

    #[test]
    fn boot_code_is_no_partition_table() {
        let mut disk = vec![0x3c; 512];
        disk[510..].copy_from_slice(&[0x55, 0xaa]);
        assert!(partitions(&disk).1.is_empty());
    }

    #[test]
    fn a_gpt_lists_its_used_entries_in_either_sector_size() {
        for sector in [512_usize, 4096] {
            let mut disk = vec![0; 32 << 10];
            testing::write_mbr(&mut disk, &[(1, 100)]);
            let header = &mut disk[sector..];
            header[..8].copy_from_slice(b"EFI PART");
            header[72..80].copy_from_slice(&2_u64.to_le_bytes());
            header[80..84].copy_from_slice(&128_u32.to_le_bytes());
            header[84..88].copy_from_slice(&128_u32.to_le_bytes());
            let entry = &mut disk[2 * sector + 128..];
            entry[..16].fill(0xaa);
            entry[32..40].copy_from_slice(&256_u64.to_le_bytes());
            entry[40..48].copy_from_slice(&511_u64.to_le_bytes());
            let (table, found) = partitions(&disk);
            assert_eq!(table, "a GPT partition table");
            let sector = sector as u64;
            assert_eq!(found, [Partition { offset: 256 * sector, len: 256 * sector }]);
        }
    }

    #[test]
    fn hostile_numbers_in_a_gpt_give_no_partitions() {
        let mut disk = vec![0xff; 8192];
        disk[512..520].copy_from_slice(b"EFI PART");
        assert!(partitions(&disk).1.is_empty());
    }
}
