//! Which aligned chunks a range touches: arithmetic alone, no bytes.

use core::ops::Range;

/// The part of a range that lies in one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChunkPart {
    /// Number of the chunk: its position divided by the chunk size.
    pub(crate) chunk: u64,
    /// The part in bytes, from the start of the chunk.
    pub(crate) in_chunk: Range<usize>,
    /// The part in bytes, from the start of the range asked for.
    pub(crate) in_range: Range<usize>,
}

/// Cuts the `len` bytes from `offset` on at multiples of `chunk_bytes` (not 0), in order.
pub(crate) fn chunk_parts(
    offset: u64,
    len: usize,
    chunk_bytes: u32,
) -> impl Iterator<Item = ChunkPart> {
    let chunk_bytes = u64::from(chunk_bytes);
    let chunk_len = usize::try_from(chunk_bytes).unwrap_or(usize::MAX);
    let first_skip = offset.checked_rem(chunk_bytes).and_then(|skip| usize::try_from(skip).ok());
    let mut chunk = offset.checked_div(chunk_bytes).unwrap_or(0);
    let mut skip = first_skip.unwrap_or(0);
    let mut done = 0_usize;
    core::iter::from_fn(move || {
        if done >= len {
            return None;
        }
        let part_len = chunk_len.saturating_sub(skip).min(len.saturating_sub(done));
        let part = ChunkPart {
            chunk,
            in_chunk: skip..skip.saturating_add(part_len),
            in_range: done..done.saturating_add(part_len),
        };
        chunk = chunk.saturating_add(1);
        done = part.in_range.end;
        skip = 0;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_range_inside_one_chunk_is_one_part() {
        let parts: Vec<_> = chunk_parts(10, 5, 8).collect();
        assert_eq!(parts, [ChunkPart { chunk: 1, in_chunk: 2..7, in_range: 0..5 }]);
    }

    #[test]
    fn an_empty_range_has_no_parts() {
        assert_eq!(chunk_parts(7, 0, 8).count(), 0);
    }

    proptest! {
        #[test]
        fn parts_cover_the_range_once_and_in_order(
            offset in 0u64..1000, len in 0usize..1000, chunk_bytes in 1u32..100,
        ) {
            let mut next = 0;
            for part in chunk_parts(offset, len, chunk_bytes) {
                prop_assert_eq!(part.in_range.start, next);
                prop_assert!(part.in_chunk.end <= chunk_bytes as usize);
                prop_assert!(!part.in_chunk.is_empty());
                prop_assert_eq!(
                    part.chunk * u64::from(chunk_bytes) + part.in_chunk.start as u64,
                    offset + part.in_range.start as u64
                );
                prop_assert_eq!(part.in_chunk.len(), part.in_range.len());
                next = part.in_range.end;
            }
            prop_assert_eq!(next, len);
        }
    }
}
