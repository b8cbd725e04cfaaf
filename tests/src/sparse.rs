//! An image of any length that is zeros but for a few pieces.

use extscope::Result;
use extscope::io::{ByteSource, out_of_bounds};

/// Zeros, and pieces of other bytes between them.
#[derive(Clone, Debug)]
pub struct Sparse {
    len: u64,
    pieces: Vec<(u64, Vec<u8>)>,
}

impl Sparse {
    /// So many zeros.
    #[must_use]
    pub fn new(len: u64) -> Self {
        Self { len, pieces: Vec::new() }
    }

    /// Puts bytes at an offset.
    pub fn put(&mut self, at: u64, bytes: impl Into<Vec<u8>>) {
        self.pieces.push((at, bytes.into()));
    }
}

impl ByteSource for Sparse {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let end = offset + buf.len() as u64;
        if end > self.len {
            return Err(out_of_bounds(offset, self.len));
        }
        buf.fill(0);
        for (at, bytes) in &self.pieces {
            let both = offset.max(*at)..end.min(at + bytes.len() as u64);
            if !both.is_empty() {
                let len = (both.end - both.start) as usize;
                let (from, to) = ((both.start - at) as usize, (both.start - offset) as usize);
                buf[to..to + len].copy_from_slice(&bytes[from..from + len]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_lie_between_zeros() {
        let mut source = Sparse::new(1 << 44);
        source.put(1 << 43, [1, 2, 3]);
        let mut bytes = [9; 5];
        source.read_at((1 << 43) - 1, &mut bytes).expect("inside");
        assert_eq!(bytes, [0, 1, 2, 3, 0]);
        assert!(source.read_at((1 << 44) - 4, &mut bytes).is_err());
    }
}
