//! What of a damaged filesystem the tool reads, and what of it makes it fail.

use core::ops::Range;

use super::work::Work;
use super::{Failure, Frame};
use crate::analysis::{BitmapState, Swept};
use crate::bitmap::{Bits as _, BitsMut as _};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, CsumState, Filesystem, Inode};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::{BgFlags, GroupDesc, NDIR_BLOCKS};
use crate::units::{Fsblk, Group};

impl Work {
    /// Takes in a bitmap; a wrong checksum ends the tool. One that has no place is empty.
    pub(super) fn load(&mut self, swept: &Swept<'_>) -> Option<Failure> {
        let group = swept.group;
        let (state, csum) = match swept.kind {
            BitmapKind::Block => (swept.stats.blocks.state, swept.stats.blocks.csum),
            BitmapKind::Inode => (swept.stats.inodes.state, swept.stats.inodes.csum),
        };
        let is_read = state == BitmapState::Read;
        if is_read && self.old.group(group).is_some_and(|desc| swept.kind.place(desc).get() == 0) {
            return None;
        }
        if is_read && csum == CsumState::Bad {
            return Some(bad_bitmap(swept));
        }
        let (map, first) = match swept.kind {
            BitmapKind::Block => {
                let first = self.old_map.cluster(self.old.first_block(group));
                (self.old_map.bits_mut(), first)
            }
            BitmapKind::Inode => {
                let first = self.old.geometry.group_first_ino(group);
                (&mut self.inode_map, first.map_or(u64::MAX, |ino| u64::from(ino.get())))
            }
        };
        for run in swept.bits.set_runs() {
            map.mark_range(first.saturating_add(run.start)..first.saturating_add(run.end));
        }
        None
    }
}

impl Work {
    /// Metadata that counts as free is written over, and nobody can say what comes of that.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when there is any.
    pub(super) fn check_metadata(&self) -> Result<()> {
        let is_free = |run: &Range<u64>| self.old_map.bits().next_clear(run.start);
        let runs = self.metadata.bits().set_runs();
        let mut free = runs.filter_map(|run| is_free(&run).filter(|free| *free < run.end));
        free.next().map_or(Ok(()), |cluster| {
            let what = "metadata counts as free here, and resize2fs would write over it";
            let fsblk = Fsblk::new(self.old_map.block(cluster));
            Err(Error::corrupt(what).at_fsblk(fsblk).with_hint("Run e2fsck -f on a copy first."))
        })
    }

    /// Fails when a block that must move lies past the end of an image of so many blocks.
    pub(super) fn check_sources(&self, blocks: u64) -> core::result::Result<(), Failure> {
        let last = self.relocations.runs().last();
        let end = last.map_or(0, |run| self.old_map.block(run.from.saturating_add(run.len)));
        // The last cluster need not be whole.
        let end = end.min(self.old.geometry.blocks_count());
        if end > blocks {
            Err(Failure::ShortImage { block: end.saturating_sub(1) })
        } else {
            Ok(())
        }
    }
}

/// The flag that a bitmap was never written counts only under a right checksum of the descriptor.
/// Without it the bitmap is read after all, though nothing of it counts but its own checksum.
pub(super) fn untrusted_bitmap<S: ByteSource>(
    fs: &Filesystem<S>,
    swept: &Swept<'_>,
) -> Option<Failure> {
    let entry = fs.groups().get(swept.group)?;
    let fsblk = swept.kind.place(&entry.desc);
    let is_read = fs.trusts_uninit()
        && entry.csum == CsumState::Bad
        && entry.desc.flags.contains(swept.kind.uninit_flag())
        && fsblk.get() != 0
        && fs.geometry().contains(fsblk);
    if !is_read {
        return None;
    }
    let block = fs.block(swept.kind.read_kind(), fsblk).ok()?;
    let csum = fs.check_bitmap(swept.kind, swept.group, &block);
    (csum == CsumState::Bad).then(|| bad_bitmap(swept))
}

fn bad_bitmap(swept: &Swept<'_>) -> Failure {
    let of_inodes = swept.kind == BitmapKind::Inode;
    Failure::BitmapChecksum { group: swept.group, of_inodes }
}

/// The first group whose inode table does not lie in the filesystem, and where it is said to lie.
/// Ref: `get_next_blockgroup`.
pub(super) fn bad_itable(old: &Frame) -> Option<(Group, u64)> {
    let first = old.geometry.first_data_block().get();
    let last = old.geometry.blocks_count().checked_sub(old.geometry.itable_blocks())?;
    let per_group = old.geometry.inodes_per_group();
    let is_bad = |desc: &GroupDesc| match desc.inode_table.get() {
        // Where no inode was ever used, none is missed.
        0 => {
            let is_unused =
                desc.flags.contains(BgFlags::INODE_UNINIT) || desc.itable_unused >= per_group;
            !(old.has_csum() && is_unused)
        }
        inode_table => !(first..=last).contains(&inode_table),
    };
    let mut groups = (0..).map(Group::new).zip(&old.groups);
    groups.find(|(_, desc)| is_bad(desc)).map(|(group, desc)| (group, desc.inode_table.get()))
}

/// Whether the tool fails when it goes through the block numbers of a file: at an indirect block
/// that lies outside. What it read last decides, so that one that is sound makes good for one
/// before it. Ref: `ext2fs_block_iterate3`.
///
/// # Errors
/// Those of the host, and [`ErrorKind::Limit`] for blocks that lead round in circles.
pub(super) fn fails_block_map<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Result<bool> {
    let mut walk = IndirectWalk { fs, is_wrong: false, left: 1 << 22 };
    let indirect = inode.raw.block_numbers().skip(NDIR_BLOCKS);
    for (levels, number) in (0..).zip(indirect) {
        walk.read(number, levels)?;
    }
    Ok(walk.is_wrong)
}

struct IndirectWalk<'a, S> {
    fs: &'a Filesystem<S>,
    /// Whether the block looked at last was wrong.
    is_wrong: bool,
    /// Blocks that may still be read.
    left: u32,
}

impl<S: ByteSource> IndirectWalk<'_, S> {
    /// Reads a block with so many levels of indirect blocks below; says whether to go on.
    fn read(&mut self, number: u32, levels: u8) -> Result<bool> {
        if number == 0 {
            return Ok(true);
        }
        let fsblk = Fsblk::new(u64::from(number));
        let first = self.fs.geometry().first_data_block();
        self.is_wrong = !self.fs.geometry().contains(fsblk) || fsblk < first;
        if self.is_wrong {
            return Ok(false);
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            Error::new(ErrorKind::Limit, "the indirect blocks of a file lead round in circles")
        })?;
        let Some(levels) = levels.checked_sub(1) else {
            return Ok(true);
        };
        let block = self.fs.block(ReadKind::Mapping, fsblk)?;
        let (numbers, _) = block.as_chunks::<4>();
        for number in numbers {
            if !self.read(u32::from_le_bytes(*number), levels)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
