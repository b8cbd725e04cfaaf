//! A whole disk and its partitions.

use serde::{Deserialize, Serialize};

use super::format::{escaped, grouped, padded_text};
use super::info::filesystem_type;
use crate::fs::{Contents, Disk};
use crate::io::partition::Partition;
use crate::ondisk::features::Incompat;

/// `s_state`: errors were found. Ref: `EXT4_ERROR_FS`.
const ERROR_FS: u16 = 2;

/// A whole disk and its partitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskReport {
    /// The format of the table: `MBR` or `GPT`.
    pub table: String,
    /// Bytes of a sector, in which the table counts.
    pub sector_bytes: u32,
    /// Bytes of the disk.
    pub disk_bytes: u64,
    /// The partitions, in the order of their numbers.
    pub partitions: Vec<PartitionReport>,
    /// What is wrong with the table itself, in sentences.
    pub notes: Vec<String>,
}

/// A partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionReport {
    /// Its number, as Linux counts.
    pub number: u32,
    /// Its first byte.
    pub offset: u64,
    /// Its bytes, as the table says.
    pub bytes: u64,
    /// Its first sector.
    pub first_sector: u64,
    /// The name that the table gives it; may be empty.
    pub name: String,
    /// What its type says that it is for; empty where that is not known.
    pub purpose: String,
    /// What lies in it: `ext4`, `FAT filesystem`, …
    pub contents: String,
    /// The label of its ext filesystem; may be empty.
    pub volume_name: String,
    /// Whether there is an ext filesystem to be opened.
    pub is_ext: bool,
    /// What is odd about it, or keeps it from being opened; in a few words.
    pub note: Option<String>,
}

impl DiskReport {
    /// The report of a disk.
    #[must_use]
    pub fn new(disk: &Disk) -> Self {
        let table = &disk.table;
        let partition = |(partition, contents): (&Partition, &Contents)| {
            let volume_name = match contents {
                Contents::Ext(superblock) => padded_text(&superblock.s_volume_name),
                _ => String::new(),
            };
            PartitionReport {
                number: partition.number,
                offset: partition.offset,
                bytes: partition.len,
                first_sector: partition.offset / u64::from(table.sector_bytes.max(1)),
                name: escaped(partition.name.as_bytes()),
                purpose: partition.purpose.to_owned(),
                contents: contents_text(contents),
                volume_name,
                is_ext: matches!(contents, Contents::Ext(_)),
                note: note(disk, partition, contents),
            }
        };
        Self {
            table: table.kind.name().to_owned(),
            sector_bytes: table.sector_bytes,
            disk_bytes: disk.len,
            partitions: table.partitions.iter().zip(&disk.contents).map(partition).collect(),
            notes: table.faults.iter().map(|&fault| fault.to_owned()).collect(),
        }
    }

    /// The partition with a number.
    #[must_use]
    pub fn partition(&self, number: u32) -> Option<&PartitionReport> {
        self.partitions.iter().find(|partition| partition.number == number)
    }
}

fn contents_text(contents: &Contents) -> String {
    match contents {
        Contents::Ext(superblock) => filesystem_type(superblock.features()),
        Contents::Known(name) => name,
        Contents::Unknown => "nothing known",
        Contents::Zeros => "zeros",
        Contents::BeyondEnd => "nothing",
        Contents::Unreadable(_) => "unreadable",
    }
    .to_owned()
}

/// The worst that is to be said of a partition.
fn note(disk: &Disk, partition: &Partition, contents: &Contents) -> Option<String> {
    match contents {
        Contents::BeyondEnd => return Some("begins beyond the end of the disk".into()),
        Contents::Unreadable(error) => return Some(error.to_string()),
        _ => {}
    }
    let end = partition.offset.saturating_add(partition.len);
    if end > disk.len {
        return Some(format!("cut short, {} bytes are missing", grouped(end - disk.len)));
    }
    let is_over = |other: &&Partition| {
        other.number != partition.number
            && other.offset < end
            && partition.offset < other.offset.saturating_add(other.len)
    };
    if let Some(other) = disk.table.partitions.iter().find(is_over) {
        return Some(format!("overlaps partition {}", other.number));
    }
    match contents {
        Contents::Ext(superblock) if superblock.s_state.get() & ERROR_FS != 0 => {
            Some("has errors".into())
        }
        Contents::Ext(superblock) if superblock.features().incompat.contains(Incompat::RECOVER) => {
            Some("needs recovery".into())
        }
        Contents::Ext(_) => None,
        _ => Some("not an ext filesystem".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::partition::{PartitionTable, TableKind};

    fn disk(partitions: &[(u64, u64)]) -> Disk {
        let partition = |(number, &(offset, len)): (u32, &(u64, u64))| Partition {
            number,
            offset,
            len,
            name: "a\tb".into(),
            purpose: "Linux",
        };
        let partitions: Vec<_> = (1..).zip(partitions).map(partition).collect();
        let contents = partitions.iter().map(|_| Contents::Unknown).collect();
        let (kind, sector_bytes, faults) = (TableKind::Gpt, 512, vec!["The table is torn."]);
        let table = PartitionTable { kind, sector_bytes, partitions, faults };
        Disk { len: 10_000, table, contents }
    }

    fn notes(disk: &Disk) -> Vec<String> {
        let report = DiskReport::new(disk);
        report.partitions.into_iter().map(|it| it.note.unwrap_or_default()).collect()
    }

    #[test]
    fn what_is_odd_about_a_partition_is_said() {
        let mut odd = disk(&[(512, 1024), (1024, 1024), (8192, 4096), (4096, 512)]);
        odd.contents[3] = Contents::BeyondEnd;
        let [over, under, cut, beyond] = &notes(&odd)[..] else { panic!("four partitions") };
        assert_eq!(
            (over.as_str(), under.as_str()),
            ("overlaps partition 2", "overlaps partition 1")
        );
        assert_eq!(cut, "cut short, 2,288 bytes are missing");
        assert_eq!(beyond, "begins beyond the end of the disk");
        assert_eq!(notes(&disk(&[(512, u64::MAX)])).len(), 1);
    }

    #[test]
    fn a_table_is_told_with_its_faults_and_names_that_harm_no_terminal() {
        let report = DiskReport::new(&disk(&[(1024, 512)]));
        assert_eq!((report.table.as_str(), report.notes.len()), ("GPT", 1));
        let partition = report.partition(1).expect("it is listed");
        assert_eq!((partition.first_sector, partition.name.as_str()), (2, "a\\tb"));
        assert!(!partition.is_ext);
        assert!(report.partition(2).is_none());
    }
}
