//! A whole disk: its partitions, and in which of them an ext filesystem lies.

use super::open::read_superblock;
use crate::error::{Error, ErrorKind, Result};
use crate::io::partition::{Partition, PartitionTable};
use crate::io::{ByteSource, Meter, ReadKind, Reader, sniff};
use crate::ondisk::{SUPERBLOCK_OFFSET, Superblock};
use crate::task::{Progress, Step, Task};
use crate::units::ByteOffset;

/// A disk with partitions.
#[derive(Clone, Debug)]
pub struct Disk {
    /// Bytes of the disk.
    pub len: u64,
    /// Its table.
    pub table: PartitionTable,
    /// What lies in each of the partitions, in their order.
    pub contents: Vec<Contents>,
}

/// What lies in a partition.
#[derive(Clone, Debug)]
pub enum Contents {
    /// An ext filesystem, by its primary superblock.
    Ext(Box<Superblock>),
    /// Something else that is known, such as `FAT filesystem`.
    Known(&'static str),
    /// Something else.
    Unknown,
    /// Zeros, as far as it was looked at.
    Zeros,
    /// Nothing: it begins beyond the end of the disk.
    BeyondEnd,
    /// It cannot be read.
    Unreadable(Error),
}

/// Reads a disk's partition table, and looks into each partition; one a step. Gives `None` where
/// there is no table.
///
/// Progress counts partitions.
///
/// # Errors
/// [`ErrorKind::Io`] when the table cannot be read.
#[derive(Debug)]
pub struct DiskSearch<S> {
    reader: Reader<S>,
    disk: Option<Disk>,
}

impl<S: ByteSource> DiskSearch<S> {
    /// Nothing is read yet.
    pub fn new(source: S) -> Self {
        Self { reader: Reader::new(source), disk: None }
    }

    /// What was read so far.
    pub fn meter(&self) -> &Meter {
        self.reader.meter()
    }
}

impl<S: ByteSource> Task for DiskSearch<S> {
    type Output = Option<Disk>;

    fn step(&mut self) -> Result<Step<Option<Disk>>> {
        let Some(mut disk) = self.disk.take() else {
            let Some(table) = PartitionTable::read(&self.reader)? else {
                return Ok(Step::Done(None));
            };
            self.disk = Some(Disk { len: self.reader.len(), table, contents: Vec::new() });
            return Ok(Step::More);
        };
        let Some(partition) = disk.table.partitions.get(disk.contents.len()) else {
            return Ok(Step::Done(Some(disk)));
        };
        let contents = look(&self.reader, partition);
        disk.contents.push(contents.unwrap_or_else(Contents::Unreadable));
        self.disk = Some(disk);
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        self.disk.as_ref().map_or_else(Progress::default, |disk| Progress {
            cur: count(disk.contents.len()),
            max: count(disk.table.partitions.len()),
        })
    }
}

fn look<S: ByteSource>(reader: &Reader<S>, partition: &Partition) -> Result<Contents> {
    let left = reader.len().saturating_sub(partition.offset).min(partition.len);
    if left == 0 {
        return Ok(Contents::BeyondEnd);
    }
    let at = ByteOffset::new(partition.offset.saturating_add(SUPERBLOCK_OFFSET));
    if let Some(superblock) = read_superblock(reader, ReadKind::Superblock, at)? {
        return Ok(Contents::Ext(superblock));
    }
    let mut head = vec![0; usize::try_from(left.min(sniff::HEAD_BYTES)).unwrap_or(0)];
    match reader.read(ReadKind::Superblock, partition.offset, &mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::OutOfBounds => return Ok(Contents::BeyondEnd),
        Err(error) => return Err(error),
    }
    Ok(match sniff::known(&head) {
        Some(known) => Contents::Known(known),
        None if head.iter().all(|byte| *byte == 0) => Contents::Zeros,
        None => Contents::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Image;
    use super::*;
    use crate::io::Window;
    use crate::task::run_to_end;

    /// A disk with partitions of so many bytes each, one after the other from 4 KiB on.
    fn disk(partitions: &[Vec<u8>]) -> Vec<u8> {
        let mut disk = vec![0; 4096];
        disk[510..512].copy_from_slice(&[0x55, 0xaa]);
        for (index, bytes) in partitions.iter().enumerate() {
            let entry = 446 + 16 * index;
            disk[entry + 4] = 0x83;
            let sectors = [disk.len() / 512, bytes.len() / 512];
            for (at, value) in [8, 12].into_iter().zip(sectors) {
                disk[entry + at..][..4].copy_from_slice(&(value as u32).to_le_bytes());
            }
            disk.extend(bytes);
        }
        disk
    }

    fn search(disk: Vec<u8>) -> Option<Disk> {
        run_to_end(DiskSearch::new(disk)).expect("memory can be read")
    }

    #[test]
    fn each_partition_is_told_by_what_lies_in_it() {
        let mut swap = vec![0; 8192];
        swap[4086..4096].copy_from_slice(b"SWAPSPACE2");
        let bytes = disk(&[Image::new().bytes(), swap, vec![0; 4096], vec![7; 4096]]);
        let found = search(bytes).expect("a table");
        let [Contents::Ext(superblock), Contents::Known(known), Contents::Zeros, Contents::Unknown] =
            found.contents.as_slice()
        else {
            panic!("{:?}", found.contents)
        };
        assert_eq!(superblock.s_blocks_count_lo, Image::new().superblock.s_blocks_count_lo);
        assert_eq!(*known, "Linux swap space");
    }

    #[test]
    fn a_partition_opens_through_a_window_as_the_image_does_alone() {
        let image = Image::new().bytes();
        let bytes = disk(&[vec![0; 4096], image.clone()]);
        let place = &search(bytes.clone()).expect("a table").table.partitions[1];
        let window = Window::new(bytes, place.offset, place.len);
        let options = super::super::OpenOptions::default();
        let (alone, inside) = (
            super::super::Filesystem::open(image, options).expect("opens"),
            super::super::Filesystem::open(window, options).expect("opens"),
        );
        assert!(alone.groups().iter().eq(inside.groups().iter()));
        assert_eq!(alone.image_len(), inside.image_len());
    }

    #[test]
    fn a_partition_beyond_the_end_holds_nothing() {
        let mut bytes = disk(&[Image::new().bytes()]);
        bytes.truncate(4096);
        assert!(matches!(search(bytes).expect("a table").contents[0], Contents::BeyondEnd));
    }

    #[test]
    fn an_image_of_one_filesystem_is_no_disk() {
        assert!(search(Image::new().bytes()).is_none());
    }
}
