//! Every inode that was ever used, group by group, in large reads.

use super::{BitmapKind, Filesystem, Inode};
use crate::bitmap::{BitsMut as _, RunBitmap};
use crate::error::{Error, Result};
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::BgFlags;
use crate::units::{Group, Ino};

/// Goes through the inode tables, a piece at a time.
///
/// What was never written is not read: the tables of INODE_UNINIT groups, and the ends that
/// `bg_itable_unused` tells of. Nor is a table that lies over one read before, so that time is that
/// of the image whatever the descriptors say. Ref: `ext2fs_get_next_inode_full`.
#[derive(Clone, Debug)]
pub struct InodeScan {
    first_group: Group,
    /// Groups that are done.
    done: u32,
    /// Index in the group's table of the next inode.
    index: u32,
    /// Blocks of the tables that were gone into.
    tables: RunBitmap,
}

impl Default for InodeScan {
    fn default() -> Self {
        Self::from_group(Group::new(0))
    }
}

impl InodeScan {
    /// Starts at the first inode.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts with the first inode of a group; the groups before it come last.
    #[must_use]
    pub fn from_group(first_group: Group) -> Self {
        Self { first_group, done: 0, index: 0, tables: RunBitmap::new(u64::MAX) }
    }

    /// Groups that are behind it.
    #[must_use]
    pub fn groups_done(&self) -> u32 {
        self.done
    }

    /// Reads the next piece; `None` after the last. An error costs the rest of its group, and the
    /// scan goes on behind it.
    pub fn next_piece<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Option<Result<ItablePiece>> {
        while let Some(group) = self.group(fs) {
            let piece = self.piece_of_group(fs, group);
            match piece {
                Ok(Some(_)) => return piece.transpose(),
                Ok(None) => self.next_group(),
                Err(error) => {
                    self.next_group();
                    return Some(Err(error.at_group(group)));
                }
            }
        }
        None
    }

    /// The group that it is in; `None` behind the last.
    fn group<S: ByteSource>(&self, fs: &Filesystem<S>) -> Option<Group> {
        let groups = fs.groups().len();
        let at = self.first_group.get().checked_add(self.done).filter(|_| self.done < groups)?;
        Some(Group::new(at.checked_rem(groups)?))
    }

    fn next_group(&mut self) {
        self.done = self.done.saturating_add(1);
        self.index = 0;
    }

    fn piece_of_group<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        group: Group,
    ) -> Result<Option<ItablePiece>> {
        let inode_bytes = fs.inode_bytes()?;
        let left = fs.inodes_ever_used(group)?.saturating_sub(self.index);
        let most = limits::READ_BYTES.checked_div(fs.geometry().inode_size()).unwrap_or(1);
        let count = left.min(most);
        let first = fs.geometry().group_first_ino(group);
        let Some(first) = first.and_then(|ino| ino.checked_add(self.index)).filter(|_| count > 0)
        else {
            return Ok(None);
        };
        let wanted = usize::try_from(count).unwrap_or(0).saturating_mul(inode_bytes);
        let mut bytes = vec![0; wanted];
        let table = fs.group(group)?.desc.inode_table;
        if self.index == 0 {
            let end = table.get().saturating_add(fs.geometry().itable_blocks());
            if self.tables.mark_range(table.get()..end) {
                let what = "the inode table lies over that of another group";
                return Err(Error::corrupt(what).at_fsblk(table));
            }
        }
        let skip = fs.geometry().itable_offset(self.index);
        fs.read_blocks(ReadKind::InodeTable, table, skip, &mut bytes)?;
        self.index = self.index.saturating_add(count);
        Ok(Some(ItablePiece { first, bytes, inode_bytes }))
    }
}

/// Inodes that follow one another in a table.
#[derive(Clone, Debug)]
pub struct ItablePiece {
    first: Ino,
    bytes: Vec<u8>,
    inode_bytes: usize,
}

impl ItablePiece {
    /// The number of its first inode.
    #[must_use]
    pub fn first(&self) -> Ino {
        self.first
    }

    /// Its inodes in order; those of zeros were never used and are left out.
    pub fn inodes<S: ByteSource>(&self, fs: &Filesystem<S>) -> impl Iterator<Item = Inode> {
        (self.first.get()..)
            .zip(self.bytes.chunks_exact(self.inode_bytes.max(1)))
            .filter(|(_, bytes)| bytes.iter().any(|byte| *byte != 0))
            .map(|(ino, bytes)| Inode::new(fs, Ino::new(ino), bytes.into()))
    }
}

impl<S: ByteSource> Filesystem<S> {
    /// How many inodes at the start of a group's table were ever used, as the descriptor says.
    ///
    /// INODE_UNINIT and `bg_itable_unused` count where BLOCK_UNINIT does; see
    /// [`Self::bitmap_place`].
    ///
    /// # Errors
    /// Those of [`Self::group`].
    pub fn inodes_ever_used(&self, group: Group) -> Result<u32> {
        let desc = &self.group(group)?.desc;
        let geometry = self.geometry();
        let before = group.get().saturating_mul(geometry.inodes_per_group());
        let in_group = self
            .bitmap_bits(BitmapKind::Inode, group)
            .min(geometry.inodes_count().saturating_sub(before));
        if !self.trusts_uninit() {
            return Ok(in_group);
        }
        if desc.flags.contains(BgFlags::INODE_UNINIT) {
            return Ok(0);
        }
        // More unused than there are is a lie; then all are looked at.
        Ok(in_group.checked_sub(desc.itable_unused).unwrap_or(in_group))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Files;
    use super::*;
    use crate::error::ErrorKind;

    fn scanned(files: &Files) -> Vec<u32> {
        let (fs, _) = files.open(1);
        let mut scan = InodeScan::new();
        let mut inos = Vec::new();
        while let Some(piece) = scan.next_piece(&fs) {
            inos.extend(piece.expect("readable").inodes(&fs).map(|inode| inode.ino.get()));
        }
        inos
    }

    #[test]
    fn inodes_that_were_ever_used_are_met_in_order() {
        let mut files = Files::new();
        for ino in [2, 12, 256] {
            files.inode(ino, |raw| raw.i_mode.set(1));
        }
        assert_eq!(scanned(&files), [2, 12, 256]);
    }

    #[test]
    fn the_end_of_a_table_that_was_never_used_is_not_read() {
        let mut files = Files::with_descs(|descs| descs[0].bg_itable_unused_lo.set(240));
        files.inode(16, |raw| raw.i_mode.set(1));
        files.inode(17, |raw| raw.i_mode.set(1));
        assert_eq!(scanned(&files), [16]);
        let (fs, _) = files.open(1);
        let piece = InodeScan::new().next_piece(&fs).expect("a piece").expect("readable");
        assert_eq!((piece.first(), piece.bytes.len()), (Ino::new(1), 16 * 128));
        assert_eq!(fs.inodes_ever_used(Group::new(2)), Ok(0));
    }

    #[test]
    fn a_table_over_another_is_not_read() {
        let mut files = Files::with_descs(|descs| {
            descs[1].bg_inode_table_lo = descs[0].bg_inode_table_lo;
        });
        files.inode(16, |raw| raw.i_mode.set(1));
        let fs = files.filesystem();
        let mut scan = InodeScan::new();
        assert!(scan.next_piece(&fs).expect("a piece").is_ok());
        let error = scan.next_piece(&fs).expect("a piece").expect_err("the same table");
        assert_eq!((error.kind(), error.at().group), (ErrorKind::Corrupt, Some(Group::new(1))));
        assert!(scan.next_piece(&fs).is_none());
        assert_eq!(scan.groups_done(), 4);
    }

    #[test]
    fn groups_before_the_first_come_last() {
        let mut files = Files::new();
        for ino in [2, 300] {
            files.inode(ino, |raw| raw.i_mode.set(1));
        }
        let fs = files.filesystem();
        let mut scan = InodeScan::from_group(Group::new(1));
        let firsts: Vec<_> = core::iter::from_fn(|| scan.next_piece(&fs))
            .map(|piece| piece.expect("readable").first().get())
            .collect();
        assert_eq!(firsts, [257, 1]);
    }

    #[test]
    fn a_table_outside_the_image_costs_only_its_group() {
        let files = Files::with_descs(|descs| descs[0].bg_inode_table_lo.set(1 << 30));
        let fs = files.filesystem();
        let mut scan = InodeScan::new();
        let error = scan.next_piece(&fs).expect("a piece").expect_err("outside");
        assert_eq!((error.kind(), error.at().group), (ErrorKind::OutOfBounds, Some(Group::new(0))));
        let piece = scan.next_piece(&fs).expect("a piece").expect("readable");
        assert_eq!(piece.first(), Ino::new(257));
        assert!(scan.next_piece(&fs).is_none());
    }
}
