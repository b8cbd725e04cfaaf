//! What was read of a source, to the byte.

use std::cell::RefCell;
use std::rc::Rc;

use extscope::Result;
use extscope::bitmap::{Bits, BitsMut, RunBitmap};
use extscope::io::{ByteSource, Piece};

/// A source that notes what is read of it. Clones note in the same place, so that what a check
/// reads, which opens the image for itself, is noted too.
#[derive(Clone, Debug)]
pub(super) struct Logged<S> {
    source: S,
    read: Rc<RefCell<RunBitmap>>,
}

impl<S: ByteSource> Logged<S> {
    /// Nothing of it was read yet.
    pub(super) fn new(source: S) -> Self {
        let read = RunBitmap::new(source.len());
        Self { source, read: Rc::new(RefCell::new(read)) }
    }

    fn note(&self, offset: u64, len: usize) {
        self.read.borrow_mut().mark_range(offset..offset.saturating_add(len as u64));
    }

    /// The ranges of bytes, first and end, that were read since this was asked for last.
    pub(super) fn take(&self) -> Vec<(u64, u64)> {
        let read = self.read.replace(RunBitmap::new(self.source.len()));
        read.set_runs().map(|run| (run.start, run.end)).collect()
    }
}

impl<S: ByteSource> ByteSource for Logged<S> {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.source.read_at(offset, buf)?;
        self.note(offset, buf.len());
        Ok(())
    }

    fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
        self.source.read_pieces(pieces)?;
        pieces.iter().for_each(|piece| self.note(piece.offset, piece.bytes.len()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_told_once_and_clones_tell_it_together() {
        let source = Logged::new(vec![7_u8; 100]);
        let read = |source: &Logged<Vec<u8>>, at, len| source.read_at(at, &mut vec![0; len]);
        assert_eq!(read(&source, 10, 5), Ok(()));
        assert_eq!(read(&source.clone(), 15, 5), Ok(()));
        assert!(read(&source, 99, 5).is_err());
        assert_eq!(source.take(), [(10, 20)]);
        let mut pieces = [30, 50].map(|offset| Piece { offset, bytes: vec![0; 2] });
        assert_eq!(source.read_pieces(&mut pieces), Ok(()));
        assert_eq!(source.take(), [(30, 32), (50, 52)]);
        assert_eq!(source.take(), []);
    }
}
