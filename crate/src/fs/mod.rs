//! The opened filesystem: where everything lies, and what was read of it.
//!
//! *Belongs here:* turning the superblock's numbers into places, and reading what lies there on
//! demand. *Does not:* judging (only what makes arithmetic impossible is refused), statistics,
//! words for people. *May use:* `io`, `bitmap`, `ondisk`. *Reference:* the read side of libext2fs.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

mod backup;
mod bitmap_csum;
mod bitmaps;
mod block;
mod block_map;
mod block_runs;
mod casefold;
mod csum_state;
mod dir;
mod disk;
mod extent_tree;
mod file;
mod geometry;
mod group;
mod htree;
mod inode;
mod inode_scan;
pub mod journal;
mod layout;
mod load_plan;
mod mapping;
mod mmp;
mod open;
mod orphans;
mod path;
mod quota;
mod split;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
mod xattr;

pub use backup::{Backup, BackupSearch, Backups};
pub use bitmaps::{BitmapKind, BitmapPlace, GroupBitmap};
pub use csum_state::CsumState;
pub use dir::{DirBlock, DirBlockKind, DirEntry, DirPlace, DirWalk};
pub use disk::{Contents, Disk, DiskSearch};
pub use file::{DataPiece, FileData};
pub use geometry::Geometry;
pub use group::{DescState, GroupEntry, GroupTable};
pub use inode::Inode;
pub use inode_scan::{InodeScan, ItablePiece};
pub use layout::{GroupBase, Layout};
pub use load_plan::{JoinedRead, LoadPlan, PlacedBitmap};
pub use mapping::{MapItem, MapNode, MapWalk, Mapping, MappingState, NodeKind};
pub use mmp::{Mmp, MmpState};
pub use open::{Open, OpenOptions};
pub use orphans::Orphans;
pub(crate) use quota::QuotaWalk;
pub use split::{NextPart, Part, Parts, split_groups};
pub use tree::{TreeEntry, TreeWalk};
pub use xattr::{Xattr, XattrBlock, XattrPlace, XattrValue};

use bitmap_csum::BitmapCsums;

use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, Meter, Reader, out_of_bounds};
use crate::ondisk::csum::Csum;
use crate::ondisk::features::Features;
use crate::ondisk::{SUPERBLOCK_OFFSET, Superblock};
use crate::task;
use crate::units::{ByteOffset, Fsblk, Group};

/// A filesystem whose superblock and descriptors are read; the rest is read when asked for.
#[derive(Debug)]
pub struct Filesystem<S> {
    reader: Reader<S>,
    superblock: Box<Superblock>,
    superblock_at: Fsblk,
    geometry: Geometry,
    layout: Layout,
    csum: Csum,
    bitmap_csums: Option<Box<BitmapCsums>>,
    groups: GroupTable,
}

impl<S: ByteSource> Filesystem<S> {
    /// Opens the filesystem in `source`, reading its superblock and descriptors alone.
    ///
    /// # Errors
    /// Those of [`Open`].
    pub fn open(source: S, options: OpenOptions) -> Result<Self> {
        task::run_to_end(Open::new(source, options))
    }

    /// The superblock in use.
    pub fn superblock(&self) -> &Superblock {
        &self.superblock
    }

    /// Block in which the superblock in use lies.
    pub fn superblock_at(&self) -> Fsblk {
        self.superblock_at
    }

    /// Byte at which the superblock in use starts.
    pub fn superblock_offset(&self) -> ByteOffset {
        open::superblock_offset(self.superblock_at, self.geometry.block_size())
    }

    /// Whether the superblock in use is a backup.
    pub fn is_from_backup(&self) -> bool {
        self.superblock_offset().get() != SUPERBLOCK_OFFSET
    }

    /// Its features.
    pub fn features(&self) -> Features {
        self.superblock.features()
    }

    /// Its sizes, counts and conversions.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Where copies of the superblock and descriptors lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How its checksums are made.
    pub fn csum(&self) -> Csum {
        self.csum
    }

    /// Its descriptors.
    pub fn groups(&self) -> &GroupTable {
        &self.groups
    }

    /// Takes over descriptors that another filesystem over the same image has read, from group
    /// `first` on; those that were read here stay.
    pub fn adopt_groups(&mut self, first: Group, entries: impl IntoIterator<Item = GroupEntry>) {
        self.groups.adopt(first, entries);
    }

    /// A group's descriptor.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] past the listed groups; the
    /// error of reading the descriptor when that failed.
    pub fn group(&self, group: Group) -> Result<&GroupEntry> {
        let entry = self.groups().get(group).ok_or_else(|| {
            let what = format!("there are {} groups", self.groups().len());
            Error::new(ErrorKind::OutOfBounds, what).at_group(group)
        })?;
        match entry.state {
            DescState::Read => Ok(entry),
            DescState::Unread => Err(Error::corrupt("the descriptor was not read yet")),
            DescState::Unreadable => Err(self
                .groups()
                .first_error()
                .cloned()
                .unwrap_or_else(|| out_of_bounds(self.image_len(), self.image_len()))),
        }
        .map_err(|error| error.at_group(group))
    }

    /// Length of the image in bytes.
    pub fn image_len(&self) -> u64 {
        self.reader.len()
    }

    /// What was read so far.
    pub fn meter(&self) -> &Meter {
        self.reader.meter()
    }

    /// Its bytes, for whoever streams through many at once.
    pub fn reader(&self) -> &Reader<S> {
        &self.reader
    }
}
