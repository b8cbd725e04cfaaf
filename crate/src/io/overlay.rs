//! A source with some of its blocks replaced, such as by what the journal holds for them.

use core::ops::Range;
use std::collections::BTreeMap;

use super::source::{ByteSource, Piece};
use crate::error::Result;

/// Which blocks are replaced, and by what. Memory is in proportion to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covers {
    /// Bytes of a block.
    block_size: u32,
    blocks: BTreeMap<u64, Cover>,
}

/// What takes the place of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cover {
    /// A block elsewhere in the same source, from that byte on.
    Moved {
        /// Byte of the source.
        from: u64,
        /// Bytes that take the place of the first ones.
        start: Option<[u8; 4]>,
    },
    /// Bytes, as many as a block has.
    Bytes(Box<[u8]>),
}

impl Covers {
    /// Nothing is replaced yet, in blocks of so many bytes.
    #[must_use]
    pub fn new(block_size: u32) -> Self {
        Self { block_size, blocks: BTreeMap::new() }
    }

    /// Replaces a block; what replaced it before is forgotten.
    pub fn insert(&mut self, block: u64, cover: Cover) {
        self.blocks.insert(block, cover);
    }

    /// What replaces a block.
    #[must_use]
    pub fn get(&self, block: u64) -> Option<&Cover> {
        self.blocks.get(&block)
    }

    /// The replaced blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = u64> {
        self.blocks.keys().copied()
    }

    /// How many blocks are replaced.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Lays the covers over bytes of `source` that start at `offset`.
    fn lay_over<S: ByteSource>(&self, source: &S, offset: u64, buf: &mut [u8]) -> Result<()> {
        let size = u64::from(self.block_size);
        let len = u64::try_from(buf.len()).unwrap_or(u64::MAX);
        let end = offset.saturating_add(len);
        let (Some(first), Some(last)) =
            (offset.checked_div(size), end.saturating_sub(1).checked_div(size))
        else {
            return Ok(());
        };
        for (block, cover) in self.blocks.range(first..=last.max(first)) {
            let block_at = block.saturating_mul(size);
            let both = block_at.max(offset)..block_at.saturating_add(size).min(end);
            if let Some(part) = part_mut(buf, &both, offset) {
                cover.read(source, both.start.saturating_sub(block_at), part)?;
            }
        }
        Ok(())
    }
}

impl Cover {
    /// Fills `buf` from byte `skip` of the block on.
    fn read<S: ByteSource>(&self, source: &S, skip: u64, buf: &mut [u8]) -> Result<()> {
        match self {
            Self::Moved { from, start } => {
                source.read_at(from.saturating_add(skip), buf)?;
                let start = start.iter().flatten().zip(0_u64..);
                for (byte, at) in start.filter(|(_, at)| *at >= skip) {
                    let at = usize::try_from(at.saturating_sub(skip)).unwrap_or(usize::MAX);
                    if let Some(to) = buf.get_mut(at) {
                        *to = *byte;
                    }
                }
            }
            Self::Bytes(bytes) => {
                let bytes = bytes.iter().skip(usize::try_from(skip).unwrap_or(usize::MAX));
                for (to, byte) in buf.iter_mut().zip(bytes) {
                    *to = *byte;
                }
            }
        }
        Ok(())
    }
}

/// The part of a buffer, of which the first byte is at `offset`, that holds a range.
fn part_mut<'a>(buf: &'a mut [u8], range: &Range<u64>, offset: u64) -> Option<&'a mut [u8]> {
    let start = usize::try_from(range.start.checked_sub(offset)?).ok()?;
    let end = usize::try_from(range.end.checked_sub(offset)?).ok()?;
    buf.get_mut(start..end)
}

/// A source seen with some of its blocks replaced.
#[derive(Clone, Debug)]
pub struct Overlay<S> {
    source: S,
    covers: Covers,
}

impl<S: ByteSource> Overlay<S> {
    /// Lays `covers` over `source`.
    pub fn new(source: S, covers: Covers) -> Self {
        Self { source, covers }
    }

    /// The source as it is.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// What is replaced.
    pub fn covers(&self) -> &Covers {
        &self.covers
    }
}

impl<S: ByteSource> From<S> for Overlay<S> {
    /// The source as it is, nothing replaced.
    fn from(source: S) -> Self {
        Self::new(source, Covers::default())
    }
}

impl<S: ByteSource> ByteSource for Overlay<S> {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.source.read_at(offset, buf)?;
        self.covers.lay_over(&self.source, offset, buf)
    }

    fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
        self.source.read_pieces(pieces)?;
        pieces.iter_mut().try_for_each(|piece| {
            self.covers.lay_over(&self.source, piece.offset, &mut piece.bytes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 8 bytes, each full of its number.
    fn source() -> Vec<u8> {
        (0..10).flat_map(|block| [block; 8]).collect()
    }

    #[test]
    fn every_range_is_as_if_the_blocks_had_been_written() {
        let mut covers = Covers::new(8);
        covers.insert(2, Cover::Moved { from: 56, start: None });
        covers.insert(3, Cover::Moved { from: 60, start: Some([0xa, 0xb, 0xc, 0xd]) });
        covers.insert(9, Cover::Bytes(Box::new([0x55; 8])));
        covers.insert(2, Cover::Bytes(Box::new([0x44; 8])));
        let mut due = source();
        due[16..24].fill(0x44);
        due[24..32].copy_from_slice(&[0xa, 0xb, 0xc, 0xd, 8, 8, 8, 8]);
        due[72..80].fill(0x55);
        let overlay = Overlay::new(source(), covers);
        for start in 0..=80 {
            for end in start..=80 {
                let mut read = vec![0; end - start];
                overlay.read_at(start as u64, &mut read).expect("inside");
                assert_eq!(read, due[start..end], "{start}..{end}");
                let bytes = vec![0; end - start];
                let mut pieces = [Piece { offset: start as u64, bytes }];
                overlay.read_pieces(&mut pieces).expect("inside");
                assert_eq!(pieces[0].bytes, read, "{start}..{end}");
            }
        }
    }

    #[test]
    fn what_lies_outside_is_outside() {
        let mut covers = Covers::new(8);
        covers.insert(1, Cover::Moved { from: 76, start: None });
        let overlay = Overlay::new(source(), covers);
        assert!(overlay.read_at(79, &mut [0; 2]).is_err());
        assert!(overlay.read_at(8, &mut [0; 8]).is_err());
        assert!(Overlay::from(source()).read_at(8, &mut [0; 8]).is_ok());
    }
}
