//! What a shrink costs: bytes, seeks, and from these the time.

use serde::{Deserialize, Serialize};

use super::plan::Changes;
use crate::analysis::Medium;

/// What a shrink reads and writes, as far as its plan tells. Copies of the superblock and the
/// descriptors, and what the cache of the tool saves, are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Bytes of files that are read and written again.
    pub moved_bytes: u64,
    /// Bytes of inode tables and bitmaps that are read.
    pub scanned_bytes: u64,
    /// Bytes of bitmaps, inode tables, nodes and directories that are written.
    pub metadata_bytes: u64,
    /// Times that the disk has to go elsewhere.
    pub seeks: u64,
}

/// Bits that a shrink looks at in bitmaps, where it tests them one by one: most of its time on the
/// processor. Ref: Debian's bug 663237.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scans {
    /// Looking for a free inode for each that gets another number, from the first one on each time.
    pub inode_bits: u64,
    /// Looking for blocks that move, and for free ones to move them to.
    pub block_bits: u64,
    /// Counting what is free in the end.
    pub count_bits: u64,
}

impl Scans {
    /// All of them.
    #[must_use]
    pub fn bits(&self) -> u64 {
        [self.inode_bits, self.block_bits, self.count_bits].into_iter().fold(0, u64::saturating_add)
    }
}

impl Changes {
    /// Bits of bitmaps that the shrink looks at.
    #[must_use]
    pub fn scans(&self) -> Scans {
        let first_ino = self.new.geometry.first_ino().get();
        let searched = self
            .inode_moves
            .iter()
            .map(|moved| u64::from(moved.to.get().saturating_sub(first_ino)).saturating_add(1));
        let clusters = |blocks: u64| self.block_map.clusters(&(0..blocks)).end;
        let left = clusters(self.new.geometry.blocks_count());
        let past = clusters(self.old.geometry.blocks_count()).saturating_sub(left);
        let moved = self.relocations.iter().map(|run| run.to.saturating_add(run.len));
        let nodes = self.new_nodes.iter().map(|node| clusters(node.saturating_add(1)));
        let last = moved.chain(nodes).max().unwrap_or(0);
        // Out of free blocks, the search begins once more.
        let again = if self.desperate { left } else { 0 };
        let inodes = u64::from(self.new.superblock.s_inodes_count.get());
        Scans {
            inode_bits: searched.fold(0, u64::saturating_add),
            block_bits: [past, last, again].into_iter().fold(0, u64::saturating_add),
            count_bits: left.saturating_add(inodes),
        }
    }

    /// What the shrink costs.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let block_size = u64::from(self.new.geometry.block_size());
        let bytes = |blocks: u64| blocks.saturating_mul(block_size);
        let count = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
        let sum = |all: &[u64]| all.iter().copied().fold(0, u64::saturating_add);
        let groups = u64::from(self.old.group_count());
        let left = u64::from(self.new.group_count());
        let itable_blocks = self.new.geometry.itable_blocks();
        let itables = count(self.itable_moves.len()).saturating_mul(itable_blocks);
        let inode_bytes = u64::from(self.new.geometry.inode_size());
        let scanned = self.counts.inodes_scanned.saturating_mul(inode_bytes);
        let nodes = sum(&[self.counts.nodes_read, count(self.new_nodes.len())]);
        // Inodes are rewritten in the order of their tables, where neighbours share a block.
        let touched = count(self.touched.len()).saturating_mul(inode_bytes).div_ceil(block_size);
        // A run is read in one place and written in another; a group's table and bitmaps lie
        // together with those of its neighbours, but not with the files.
        let runs = count(self.relocations.len()).saturating_mul(2);
        let seeks = sum(&[runs, groups, left, nodes, self.counts.dirs_scanned]);
        Cost {
            moved_bytes: bytes(self.moved_blocks()),
            scanned_bytes: sum(&[
                scanned,
                bytes(groups.saturating_mul(2)),
                bytes(sum(&[self.counts.nodes_read, self.counts.dirs_scanned])),
            ]),
            metadata_bytes: bytes(sum(&[left.saturating_mul(2), itables, nodes, touched])),
            seeks,
        }
    }
}

impl Cost {
    /// Seconds on a medium.
    #[must_use]
    pub fn seconds(&self, medium: Medium) -> f64 {
        let twice = self.moved_bytes.saturating_mul(2);
        let bytes = [twice, self.scanned_bytes, self.metadata_bytes];
        let bytes = bytes.into_iter().fold(0, u64::saturating_add);
        let mib = as_f64(bytes) / f64::from(1 << 20);
        (as_f64(self.seeks) * medium.seek_ms + mib * medium.mib_ms) / 1000.0
    }
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "figures for people")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_pays_for_seeks_and_flash_for_bytes() {
        let cost = Cost { moved_bytes: 1 << 30, seeks: 1000, ..Cost::default() };
        assert!((cost.seconds(Medium::DISK) - (12.0 + 2048.0 / 160.0)).abs() < 1e-9);
        assert!((cost.seconds(Medium::FLASH) - (0.1 + 2048.0 / 500.0)).abs() < 1e-9);
    }
}
