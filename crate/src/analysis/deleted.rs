//! Inodes that were deleted, and what is still known of them.

use core::ops::{Deref, Range};

use super::inode_class;
use crate::bitmap::Bits as _;
use crate::error::{Error, Result};
use crate::fs::{BitmapKind, Filesystem, GroupBitmap, Inode, InodeScan, MapItem};
use crate::io::ByteSource;
use crate::task::{Progress, Step, Task};
use crate::units::{Fsblk, Group};

/// Inodes looked at before a step ends.
const INODES: u32 = 4096;

/// An inode that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// The inode as it was left.
    pub inode: Inode,
    /// Blocks that its map still leads to, nodes included.
    pub blocks: u64,
    /// Of these, the ones that are free, so that maybe nobody wrote to them since.
    pub free_blocks: u64,
    /// Of these, the ones that the filesystem does not have.
    pub bad_blocks: u64,
}

/// Goes through all inodes for those that were deleted; orphans, which are in use, are not.
/// Progress counts groups.
///
/// Of all their maps together no more pieces are gone through than the filesystem has blocks, and
/// none behind what cannot be followed: a map may have been written over since, and lead anywhere.
///
/// # Errors
/// None: what cannot be read is passed over, and counted.
#[derive(Debug)]
pub struct DeletedScan<F> {
    filesystem: F,
    scan: InodeScan,
    inodes: std::vec::IntoIter<Inode>,
    /// The block bitmap asked last; `None` where it cannot be had.
    bitmap: Option<(Group, Option<GroupBitmap>)>,
    pieces_left: u64,
    unreadable: u64,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> DeletedScan<F> {
    /// Nothing is read yet.
    pub fn new(filesystem: F) -> Self {
        Self {
            scan: InodeScan::new(),
            inodes: Vec::new().into_iter(),
            bitmap: None,
            pieces_left: filesystem.geometry().blocks_count(),
            unreadable: 0,
            filesystem,
        }
    }

    /// Does one step and shows each deleted inode that it met. Done, it gives how many pieces of
    /// inode tables could not be read.
    ///
    /// # Errors
    /// Those of the task.
    pub fn step_with(&mut self, see: &mut dyn FnMut(Deleted)) -> Result<Step<u64>> {
        let fs = self.filesystem.clone();
        for _ in 0..INODES {
            let Some(inode) = self.inodes.next() else {
                match self.scan.next_piece(&*fs) {
                    None => return Ok(Step::Done(self.unreadable)),
                    Some(Ok(piece)) => {
                        let deleted = piece.inodes(&*fs).filter(Inode::is_deleted);
                        self.inodes = deleted.collect::<Vec<_>>().into_iter();
                    }
                    Some(Err(_)) => self.unreadable = self.unreadable.saturating_add(1),
                }
                break;
            };
            if !inode_class::is_in_use(&*fs, &inode) {
                see(self.look_at(&fs, inode));
            }
        }
        Ok(Step::More)
    }

    fn look_at(&mut self, fs: &F, inode: Inode) -> Deleted {
        let (mut blocks, mut free_blocks, mut bad_blocks) = (0_u64, 0_u64, 0_u64);
        for item in fs.map_items(&inode).map_while(Result::<_, Error>::ok) {
            let Some(left) = self.pieces_left.checked_sub(1) else { break };
            self.pieces_left = left;
            let run = match item {
                MapItem::Mapping(run) => run.fsblk.get()..run.fsblk_end(),
                MapItem::Node(node) => node.fsblk.get()..node.fsblk.get().saturating_add(1),
            };
            let len = run.end.saturating_sub(run.start);
            let inside = run.start..run.end.min(fs.geometry().blocks_count());
            blocks = blocks.saturating_add(len);
            let inside_len = inside.end.saturating_sub(inside.start);
            bad_blocks = bad_blocks.saturating_add(len.saturating_sub(inside_len));
            free_blocks = free_blocks.saturating_add(self.free_in(fs, inside));
        }
        Deleted { inode, blocks, free_blocks, bad_blocks }
    }

    /// How many of some blocks are free.
    fn free_in(&mut self, fs: &F, blocks: Range<u64>) -> u64 {
        let geometry = fs.geometry();
        let mut free = 0_u64;
        let mut start = blocks.start;
        while start < blocks.end {
            let Some((group, first)) = geometry.grpblk_from_fsblk(Fsblk::new(start)) else { break };
            let group_start = geometry.group_first_fsblk(group).get();
            let group_end = group_start.saturating_add(u64::from(geometry.group_blocks(group)));
            let end = blocks.end.min(group_end);
            let Some(last) = end.checked_sub(1).filter(|last| *last >= start) else { break };
            let last = geometry.grpblk_from_fsblk(Fsblk::new(last)).map_or(first, |(_, last)| last);
            let clusters = u64::from(first.get())..u64::from(last.get()).saturating_add(1);
            let clear = self.clear_in(fs, group, clusters);
            let clear_blocks = clear.saturating_mul(u64::from(geometry.blocks_per_cluster()));
            free = free.saturating_add(clear_blocks.min(end.saturating_sub(start)));
            start = end;
        }
        free
    }

    /// How many bits of a group's block bitmap are clear; none where it cannot be had.
    fn clear_in(&mut self, fs: &F, group: Group, bits: Range<u64>) -> u64 {
        if self.bitmap.as_ref().is_none_or(|(had, _)| *had != group) {
            self.bitmap = Some((group, fs.bitmap(BitmapKind::Block, group).ok()));
        }
        let Some((_, Some(bitmap))) = &self.bitmap else { return 0 };
        let len = bits.end.saturating_sub(bits.start);
        len.saturating_sub(bitmap.bits().count_range(bits))
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for DeletedScan<F> {
    type Output = u64;

    fn step(&mut self) -> Result<Step<u64>> {
        self.step_with(&mut |_| {})
    }

    fn progress(&self) -> Progress {
        Progress {
            cur: u64::from(self.scan.groups_done()),
            max: u64::from(self.filesystem.groups().len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;

    /// Number, blocks, free and bad ones of each.
    fn deleted(files: &Files) -> Vec<(u32, u64, u64, u64)> {
        let fs = files.filesystem();
        let mut scan = DeletedScan::new(&fs);
        let mut all = Vec::new();
        let mut see = |one: Deleted| {
            all.push((one.inode.ino.get(), one.blocks, one.free_blocks, one.bad_blocks));
        };
        while scan.step_with(&mut see) == Ok(Step::More) {}
        all
    }

    #[test]
    fn what_was_deleted_is_told_with_what_is_still_free() {
        let mut files = Files::new();
        let blocks: Vec<u8> = [100_u32, 101, 102, 103, 1 << 30]
            .iter()
            .flat_map(|block| block.to_le_bytes())
            .collect();
        for ino in [12, 13, 14] {
            files.i_block_by_blocks(ino, &blocks);
        }
        files.inode(12, |raw| {
            raw.i_links_count.set(0);
            raw.i_dtime.set(1_700_000_000);
        });
        files.inode(13, |raw| raw.i_dtime.set(1_700_000_000));
        // The bitmaps of these images have every third bit set.
        assert_eq!(deleted(&files), [(12, 5, 2, 1)]);
    }
}
