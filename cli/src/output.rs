//! Files that are written, and never the image.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::failure::Failure;
use crate::interrupt::Unfinished;

/// Has a file written that [`create`] made, as [`finish`] does.
///
/// # Errors
/// It is the image; it cannot be created; or what `write` says.
pub(crate) fn write<T>(
    path: &Path,
    image: &Path,
    write: impl FnOnce(&mut File) -> Result<T, Failure>,
) -> Result<T, Failure> {
    finish(path, create(path, image)?, write)
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

/// Creates `path`, or empties what is there, unless that is the image.
///
/// # Errors
/// It is the image; or it cannot be created.
pub(crate) fn create(path: &Path, image: &Path) -> io::Result<File> {
    if is_same_file(path, image) {
        let what = format!("{} is the image; nothing is written to it", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    File::create(path)
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
