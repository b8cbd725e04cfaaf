//! The blocks of a group's own metadata, as the maps have them.

use core::ops::Range;

use super::Frame;
use super::cluster_map::ClusterMap;
use crate::ondisk::BgFlags;
use crate::ondisk::features::Incompat;
use crate::units::Group;

impl Frame {
    /// Superblock, descriptors, reserved GDT blocks, bitmaps and inode table of a group, wherever
    /// they lie; what is not placed is left out.
    pub(super) fn metadata(&self, group: Group) -> impl Iterator<Item = Range<u64>> {
        let base = self.layout.group_base(group);
        let end = self.geometry.blocks_count();
        let one = |block: u64| block..block.saturating_add(1);
        let gdt = base.gdt.start.get()..base.reserved_gdt.end.get().min(end);
        let desc = self.group(group).copied().unwrap_or_default();
        let placed =
            |block: u64, blocks: u64| (block != 0).then(|| block..block.saturating_add(blocks));
        let itable_blocks = self.geometry.itable_blocks();
        [
            base.superblock.map(|fsblk| one(fsblk.get())),
            (!gdt.is_empty()).then_some(gdt),
            placed(desc.block_bitmap.get(), 1),
            placed(desc.inode_bitmap.get(), 1),
            placed(desc.inode_table.get(), itable_blocks),
        ]
        .into_iter()
        .flatten()
    }

    /// The MMP block.
    pub(super) fn mmp_block(&self) -> Option<u64> {
        let block = self.superblock.s_mmp_block.get();
        let inside =
            self.geometry.first_data_block().get() < block && block < self.geometry.blocks_count();
        (self.has_incompat(Incompat::MMP) && inside).then_some(block)
    }

    /// Marks the metadata of some groups. Ref: `mark_table_blocks`.
    pub(super) fn mark_metadata(&self, groups: Range<u32>, map: &mut ClusterMap) {
        for group in groups.map(Group::new) {
            self.metadata(group).for_each(|blocks| map.mark(&blocks));
        }
        if let Some(block) = self.mmp_block() {
            map.mark(&(block..block.saturating_add(1)));
        }
    }

    /// A map of all metadata, of the shape of another.
    pub(super) fn metadata_map(&self, like: &ClusterMap) -> ClusterMap {
        let mut map = like.cleared();
        self.mark_metadata(0..self.group_count(), &mut map);
        map
    }

    /// Whether a group's block bitmap was never written.
    pub(super) fn is_block_uninit(&self, group: Group) -> bool {
        self.has_csum()
            && self.group(group).is_some_and(|desc| desc.flags.contains(BgFlags::BLOCK_UNINIT))
    }

    /// Makes the map of groups whose block bitmap was never written that of their metadata.
    /// Ref: `fix_uninit_block_bitmaps`.
    pub(super) fn fix_uninit(&self, groups: Range<u32>, map: &mut ClusterMap) {
        let end = self.geometry.blocks_count();
        for group in groups.map(Group::new).filter(|group| self.is_block_uninit(*group)) {
            map.unmark(&self.blocks(group));
            for blocks in self.metadata(group) {
                map.mark(&(blocks.start..blocks.end.min(end)));
            }
        }
    }

    /// Blocks of a group.
    pub(super) fn blocks(&self, group: Group) -> Range<u64> {
        self.first_block(group)..self.last_block(group).saturating_add(1)
    }
}
