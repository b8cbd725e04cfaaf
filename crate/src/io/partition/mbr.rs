//! The master boot record, and the chain of records in which logical partitions stand.

use std::collections::BTreeSet;

use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{Partition, PartitionTable, SECTOR_BYTES, TableKind, bytes_at};
use crate::error::Result;
use crate::io::{ByteSource, Reader};
use crate::limits;

/// The number of the first logical partition.
const FIRST_LOGICAL: u32 = 5;

/// A boot record: of the disk, or of a logical partition.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawRecord {
    code: [u8; 446],
    entries: [RawEntry; 4],
    signature: [u8; 2],
}

const _: () = assert!(size_of::<RawRecord>() == 512);

/// An entry of a boot record. Ref: UEFI specification, legacy MBR partition record.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawEntry {
    boot_indicator: u8,
    starting_chs: [u8; 3],
    os_type: u8,
    ending_chs: [u8; 3],
    starting_lba: U32,
    size_in_lba: U32,
}

impl RawEntry {
    fn is_used(&self) -> bool {
        self.os_type != 0 && self.size_in_lba.get() != 0
    }

    fn is_extended(&self) -> bool {
        self.is_used() && matches!(self.os_type, 0x05 | 0x0f | 0x85)
    }

    fn is_data(&self) -> bool {
        self.is_used() && !self.is_extended()
    }

    /// The partition, when the entry counts from sector `base`.
    fn partition(&self, number: u32, base: u64, sector_bytes: u32) -> Partition {
        let bytes = |sectors: u64| sectors.saturating_mul(u64::from(sector_bytes));
        Partition {
            number,
            offset: bytes(base.saturating_add(self.starting_lba.get().into())),
            len: bytes(self.size_in_lba.get().into()),
            name: String::new(),
            purpose: purpose(self.os_type),
        }
    }
}

/// The record at the head of a disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mbr([RawEntry; 4]);

impl Mbr {
    /// The record in a sector; `None` where the sector is none. The boot sector of a filesystem
    /// carries the same mark, but code where the entries would be.
    pub(super) fn parse(sector: &[u8]) -> Option<Self> {
        let (record, _) = RawRecord::read_from_prefix(sector).ok()?;
        let is_table = record.signature == [0x55, 0xaa]
            && record.entries.iter().all(|entry| entry.boot_indicator & 0x7f == 0);
        is_table.then_some(Self(record.entries))
    }

    /// Whether it stands for a GPT.
    pub(super) fn is_protective(self) -> bool {
        self.0.iter().any(|entry| entry.os_type == 0xee)
    }

    /// The partitions: those of the record, then the logical ones.
    pub(super) fn read<S: ByteSource>(
        self,
        reader: &Reader<S>,
        sector_bytes: u32,
    ) -> Result<PartitionTable> {
        let numbered = (1..).zip(&self.0).filter(|(_, entry)| entry.is_data());
        let partitions = numbered.map(|(n, entry)| entry.partition(n, 0, sector_bytes)).collect();
        let mut table =
            PartitionTable { kind: TableKind::Mbr, sector_bytes, partitions, faults: Vec::new() };
        let mut number = FIRST_LOGICAL;
        for extended in self.0.iter().filter(|entry| entry.is_extended()) {
            let base = u64::from(extended.starting_lba.get());
            add_logical(reader, base, &mut number, &mut table)?;
        }
        Ok(table)
    }
}

/// Follows the chain of logical partitions that begins at sector `base`: each record has its
/// partition, counted from itself, and the next record, counted from `base`.
fn add_logical<S: ByteSource>(
    reader: &Reader<S>,
    base: u64,
    number: &mut u32,
    table: &mut PartitionTable,
) -> Result<()> {
    let mut seen = BTreeSet::new();
    let mut at = base;
    loop {
        if !seen.insert(at) {
            table.faults.push("The chain of logical partitions leads back into itself.");
            return Ok(());
        }
        if table.partitions.len() >= limits::PARTITIONS {
            table.faults.push("There are more logical partitions than are listed.");
            return Ok(());
        }
        let offset = at.saturating_mul(u64::from(table.sector_bytes));
        let Some(sector) = bytes_at(reader, offset, SECTOR_BYTES)? else {
            table.faults.push("The chain of logical partitions leads beyond the end of the disk.");
            return Ok(());
        };
        let Some(Mbr(entries)) = Mbr::parse(&sector) else {
            table
                .faults
                .push("The chain of logical partitions ends in a sector that is no record.");
            return Ok(());
        };
        if let Some(entry) = entries.iter().find(|entry| entry.is_data()) {
            table.partitions.push(entry.partition(*number, at, table.sector_bytes));
            *number = number.saturating_add(1);
        }
        let Some(next) = entries.iter().find(|entry| entry.is_extended()) else { return Ok(()) };
        at = base.saturating_add(next.starting_lba.get().into());
    }
}

/// What a type is for. Ref: the list of `sfdisk --list-types`.
const fn purpose(os_type: u8) -> &'static str {
    match os_type {
        0x01 | 0x04 | 0x06 | 0x0b | 0x0c | 0x0e => "FAT",
        0x07 => "NTFS or exFAT",
        0x82 => "Linux swap",
        0x83 => "Linux",
        0x8e => "Linux LVM",
        0xa5 => "FreeBSD",
        0xa6 => "OpenBSD",
        0xa9 => "NetBSD",
        0xaf => "HFS",
        0xee => "GPT",
        0xef => "EFI system",
        0xfd => "Linux RAID",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{read, write_mbr};
    use super::*;

    fn listed(table: &PartitionTable) -> Vec<(u32, u64, u64)> {
        let sectors = |bytes| bytes / u64::from(table.sector_bytes);
        let partition = |it: &Partition| (it.number, sectors(it.offset), sectors(it.len));
        table.partitions.iter().map(partition).collect()
    }

    #[test]
    fn primary_partitions_keep_the_number_of_their_entry() {
        let mut disk = vec![0; 4096];
        write_mbr(&mut disk, 0, &[(0x83, 2048, 10), (0, 0, 0), (0x0c, 4096, 20)]);
        let table = read(disk).expect("a table");
        assert_eq!(table.kind, TableKind::Mbr);
        assert_eq!(listed(&table), [(1, 2048, 10), (3, 4096, 20)]);
        assert_eq!(table.partitions[1].purpose, "FAT");
    }

    #[test]
    fn logical_partitions_are_counted_from_5_along_their_chain() {
        let mut disk = vec![0; 64 << 10];
        write_mbr(&mut disk, 0, &[(0x83, 1, 9), (0x05, 20, 100)]);
        write_mbr(&mut disk, 20 * 512, &[(0x83, 2, 10), (0x05, 30, 40)]);
        write_mbr(&mut disk, 50 * 512, &[(0x82, 3, 30)]);
        let table = read(disk).expect("a table");
        assert_eq!(listed(&table), [(1, 1, 9), (5, 22, 10), (6, 53, 30)]);
        assert!(table.faults.is_empty());
    }

    #[test]
    fn a_chain_that_does_not_end_is_followed_once() {
        for (next, says) in [(0, "back into itself"), (90_000, "beyond the end"), (60, "no record")]
        {
            let mut disk = vec![0; 64 << 10];
            write_mbr(&mut disk, 0, &[(0x0f, 20, 100)]);
            write_mbr(&mut disk, 20 * 512, &[(0x83, 2, 10), (0x05, next, 40)]);
            let table = read(disk).expect("a table");
            assert_eq!(listed(&table), [(5, 22, 10)]);
            assert!(table.faults[0].contains(says), "{:?}", table.faults);
        }
    }

    #[test]
    fn a_chain_of_any_length_is_listed_up_to_a_cap() {
        let mut disk = vec![0; 2 << 20];
        write_mbr(&mut disk, 0, &[(0x05, 1, 4000)]);
        for record in 1..4000_u32 {
            let at = record as usize * 512;
            write_mbr(&mut disk, at, &[(0x83, 1, 1), (0x05, record, 1)]);
        }
        let table = read(disk).expect("a table");
        assert_eq!(table.partitions.len(), limits::PARTITIONS);
        assert_eq!(table.faults.len(), 1);
    }

    #[test]
    fn the_largest_numbers_do_not_wrap() {
        let mut disk = vec![0; 4096];
        write_mbr(&mut disk, 0, &[(0x83, u32::MAX, u32::MAX)]);
        let table = read(disk).expect("a table");
        assert_eq!(table.partitions[0].offset, u64::from(u32::MAX) * 512);
    }
}
