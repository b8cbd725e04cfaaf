//! The map of the new filesystem: the old one, cut, without the metadata of groups that go.
//! Ref: `adjust_fs_info`.

use core::ops::Range;

use super::work::Work;
use super::{Failure, Like};
use crate::bitmap::{Bits as _, BitsMut as _, Runs};
use crate::ondisk::BgFlags;
use crate::units::Group;

impl Work {
    /// Copies the old map as far as the new one reaches, and makes what is past the end read as in
    /// use.
    ///
    /// 1.47.0 takes the number of the last block for that of a cluster, so that with bigalloc
    /// clusters past the end keep their bits.
    pub(super) fn cut_map(&mut self) {
        let last_block = self.end().saturating_sub(1);
        let old_last = self.old_map.bits().len().saturating_sub(1);
        let kept = 0..last_block.min(old_last).saturating_add(1);
        for run in Runs::new(self.old_map.bits(), true, kept) {
            self.new_map.bits_mut().mark_range(run);
        }
        let end = self.end();
        self.new_map.bits_mut().mark_range(end..u64::MAX);
        let inodes = u64::from(self.new.superblock.s_inodes_count.get()).saturating_add(1);
        let mut inode_map = crate::bitmap::RunBitmap::new(inodes);
        for run in Runs::new(&self.inode_map, true, 0..inodes) {
            inode_map.mark_range(run);
        }
        self.old_inodes = core::mem::replace(&mut self.inode_map, inode_map);
    }

    /// Frees the metadata of some groups that go, and keeps everything else away from it.
    pub(super) fn drop_groups(&mut self, groups: Range<u32>) {
        let kept = self.is_bigalloc().then(|| self.new.metadata_map(&self.new_map));
        for group in groups.map(Group::new) {
            let desc = self.old.group(group).copied().unwrap_or_default();
            let itable = desc.inode_table.get();
            let itable = itable..itable.saturating_add(self.old.geometry.itable_blocks());
            let bitmaps = [desc.block_bitmap.get(), desc.inode_bitmap.get()];
            let bitmaps = bitmaps.into_iter().filter(|block| *block != 0);
            for blocks in bitmaps.map(|at| at..at.saturating_add(1)).chain([itable]) {
                let inside = blocks.start..blocks.end.min(self.end());
                match &kept {
                    None => {
                        self.release(&inside);
                        self.reserve.mark(&inside);
                    }
                    Some(kept) => {
                        for block in inside.filter(|block| !kept.test(*block)) {
                            let one = block..block.saturating_add(1);
                            self.release(&one);
                            self.reserve.mark(&one);
                        }
                    }
                }
            }
        }
    }

    /// Whether the inodes in use fit.
    pub(super) fn check_inodes(&self) -> Result<(), Failure> {
        let used = self.old.used_inodes();
        let inodes = self.new.superblock.s_inodes_count.get();
        if used > inodes { Err(Failure::TooFewInodes { used, inodes }) } else { Ok(()) }
    }

    /// The last group's bitmap is written whatever it was.
    pub(super) fn init_last_group(&mut self) {
        let last = Group::new(self.new.group_count().saturating_sub(1));
        self.clear_flags(last, BgFlags::BLOCK_UNINIT);
    }

    /// Clusters of a group that count.
    ///
    /// 1.47.0 counts the last group of a bigalloc filesystem as if it were whole.
    pub(super) fn counted_clusters(&self, group: Group) -> u32 {
        match self.like {
            Like::V1_47_0 => self.new.geometry.clusters_per_group(),
            Like::V1_47_4 => {
                let blocks = u64::from(self.new.geometry.group_blocks(group));
                let clusters = self.new_map.cluster(blocks);
                u32::try_from(clusters).unwrap_or(u32::MAX)
            }
        }
    }
}
