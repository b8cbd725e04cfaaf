//! Where blocks move: to the first free ones, from the start of the filesystem on.

use core::ops::Range;

use super::Failure;
use super::cluster_map::ClusterMap;
use super::relocations::{Relocation, Relocations};
use super::work::Work;
use crate::bitmap::{Bits as _, BitsMut as _, Runs};

/// The search for free clusters: one for the whole shrink. Ref: `get_new_block`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destinations {
    first: u64,
    at: u64,
    /// Whether blocks that were in use before are taken, too.
    pub(super) is_desperate: bool,
}

impl Destinations {
    /// A search from a cluster on.
    pub(super) fn new(first: u64) -> Self {
        Self { first, at: first, is_desperate: false }
    }
}

impl Work {
    /// The next free clusters, as many as there are together; `None` when all are taken.
    pub(super) fn next_free(&mut self) -> Option<Range<u64>> {
        let per_cluster = self.new_map.blocks_per_cluster();
        let end = self.end().div_ceil(per_cluster);
        loop {
            let Destinations { mut at, is_desperate, first } = self.destinations;
            let taken: [Option<&ClusterMap>; 3] = [
                Some(&self.new_map),
                Some(&self.reserve),
                (!is_desperate).then_some(&self.old_map),
            ];
            let maps = || taken.iter().flatten();
            loop {
                let clear = maps().fold(at, |at, map| map.next_clear(at));
                if clear == at || clear >= end {
                    at = clear;
                    break;
                }
                at = clear;
            }
            if at < end {
                self.destinations.at = at;
                return Some(at..maps().fold(end, |end, map| map.next_set(at, end)));
            }
            if is_desperate {
                self.destinations.at = at;
                return None;
            }
            self.destinations = Destinations { first, at: first, is_desperate: true };
        }
    }

    /// Finds a place for every cluster that must move, in order. Blocks known as bad are dropped.
    ///
    /// Gives the bad clusters that were dropped. Ref: `block_mover`.
    pub(super) fn find_destinations(&mut self, bad: &ClusterMap) -> Result<u64, Failure> {
        let cluster_bits = self.new_map.blocks_per_cluster().trailing_zeros();
        self.relocations = Relocations::new(cluster_bits);
        let moving = core::mem::take(&mut self.moving);
        let mut left: u64 = moving.bits().count();
        let mut dropped: u64 = 0;
        for all in moving.bits().set_runs() {
            for run in Runs::new(bad.bits(), false, all.clone()) {
                let mut from = run.start;
                while from < run.end {
                    let Some(free) = self.next_free() else {
                        return Err(Failure::NoRoomForBlocks {
                            left: left.saturating_mul(self.new_map.blocks_per_cluster()),
                        });
                    };
                    let len = run.end.saturating_sub(from).min(free.end.saturating_sub(free.start));
                    let to = free.start;
                    let taken = to..to.saturating_add(len);
                    self.take(&(self.new_map.block(taken.start)..self.new_map.block(taken.end)));
                    self.relocations.push(Relocation { from, to, len });
                    from = from.saturating_add(len);
                    left = left.saturating_sub(len);
                }
            }
            let bad_here = bad.bits().count_range(all);
            dropped = dropped.saturating_add(bad_here);
            left = left.saturating_sub(bad_here);
        }
        self.relocations.finish();
        Ok(dropped)
    }

    /// Takes a block for a node of an extent tree. Ref: `resize2fs_get_alloc_block`.
    pub(super) fn allocate_node(&mut self) -> Option<u64> {
        let cluster = self.next_free()?.start;
        let one = cluster..cluster.saturating_add(1);
        self.new_map.bits_mut().mark_range(one);
        let block = self.new_map.block(cluster).max(self.new.geometry.first_data_block().get());
        if self.new.has_csum() {
            self.init_groups_of(&(block..block.saturating_add(1)));
        }
        Some(block)
    }
}
