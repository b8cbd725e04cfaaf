//! `extscope partitions`: the partitions of a whole disk.

use std::io::Write;
use std::path::PathBuf;

use extscope::report::{DiskReport, PartitionReport, bytes, grouped};
use extscope::{Error, ErrorKind};

use crate::failure::Failure;
use crate::host::Host;
use crate::{image, json};

/// A disk and how to report on it.
#[derive(Debug, clap::Args)]
pub(crate) struct PartitionsArgs {
    /// File or block device with the whole disk
    #[arg(value_name = "DISK")]
    path: PathBuf,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// Lists the partitions of a disk.
pub(crate) fn run(args: &PartitionsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let found = Host::open(&args.path).and_then(|file| image::find_disk(&file));
    let disk = found.and_then(|disk| {
        disk.ok_or_else(|| Error::new(ErrorKind::OutOfBounds, "there is no partition table"))
    });
    let disk = disk.map_err(|error| Failure::image(&args.path, error))?;
    if args.json {
        return json::write(&disk, out);
    }
    let DiskReport { table, disk_bytes, sector_bytes, .. } = &disk;
    writeln!(out, "{table} on {}, sectors of {sector_bytes} bytes", bytes(*disk_bytes))?;
    for note in &disk.notes {
        writeln!(out, "{note}")?;
    }
    for partition in &disk.partitions {
        writeln!(out, "{}", line(partition))?;
    }
    Ok(())
}

/// A partition in a line.
pub(crate) fn line(partition: &PartitionReport) -> String {
    let names = [&partition.volume_name, &partition.name, &partition.purpose];
    let name = names.into_iter().find(|name| !name.is_empty());
    let name = name.map(|name| format!(", {name}")).unwrap_or_default();
    let note = partition.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    format!(
        "{:>4}  {:>10} from byte {:>18}  {}{name}{note}",
        partition.number,
        bytes(partition.bytes),
        grouped(partition.offset),
        partition.contents
    )
}
