//! A range of another source's bytes, such as a partition of a disk.

use super::source::{ByteSource, Piece, out_of_bounds};
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

impl<S> Window<S> {
    /// Where in the source `len` bytes from `offset` on begin.
    fn place(&self, offset: u64, len: usize) -> Result<u64> {
        let end = u64::try_from(len).ok().and_then(|len| offset.checked_add(len));
        end.filter(|end| *end <= self.len)
            .and_then(|_| self.offset.checked_add(offset))
            .ok_or_else(|| out_of_bounds(offset, self.len))
    }
}

impl<S: ByteSource> ByteSource for Window<S> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let at = self.place(offset, buf.len())?;
        self.source.read_at(at, buf).map_err(|error| error.at_offset(offset))
    }

    fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
        for piece in pieces.iter_mut() {
            self.place(piece.offset, piece.bytes.len())?;
        }
        let shift = |pieces: &mut [Piece], by: fn(u64, u64) -> u64| {
            pieces.iter_mut().for_each(|piece| piece.offset = by(piece.offset, self.offset));
        };
        shift(pieces, u64::wrapping_add);
        let read = self.source.read_pieces(pieces);
        shift(pieces, u64::wrapping_sub);
        read
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
    fn pieces_are_counted_from_its_start_too() {
        let window = Window::new((0..100).collect::<Vec<u8>>(), 10, 20);
        let piece = |offset, len| Piece { offset, bytes: vec![0; len] };
        let mut pieces = [piece(18, 2), piece(0, 1)];
        window.read_pieces(&mut pieces).unwrap();
        let due = [Piece { offset: 18, bytes: vec![28, 29] }, Piece { offset: 0, bytes: vec![10] }];
        assert_eq!(pieces, due);
        assert!(window.read_pieces(&mut [piece(19, 2)]).is_err());
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
