//! A browser's file as a source of bytes.

use std::cell::Cell;
use std::rc::Rc;

use extscope::io::{ByteSource, Piece, out_of_bounds};
use extscope::{Error, ErrorKind, Result};
use js_sys::{Array, Uint8Array};
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

    /// `len` bytes from `offset` on, not read yet.
    fn slice(&self, offset: u64, len: usize) -> Result<Blob> {
        let end = offset
            .checked_add(len as u64)
            .filter(|&end| end <= self.len && end <= MAX_SAFE)
            .ok_or_else(|| out_of_bounds(offset, self.len))?;
        let slice = self.blob.slice_with_f64_and_f64(offset as f64, end as f64);
        slice.map_err(|thrown| read_failed(&thrown, self.was_read.get()).at_offset(offset))
    }

    /// The `len` bytes that a slice, or several behind one another, have; they begin at `offset`.
    fn read(&self, slice: &Blob, offset: u64, len: usize) -> Result<Uint8Array> {
        let bytes = self
            .reader
            .read_as_array_buffer(slice)
            .map_err(|thrown| read_failed(&thrown, self.was_read.get()).at_offset(offset))?;
        let bytes = Uint8Array::new(bytes.as_ref());
        if bytes.length() as usize != len {
            return Err(changed().at_offset(offset));
        }
        self.was_read.set(true);
        Ok(bytes)
    }
}

impl ByteSource for BlobSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let slice = self.slice(offset, buf.len())?;
        self.read(&slice, offset, buf.len())?.copy_to(buf);
        Ok(())
    }

    /// As one Blob of all the slices, for most of what a read costs is the asking.
    fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
        let slices = Array::new();
        let mut len = 0;
        for piece in pieces.iter() {
            slices.push(self.slice(piece.offset, piece.bytes.len())?.as_ref());
            len += piece.bytes.len();
        }
        let offset = pieces.first().map_or(0, |piece| piece.offset);
        let all = Blob::new_with_blob_sequence(&slices)
            .map_err(|thrown| read_failed(&thrown, self.was_read.get()).at_offset(offset))?;
        let bytes = self.read(&all, offset, len)?;
        let mut at = 0;
        for piece in pieces {
            let end = at + piece.bytes.len() as u32;
            bytes.subarray(at, end).copy_to(&mut piece.bytes);
            at = end;
        }
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
