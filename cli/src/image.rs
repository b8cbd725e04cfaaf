//! Opening the image that was named, and reading files of it.

use std::io::Write;
use std::path::Path;

use extscope::fs::journal::{HeldBack, JournalPlace, Recovery};
use extscope::fs::{
    Backup, BackupSearch, Backups, DataPiece, DiskSearch, FileData, Filesystem, Inode, OpenOptions,
};
use extscope::io::{Covers, Overlay, Window};
use extscope::report::DiskReport;
use extscope::task::run_to_end;
use extscope::{Error, ErrorKind};

use crate::args::{ImageArgs, PlaceArgs};
use crate::failure::Failure;
use crate::host::Host;

/// An opened image, as it is or as after its journal is replayed.
pub(crate) type Image = Filesystem<Overlay<Source>>;

/// The part of a file or of a scenario in which the filesystem lies.
pub(crate) type Source = Window<Host>;

/// Opens a file where the filesystem is said to lie.
pub(crate) fn source(path: &Path, place: &PlaceArgs) -> Result<Source, Error> {
    let file = Host::open(path)?;
    let Some(number) = place.partition else {
        return Ok(Window::new(file, place.offset.unwrap_or(0), u64::MAX));
    };
    let Some(disk) = find_disk(&file)? else {
        return Err(Error::new(ErrorKind::OutOfBounds, "there is no partition table"));
    };
    let Some(partition) = disk.partition(number) else {
        let numbers: Vec<_> = disk.partitions.iter().map(|it| it.number.to_string()).collect();
        let what = format!("there is no partition {number}");
        return Err(Error::new(ErrorKind::OutOfBounds, what).with_hint(format!(
            "The {} has partitions {}.",
            disk.table,
            numbers.join(", ")
        )));
    };
    Ok(Window::new(file, partition.offset, partition.bytes))
}

/// The partitions of a disk; `None` where there is no table.
pub(crate) fn find_disk(file: &Host) -> Result<Option<DiskReport>, Error> {
    let disk = run_to_end(DiskSearch::new(file))?;
    Ok(disk.as_ref().map(DiskReport::new))
}

/// Opens the image; when its primary superblock is of no use, looks for backups to offer.
///
/// With `--replayed` or `--journal` it is opened as after replay; without, a journal that waits for it
/// is told of on standard error.
pub(crate) fn open(args: &ImageArgs) -> Result<Image, Failure> {
    let image = open_as_it_is(args)?;
    if !args.how.wants_replay() {
        if image.needs_recovery() {
            eprintln!(
                "extscope: {}: the journal holds changes that are not in place yet; this is from \
                 before them. With --replayed it is as after them.",
                args.path.display()
            );
        }
        return Ok(image);
    }
    let Some(covers) = replay(args, &image)? else { return Ok(image) };
    let fail = |error| Failure::image(&args.path, error);
    let source = source(&args.path, &args.how.place).map_err(fail)?;
    Filesystem::open(Overlay::new(source, covers), args.how.options()).map_err(fail)
}

/// An image for a check, which opens it by itself.
pub(crate) struct ToCheck {
    /// The image, as it is or as after replay.
    pub(crate) source: Overlay<Source>,
    /// The device with its journal, where one was named.
    pub(crate) journal: Option<Overlay<Source>>,
    /// Whether it is as after replay.
    pub(crate) is_replayed: bool,
}

/// The image for a check. What is wrong with a journal that does not wait for replay is for the
/// check to tell.
pub(crate) fn to_check(args: &ImageArgs) -> Result<ToCheck, Failure> {
    let fail = |error| Failure::image(&args.path, error);
    let source = source(&args.path, &args.how.place).map_err(fail)?;
    let covers = if args.how.wants_replay() {
        let image = open_as_it_is(args)?;
        let is_due = args.how.replayed || image.needs_recovery();
        if is_due { replay(args, &image)? } else { None }
    } else {
        None
    };
    let journal = args.how.journal.as_deref().map(device).transpose()?;
    let is_replayed = covers.is_some();
    let source = Overlay::new(source, covers.unwrap_or_default());
    Ok(ToCheck { source, journal: journal.map(Overlay::from), is_replayed })
}

/// The image of a device with a journal.
fn device(path: &Path) -> Result<Source, Failure> {
    let host = Host::open(path).map_err(|error| Failure::image(path, error))?;
    Ok(Window::whole(host))
}

/// What the journal puts over the image; `None` when nothing is to be replayed.
fn replay(args: &ImageArgs, image: &Image) -> Result<Option<Covers>, Failure> {
    let fail = |error| Failure::image(&args.path, error);
    let recovered = match &args.how.journal {
        None if image.journal_place() == JournalPlace::None => return Ok(None),
        None => Recovery::new(image).and_then(run_to_end).map_err(fail)?,
        Some(path) => {
            let fail = |error| Failure::image(path, error);
            let device = Filesystem::open(Overlay::from(device(path)?), OpenOptions::default());
            let device = device.map_err(fail)?;
            Recovery::with_device(image, &device).and_then(run_to_end).map_err(fail)?
        }
    };
    match &recovered.held_back {
        None => {}
        Some(reason @ HeldBack::NotDue) => {
            eprintln!("extscope: {}: nothing is replayed: {}", args.path.display(), reason.error());
            return Ok(None);
        }
        Some(reason) => return Err(fail(reason.error())),
    }
    for fault in &recovered.faults {
        eprintln!("extscope: {}: not replayed: {fault}", args.path.display());
    }
    if recovered.fast_commits > 0 {
        eprintln!(
            "extscope: {}: fast commits that are not replayed: {}",
            args.path.display(),
            recovered.fast_commits
        );
    }
    Ok(Some(recovered.covers))
}

fn open_as_it_is(args: &ImageArgs) -> Result<Image, Failure> {
    let options = args.how.options();
    let fail = |error| Failure::image(&args.path, error);
    let source = source(&args.path, &args.how.place).map_err(fail)?;
    Filesystem::open(Overlay::from(source), options).map_err(|error| {
        if options.superblock.is_some() || !Backups::may_help(&error) {
            return fail(error);
        }
        // A search that fails as well leaves the first reason the better one.
        if args.how.place.is_whole() && error.kind() == ErrorKind::NotExt {
            let disk = Host::open(&args.path).and_then(|file| find_disk(&file));
            if let Ok(Some(disk)) = disk {
                return Failure::Disk { path: args.path.clone(), error, disk };
            }
        }
        let (path, place) = (args.path.clone(), args.how.place.clone());
        match find_backups(args) {
            Ok(backups) if backups.is_empty() => fail(Backups::missing(error)),
            Ok(backups) => Failure::Backups { path, place, error, backups },
            Err(_) => fail(error),
        }
    })
}

/// The backups that make sense.
fn find_backups(args: &ImageArgs) -> extscope::Result<Vec<Backup>> {
    let search = BackupSearch::new(source(&args.path, &args.how.place)?)?;
    Ok(run_to_end(search)?.found.into_iter().filter(|backup| backup.is_plausible).collect())
}

/// Writes the bytes of a file, piece by piece; holes as zeros.
pub(crate) fn write_contents(
    args: &ImageArgs,
    image: &Image,
    inode: &Inode,
    out: &mut impl Write,
) -> Result<(), Failure> {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    let fail = |error: Error| Failure::image(&args.path, error.at_ino(inode.ino));
    let mut data = FileData::new(image, inode, 0..u64::MAX).map_err(fail)?;
    while let Some(piece) = data.next_piece(image) {
        match piece.map_err(fail)? {
            DataPiece::Bytes(bytes) => out.write_all(&bytes)?,
            DataPiece::Zeros(mut left) => {
                while left > 0 {
                    let len = left.min(ZEROS.len() as u64);
                    out.write_all(&ZEROS[..len as usize])?;
                    left -= len;
                }
            }
        }
    }
    Ok(())
}
