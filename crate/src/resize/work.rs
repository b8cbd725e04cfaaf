//! What all phases of a shrink work on.

use core::ops::Range;

use super::cluster_map::ClusterMap;
use super::destinations::Destinations;
use super::relocations::Relocations;
use super::target::new_frame;
use super::{Frame, Like};
use crate::bitmap::RunBitmap;
use crate::error::Result;
use crate::ondisk::BgFlags;
use crate::units::{Fsblk, Group};

/// The two filesystems, their maps, and what was decided so far. Ref: `struct ext2_resize_struct`.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) like: Like,
    pub(super) old: Frame,
    pub(super) new: Frame,
    /// Blocks in use before.
    pub(super) old_map: ClusterMap,
    /// Blocks in use after; what is past the end reads as in use.
    pub(super) new_map: ClusterMap,
    /// Blocks that nothing is moved to.
    pub(super) reserve: ClusterMap,
    /// Metadata of the old filesystem's groups.
    pub(super) metadata: ClusterMap,
    /// Blocks that must move.
    pub(super) moving: ClusterMap,
    /// Inodes in use before, by number.
    pub(super) old_inodes: RunBitmap,
    /// Inodes in use after, by number.
    pub(super) inode_map: RunBitmap,
    /// Where the search for a free inode begins.
    pub(super) inode_search: u64,
    pub(super) stride: u32,
    /// Blocks that stay marked as in use and are nobody's.
    pub(super) leaked_blocks: u64,
    pub(super) destinations: Destinations,
    pub(super) relocations: Relocations,
}

impl Work {
    /// Nothing in use yet.
    pub(super) fn new(old: Frame, blocks: u64, stride: u32, like: Like) -> Result<Self> {
        let new = new_frame(&old, blocks, stride)?;
        let geometry = &old.geometry;
        let cluster_bits = geometry.blocks_per_cluster().trailing_zeros();
        let map = |clusters: u64| ClusterMap::new(clusters, cluster_bits);
        let old_clusters =
            geometry.blocks_count().div_ceil(u64::from(geometry.blocks_per_cluster()));
        let first_data_block = geometry.first_data_block().get();
        let first = map(0).cluster(first_data_block);
        let new_clusters = first.saturating_add(
            u64::from(new.group_count()).saturating_mul(u64::from(geometry.clusters_per_group())),
        );
        let inodes = u64::from(old.superblock.s_inodes_count.get()).saturating_add(1);
        Ok(Self {
            like,
            old_map: map(old_clusters),
            new_map: map(new_clusters),
            reserve: map(old_clusters),
            metadata: map(old_clusters),
            moving: map(old_clusters),
            old_inodes: RunBitmap::new(0),
            inode_map: RunBitmap::new(inodes),
            inode_search: 0,
            stride,
            leaked_blocks: 0,
            destinations: Destinations::new(first),
            relocations: Relocations::default(),
            old,
            new,
        })
    }

    /// Blocks of the new filesystem.
    pub(super) fn end(&self) -> u64 {
        self.new.geometry.blocks_count()
    }

    /// Whether clusters hold more than one block.
    pub(super) fn is_bigalloc(&self) -> bool {
        self.new_map.blocks_per_cluster() > 1
    }

    /// Clears BLOCK_UNINIT of the new groups that some blocks lie in.
    pub(super) fn init_groups_of(&mut self, blocks: &Range<u64>) {
        let Some(last) = blocks.end.checked_sub(1).filter(|last| *last >= blocks.start) else {
            return;
        };
        let (from, to) = (self.new.group_of(blocks.start), self.new.group_of(last));
        for group in from.get()..=to.get() {
            self.clear_flags(Group::new(group), BgFlags::BLOCK_UNINIT);
        }
    }

    pub(super) fn clear_flags(&mut self, group: Group, flags: BgFlags) {
        let desc = usize::try_from(group.get()).ok().and_then(|at| self.new.groups.get_mut(at));
        if let Some(desc) = desc {
            desc.flags.remove(flags);
        }
    }

    /// Takes blocks of the new filesystem. Ref: `ext2fs_block_alloc_stats2`.
    pub(super) fn take(&mut self, blocks: &Range<u64>) {
        self.new_map.mark(blocks);
        self.init_groups_of(blocks);
    }

    /// Gives back what of some blocks lies in the new filesystem.
    pub(super) fn release(&mut self, blocks: &Range<u64>) {
        let first = self.new.geometry.first_data_block().get();
        let inside = blocks.start.max(first)..blocks.end.min(self.end());
        if !inside.is_empty() {
            self.new_map.unmark(&inside);
            self.init_groups_of(&inside);
        }
    }

    /// Whether a block lies in the new filesystem.
    pub(super) fn is_inside(&self, block: u64) -> bool {
        self.new.geometry.contains(Fsblk::new(block))
    }
}
