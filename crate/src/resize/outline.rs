//! A plan drawn to scale: how full the disk is before and after, what moves where, and whose.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ClusterMap;
use super::plan::Changes;
use super::touched::OwnedMove;
use crate::bitmap::Bits as _;
use crate::units::Ino;

/// Blocks of a file that move, as one stream where they lie close to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// Whose, by the number before.
    pub ino: Ino,
    /// First block and end before.
    pub from: (u64, u64),
    /// First block and end after.
    pub to: (u64, u64),
    /// Blocks, which may be fewer than lie between.
    pub blocks: u64,
}

/// What of a file moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMove {
    /// The file, by its number before.
    pub ino: Ino,
    /// Blocks.
    pub blocks: u64,
    /// Runs.
    pub runs: u64,
    /// Whether it is a directory.
    pub is_dir: bool,
}

impl Changes {
    /// How full each of `parts` parts of the old disk is before and after, in 255ths. A part that
    /// holds anything is not 0.
    #[must_use]
    pub fn fill(&self, parts: u32) -> (Vec<u8>, Vec<u8>) {
        let end = self.old.geometry.blocks_count();
        (fill(&self.old_map, end, parts), fill(&self.block_map, end, parts))
    }

    /// What moves, in `most` streams or fewer, the largest. Moves of a file belong together when
    /// no more than a `parts`th of the disk lies between them.
    #[must_use]
    pub fn streams(&self, parts: u32, most: usize) -> Vec<Stream> {
        let near = self.old.geometry.blocks_count().div_ceil(u64::from(parts.max(1)));
        let mut streams: Vec<Stream> = Vec::new();
        for moved in &self.owned {
            let stream = Stream::from(moved);
            match streams.last_mut() {
                Some(last) if last.is_near(&stream, near) => last.join(&stream),
                _ => streams.push(stream),
            }
        }
        streams.sort_by_key(|stream| core::cmp::Reverse(stream.blocks));
        streams.truncate(most);
        streams
    }

    /// What moves, in the order in which the tool copies it.
    #[must_use]
    pub fn moves_in_order(&self) -> Vec<OwnedMove> {
        let mut moves = self.owned.clone();
        moves.sort_by_key(|moved| (moved.from, moved.ino));
        moves
    }

    /// The files of which anything moves, those with the most blocks first.
    #[must_use]
    pub fn files_moved(&self) -> Vec<FileMove> {
        let mut files: BTreeMap<Ino, FileMove> = BTreeMap::new();
        for OwnedMove { ino, len, .. } in &self.owned {
            let is_dir = || self.dirs_moved.binary_search(ino).is_ok();
            let new = || FileMove { ino: *ino, blocks: 0, runs: 0, is_dir: is_dir() };
            let file = files.entry(*ino).or_insert_with(new);
            file.blocks = file.blocks.saturating_add(*len);
            file.runs = file.runs.saturating_add(1);
        }
        let mut files: Vec<FileMove> = files.into_values().collect();
        files.sort_by_key(|file| core::cmp::Reverse(file.blocks));
        files
    }
}

fn fill(map: &ClusterMap, end: u64, parts: u32) -> Vec<u8> {
    let clusters = map.cluster(end.saturating_sub(1)).saturating_add(1);
    let parts = u64::from(parts.max(1));
    let edge = |part: u64| {
        let at = u128::from(clusters).saturating_mul(part.into()).checked_div(parts.into());
        at.and_then(|at| u64::try_from(at).ok()).unwrap_or(clusters)
    };
    let share = |part: u64| {
        let range = edge(part)..edge(part.saturating_add(1)).max(edge(part).saturating_add(1));
        let all = range.end.saturating_sub(range.start);
        let used = map.bits().count_range(range);
        let share = used.saturating_mul(255).div_ceil(all.max(1));
        u8::try_from(share).unwrap_or(u8::MAX)
    };
    (0..parts).map(share).collect()
}

impl From<&OwnedMove> for Stream {
    fn from(moved: &OwnedMove) -> Self {
        let end = |start: u64| (start, start.saturating_add(moved.len));
        Self { ino: moved.ino, from: end(moved.from), to: end(moved.to), blocks: moved.len }
    }
}

impl Stream {
    fn is_near(&self, next: &Self, near: u64) -> bool {
        let gap =
            |a: (u64, u64), b: (u64, u64)| b.0.saturating_sub(a.1).max(a.0.saturating_sub(b.1));
        self.ino == next.ino && gap(self.from, next.from) <= near && gap(self.to, next.to) <= near
    }

    fn join(&mut self, next: &Self) {
        let both = |a: (u64, u64), b: (u64, u64)| (a.0.min(b.0), a.1.max(b.1));
        self.from = both(self.from, next.from);
        self.to = both(self.to, next.to);
        self.blocks = self.blocks.saturating_add(next.blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::BitsMut as _;

    fn stream(ino: u32, from: u64, to: u64, len: u64) -> Stream {
        let ino = Ino::new(ino);
        Stream { ino, from: (from, from + len), to: (to, to + len), blocks: len }
    }

    #[test]
    fn what_lies_close_together_is_one_stream() {
        let mut first = stream(12, 1000, 100, 10);
        assert!(first.is_near(&stream(12, 1015, 112, 5), 5));
        assert!(!first.is_near(&stream(12, 1016, 112, 5), 5));
        assert!(!first.is_near(&stream(13, 1010, 110, 5), 5));
        first.join(&stream(12, 990, 90, 5));
        assert_eq!(first, Stream { from: (990, 1010), to: (90, 110), ..stream(12, 0, 0, 15) });
    }

    #[test]
    fn parts_of_the_disk_are_as_full_as_their_clusters() {
        let mut map = ClusterMap::new(1000, 0);
        map.bits_mut().mark_range(0..100);
        map.bits_mut().mark(999);
        let fill = fill(&map, 1000, 10);
        assert_eq!((fill[0], fill[1], fill[9]), (255, 0, 3));
    }

    #[test]
    fn more_parts_than_clusters_are_each_a_cluster() {
        let mut map = ClusterMap::new(3, 0);
        map.bits_mut().mark(1);
        assert_eq!(fill(&map, 3, 6), [0, 0, 255, 255, 0, 0]);
    }
}
