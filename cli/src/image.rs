//! Opening the image that was named, and reading files of it.

use std::io::Write;

use extscope::Error;
use extscope::fs::journal::{HeldBack, JournalPlace, Recovery};
use extscope::fs::{Backup, BackupSearch, Backups, DataPiece, FileData, Filesystem, Inode};
use extscope::io::{FileSource, Overlay};
use extscope::task::run_to_end;

use crate::args::ImageArgs;
use crate::failure::Failure;

/// An opened image, as it is or as after its journal is replayed.
pub(crate) type Image = Filesystem<Overlay<FileSource>>;

/// Opens the image; when its primary superblock is of no use, looks for backups to offer.
///
/// With `--replayed` it is opened as after replay; without, a journal that waits for it is told of
/// on standard error.
pub(crate) fn open(args: &ImageArgs) -> Result<Image, Failure> {
    let image = open_as_it_is(args)?;
    if !args.replayed {
        if image.needs_recovery() {
            eprintln!(
                "extscope: {}: the journal holds changes that are not in place yet; this is from \
                 before them. With --replayed it is as after them.",
                args.path.display()
            );
        }
        return Ok(image);
    }
    if image.journal_place() == JournalPlace::None {
        return Ok(image);
    }
    let fail = |error| Failure::image(&args.path, error);
    let recovered = Recovery::new(&image).and_then(run_to_end).map_err(fail)?;
    match &recovered.held_back {
        None => {}
        Some(reason @ HeldBack::NotDue) => {
            eprintln!("extscope: {}: nothing is replayed: {}", args.path.display(), reason.error());
            return Ok(image);
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
    let source = FileSource::open(&args.path).map_err(fail)?;
    Filesystem::open(Overlay::new(source, recovered.covers), args.options()).map_err(fail)
}

fn open_as_it_is(args: &ImageArgs) -> Result<Image, Failure> {
    let options = args.options();
    let fail = |error: Error, backups| Failure::Image { path: args.path.clone(), error, backups };
    let source = FileSource::open(&args.path).map_err(|error| fail(error, Vec::new()))?;
    Filesystem::open(Overlay::from(source), options).map_err(|error| {
        if options.superblock.is_some() || !Backups::may_help(&error) {
            return fail(error, Vec::new());
        }
        match find_backups(args) {
            Ok(backups) if backups.is_empty() => fail(Backups::missing(error), backups),
            Ok(backups) => fail(error, backups),
            // A search that fails as well leaves the first reason the better one.
            Err(_) => fail(error, Vec::new()),
        }
    })
}

/// The backups that make sense.
fn find_backups(args: &ImageArgs) -> extscope::Result<Vec<Backup>> {
    let search = BackupSearch::new(FileSource::open(&args.path)?)?;
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
