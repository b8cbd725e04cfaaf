//! A host's bytes, read at an offset.

use std::rc::Rc;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};

/// Bytes of a known length that can be read at any offset.
///
/// Reading takes `&self`, since a file, a slice and a browser's `Blob` all read without being
/// changed; a source that keeps state keeps it inside.
pub trait ByteSource {
    /// Length in bytes.
    fn len(&self) -> u64;

    /// Fills `buf` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] when the range is not wholly inside, [`ErrorKind::Io`] when the
    /// host cannot read.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()>;

    /// Fills several pieces, in one go where the host can.
    ///
    /// # Errors
    /// Those of [`Self::read_at`] for the first that cannot be filled; what the others hold then
    /// is left open.
    fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
        pieces.iter_mut().try_for_each(|piece| self.read_at(piece.offset, &mut piece.bytes))
    }

    /// Whether there are no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A part of a source, to be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins.
    pub offset: u64,
    /// As many bytes as it has.
    pub bytes: Vec<u8>,
}

macro_rules! source_behind {
    ($($pointer:ty),*) => {$(
        impl<S: ByteSource + ?Sized> ByteSource for $pointer {
            fn len(&self) -> u64 {
                (**self).len()
            }

            fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
                (**self).read_at(offset, buf)
            }

            fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
                (**self).read_pieces(pieces)
            }
        }
    )*};
}

source_behind!(&S, Box<S>, Rc<S>, Arc<S>);

impl ByteSource for [u8] {
    fn len(&self) -> u64 {
        u64::try_from(<[u8]>::len(self)).unwrap_or(u64::MAX)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..start.checked_add(buf.len())?))
            .ok_or_else(|| out_of_bounds(offset, ByteSource::len(self)))?;
        buf.copy_from_slice(bytes);
        Ok(())
    }
}

impl ByteSource for Vec<u8> {
    fn len(&self) -> u64 {
        ByteSource::len(self.as_slice())
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.as_slice().read_at(offset, buf)
    }
}

/// The error for a range that is not wholly inside a source of `len` bytes.
pub fn out_of_bounds(offset: u64, len: u64) -> Error {
    Error::new(ErrorKind::OutOfBounds, format!("the image ends at byte {len}"))
        .at_offset(offset)
        .with_hint("The image is shorter than the filesystem says; look for a complete copy.")
}
