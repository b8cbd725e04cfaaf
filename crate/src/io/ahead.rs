//! Parts of a source that were fetched before they are asked for, many in one request.

use core::ops::Range;
use std::collections::{BTreeMap, VecDeque};

use super::source::Piece;

/// Holds pieces up to so many bytes, and gives up the ones that came first.
#[derive(Debug)]
pub(crate) struct Ahead {
    /// By their offsets.
    pieces: BTreeMap<u64, Vec<u8>>,
    /// Offsets in the order in which they came.
    order: VecDeque<u64>,
    bytes: usize,
    capacity: usize,
}

impl Ahead {
    /// Holds nothing yet, and `capacity` bytes at most.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { pieces: BTreeMap::new(), order: VecDeque::new(), bytes: 0, capacity }
    }

    /// The bytes of `range`, when a piece holds them all.
    pub(crate) fn get(&self, range: &Range<u64>) -> Option<&[u8]> {
        let (offset, bytes) = self.pieces.range(..=range.start).next_back()?;
        let at = |end: u64| usize::try_from(end.checked_sub(*offset)?).ok();
        bytes.get(at(range.start)?..at(range.end)?)
    }

    /// Keeps a piece, unless one that begins there is longer.
    pub(crate) fn insert(&mut self, piece: Piece) {
        let known = self.pieces.get(&piece.offset).map(Vec::len);
        if known.is_some_and(|known| known >= piece.bytes.len()) {
            return;
        }
        if known.is_none() {
            self.order.push_back(piece.offset);
        }
        self.bytes = self.bytes.saturating_sub(known.unwrap_or(0));
        self.bytes = self.bytes.saturating_add(piece.bytes.len());
        self.pieces.insert(piece.offset, piece.bytes);
        while self.bytes > self.capacity
            && let Some(first) = self.order.pop_front()
        {
            let gone = self.pieces.remove(&first).map_or(0, |bytes| bytes.len());
            self.bytes = self.bytes.saturating_sub(gone);
        }
    }
}

/// Joins ranges with at most `gap` bytes between them, up to `most` bytes each.
pub(crate) fn join(mut ranges: Vec<Range<u64>>, gap: u64, most: u64) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last)
                if range.start <= last.end.saturating_add(gap)
                    && range.end.saturating_sub(last.start) <= most =>
            {
                last.end = last.end.max(range.end);
            }
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece(offset: u64, len: usize) -> Piece {
        Piece { offset, bytes: (offset..).take(len).map(|at| at as u8).collect() }
    }

    #[test]
    fn what_a_piece_holds_is_given_and_nothing_beyond() {
        let mut ahead = Ahead::new(100);
        ahead.insert(piece(10, 8));
        ahead.insert(piece(30, 8));
        assert_eq!(ahead.get(&(12..15)), Some([12, 13, 14].as_slice()));
        assert_eq!(ahead.get(&(30..38)).map(<[u8]>::len), Some(8));
        for outside in [9..11, 17..19, 18..19, 37..39, 50..51] {
            assert_eq!(ahead.get(&outside), None, "{outside:?}");
        }
    }

    #[test]
    fn the_pieces_that_came_first_make_room() {
        let mut ahead = Ahead::new(16);
        ahead.insert(piece(0, 8));
        ahead.insert(piece(100, 4));
        ahead.insert(piece(100, 8));
        assert!(ahead.get(&(0..8)).is_some());
        ahead.insert(piece(200, 1));
        assert!(ahead.get(&(0..1)).is_none());
        assert!(ahead.get(&(100..108)).is_some());
        assert_eq!(ahead.bytes, 9);
    }

    #[test]
    fn a_shorter_piece_does_not_take_the_place_of_a_longer() {
        let mut ahead = Ahead::new(16);
        ahead.insert(piece(0, 8));
        ahead.insert(piece(0, 4));
        assert!(ahead.get(&(0..8)).is_some());
        assert_eq!((ahead.bytes, ahead.order.len()), (8, 1));
    }

    proptest! {
        #[test]
        fn every_range_lies_in_one_joined_range_and_none_is_too_long(
            starts in prop::collection::vec((0_u64..500, 1_u64..8), 0..60),
            gap in 0_u64..9, most in 8_u64..64,
        ) {
            let ranges: Vec<_> = starts.iter().map(|(at, len)| *at..at + len).collect();
            let joined = join(ranges.clone(), gap, most);
            for range in ranges {
                let holds = |one: &Range<u64>| one.start <= range.start && one.end >= range.end;
                prop_assert!(joined.iter().any(holds));
            }
            prop_assert!(joined.iter().all(|one| one.end - one.start <= most));
            // What could have been joined was.
            for pair in joined.windows(2) {
                prop_assert!(pair[1].start > pair[0].end + gap || pair[1].end - pair[0].start > most);
            }
        }
    }
}
