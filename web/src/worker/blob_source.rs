//! A browser's file as a source of bytes.

use std::cell::Cell;
use std::rc::Rc;

use extscope::io::{ByteSource, out_of_bounds};
use extscope::{Error, ErrorKind, Result};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DomException, FileReaderSync};

/// The largest whole number that a JavaScript number holds with all before it.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// A `Blob` or `File`, read slice by slice; only workers may do so.
#[derive(Clone, Debug)]
pub struct BlobSource {
    blob: Blob,
    reader: FileReaderSync,
    len: u64,
    /// Whether anything could be read yet; clones are the same file.
    was_read: Rc<Cell<bool>>,
}

impl BlobSource {
    /// Reads `blob`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] where there is no `FileReaderSync`.
    pub fn new(blob: Blob) -> Result<Self> {
        let reader = FileReaderSync::new().map_err(|_| {
            Error::new(ErrorKind::Unsupported, "this browser cannot read files in a worker")
        })?;
        // A Blob's size is a whole number below 2^53.
        let len = blob.size() as u64;
        Ok(Self { blob, reader, len, was_read: Rc::default() })
    }

    fn slice(&self, start: u64, end: u64) -> core::result::Result<Uint8Array, JsValue> {
        let slice = self.blob.slice_with_f64_and_f64(start as f64, end as f64)?;
        Ok(Uint8Array::new(self.reader.read_as_array_buffer(&slice)?.as_ref()))
    }
}

impl ByteSource for BlobSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let end = offset
            .checked_add(buf.len() as u64)
            .filter(|&end| end <= self.len && end <= MAX_SAFE)
            .ok_or_else(|| out_of_bounds(offset, self.len))?;
        let bytes = self
            .slice(offset, end)
            .map_err(|thrown| read_failed(&thrown, self.was_read.get()).at_offset(offset))?;
        if bytes.length() as usize != buf.len() {
            return Err(changed().at_offset(offset));
        }
        self.was_read.set(true);
        bytes.copy_to(buf);
        Ok(())
    }
}

/// What a failed read means to the person, who could read the file before or not. Browsers give a
/// folder no name of its own, nor a file that changed.
fn read_failed(thrown: &JsValue, was_read: bool) -> Error {
    let Some(exception) = thrown.dyn_ref::<DomException>() else {
        return Error::new(ErrorKind::Io, "the browser cannot read the file");
    };
    let error = match (exception.name().as_str(), was_read) {
        ("NotFoundError", true) => Error::new(
            ErrorKind::Io,
            "Reading failed: the file was moved or removed after it was opened",
        )
        .with_hint("Open it from where it is now."),
        ("NotReadableError", true) => changed(),
        ("NotFoundError" | "NotReadableError", false) => {
            Error::new(ErrorKind::Io, "the browser cannot read this").with_hint(
                "It may be a folder, or a file that was moved or that you may not read. An image \
                 is a single file.",
            )
        }
        _ => Error::new(ErrorKind::Io, "the browser cannot read the file"),
    };
    error.with_cause(exception.message())
}

fn changed() -> Error {
    Error::new(ErrorKind::Io, "Reading failed: the file changed on disk after it was opened")
        .with_hint("Open the file again, and leave it alone while it is open here.")
}
