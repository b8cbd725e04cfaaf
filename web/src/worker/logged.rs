//! What was read of a source, to the byte.

use std::cell::RefCell;
use std::rc::Rc;

use extscope::Result;
use extscope::bitmap::{Bits, BitsMut, RunBitmap};
use extscope::io::ByteSource;

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
        self.read.borrow_mut().mark_range(offset..offset.saturating_add(buf.len() as u64));
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
        assert_eq!(source.take(), []);
    }
}
