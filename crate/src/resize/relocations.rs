//! Which clusters move where.

use core::ops::Range;

use serde::{Deserialize, Serialize};

/// A run of clusters that moves as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    /// Its first cluster before.
    pub from: u64,
    /// Its first cluster after.
    pub to: u64,
    /// Clusters.
    pub len: u64,
}

/// All runs that move, by where they were.
#[derive(Clone, Debug, Default)]
pub(super) struct Relocations {
    /// Blocks of a cluster are a power of two: this one.
    cluster_bits: u32,
    runs: Vec<Relocation>,
    /// Index of each run, by where it goes.
    by_target: Vec<usize>,
}

/// Blocks of a range that move together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) blocks: Range<u64>,
    /// Where the first of them goes.
    pub(super) to: u64,
}

impl Relocations {
    pub(super) fn new(cluster_bits: u32) -> Self {
        Self { cluster_bits, ..Self::default() }
    }

    /// Adds a run behind all others.
    pub(super) fn push(&mut self, run: Relocation) {
        if let Some(last) = self.runs.last_mut()
            && last.from.checked_add(last.len) == Some(run.from)
            && last.to.checked_add(last.len) == Some(run.to)
        {
            last.len = last.len.saturating_add(run.len);
        } else {
            self.runs.push(run);
        }
    }

    /// Makes ready to be asked where something was.
    pub(super) fn finish(&mut self) {
        self.by_target = (0..self.runs.len()).collect();
        let runs = &self.runs;
        self.by_target.sort_by_key(|at| runs.get(*at).map_or(0, |run| run.to));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn runs(&self) -> &[Relocation] {
        &self.runs
    }

    /// Where a block goes; `None` when it stays.
    pub(super) fn target(&self, block: u64) -> Option<u64> {
        self.pieces(block..block.saturating_add(1)).next().map(|piece| piece.to)
    }

    /// Where a block of the new filesystem was; itself when nothing moved there.
    pub(super) fn source(&self, block: u64) -> u64 {
        let cluster = block.checked_shr(self.cluster_bits).unwrap_or(0);
        let start = |at: &usize| self.runs.get(*at).map_or(u64::MAX, |run| run.to);
        let after = self.by_target.partition_point(|at| start(at) <= cluster);
        let run = after
            .checked_sub(1)
            .and_then(|at| self.by_target.get(at))
            .and_then(|at| self.runs.get(*at));
        let Some(run) = run else { return block };
        let inside = cluster.saturating_sub(run.to);
        if inside >= run.len {
            return block;
        }
        self.block(run.from.saturating_add(inside), block)
    }

    /// The pieces of some blocks that move, in order.
    pub(super) fn pieces(&self, blocks: Range<u64>) -> impl Iterator<Item = Piece> {
        let bits = self.cluster_bits;
        let cluster = |block: u64| block.checked_shr(bits).unwrap_or(0);
        let first_block = move |cluster: u64| cluster.saturating_mul(1 << bits.min(63));
        let start = cluster(blocks.start);
        let first = self.runs.partition_point(|run| run.from.saturating_add(run.len) <= start);
        let end = blocks.end;
        self.runs
            .get(first..)
            .unwrap_or_default()
            .iter()
            .take_while(move |run| first_block(run.from) < end)
            .map(move |run| {
                let run_start = first_block(run.from);
                let run_end = first_block(run.from.saturating_add(run.len));
                let piece = run_start.max(blocks.start)..run_end.min(blocks.end);
                let skip = piece.start.saturating_sub(run_start);
                Piece { to: first_block(run.to).saturating_add(skip), blocks: piece }
            })
            .filter(|piece| !piece.blocks.is_empty())
    }

    /// The block of a cluster that lies in it where `like` lies in its own.
    fn block(&self, cluster: u64, like: u64) -> u64 {
        let per_cluster = 1_u64.checked_shl(self.cluster_bits).unwrap_or(1);
        let in_cluster = like.checked_rem(per_cluster).unwrap_or(0);
        cluster.saturating_mul(per_cluster).saturating_add(in_cluster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relocations(cluster_bits: u32) -> Relocations {
        let mut all = Relocations::new(cluster_bits);
        for (from, to, len) in [(100, 10, 5), (105, 15, 2), (107, 3, 4), (200, 50, 1)] {
            all.push(Relocation { from, to, len });
        }
        all.finish();
        all
    }

    #[test]
    fn runs_that_follow_one_another_both_ways_are_one() {
        let lens: Vec<_> = relocations(0).runs().iter().map(|run| run.len).collect();
        assert_eq!(lens, [7, 4, 1]);
    }

    #[test]
    fn a_block_is_found_both_ways() {
        for bits in [0, 4] {
            let all = relocations(bits);
            let block = |cluster: u64| (cluster << bits) + ((1 << bits) - 1);
            for (from, to) in [(100, 10), (106, 16), (107, 3), (110, 6), (200, 50)] {
                assert_eq!(all.target(block(from)), Some(block(to)), "{from}");
                assert_eq!(all.source(block(to)), block(from), "{to}");
            }
            for stays in [99, 111, 199, 201, u64::MAX >> 8] {
                assert_eq!(all.target(block(stays)), None, "{stays}");
                assert_eq!(all.source(block(stays)), block(stays), "{stays}");
            }
        }
    }

    #[test]
    fn a_range_is_cut_where_its_parts_go_apart() {
        let all = relocations(0);
        let pieces: Vec<_> = all.pieces(90..109).map(|p| (p.blocks, p.to)).collect();
        assert_eq!(pieces, [(100..107, 10), (107..109, 3)]);
    }
}
