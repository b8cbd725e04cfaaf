//! Partition tables as util-linux reads them, and filesystems in partitions as they are alone.

use std::path::Path;

use extscope::fs::{DiskSearch, Filesystem, OpenOptions};
use extscope::io::{ByteSource, FileSource, Window};
use extscope::report::{DiskReport, GroupReport};
use extscope::task::run_to_end;
use extscope::units::Group;
use extscope_tests::disk::Disk;
use extscope_tests::recipe::{self, Recipe};
use extscope_tests::{skip, tool};
use proptest::prelude::*;

const SMALL: Recipe = Recipe { name: "small", kib: 2048, mke2fs: "-t ext2 -b 1024", fill: &[] };
const LARGE: Recipe = Recipe {
    name: "large",
    kib: 16 << 10,
    mke2fs: "-t ext4 -b 1024 -g 1024 -L large",
    fill: &[extscope_tests::fill::Fill::Tree],
};

fn report(disk: &Path) -> DiskReport {
    let source = FileSource::open(disk).expect("the disk can be read");
    let found = run_to_end(DiskSearch::new(source)).expect("the disk can be read");
    DiskReport::new(&found.expect("there is a table"))
}

/// Number, first sector, sectors and name of each partition.
type Row = (u32, u64, u64, String);

fn rows(report: &DiskReport) -> Vec<Row> {
    // Of whatever size sectors are, partx counts in those of 512 bytes.
    let sectors = |bytes: u64| bytes / 512;
    let row = |it: &extscope::report::PartitionReport| {
        (it.number, sectors(it.offset), sectors(it.bytes), it.name.clone())
    };
    report.partitions.iter().map(row).collect()
}

/// The same, as `partx` lists it; it counts what holds logical partitions as one of its own.
fn partx(disk: &Path, sector: u64) -> Vec<Row> {
    let sector = sector.to_string();
    let args = ["-g", "-r", "-S", &sector, "-o", "NR,START,SECTORS,TYPE,NAME"];
    let text = tool::run("partx", args, disk);
    let row = |line: &str| {
        let mut words = line.splitn(5, ' ');
        let mut number = || words.next().and_then(|word| word.parse().ok());
        let (n, start, sectors) = (number()?, number()?, number()?);
        let kind = words.next().unwrap_or_default();
        let name = words.next().unwrap_or_default().trim().to_owned();
        (kind != "0x5").then_some((u32::try_from(n).ok()?, start, sectors, name))
    };
    text.lines().filter_map(row).collect()
}

/// Everything that the groups of a filesystem say.
fn groups<S: ByteSource>(source: S) -> Vec<GroupReport> {
    let fs = Filesystem::open(source, OpenOptions::default()).expect("it opens");
    (0..fs.groups().len()).filter_map(|group| GroupReport::new(&fs, Group::new(group))).collect()
}

/// Holds a disk against `partx`, and its filesystems against the images that were put into it.
fn assert_alike(disk: &Disk, sector: u64, images: &[(u32, &Path)]) {
    let report = report(disk.path());
    assert_eq!(report.notes, [""; 0]);
    assert_eq!(u64::from(report.sector_bytes), sector);
    if tool::find("partx").is_some() {
        assert_eq!(rows(&report), partx(disk.path(), sector));
    } else {
        skip::aloud("partition tables against partx", "util-linux is not installed");
    }
    for (number, image) in images {
        let partition = report.partition(*number).expect("it is listed");
        assert!(partition.is_ext, "{partition:?}");
        let file = FileSource::open(disk.path()).expect("the disk can be read");
        let inside = Window::new(file, partition.offset, partition.bytes);
        let alone = FileSource::open(image).expect("the image can be read");
        assert_eq!(groups(inside), groups(alone), "partition {number}");
    }
}

#[test]
fn primary_and_logical_partitions_are_those_of_partx_and_open_as_they_are_alone() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "partitions of an MBR") {
        return;
    }
    let folder = recipe::scratch();
    let (small, large) = (SMALL.make(folder.path()), LARGE.make(folder.path()));
    let disk = Disk::new(&folder.path().join("mbr.img"), 512, 96 << 11);
    disk.write_mbr(
        &[(2048, disk.put(&small, 2048)), (10_000, disk.put(&large, 10_000))],
        &[(50_001, disk.put(&large, 50_001)), (100_001, disk.put(&small, 100_001))],
    );
    assert_alike(&disk, 512, &[(1, &small), (2, &large), (5, &large), (6, &small)]);
}

#[test]
fn entries_of_a_gpt_are_those_of_partx_in_either_sector_size() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "partitions of a GPT") {
        return;
    }
    let folder = recipe::scratch();
    let (small, large) = (SMALL.make(folder.path()), LARGE.make(folder.path()));
    for sector in [512, 4096] {
        let sectors = (32 << 20) / sector;
        let disk = Disk::new(&folder.path().join("gpt.img"), sector, sectors);
        let (first, third) = ((1 << 20) / sector, (4 << 20) / sector);
        disk.write_gpt(&[
            Some((first, disk.put(&small, first), "root")),
            None,
            Some((third, disk.put(&large, third), "wurzel")),
        ]);
        assert_alike(&disk, sector, &[(1, &small), (3, &large)]);

        // The copy at the end serves as well.
        disk.write(sector, &[0; 512]);
        let found = report(disk.path());
        assert_eq!(found.notes.len(), 1);
        assert!(found.partition(3).is_some_and(|it| it.is_ext && it.volume_name == "large"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever stands in the first sectors and the last, a disk is listed in bounded time and
    /// memory or is none.
    #[test]
    fn any_bytes_are_a_table_or_none(
        is_gpt: bool,
        patches in proptest::collection::vec((0_usize..3072, any::<u64>(), 1_usize..9), 0..12),
    ) {
        let folder = recipe::scratch();
        let disk = Disk::new(&folder.path().join("any.img"), 512, 4096);
        if is_gpt {
            disk.write_gpt(&[Some((64, 64, "a")), Some((200, 64, "b"))]);
        } else {
            disk.write_mbr(&[(64, 64)], &[(200, 100), (400, 100)]);
        }
        let mut bytes = std::fs::read(disk.path()).expect("the disk can be read");
        for (at, value, len) in patches {
            // Half of them where tables are, the rest in the record of a logical partition.
            let at = if at < 2560 { at } else { 199 * 512 + at - 2560 };
            bytes[at..][..len.min(8)].copy_from_slice(&value.to_le_bytes()[..len.min(8)]);
        }
        let found = run_to_end(DiskSearch::new(bytes)).expect("memory can be read");
        if let Some(disk) = &found {
            let report = DiskReport::new(disk);
            prop_assert!(report.partitions.len() <= extscope::limits::PARTITIONS);
        }
    }
}
