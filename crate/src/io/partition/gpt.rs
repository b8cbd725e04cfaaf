//! The GUID partition table.

use crc::{CRC_32_ISO_HDLC, Crc, Table};
use uuid::{Uuid, uuid};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{Partition, PartitionTable, TableKind, bytes_at};
use crate::error::Result;
use crate::io::{ByteSource, Reader};
use crate::limits;

const CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// Bytes of an entry, at least.
const ENTRY_BYTES: u32 = 128;

/// The header. Ref: UEFI specification, GPT header.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawHeader {
    signature: [u8; 8],
    revision: U32,
    header_size: U32,
    header_crc32: U32,
    reserved: U32,
    my_lba: U64,
    alternate_lba: U64,
    first_usable_lba: U64,
    last_usable_lba: U64,
    disk_guid: [u8; 16],
    partition_entry_lba: U64,
    number_of_partition_entries: U32,
    size_of_partition_entry: U32,
    partition_entry_array_crc32: U32,
}

const _: () = assert!(size_of::<RawHeader>() == 92);

/// An entry. Ref: UEFI specification, GPT partition entry.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawEntry {
    partition_type_guid: [u8; 16],
    unique_partition_guid: [u8; 16],
    starting_lba: U64,
    ending_lba: U64,
    attributes: U64,
    partition_name: [U16; 36],
}

const _: () = assert!(size_of::<RawEntry>() == 128);

impl RawEntry {
    /// The partition; `None` where the entry is not used or its end lies before its start.
    fn partition(&self, number: u32, sector_bytes: u32) -> Option<Partition> {
        if self.partition_type_guid == [0; 16] {
            return None;
        }
        let (first, last) = (self.starting_lba.get(), self.ending_lba.get());
        let sectors = last.checked_sub(first)?.saturating_add(1);
        let name = self.partition_name.iter().map(|unit| unit.get()).take_while(|unit| *unit != 0);
        Some(Partition {
            number,
            offset: first.saturating_mul(sector_bytes.into()),
            len: sectors.saturating_mul(sector_bytes.into()),
            name: char::decode_utf16(name).map(|letter| letter.unwrap_or('\u{fffd}')).collect(),
            purpose: purpose(&Uuid::from_bytes_le(self.partition_type_guid)),
        })
    }
}

/// One of the two copies of a table.
struct Copy {
    partitions: Vec<Partition>,
    is_right: bool,
}

/// Reads the table of a disk with sectors of so many bytes: the copy at its head, or the one at its
/// end when that is damaged. `None` where there is neither.
pub(super) fn read<S: ByteSource>(
    reader: &Reader<S>,
    sector_bytes: u32,
    has_mbr: bool,
) -> Result<Option<PartitionTable>> {
    let mut faults = Vec::new();
    let head = copy(reader, sector_bytes, 1)?;
    let found = match head {
        Some(head) if head.is_right => head,
        // Without any trace of a table at the head, only an MBR that stands for one is believed.
        None if !has_mbr => return Ok(None),
        head => {
            let last = reader.len().checked_div(sector_bytes.into()).unwrap_or(0).saturating_sub(1);
            match (copy(reader, sector_bytes, last)?, head) {
                (Some(end), _) if end.is_right => {
                    faults.push(
                        "The table at the head of the disk is damaged; this is its copy \
                                 at the end.",
                    );
                    end
                }
                (_, Some(head)) => {
                    faults.push("The table's checksum is wrong.");
                    head
                }
                (Some(end), None) => {
                    faults.push(
                        "The table at the head of the disk is gone; the checksum of its \
                                 copy at the end is wrong.",
                    );
                    end
                }
                (None, None) => return Ok(None),
            }
        }
    };
    if !has_mbr {
        faults.push("There is no MBR that stands for the GPT; some programs ignore it then.");
    }
    let Copy { partitions, .. } = found;
    Ok(Some(PartitionTable { kind: TableKind::Gpt, sector_bytes, partitions, faults }))
}

/// The copy whose header lies in sector `lba`; `None` where none does.
fn copy<S: ByteSource>(reader: &Reader<S>, sector_bytes: u32, lba: u64) -> Result<Option<Copy>> {
    let bytes = u64::from(sector_bytes);
    let Some(mut sector) = bytes_at(reader, lba.saturating_mul(bytes), sector_bytes)? else {
        return Ok(None);
    };
    let header = match RawHeader::read_from_prefix(&sector) {
        Ok((header, _)) if header.signature == *b"EFI PART" => header,
        _ => return Ok(None),
    };
    // The checksum is that of a header without one.
    sector.get_mut(16..20).unwrap_or_default().fill(0);
    let covered = usize::try_from(header.header_size.get()).ok();
    let covered = covered.filter(|len| *len >= size_of::<RawHeader>());
    let covered = covered.and_then(|len| sector.get(..len));
    let is_header_right = covered.is_some_and(|it| CRC.checksum(it) == header.header_crc32.get());

    let size = header.size_of_partition_entry.get();
    let said = header.number_of_partition_entries.get();
    let most = u32::try_from(limits::PARTITIONS).unwrap_or(u32::MAX);
    let (step, count) = (usize::try_from(size).unwrap_or(0), said.min(most));
    let is_known = (ENTRY_BYTES..=limits::PARTITION_ENTRY_BYTES).contains(&size);
    let len = count.checked_mul(size).filter(|_| is_known);
    let at = header.partition_entry_lba.get().saturating_mul(bytes);
    let entries = match len {
        Some(len) => bytes_at(reader, at, len)?,
        None => None,
    };
    let entries = entries.unwrap_or_default();
    let are_entries_right = said == count
        && len.is_some()
        && CRC.checksum(&entries) == header.partition_entry_array_crc32.get();
    let partition = |(number, bytes): (u32, &[u8])| {
        let (entry, _) = RawEntry::read_from_prefix(bytes).ok()?;
        entry.partition(number, sector_bytes)
    };
    Ok(Some(Copy {
        partitions: (1..).zip(entries.chunks_exact(step.max(1))).filter_map(partition).collect(),
        is_right: is_header_right && are_entries_right,
    }))
}

/// What a type is for. Ref: UEFI specification; Discoverable Partitions Specification.
fn purpose(kind: &Uuid) -> &'static str {
    const PURPOSES: [(Uuid, &str); 12] = [
        (uuid!("c12a7328-f81f-11d2-ba4b-00a0c93ec93b"), "EFI system"),
        (uuid!("21686148-6449-6e6f-744e-656564454649"), "BIOS boot"),
        (uuid!("bc13c2ff-59e6-4262-a352-b275fd6f7172"), "boot loader"),
        (uuid!("0fc63daf-8483-4772-8e79-3d69d8477de4"), "Linux"),
        (uuid!("4f68bce3-e8cd-4db1-96e7-fbcaf984b709"), "Linux root"),
        (uuid!("b921b045-1df0-41c3-af44-4c6f280d3fae"), "Linux root"),
        (uuid!("933ac7e1-2eb4-4f13-b844-0e14e2aef915"), "Linux home"),
        (uuid!("0657fd6d-a4ab-43c4-84e5-0933c84b4f4f"), "Linux swap"),
        (uuid!("e6d6d379-f507-44c2-a23c-238f2a3df928"), "Linux LVM"),
        (uuid!("a19d880f-05fc-4d3b-a006-743f0f84911e"), "Linux RAID"),
        (uuid!("ebd0a0a2-b9e5-4433-87c0-68b6b72699c7"), "basic data"),
        (uuid!("e3c9e316-0b5c-4db8-817d-f92df00215ae"), "Microsoft reserved"),
    ];
    PURPOSES.iter().find(|(known, _)| known == kind).map_or("", |(_, purpose)| purpose)
}

#[cfg(test)]
pub(super) mod testing {
    use super::CRC;

    /// Writes both copies of a table; partitions are first and last sector, 0 where none is.
    pub(in crate::io) fn write_gpt(disk: &mut [u8], sector: usize, partitions: &[(u64, u64)]) {
        let last = disk.len() / sector - 1;
        super::super::testing::write_mbr(disk, 0, &[(0xee, 1, last as u32)]);
        let mut entries = vec![0; 128 * 128];
        for (entry, (first, last)) in entries.chunks_exact_mut(128).zip(partitions) {
            if *last > 0 {
                entry[..16].fill(0xaa);
            }
            entry[32..40].copy_from_slice(&first.to_le_bytes());
            entry[40..48].copy_from_slice(&last.to_le_bytes());
            entry[56..60].copy_from_slice(&[b'r', 0, b'o', 0]);
        }
        let array = entries.len() / sector;
        for (at, entries_at) in [(1, 2), (last, last - array)] {
            let mut header = [0; 92];
            header[..8].copy_from_slice(b"EFI PART");
            header[12..16].copy_from_slice(&92_u32.to_le_bytes());
            header[72..80].copy_from_slice(&(entries_at as u64).to_le_bytes());
            header[80..84].copy_from_slice(&128_u32.to_le_bytes());
            header[84..88].copy_from_slice(&128_u32.to_le_bytes());
            header[88..].copy_from_slice(&CRC.checksum(&entries).to_le_bytes());
            let crc = CRC.checksum(&header);
            header[16..20].copy_from_slice(&crc.to_le_bytes());
            disk[at * sector..][..92].copy_from_slice(&header);
            disk[entries_at * sector..][..entries.len()].copy_from_slice(&entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::read;
    use super::testing::write_gpt;
    use super::*;

    fn disk(sector: usize) -> Vec<u8> {
        let mut disk = vec![0; 256 << 10];
        write_gpt(&mut disk, sector, &[(40, 42), (0, 0), (50, 50)]);
        disk
    }

    fn listed(table: &PartitionTable) -> Vec<(u32, u64, u64)> {
        table.partitions.iter().map(|it| (it.number, it.offset, it.len)).collect()
    }

    #[test]
    fn entries_are_read_in_either_sector_size() {
        for sector in [512_u64, 4096] {
            let table = read(disk(sector as usize)).expect("a table");
            assert_eq!((table.kind, u64::from(table.sector_bytes)), (TableKind::Gpt, sector));
            assert_eq!(listed(&table), [(1, 40 * sector, 3 * sector), (3, 50 * sector, sector)]);
            assert_eq!(table.partitions[0].name, "ro");
        }
    }

    #[test]
    fn a_damaged_copy_gives_way_to_the_one_at_the_end() {
        let sound = read(disk(512)).expect("a table");
        assert!(sound.faults.is_empty());
        for at in [512, 512 + 20, 512 + 40, 1024 + 32] {
            let mut bytes = disk(512);
            bytes[at] ^= 1;
            let table = read(bytes).expect("a table");
            assert_eq!(table.partitions, sound.partitions, "byte {at}");
            assert_eq!(table.faults.len(), 1);
        }
    }

    #[test]
    fn where_both_copies_are_damaged_the_first_is_read() {
        let mut bytes = disk(512);
        let end = bytes.len();
        bytes[1024 + 32] ^= 1;
        bytes.truncate(end - 512);
        let table = read(bytes).expect("a table");
        assert_eq!(table.partitions[0].offset, 41 * 512);
        assert_eq!(table.faults, ["The table's checksum is wrong."]);
    }

    #[test]
    fn hostile_numbers_cost_nothing() {
        for (at, value) in [(80, u32::MAX), (84, u32::MAX), (84, 0), (84, 1), (72, u32::MAX)] {
            let mut bytes = disk(512);
            let end = bytes.len() - 512;
            for header in [512, end] {
                bytes[header + at..][..4].copy_from_slice(&value.to_le_bytes());
            }
            let table = read(bytes).expect("a table");
            assert!(table.partitions.len() <= limits::PARTITIONS);
            assert_eq!(table.faults, ["The table's checksum is wrong."]);
        }
        let mut bytes = disk(512);
        // Ends before it starts; ends where no sector can be.
        bytes[1024 + 40..][..8].copy_from_slice(&39_u64.to_le_bytes());
        bytes[1024 + 256 + 40..][..8].fill(0xff);
        bytes.truncate(100_000);
        assert_eq!(listed(&read(bytes).expect("a table")), [(3, 50 * 512, u64::MAX)]);
    }
}
