//! A range of another source's bytes, such as a partition of a disk.

use super::source::{ByteSource, out_of_bounds};
use crate::error::Result;

/// A range of another source's bytes, seen as a source of its own.
#[derive(Clone, Debug)]
pub struct Window<S> {
    source: S,
    offset: u64,
    len: u64,
}

impl<S: ByteSource> Window<S> {
    /// `len` bytes from `offset` on, or as many as the source has.
    pub fn new(source: S, offset: u64, len: u64) -> Self {
        let len = source.len().saturating_sub(offset).min(len);
        Self { source, offset, len }
    }

    /// Everything.
    pub fn whole(source: S) -> Self {
        Self::new(source, 0, u64::MAX)
    }

    /// Byte of the source at which it begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<S: ByteSource> ByteSource for Window<S> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let outside = || out_of_bounds(offset, self.len);
        let end = u64::try_from(buf.len()).ok().and_then(|len| offset.checked_add(len));
        end.filter(|end| *end <= self.len).ok_or_else(outside)?;
        let at = self.offset.checked_add(offset).ok_or_else(outside)?;
        // Whoever reads the window counts from its start.
        self.source.read_at(at, buf).map_err(|error| error.at_offset(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn read(window: &Window<Vec<u8>>, offset: u64, len: usize) -> Result<Vec<u8>> {
        let mut buf = vec![0; len];
        window.read_at(offset, &mut buf).map(|()| buf)
    }

    #[test]
    fn bytes_are_counted_from_its_start_and_end_with_it() {
        let window = Window::new((0..100).collect::<Vec<u8>>(), 10, 20);
        assert_eq!(window.len(), 20);
        assert_eq!(read(&window, 0, 3).unwrap(), [10, 11, 12]);
        assert_eq!(read(&window, 18, 2).unwrap(), [28, 29]);
        for (offset, len) in [(18, 3), (21, 0), (u64::MAX, 1)] {
            let error = read(&window, offset, len).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfBounds);
            assert_eq!(error.at().offset.map(|at| at.get()), Some(offset));
        }
    }

    #[test]
    fn it_is_no_longer_than_its_source() {
        let bytes = || vec![7; 100];
        assert_eq!(Window::whole(bytes()).len(), 100);
        assert_eq!(Window::new(bytes(), 90, u64::MAX).len(), 10);
        assert!(Window::new(bytes(), 200, 10).is_empty());
        assert!(read(&Window::new(bytes(), u64::MAX, 10), 0, 1).is_err());
    }

    #[test]
    fn where_a_source_fails_is_told_by_the_window_s_own_count() {
        struct Broken;
        impl ByteSource for Broken {
            fn len(&self) -> u64 {
                1000
            }
            fn read_at(&self, offset: u64, _: &mut [u8]) -> Result<()> {
                Err(crate::Error::new(ErrorKind::Io, "broken").at_offset(offset))
            }
        }
        let error = Window::new(Broken, 100, 100).read_at(5, &mut [0]).unwrap_err();
        assert_eq!(error.at().offset.map(|at| at.get()), Some(5));
    }
}
