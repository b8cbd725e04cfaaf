//! The one door to a source: bounded requests, each counted, small ones cached.

use core::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ahead::{Ahead, join};
use super::cache::ChunkCache;
use super::chunk_plan::chunk_parts;
use super::meter::{Meter, ReadKind};
use super::source::{ByteSource, Piece, out_of_bounds};
use crate::error::Result;
use crate::limits;

/// Bytes of a chunk: as much as one request fetches for little more than its fixed cost.
const CHUNK_BYTES: u32 = 64 << 10;

/// Chunks kept: 4 MiB in all.
const CHUNKS: usize = 64;

/// Bytes held that were read ahead: what a few calls of [`Reader::read_ahead`] fetch.
const AHEAD_BYTES: usize = 16 << 20;

/// Bytes between two parts read ahead that are read through: one more piece of a request costs a
/// browser as much as some ten times that, and a file as much as some tenth of it.
const AHEAD_GAP: u64 = 32 << 10;

/// Reads a source in bounded requests and counts them.
#[derive(Debug)]
pub struct Reader<S> {
    source: S,
    meter: Meter,
    cache: Mutex<ChunkCache>,
    ahead: Mutex<Ahead>,
}

impl<S: ByteSource> Reader<S> {
    /// Reads from `source`.
    pub fn new(source: S) -> Self {
        Self {
            source,
            meter: Meter::default(),
            cache: Mutex::new(ChunkCache::new(CHUNKS)),
            ahead: Mutex::new(Ahead::new(AHEAD_BYTES)),
        }
    }

    /// Length of the source in bytes.
    pub fn len(&self) -> u64 {
        self.source.len()
    }

    /// Whether the source has no bytes.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// The count of what was read.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The source.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Fills `buf` from `offset` on, past the cache: for large reads that nobody repeats.
    ///
    /// # Errors
    /// Those of [`ByteSource::read_at`].
    pub fn read(&self, kind: ReadKind, offset: u64, buf: &mut [u8]) -> Result<()> {
        if self.was_read_ahead(offset, buf) {
            return Ok(());
        }
        let mut at = offset;
        let largest = usize::try_from(limits::READ_BYTES).unwrap_or(usize::MAX);
        for piece in buf.chunks_mut(largest) {
            let len = byte_count(piece);
            self.source.read_at(at, piece)?;
            self.meter.note(kind, len);
            at = at.checked_add(len).ok_or_else(|| out_of_bounds(offset, self.len()))?;
        }
        Ok(())
    }

    /// Fills `buf` from `offset` on in one request that serves several kinds, each with its share
    /// of the bytes. `buf` is no longer than [`limits::READ_BYTES`].
    ///
    /// # Errors
    /// Those of [`ByteSource::read_at`].
    pub fn read_shared(
        &self,
        shares: &[(ReadKind, u64)],
        offset: u64,
        buf: &mut [u8],
    ) -> Result<()> {
        self.source.read_at(offset, buf)?;
        self.meter.note_shared(shares);
        Ok(())
    }

    /// Fills `buf` from `offset` on through the cache: for small reads near one another.
    ///
    /// # Errors
    /// Those of [`ByteSource::read_at`].
    pub fn read_cached(&self, kind: ReadKind, offset: u64, buf: &mut [u8]) -> Result<()> {
        let outside = || out_of_bounds(offset, self.len());
        if offset.checked_add(byte_count(buf)).is_none_or(|end| end > self.len()) {
            return Err(outside());
        }
        if self.was_read_ahead(offset, buf) {
            return Ok(());
        }
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        for part in chunk_parts(offset, buf.len(), CHUNK_BYTES) {
            let to = buf.get_mut(part.in_range).ok_or_else(outside)?;
            if let Some(bytes) = cache.get(part.chunk, part.in_chunk.clone()) {
                to.copy_from_slice(bytes);
                continue;
            }
            let chunk = self.fetch(kind, part.chunk)?;
            to.copy_from_slice(chunk.get(part.in_chunk).ok_or_else(outside)?);
            cache.insert(part.chunk, chunk);
        }
        Ok(())
    }

    /// Fetches parts that are soon to be read, in one request, up to [`limits::READ_BYTES`] of them;
    /// those near one another as one piece. What cannot be had, or is beyond that, is left to the
    /// reads themselves.
    pub fn read_ahead(&self, kind: ReadKind, mut parts: Vec<Range<u64>>) {
        let held = self.held();
        parts.retain(|part| {
            part.start < part.end && part.end <= self.len() && held.get(part).is_none()
        });
        drop(held);
        let most = u64::from(limits::READ_BYTES);
        let mut left = most;
        let pieces = join(parts, AHEAD_GAP, most).into_iter().map_while(|part| {
            let len = part.end.saturating_sub(part.start);
            left = left.checked_sub(len)?;
            Some(Piece { offset: part.start, bytes: vec![0; usize::try_from(len).ok()?] })
        });
        let mut pieces: Vec<Piece> = pieces.collect();
        if pieces.is_empty() || self.source.read_pieces(&mut pieces).is_err() {
            return;
        }
        self.meter.note(kind, most.saturating_sub(left));
        let mut held = self.held();
        pieces.into_iter().for_each(|piece| held.insert(piece));
    }

    /// Fills `buf` when all of it was read ahead.
    fn was_read_ahead(&self, offset: u64, buf: &mut [u8]) -> bool {
        let range = offset..offset.saturating_add(byte_count(buf));
        let held = self.held();
        held.get(&range).is_some_and(|bytes| {
            buf.copy_from_slice(bytes);
            true
        })
    }

    fn held(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads chunk `number`; the last one is as long as the source goes.
    fn fetch(&self, kind: ReadKind, number: u64) -> Result<Box<[u8]>> {
        let at = number.saturating_mul(u64::from(CHUNK_BYTES));
        let len = self.len().saturating_sub(at).min(u64::from(CHUNK_BYTES));
        let mut chunk = vec![0; usize::try_from(len).unwrap_or(0)].into_boxed_slice();
        self.read(kind, at, &mut chunk)?;
        Ok(chunk)
    }
}

fn byte_count(buf: &[u8]) -> u64 {
    u64::try_from(buf.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::io::ReadCount;

    fn counting(len: usize) -> Vec<u8> {
        (0..len).map(|at| (at % 251) as u8).collect()
    }

    #[test]
    fn small_reads_near_one_another_are_one_request() {
        let bytes = counting(200_000);
        let reader = Reader::new(bytes.clone());
        for offset in [100, 4096, 60_000, 100] {
            let mut buf = [0; 1024];
            reader.read_cached(ReadKind::BlockBitmap, offset, &mut buf).expect("reads");
            assert_eq!(buf, bytes[offset as usize..][..1024]);
        }
        let count = reader.meter().count(ReadKind::BlockBitmap);
        assert_eq!(count, ReadCount { requests: 1, bytes: 65_536 });
    }

    #[test]
    fn a_cached_read_over_a_border_and_up_to_the_end_is_right() {
        let bytes = counting(200_000);
        let reader = Reader::new(bytes.clone());
        let mut buf = vec![0; 80_000];
        reader.read_cached(ReadKind::Backup, 120_000, &mut buf).expect("reads");
        assert_eq!(buf, bytes[120_000..]);
        let outside = reader.read_cached(ReadKind::Backup, 199_999, &mut [0; 2]).unwrap_err();
        assert_eq!(outside.kind(), ErrorKind::OutOfBounds);
    }

    #[test]
    fn what_was_read_ahead_is_read_from_memory_and_the_rest_as_ever() {
        let bytes = counting(400_000);
        let reader = Reader::new(bytes.clone());
        let parts = [300_000..304_096, 0..4096, 8192..12_288, 399_999..400_001];
        reader.read_ahead(ReadKind::Mapping, parts.to_vec());
        // One request, of two pieces: two parts lie near, and one lies outside.
        let read = ReadCount { requests: 1, bytes: 12_288 + 4096 };
        assert_eq!(reader.meter().count(ReadKind::Mapping), read);
        for offset in [0, 8192, 300_000, 302_000] {
            let mut buf = vec![0; 2000];
            reader.read(ReadKind::Mapping, offset, &mut buf).expect("reads");
            assert_eq!(buf, bytes[offset as usize..][..2000]);
            reader.read_cached(ReadKind::Mapping, offset, &mut buf).expect("reads");
            assert_eq!(buf, bytes[offset as usize..][..2000]);
        }
        reader.read_ahead(ReadKind::Mapping, parts[..2].to_vec());
        assert_eq!(reader.meter().count(ReadKind::Mapping), read);
        let mut buf = vec![0; 5000];
        reader.read(ReadKind::Mapping, 300_000, &mut buf).expect("reads");
        assert_eq!(buf, bytes[300_000..305_000]);
        assert_eq!(reader.meter().count(ReadKind::Mapping).requests, 2);
    }

    #[test]
    fn more_than_a_request_holds_is_not_read_ahead() {
        let len = limits::READ_BYTES * 2;
        let reader = Reader::new(vec![7; len as usize]);
        let parts = (0..len).step_by(1 << 16).map(|at| u64::from(at)..u64::from(at) + 4096);
        reader.read_ahead(ReadKind::Directory, parts.rev().collect());
        let count = reader.meter().count(ReadKind::Directory);
        assert_eq!((count.requests, count.bytes), (1, 128 * 4096));
        reader.read_ahead(ReadKind::Directory, core::iter::once(0..u64::from(len)).collect());
        assert_eq!(reader.meter().count(ReadKind::Directory), count);
    }

    #[test]
    fn a_long_read_is_cut_into_bounded_requests() {
        let len = limits::READ_BYTES as usize * 2 + 5;
        let bytes = counting(len);
        let reader = Reader::new(bytes.clone());
        let mut buf = vec![0; len];
        reader.read(ReadKind::GroupDesc, 0, &mut buf).expect("reads");
        assert_eq!(buf, bytes);
        let count = reader.meter().count(ReadKind::GroupDesc);
        assert_eq!(count, ReadCount { requests: 3, bytes: len as u64 });
    }
}
