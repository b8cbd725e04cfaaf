//! A bounded store of chunks for small reads that lie near one another.

use core::ops::Range;

/// Holds at most so many chunks, and gives up the one that was used longest ago.
#[derive(Debug)]
pub(crate) struct ChunkCache {
    chunks: Vec<Chunk>,
    capacity: usize,
    clock: u64,
}

#[derive(Debug)]
struct Chunk {
    number: u64,
    used: u64,
    bytes: Box<[u8]>,
}

impl ChunkCache {
    /// An empty cache for `capacity` chunks.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { chunks: Vec::new(), capacity, clock: 0 }
    }

    /// The bytes `range` of chunk `number`, when it is here and that long.
    pub(crate) fn get(&mut self, number: u64, range: Range<usize>) -> Option<&[u8]> {
        self.clock = self.clock.saturating_add(1);
        let chunk = self.chunks.iter_mut().find(|chunk| chunk.number == number)?;
        chunk.used = self.clock;
        chunk.bytes.get(range)
    }

    /// Stores chunk `number`, in the place of the one used longest ago when there is no room.
    pub(crate) fn insert(&mut self, number: u64, bytes: Box<[u8]>) {
        self.clock = self.clock.saturating_add(1);
        self.chunks.retain(|chunk| chunk.number != number);
        if self.chunks.len() >= self.capacity {
            let oldest = self.chunks.iter().enumerate().min_by_key(|(_, chunk)| chunk.used);
            if let Some((oldest, _)) = oldest {
                self.chunks.swap_remove(oldest);
            }
        }
        self.chunks.push(Chunk { number, used: self.clock, bytes });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(byte: u8) -> Box<[u8]> {
        Box::new([byte; 4])
    }

    #[test]
    fn the_chunk_used_longest_ago_makes_room() {
        let mut cache = ChunkCache::new(2);
        cache.insert(1, chunk(1));
        cache.insert(2, chunk(2));
        assert!(cache.get(1, 0..4).is_some());
        cache.insert(3, chunk(3));
        assert!(cache.get(2, 0..4).is_none());
        assert_eq!(cache.get(1, 1..3), Some([1, 1].as_slice()));
        assert_eq!(cache.get(3, 0..1), Some([3].as_slice()));
        assert_eq!(cache.chunks.len(), 2);
    }

    #[test]
    fn a_chunk_stored_again_is_replaced() {
        let mut cache = ChunkCache::new(2);
        cache.insert(1, chunk(1));
        cache.insert(1, chunk(9));
        assert_eq!(cache.get(1, 0..1), Some([9].as_slice()));
        assert_eq!(cache.chunks.len(), 1);
    }

    #[test]
    fn a_short_last_chunk_does_not_give_what_it_lacks() {
        let mut cache = ChunkCache::new(1);
        cache.insert(0, chunk(7));
        assert_eq!(cache.get(0, 2..5), None);
    }
}
