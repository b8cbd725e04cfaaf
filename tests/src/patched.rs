//! An image with some bytes changed, without copying it.

use std::ops::Range;

use extscope::io::{ByteSource, out_of_bounds};
use extscope::{Error, Result};

/// The bytes of another source, cut to a length, some of them replaced.
#[derive(Clone, Debug)]
pub struct Patched<'a> {
    base: &'a [u8],
    len: usize,
    patches: Vec<(usize, Vec<u8>)>,
}

impl<'a> Patched<'a> {
    /// The bytes as they are.
    #[must_use]
    pub fn new(base: &'a [u8]) -> Self {
        Self { base, len: base.len(), patches: Vec::new() }
    }

    /// Cuts the end off.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Replaces the bytes from `offset` on; what lies past the end is dropped.
    pub fn patch(&mut self, offset: usize, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(self.base.len().saturating_sub(offset))];
        self.patches.push((offset, bytes.to_vec()));
    }

    /// A byte as it is now; 0 past the end.
    #[must_use]
    pub fn byte(&self, offset: usize) -> u8 {
        let mut byte = [0];
        let _ = self.read_at(offset as u64, &mut byte);
        byte[0]
    }
}

impl ByteSource for Patched<'_> {
    fn len(&self) -> u64 {
        self.len as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let range = inside(offset, buf.len(), self.len)?;
        buf.copy_from_slice(&self.base[range.clone()]);
        for (at, bytes) in &self.patches {
            let both = range.start.max(*at)..range.end.min(at + bytes.len());
            if !both.is_empty() {
                buf[both.start - range.start..both.end - range.start]
                    .copy_from_slice(&bytes[both.start - at..both.end - at]);
            }
        }
        Ok(())
    }
}

/// A range that lies wholly below `len`.
fn inside(offset: u64, count: usize, len: usize) -> Result<Range<usize>, Error> {
    usize::try_from(offset)
        .ok()
        .and_then(|start| Some(start..start.checked_add(count)?))
        .filter(|range| range.end <= len)
        .ok_or_else(|| out_of_bounds(offset, len as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_lie_over_the_base_and_the_last_wins() {
        let base: Vec<u8> = (0..10).collect();
        let mut source = Patched::new(&base);
        source.patch(3, &[0xa, 0xb]);
        source.patch(4, &[0xc]);
        source.patch(9, &[0xd, 0xe]);
        let mut bytes = [0; 10];
        source.read_at(0, &mut bytes).expect("inside");
        assert_eq!(bytes, [0, 1, 2, 0xa, 0xc, 5, 6, 7, 8, 0xd]);
        assert_eq!(source.byte(4), 0xc);
        source.truncate(9);
        assert!(source.read_at(9, &mut [0]).is_err());
    }
}
