//! What is said of a disk's partitions, and where they lie on it.

use crate::protocol::{DiskReport, PartitionReport};
use crate::state::{DiskPart, Partitions, Seat};
use crate::text::{number, size};

/// Room between partitions that is worth a row; less of it is alignment.
const ROOM: u64 = 2 << 20;

/// A row of the table, and a stretch of the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A partition, by its place in the report.
    Partition(usize),
    /// Room that belongs to none.
    Room {
        /// Its first byte.
        offset: u64,
        /// Its bytes.
        bytes: u64,
    },
}

/// `3 partitions, 1 of them with an ext filesystem`.
#[must_use]
pub fn title(disk: &DiskReport) -> String {
    let count = disk.partitions.iter().filter(|partition| partition.is_ext).count();
    let all = number::count_of(disk.partitions.len() as u64, "partition", "partitions");
    match (disk.partitions.len(), count) {
        (1, 1) => "A partition with an ext filesystem".into(),
        (_, 0) => format!("{all}, none with an ext filesystem"),
        (many, count) if many == count => format!("{all} with ext filesystems"),
        (_, count) => format!("{all}, {} with an ext filesystem", number::count(count as u64)),
    }
}

/// `GPT on 30.2 GiB, sectors of 512 bytes`.
#[must_use]
pub fn facts(disk: &DiskReport) -> String {
    let (bytes, sector) = (size::whole(disk.disk_bytes), size::round(disk.sector_bytes.into()));
    format!("{} on {bytes}, sectors of {sector}", disk.table)
}

/// The partition to propose: the largest with an ext filesystem.
#[must_use]
pub fn proposed(disk: &DiskReport) -> Option<usize> {
    let ext = disk.partitions.iter().enumerate().filter(|(_, partition)| partition.is_ext);
    ext.rev().max_by_key(|(_, partition)| partition.bytes).map(|(at, _)| at)
}

/// Partitions and the room between them, as they lie on the disk.
#[must_use]
pub fn rows(disk: &DiskReport) -> Vec<Row> {
    let mut order: Vec<usize> = (0..disk.partitions.len()).collect();
    order.sort_by_key(|&at| disk.partitions.get(at).map(|partition| partition.offset));
    let mut rows = Vec::new();
    let mut end = 0_u64;
    let add_room = |rows: &mut Vec<Row>, offset: u64, to: u64| {
        let bytes = to.saturating_sub(offset);
        if bytes >= ROOM {
            rows.push(Row::Room { offset, bytes });
        }
    };
    for at in order {
        let Some(partition) = disk.partitions.get(at) else { continue };
        add_room(&mut rows, end, partition.offset.min(disk.disk_bytes));
        rows.push(Row::Partition(at));
        end = end.max(partition.offset.saturating_add(partition.bytes));
    }
    add_room(&mut rows, end, disk.disk_bytes);
    rows
}

/// What the row is called on the strip: its number, and its label or name.
#[must_use]
pub fn label(partition: &PartitionReport) -> String {
    let name = match (&partition.volume_name, &partition.name) {
        (volume, name) if volume.is_empty() => name,
        (volume, _) => volume,
    };
    format!("{} {name}", partition.number).trim_end().to_owned()
}

/// What lies in it, and the name of that.
#[must_use]
pub fn contents(partition: &PartitionReport) -> String {
    let names = [&partition.volume_name, &partition.name, &partition.purpose];
    match names.into_iter().find(|name| !name.is_empty()) {
        Some(name) => format!("{}, {name}", partition.contents),
        None => partition.contents.clone(),
    }
}

/// The part of the file that a partition is.
#[must_use]
pub fn part(partitions: &Partitions, at: usize) -> Option<DiskPart> {
    let partition = partitions.disk.partitions.get(at)?;
    Some(DiskPart {
        number: Some(partition.number),
        offset: partitions.offset.saturating_add(partition.offset),
        len: partition.bytes,
        // A table that does not begin with the file is none for a tool that changes it.
        seat: (partitions.offset == 0).then(|| seat(&partitions.disk, partition)),
    })
}

/// Where in the table a partition stands.
fn seat(disk: &DiskReport, partition: &PartitionReport) -> Seat {
    /// The last number of a partition that lies in no extended one, in an MBR.
    const PRIMARY: u32 = 4;
    let is_gpt = disk.table == "GPT";
    let end = |it: &PartitionReport| it.offset.saturating_add(it.bytes);
    let is_last = disk.partitions.iter().all(|other| end(other) <= end(partition));
    Seat {
        is_gpt,
        sector_bytes: disk.sector_bytes,
        is_last: is_last && (is_gpt || partition.number <= PRIMARY),
    }
}

/// What a part is called: `partition 2`, `from byte 1,048,576`.
#[must_use]
pub fn part_name(part: DiskPart) -> String {
    match part.number {
        Some(number) => format!("partition {number}"),
        None => format!("from byte {}", number::count(part.offset)),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::protocol::testing;

    #[test]
    fn the_title_counts_what_can_be_opened() {
        let mut disk = testing::disk();
        assert_eq!(title(&disk), "2 partitions, 1 with an ext filesystem");
        disk.partitions[0].is_ext = true;
        assert_eq!(title(&disk), "2 partitions with ext filesystems");
        disk.partitions.truncate(1);
        assert_eq!(title(&disk), "A partition with an ext filesystem");
        disk.partitions[0].is_ext = false;
        assert_eq!(title(&disk), "1 partition, none with an ext filesystem");
        assert_eq!(facts(&disk), "GPT on 2.00\u{202f}MiB, sectors of 512\u{202f}bytes");
    }

    #[test]
    fn the_largest_filesystem_is_proposed() {
        let mut disk = testing::disk();
        assert_eq!(proposed(&disk), Some(1));
        disk.partitions[0].is_ext = true;
        assert_eq!(proposed(&disk), Some(0), "of equals the first");
        disk.partitions[1].bytes += 1;
        assert_eq!(proposed(&disk), Some(1));
        disk.partitions.clear();
        assert_eq!(proposed(&disk), None);
    }

    #[test]
    fn room_between_partitions_is_listed_where_it_is_more_than_alignment() {
        let mut disk = testing::disk();
        disk.disk_bytes = 8 << 20;
        let end = (1 << 20) + (512 << 10);
        let room = Row::Room { offset: end, bytes: (8 << 20) - end };
        assert_eq!(rows(&disk), [Row::Partition(0), Row::Partition(1), room.clone()]);
        // Out of order and over one another.
        disk.partitions.swap(0, 1);
        disk.partitions[0].offset = 4096;
        disk.partitions[0].bytes = u64::MAX;
        assert_eq!(rows(&disk), [Row::Partition(1), Row::Partition(0)]);
        disk.partitions.clear();
        assert_eq!(rows(&disk), [Row::Room { offset: 0, bytes: 8 << 20 }]);
    }

    #[test]
    fn a_partition_is_called_by_its_label_before_its_name() {
        let mut partition = testing::disk().partitions[1].clone();
        partition.name = "root".into();
        assert_eq!(
            (label(&partition), contents(&partition)),
            ("2 test".into(), "ext4, test".into())
        );
        partition.volume_name.clear();
        assert_eq!(
            (label(&partition), contents(&partition)),
            ("2 root".into(), "ext4, root".into())
        );
        partition.name.clear();
        assert_eq!((label(&partition), contents(&partition)), ("2".into(), "ext4, Linux".into()));
    }

    #[test]
    fn a_disk_inside_a_file_is_counted_from_where_it_begins() {
        let disk = Rc::new(testing::disk());
        let partitions = Partitions { name: "a".into(), offset: 4096, disk };
        let part = part(&partitions, 1).expect("it is listed");
        assert_eq!((part.number, part.offset), (Some(2), 4096 + (1 << 20)));
        assert_eq!(part_name(part), "partition 2");
        assert_eq!(part_name(DiskPart::from_byte(4096)), "from byte 4,096");
    }
}
