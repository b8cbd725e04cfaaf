//! Blocks, read as they are.

use core::ops::Range;

use super::Filesystem;
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind, out_of_bounds};
use crate::units::Fsblk;

impl<S: ByteSource> Filesystem<S> {
    /// A block, through the cache.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] outside the filesystem or the image, [`ErrorKind::Io`] when the
    /// host cannot read.
    pub fn block(&self, kind: ReadKind, fsblk: Fsblk) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.geometry().block_size()).unwrap_or(0)];
        let at = self.block_offset(fsblk)?;
        self.reader().read_cached(kind, at, &mut bytes).map_err(|error| error.at_fsblk(fsblk))?;
        Ok(bytes)
    }

    /// Fills `buf` from byte `skip` of a block on, past the cache, into the blocks that follow.
    ///
    /// # Errors
    /// Those of [`Self::block`].
    pub fn read_blocks(
        &self,
        kind: ReadKind,
        fsblk: Fsblk,
        skip: u64,
        buf: &mut [u8],
    ) -> Result<()> {
        let at = self.block_offset(fsblk)?;
        let at = at.checked_add(skip).ok_or_else(|| out_of_bounds(at, self.image_len()))?;
        self.reader().read(kind, at, buf).map_err(|error| error.at_fsblk(fsblk))
    }

    /// Fetches blocks that are soon to be read, in one request; what cannot be had that way is left
    /// to the reads themselves. See [`Reader::read_ahead`](crate::io::Reader::read_ahead).
    pub fn read_ahead(&self, kind: ReadKind, runs: impl IntoIterator<Item = Range<u64>>) {
        let bytes = runs.into_iter().filter_map(|run| {
            let start = self.block_offset(Fsblk::new(run.start)).ok()?;
            let blocks = run.end.checked_sub(run.start)?;
            let len = blocks.checked_mul(u64::from(self.geometry().block_size()))?;
            Some(start..start.checked_add(len)?)
        });
        self.reader().read_ahead(kind, bytes.collect());
    }

    /// Byte at which a block of the filesystem starts.
    fn block_offset(&self, fsblk: Fsblk) -> Result<u64> {
        let geometry = self.geometry();
        geometry
            .byte_from_fsblk(fsblk)
            .filter(|_| fsblk.get() < geometry.blocks_count())
            .map(|at| at.get())
            .ok_or_else(|| {
                let what = format!("the filesystem ends at block {}", geometry.blocks_count());
                Error::new(ErrorKind::OutOfBounds, what).at_fsblk(fsblk)
            })
    }
}
