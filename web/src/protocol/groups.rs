//! The block groups of an image as columns: 131,072 of them go over in a few buffers.

use core::ops::Range;

use extscope::fs::{CsumState, DescState, GroupEntry};
use extscope::ondisk::{BgFlags, GroupDesc};
use extscope::units::{Fsblk, Group};
use serde::{Deserialize, Serialize};

use super::Column;

/// The descriptors of all block groups, one column a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupColumns {
    free_clusters: Column<u32>,
    free_inodes: Column<u32>,
    used_dirs: Column<u32>,
    itable_unused: Column<u32>,
    flags: Column<u16>,
    csum: Column<u8>,
    block_bitmap: Column<u64>,
    inode_bitmap: Column<u64>,
    inode_table: Column<u64>,
    block_bitmap_csum: Column<u32>,
    readable: Column<u8>,
}

/// One group's descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupRow {
    /// Free clusters. Ref: `bg_free_blocks_count`.
    pub free_clusters: u32,
    /// Free inodes. Ref: `bg_free_inodes_count`.
    pub free_inodes: u32,
    /// Directories. Ref: `bg_used_dirs_count`.
    pub used_dirs: u32,
    /// Inodes at the end of the table that were never used. Ref: `bg_itable_unused`.
    pub itable_unused: u32,
    /// What the descriptor says of the group. Ref: `bg_flags`.
    pub flags: BgFlags,
    /// What the descriptor's checksum says. Ref: `bg_checksum`.
    pub csum: CsumState,
    /// Block of the block bitmap. Ref: `bg_block_bitmap`.
    pub block_bitmap: Fsblk,
    /// Block of the inode bitmap. Ref: `bg_inode_bitmap`.
    pub inode_bitmap: Fsblk,
    /// First block of the inode table. Ref: `bg_inode_table`.
    pub inode_table: Fsblk,
    /// Checksum of the block bitmap. Ref: `bg_block_bitmap_csum`.
    pub block_bitmap_csum: u32,
    /// Whether the descriptor could be read; if not, everything else is 0.
    pub readable: bool,
}

impl From<&GroupEntry> for GroupRow {
    fn from(entry: &GroupEntry) -> Self {
        let desc = &entry.desc;
        Self {
            free_clusters: desc.free_blocks_count,
            free_inodes: desc.free_inodes_count,
            used_dirs: desc.used_dirs_count,
            itable_unused: desc.itable_unused,
            flags: desc.flags,
            csum: entry.csum,
            block_bitmap: desc.block_bitmap,
            inode_bitmap: desc.inode_bitmap,
            inode_table: desc.inode_table,
            block_bitmap_csum: desc.block_bitmap_csum,
            readable: entry.state == DescState::Read,
        }
    }
}

/// As much of a descriptor as a sweep over block bitmaps asks.
impl From<GroupRow> for GroupEntry {
    fn from(row: GroupRow) -> Self {
        let desc = GroupDesc {
            block_bitmap: row.block_bitmap,
            inode_bitmap: row.inode_bitmap,
            inode_table: row.inode_table,
            free_blocks_count: row.free_clusters,
            free_inodes_count: row.free_inodes,
            used_dirs_count: row.used_dirs,
            itable_unused: row.itable_unused,
            block_bitmap_csum: row.block_bitmap_csum,
            flags: row.flags,
            ..GroupDesc::default()
        };
        let state = if row.readable { DescState::Read } else { DescState::Unreadable };
        Self { desc, state, csum: row.csum, ..Self::default() }
    }
}

impl GroupColumns {
    /// Bytes of a group on the way.
    pub const ROW_BYTES: usize = 3 * 8 + 5 * 4 + 2 + 2;

    /// The columns of some groups.
    #[must_use]
    pub fn part(&self, groups: Range<u32>) -> Self {
        let groups = groups.start as usize..groups.end as usize;
        Self {
            free_clusters: self.free_clusters.part(groups.clone()),
            free_inodes: self.free_inodes.part(groups.clone()),
            used_dirs: self.used_dirs.part(groups.clone()),
            itable_unused: self.itable_unused.part(groups.clone()),
            flags: self.flags.part(groups.clone()),
            csum: self.csum.part(groups.clone()),
            block_bitmap: self.block_bitmap.part(groups.clone()),
            inode_bitmap: self.inode_bitmap.part(groups.clone()),
            inode_table: self.inode_table.part(groups.clone()),
            block_bitmap_csum: self.block_bitmap_csum.part(groups.clone()),
            readable: self.readable.part(groups),
        }
    }

    /// Columns of these rows, the first of which is group 0; gone through once a column, so that
    /// they need not be held beside it.
    #[must_use]
    pub fn from_rows(rows: impl Iterator<Item = GroupRow> + Clone) -> Self {
        fn column<T>(
            rows: &(impl Iterator<Item = GroupRow> + Clone),
            value: impl Fn(GroupRow) -> T,
        ) -> Column<T> {
            rows.clone().map(value).collect()
        }
        let rows = &rows;
        Self {
            free_clusters: column(rows, |row| row.free_clusters),
            free_inodes: column(rows, |row| row.free_inodes),
            used_dirs: column(rows, |row| row.used_dirs),
            itable_unused: column(rows, |row| row.itable_unused),
            flags: column(rows, |row| row.flags.bits()),
            csum: column(rows, |row| csum_to_word(row.csum)),
            block_bitmap: column(rows, |row| row.block_bitmap.get()),
            inode_bitmap: column(rows, |row| row.inode_bitmap.get()),
            inode_table: column(rows, |row| row.inode_table.get()),
            block_bitmap_csum: column(rows, |row| row.block_bitmap_csum),
            readable: column(rows, |row| row.readable.into()),
        }
    }

    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Whether there are none, as on an external journal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// Free clusters of a group by its descriptor; `None` where that could not be read.
    #[must_use]
    pub fn free_clusters(&self, group: Group) -> Option<u32> {
        let at = usize::try_from(group.get()).ok()?;
        (*self.readable.get(at)? != 0).then(|| self.free_clusters.get(at).copied()).flatten()
    }

    /// One group's descriptor, or `None` past the last group.
    #[must_use]
    pub fn row(&self, group: Group) -> Option<GroupRow> {
        let at = usize::try_from(group.get()).ok()?;
        Some(GroupRow {
            free_clusters: *self.free_clusters.get(at)?,
            free_inodes: *self.free_inodes.get(at)?,
            used_dirs: *self.used_dirs.get(at)?,
            itable_unused: *self.itable_unused.get(at)?,
            flags: BgFlags::from_bits_retain(*self.flags.get(at)?),
            csum: csum_from_word(*self.csum.get(at)?),
            block_bitmap: Fsblk::new(*self.block_bitmap.get(at)?),
            inode_bitmap: Fsblk::new(*self.inode_bitmap.get(at)?),
            inode_table: Fsblk::new(*self.inode_table.get(at)?),
            block_bitmap_csum: *self.block_bitmap_csum.get(at)?,
            readable: *self.readable.get(at)? != 0,
        })
    }

    /// The descriptors of all groups, in order.
    pub fn rows(&self) -> impl Iterator<Item = GroupRow> {
        (0..).map_while(|group| self.row(Group::new(group)))
    }
}

/// A checksum's state as a column holds it.
pub(super) const fn csum_to_word(csum: CsumState) -> u8 {
    match csum {
        CsumState::None => 0,
        CsumState::Good => 1,
        CsumState::Bad => 2,
    }
}

/// The checksum's state that a column holds.
pub(super) const fn csum_from_word(word: u8) -> CsumState {
    match word {
        1 => CsumState::Good,
        2 => CsumState::Bad,
        _ => CsumState::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_back_as_it_went_in() {
        let row = GroupRow {
            free_clusters: 1,
            free_inodes: 2,
            used_dirs: 3,
            itable_unused: 4,
            flags: BgFlags::BLOCK_UNINIT | BgFlags::from_bits_retain(0x100),
            csum: CsumState::Bad,
            block_bitmap: Fsblk::new(1 << 40),
            inode_bitmap: Fsblk::new(6),
            inode_table: Fsblk::new(7),
            block_bitmap_csum: 8,
            readable: true,
        };
        let columns = GroupColumns::from_rows([GroupRow::default(), row].into_iter());
        assert_eq!(columns.rows().collect::<Vec<_>>(), [GroupRow::default(), row]);
        assert_eq!(columns.row(Group::new(2)), None);
        let free: Vec<_> = (0..3).map(|group| columns.free_clusters(Group::new(group))).collect();
        assert_eq!(free, [None, Some(1), None]);
        assert!(columns.part(1..9).rows().eq([row]));
        assert!(columns.part(2..9).is_empty());
        assert_eq!(GroupRow::from(&GroupEntry::from(row)), row);
    }
}
