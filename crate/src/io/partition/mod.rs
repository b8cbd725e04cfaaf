//! Partition tables: where the partitions of a whole disk's image lie.
//!
//! *Belongs here:* what the tables say, however damaged. *Does not:* what lies in the partitions.
//! A partition may overlap another or lie beyond the end: the table says so, and it is listed.

mod gpt;
mod mbr;

use self::mbr::Mbr;
use super::{ByteSource, ReadKind, Reader};
use crate::error::{ErrorKind, Result};

/// Bytes of a sector, unless a table can only be read with larger ones.
const SECTOR_BYTES: u32 = 512;

/// Bytes of a sector on a disk that has large ones.
const LARGE_SECTOR_BYTES: u32 = 4096;

/// A partition table and its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionTable {
    /// The format.
    pub kind: TableKind,
    /// Bytes of a sector, in which the table counts.
    pub sector_bytes: u32,
    /// The partitions, in the order of their numbers.
    pub partitions: Vec<Partition>,
    /// What is wrong with the table itself, in sentences.
    pub faults: Vec<&'static str>,
}

/// The format of a partition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Master boot record, with its chain of logical partitions.
    Mbr,
    /// GUID partition table.
    Gpt,
}

impl TableKind {
    /// Its usual name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mbr => "MBR",
            Self::Gpt => "GPT",
        }
    }
}

/// A partition, as its table has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its number, as Linux counts: entries from 1, logical partitions from 5.
    pub number: u32,
    /// Its first byte.
    pub offset: u64,
    /// Its bytes.
    pub len: u64,
    /// Its name; an MBR has none.
    pub name: String,
    /// What its type says that it is for; empty where that is not known.
    pub purpose: &'static str,
}

impl PartitionTable {
    /// Reads the table of a disk; `None` where there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the source cannot be read.
    pub fn read<S: ByteSource>(reader: &Reader<S>) -> Result<Option<Self>> {
        let Some(sector) = bytes_at(reader, 0, SECTOR_BYTES)? else { return Ok(None) };
        let mbr = Mbr::parse(&sector);
        // An MBR that does not stand for a GPT is the later one: a GPT behind it is a leftover.
        if mbr.is_none_or(Mbr::is_protective) {
            for sector_bytes in [SECTOR_BYTES, LARGE_SECTOR_BYTES] {
                if let Some(table) = gpt::read(reader, sector_bytes, mbr.is_some())? {
                    return Ok(Some(table));
                }
            }
        }
        let Some(mbr) = mbr else { return Ok(None) };
        let table = mbr.read(reader, SECTOR_BYTES)?;
        if !table.holds_ext(reader)? {
            // An MBR does not say how large its sectors are.
            let large = mbr.read(reader, LARGE_SECTOR_BYTES)?;
            if large.holds_ext(reader)? {
                return Ok(Some(large));
            }
        }
        Ok((!table.partitions.is_empty()).then_some(table))
    }

    /// Whether the magic of an ext superblock lies in any partition.
    fn holds_ext<S: ByteSource>(&self, reader: &Reader<S>) -> Result<bool> {
        for partition in &self.partitions {
            let magic = bytes_at(reader, partition.offset.saturating_add(1080), 2)?;
            if magic.is_some_and(|magic| magic == [0x53, 0xef]) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// `len` bytes from `offset` on; `None` where the source has fewer.
fn bytes_at<S: ByteSource>(reader: &Reader<S>, offset: u64, len: u32) -> Result<Option<Vec<u8>>> {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    match reader.read(ReadKind::Superblock, offset, &mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::OutOfBounds => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
pub(super) mod testing {
    /// Writes an MBR, or the record of a logical partition, at a byte of a disk; entries are type,
    /// first sector, sectors.
    pub(in crate::io) fn write_mbr(disk: &mut [u8], at: usize, entries: &[(u8, u32, u32)]) {
        let sector = &mut disk[at..at + 512];
        sector[510..].copy_from_slice(&[0x55, 0xaa]);
        for (index, (kind, first, count)) in entries.iter().enumerate() {
            let entry = &mut sector[446 + 16 * index..][..16];
            entry[4] = *kind;
            entry[8..12].copy_from_slice(&first.to_le_bytes());
            entry[12..].copy_from_slice(&count.to_le_bytes());
        }
    }

    /// What a disk's table says: number, first byte and bytes of each partition, and the faults.
    pub(in crate::io) fn read(disk: Vec<u8>) -> Option<super::PartitionTable> {
        super::PartitionTable::read(&super::Reader::new(disk)).expect("memory can be read")
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{read, write_mbr};
    use super::*;

    #[test]
    fn no_table_is_read_where_there_is_none() {
        assert_eq!(read(Vec::new()), None);
        assert_eq!(read(vec![0; 300]), None);
        assert_eq!(read(vec![0; 100_000]), None);
        // The mark of a boot sector, with code where the entries would be.
        let mut boot = vec![0x3c; 4096];
        boot[510..512].copy_from_slice(&[0x55, 0xaa]);
        assert_eq!(read(boot), None);
    }

    #[test]
    fn sectors_are_large_where_only_so_a_filesystem_is_found() {
        let mut disk = vec![0; 1 << 20];
        write_mbr(&mut disk, 0, &[(0x83, 16, 32)]);
        disk[16 * 4096 + 1080..][..2].copy_from_slice(&[0x53, 0xef]);
        let table = read(disk.clone()).expect("a table");
        assert_eq!((table.sector_bytes, table.partitions[0].offset), (4096, 16 * 4096));
        disk[16 * 512 + 1080..][..2].copy_from_slice(&[0x53, 0xef]);
        assert_eq!(read(disk).expect("a table").sector_bytes, 512);
    }

    #[test]
    fn a_gpt_left_behind_an_ordinary_mbr_is_not_read() {
        let mut disk = vec![0; 64 << 10];
        super::gpt::testing::write_gpt(&mut disk, 512, &[(40, 63)]);
        write_mbr(&mut disk, 0, &[(0x83, 8, 16)]);
        assert_eq!(read(disk).expect("a table").kind, TableKind::Mbr);
    }
}
