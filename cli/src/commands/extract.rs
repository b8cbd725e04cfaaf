//! `extscope extract`: a file, or a folder as a tar archive.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use extscope::export::TarStream;
use extscope::fs::{DataPiece, FileData, Inode};
use extscope::ondisk::FileType;
use extscope::report::{bytes, grouped};
use extscope::{Error, ErrorKind};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::image::{self, Image};
use crate::interrupt::Unfinished;
use crate::output::{self, Overwrite};
use crate::progress::Shown;

/// What to save, of which image, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Path from the root, or inode number; symbolic links are followed
    file: FileName,

    /// Write to this file; without it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,
}

/// Saves a file byte for byte, its holes as holes where the output is a file; or a folder as a tar
/// archive with owners, modes, times, links, attributes and holes.
pub(crate) fn run(args: &ExtractArgs, out: &mut impl Write) -> Result<(), Failure> {
    let image = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    let inode = args.file.find(&image, true).map_err(fail)?;
    let is_file = inode.file_type() == Some(FileType::RegFile);
    if !is_file && !inode.is_dir() {
        let what = "neither a file nor a folder, so there is nothing to save";
        return Err(fail(Error::new(ErrorKind::Unsupported, what).at_ino(inode.ino)));
    }
    match &args.output {
        Some(path) => {
            let mut file = output::create(path, &args.image, args.overwrite)?;
            let _unfinished = Unfinished::new(path);
            if is_file {
                save_sparse(args, &image, &inode, &mut file)
            } else {
                archive(args, &image, &inode, &mut file)
            }
        }
        None if is_file => image::write_contents(&args.image, &image, &inode, out),
        None => archive(args, &image, &inode, out),
    }
}

/// Writes a file and leaves its holes out.
fn save_sparse(
    args: &ExtractArgs,
    image: &Image,
    inode: &Inode,
    file: &mut File,
) -> Result<(), Failure> {
    let fail = |error: Error| Failure::image(&args.image.path, error.at_ino(inode.ino));
    let mut data = FileData::new(image, inode, 0..u64::MAX).map_err(fail)?;
    let mut at = 0;
    let mut shown = Shown::new("Saving");
    while let Some(piece) = data.next_piece(image) {
        let piece = piece.map_err(fail)?;
        if let DataPiece::Bytes(written) = &piece {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(written)?;
        }
        at += piece.len();
        shown.tell(|| bytes(at));
    }
    shown.clear();
    file.set_len(at)?;
    Ok(())
}

/// Writes a folder as an archive, piece by piece, and tells what could not be read.
fn archive(
    args: &ExtractArgs,
    image: &Image,
    folder: &Inode,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let fail = |error| Failure::image(&args.image.path, error);
    let mut stream = TarStream::new(image, folder).map_err(fail)?;
    let mut shown = Shown::new("Saving");
    while let Some(piece) = stream.next_piece() {
        out.write_all(&piece)?;
        let counts = stream.counts();
        shown.tell(|| format!("{} entries, {}", grouped(counts.entries), bytes(counts.bytes)));
    }
    shown.clear();
    let counts = stream.counts();
    if counts.sockets > 0 {
        eprintln!("extscope: sockets left out: {}", grouped(counts.sockets));
    }
    for fault in stream.faults() {
        eprintln!("extscope: not saved as it should be: {fault}");
    }
    if counts.faults > 0 {
        let what = format!("{} things could not be saved as they should be", counts.faults);
        return Err(fail(Error::new(ErrorKind::Corrupt, what)));
    }
    Ok(())
}
