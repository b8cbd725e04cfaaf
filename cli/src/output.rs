//! Files that are written, and never the image, or a device.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::interrupt::Unfinished;

/// Whether a file that is there may be lost.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Overwrite {
    /// Write over a file that is there already
    #[arg(long)]
    pub(crate) force: bool,
}

/// Has a file written that [`create`] made, as [`finish`] does.
///
/// # Errors
/// Those of [`create`], and what `write` says.
pub(crate) fn write<T>(
    path: &Path,
    image: &ImageArgs,
    overwrite: Overwrite,
    write: impl FnOnce(&mut File) -> Result<T, Failure>,
) -> Result<T, Failure> {
    finish(path, create(path, image, overwrite)?, write)
}

/// Has a file written, and takes it away where that is interrupted or ends with an error.
///
/// # Errors
/// What `write` says.
pub(crate) fn finish<T>(
    path: &Path,
    mut file: File,
    write: impl FnOnce(&mut File) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let unfinished = Unfinished::new(path);
    let written = write(&mut file);
    if written.is_err() {
        unfinished.remove();
    }
    written
}

/// Creates `path`, as [`open`] does, unless it is what [`check`] refuses.
///
/// # Errors
/// Those of both.
pub(crate) fn create(path: &Path, image: &ImageArgs, overwrite: Overwrite) -> io::Result<File> {
    check(path, image, overwrite)?;
    open(path, overwrite)
}

/// Tells ahead of long work that its result could not be written.
///
/// # Errors
/// `path` is the image, its journal or the file behind the image's loop device; it is a folder or a
/// block device; or it is a file and is to stay.
pub(crate) fn check(path: &Path, image: &ImageArgs, overwrite: Overwrite) -> io::Result<()> {
    let behind = file_behind(&image.path);
    let read = [Some(&image.path), image.how.journal.as_ref(), behind.as_ref()];
    if read.into_iter().flatten().any(|read| is_same_file(path, read)) {
        let what = format!("{} is read; nothing is written to it", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    refuse(path, |there| there.is_dir() || is_block_device(there))?;
    if !overwrite.force && path.is_file() { Err(is_there(path)) } else { Ok(()) }
}

/// Opens a new file, or one to be emptied where that is asked for. Pipes and terminals keep
/// nothing that could be lost.
///
/// # Errors
/// A file is there, or none can be created.
pub(crate) fn open(path: &Path, overwrite: Overwrite) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    let is_stream = fs::metadata(path).is_ok_and(|there| !there.is_file());
    match overwrite.force || is_stream {
        true => options.create(true).truncate(true),
        false => options.create_new(true),
    };
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => is_there(path),
        _ => named(path, &error),
    })
}

fn is_there(path: &Path) -> io::Error {
    let what = format!("{} is there already; --force writes over it", path.display());
    io::Error::new(io::ErrorKind::AlreadyExists, what)
}

/// Refuses to write over what is there when that is of the wrong kind.
///
/// # Errors
/// It is.
pub(crate) fn refuse(path: &Path, is_wrong: impl Fn(&Metadata) -> bool) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if is_wrong(&there) => {
            let what = if there.is_dir() { "a folder" } else { "a device or a pipe" };
            let what = format!("{} is {what}, and no file", path.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
        _ => Ok(()),
    }
}

/// The error of a file, with its name.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The file behind a loop device, or behind a partition of one. Ref: `loop/backing_file` in sysfs.
fn file_behind(device: &Path) -> Option<PathBuf> {
    fs::metadata(device).ok().filter(is_block_device)?;
    let name = fs::canonicalize(device).ok()?;
    let block = fs::canonicalize(Path::new("/sys/class/block").join(name.file_name()?)).ok()?;
    let read = |folder: &Path| fs::read_to_string(folder.join("loop/backing_file")).ok();
    let file = read(&block).or_else(|| read(block.parent()?))?;
    Some(PathBuf::from(file.trim_end_matches('\n')))
}

#[cfg(unix)]
fn is_block_device(there: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    there.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_block_device(_: &Metadata) -> bool {
    false
}

/// Whether both names lead to one file, as hard links do.
#[cfg(unix)]
fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |path: &Path| fs::metadata(path).map(|data| (data.dev(), data.ino()));
    matches!((id(a), id(b)), (Ok(a), Ok(b)) if a == b)
}

/// Whether both names lead to one file, as far as paths tell.
#[cfg(not(unix))]
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
