//! A map of all clusters, spoken to in blocks.

use core::ops::Range;

use crate::bitmap::{Bits, BitsMut, RunBitmap};

/// A bit for each cluster, kept as runs. Clusters are counted from block 0, as libext2fs does, and
/// not from the first data block; with bigalloc the two are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterMap {
    bits: RunBitmap,
    cluster_bits: u32,
}

impl ClusterMap {
    /// A map of so many clusters of `2^cluster_bits` blocks each, all clear.
    pub(super) fn new(clusters: u64, cluster_bits: u32) -> Self {
        Self { bits: RunBitmap::new(clusters), cluster_bits }
    }

    /// A map of the same shape, all clear.
    pub(super) fn cleared(&self) -> Self {
        Self::new(self.bits.len(), self.cluster_bits)
    }

    /// The bits, one a cluster.
    #[must_use]
    pub fn bits(&self) -> &RunBitmap {
        &self.bits
    }

    /// The bits, to be changed.
    pub(super) fn bits_mut(&mut self) -> &mut RunBitmap {
        &mut self.bits
    }

    /// Blocks of a cluster.
    #[must_use]
    pub fn blocks_per_cluster(&self) -> u64 {
        1_u64.checked_shl(self.cluster_bits).unwrap_or(u64::MAX)
    }

    /// Cluster of a block.
    #[must_use]
    pub fn cluster(&self, block: u64) -> u64 {
        block.checked_shr(self.cluster_bits).unwrap_or(0)
    }

    /// First block of a cluster.
    #[must_use]
    pub fn block(&self, cluster: u64) -> u64 {
        cluster.saturating_mul(self.blocks_per_cluster())
    }

    /// Clusters that some blocks touch.
    #[must_use]
    pub fn clusters(&self, blocks: &Range<u64>) -> Range<u64> {
        let end = match blocks.end.checked_sub(1) {
            Some(last) if blocks.start < blocks.end => self.cluster(last).saturating_add(1),
            _ => self.cluster(blocks.start),
        };
        self.cluster(blocks.start)..end
    }

    /// Whether the cluster of a block is set.
    #[must_use]
    pub fn test(&self, block: u64) -> bool {
        self.bits.test(self.cluster(block))
    }

    /// Sets the clusters that some blocks touch.
    pub(super) fn mark(&mut self, blocks: &Range<u64>) {
        self.bits.mark_range(self.clusters(blocks));
    }

    /// Clears the clusters that some blocks touch.
    pub(super) fn unmark(&mut self, blocks: &Range<u64>) {
        self.bits.unmark_range(self.clusters(blocks));
    }

    /// The first clear cluster from one on; the end of the map when there is none.
    pub(super) fn next_clear(&self, cluster: u64) -> u64 {
        self.bits.next_clear(cluster).unwrap_or_else(|| self.bits.len().max(cluster))
    }

    /// The first set cluster from one on, or `end` when that comes first.
    pub(super) fn next_set(&self, cluster: u64, end: u64) -> u64 {
        self.bits.next_set(cluster).map_or(end, |set| set.min(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_touch_the_clusters_that_they_lie_in() {
        let map = ClusterMap::new(100, 4);
        assert_eq!(map.clusters(&(0..1)), 0..1);
        assert_eq!(map.clusters(&(15..17)), 0..2);
        assert_eq!(map.clusters(&(16..32)), 1..2);
        assert!(map.clusters(&(20..20)).is_empty());
        assert_eq!(map.block(3), 48);
    }
}
