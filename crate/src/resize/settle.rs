//! What repeated runs of `resize2fs -M` come to.

use super::plan::Changes;
use super::size::{final_size, stride};
use super::summary::Totals;
use super::work::Work;
use super::{Failure, Like, minimum};
use crate::bitmap::{Bits as _, BitsMut as _};
use crate::error::Result;

/// Most runs that are followed: each one saves something, and the savings get small fast.
const RUNS: usize = 32;

/// The sizes that further runs of `-M` come to after a shrink, until one changes nothing or fails.
///
/// They are worked out on the maps alone. The first is exact; where that run lets extent trees
/// grow, those after it may be some blocks low.
///
/// # Errors
/// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when no geometry has such a size.
pub fn settle(changes: &Changes, like: Like) -> Result<Vec<u64>> {
    let mut sizes = Vec::new();
    let mut frame = changes.new.clone();
    let mut map = changes.block_map.clone();
    let mut inodes = changes.inode_map.clone();
    while sizes.len() < RUNS {
        let estimate = minimum(&frame).blocks;
        let Some(blocks) = final_size(&frame, estimate) else { break };
        if blocks >= frame.geometry.blocks_count() {
            break;
        }
        let stride = stride(&frame);
        let mut work = Work::new(frame, blocks, stride, like)?;
        for run in map.bits().set_runs() {
            work.old_map.bits_mut().mark_range(run);
        }
        work.inode_map = inodes;
        if work.shrink_maps().is_err() {
            break;
        }
        sizes.push(blocks);
        map = work.final_map();
        inodes = work.inode_map;
        frame = work.new;
    }
    Ok(sizes)
}

impl Work {
    /// Goes through all phases but for the files: inodes past the end take free ones.
    fn shrink_maps(&mut self) -> Result<(), Failure> {
        let (old_groups, new_groups) = (self.old.group_count(), self.new.group_count());
        let inodes = u64::from(self.new.superblock.s_inodes_count.get()).saturating_add(1);
        let lost_inodes = self.inode_map.count_range(inodes..u64::MAX);
        self.cut_map();
        self.drop_groups(new_groups..old_groups);
        self.check_inodes()?;
        let mut map = core::mem::take(&mut self.new_map);
        self.new.fix_uninit(0..new_groups, &mut map);
        self.new_map = map;
        self.init_last_group();
        self.metadata = self.old.metadata_map(&self.old_map);
        self.replace_metadata(0..new_groups)?;
        self.mark_moving(new_groups.saturating_sub(1)..old_groups);
        self.make_room_for_backup()?;
        self.release_descriptors();
        self.find_destinations(&self.old_map.cleared())?;
        for _ in 0..lost_inodes {
            self.take_inode();
        }
        self.move_itables();
        let mut totals = Totals::default();
        self.count_free(0..new_groups, &mut totals);
        self.set_totals(totals);
        self.set_flags(0..new_groups);
        self.clear_uninit_inodes();
        Ok(())
    }
}
