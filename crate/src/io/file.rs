//! A file or block device of the host as a source of bytes.

use std::fs::File;
use std::io::{ErrorKind as IoKind, Seek, SeekFrom};
use std::path::Path;

use super::source::{ByteSource, out_of_bounds};
use crate::error::{Error, ErrorKind, Result};

/// A file or block device, opened for reading only.
///
/// The length is where seeking to the end arrives, since a block device's metadata says 0.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    len: u64,
}

impl FileSource {
    /// Opens the file or block device at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when it is not there, may not be read, is a directory, or cannot be read
    /// at any offset (a pipe).
    pub fn open(path: &Path) -> Result<Self> {
        let cannot = |cause: std::io::Error| {
            Error::new(ErrorKind::Io, "the file cannot be opened").with_cause(cause)
        };
        let mut file = File::open(path).map_err(cannot)?;
        if file.metadata().map_err(cannot)?.is_dir() {
            return Err(Error::new(ErrorKind::Io, "this is a directory")
                .with_hint("Name an image file or a block device."));
        }
        let len = file.seek(SeekFrom::End(0)).map_err(|cause| {
            cannot(cause).with_hint("An image is read at any offset; save a pipe to a file first.")
        })?;
        Ok(Self { file, len })
    }
}

impl ByteSource for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let end = u64::try_from(buf.len()).ok().and_then(|len| offset.checked_add(len));
        if end.is_none_or(|end| end > self.len) {
            return Err(out_of_bounds(offset, self.len));
        }
        read_exact_at(&self.file, buf, offset).map_err(|cause| {
            let what = if cause.kind() == IoKind::UnexpectedEof {
                "the file became shorter after it was opened"
            } else {
                "the file cannot be read"
            };
            Error::new(ErrorKind::Io, what).at_offset(offset).with_cause(cause)
        })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buf: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buf, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buf: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !buf.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buf, offset)?;
        let advance = u64::try_from(read).map_err(std::io::Error::other)?;
        buf = match buf.split_at_mut_checked(read) {
            Some((_, rest)) if read > 0 => rest,
            _ => return Err(IoKind::UnexpectedEof.into()),
        };
        offset = offset.saturating_add(advance);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn scratch(name: &str, bytes: &[u8]) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("extscope-{}-{name}", std::process::id()));
        File::create(&path).and_then(|mut file| file.write_all(bytes)).expect("scratch file");
        path
    }

    #[test]
    fn reads_at_an_offset_and_never_past_the_end() {
        let path = scratch("offset", b"0123456789");
        let source = FileSource::open(&path).expect("opens");
        assert_eq!(source.len(), 10);
        let mut buf = [0; 3];
        source.read_at(7, &mut buf).expect("reads");
        assert_eq!(&buf, b"789");
        assert_eq!(source.read_at(8, &mut buf).unwrap_err().kind(), ErrorKind::OutOfBounds);
        assert_eq!(source.read_at(u64::MAX, &mut buf).unwrap_err().kind(), ErrorKind::OutOfBounds);
        std::fs::remove_file(path).expect("removes");
    }

    #[test]
    fn a_file_cut_after_opening_is_told() {
        let path = scratch("cut", &[1; 100]);
        let source = FileSource::open(&path).expect("opens");
        File::create(&path).expect("cuts");
        let error = source.read_at(0, &mut [0; 50]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.what(), "the file became shorter after it was opened");
        std::fs::remove_file(path).expect("removes");
    }

    #[test]
    fn directories_and_missing_files_are_refused() {
        let directory = FileSource::open(&std::env::temp_dir()).unwrap_err();
        assert_eq!(directory.what(), "this is a directory");
        let missing = FileSource::open(Path::new("no/such/image")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::Io);
        assert!(missing.cause().is_some());
    }
}
