//! What comes of a request: a refusal, a failure, or every change.

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::cluster_map::ClusterMap;
use super::dirents::EntryChange;
use super::failure::Failure;
use super::inode_moves::InodeMove;
use super::itables::ItableMove;
use super::refusal::{Refusal, Sizes};
use super::relocations::Relocation;
use super::touched::{OwnedMove, Touched};
use super::{Frame, Minimum, Request};
use crate::bitmap::RunBitmap;
use crate::units::{Group, Ino};

/// What comes of a request.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was asked for.
    pub request: Request,
    /// The estimate of the smallest size.
    pub minimum: Minimum,
    /// The sizes that the request comes to.
    pub sizes: Sizes,
    /// Why the tool does not begin, in its order; it stops at the first. Empty when it begins.
    pub refusals: Vec<Refusal>,
    /// Why it ends early.
    pub failure: Option<Failure>,
    /// Every change, when it comes to its end, or fails only there.
    pub changes: Option<Box<Changes>>,
}

/// A bitmap that gets another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitmapMove {
    /// Its group.
    pub group: Group,
    /// Whether it is the inode bitmap.
    pub of_inodes: bool,
    /// Its block before.
    pub from: u64,
    /// Its block after.
    pub to: u64,
}

/// Every change of a shrink.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The filesystem before.
    pub old: Frame,
    /// The filesystem after: superblock, geometry, descriptors.
    pub new: Frame,
    /// Clusters in use before.
    pub old_map: ClusterMap,
    /// Clusters in use after, as a reader sees them.
    pub block_map: ClusterMap,
    /// Inodes in use before, by number.
    pub old_inodes: RunBitmap,
    /// Inodes in use after, by number.
    pub inode_map: RunBitmap,
    /// Clusters that move, by where they were.
    pub relocations: Vec<Relocation>,
    /// Whose blocks these are, in order of inodes.
    pub owned: Vec<OwnedMove>,
    /// Inodes that get another number.
    pub inode_moves: Vec<InodeMove>,
    /// Directory entries that are rewritten for it.
    pub entries: Vec<EntryChange>,
    /// Inode tables that move.
    pub itable_moves: Vec<ItableMove>,
    /// Bitmaps that get another place.
    pub bitmap_moves: Vec<BitmapMove>,
    /// New nodes of extent trees, in the order in which they are taken.
    pub new_nodes: Vec<u64>,
    /// Files that change, by their number before.
    pub touched: Vec<Touched>,
    /// Which of them are directories, in order.
    pub dirs_moved: Vec<Ino>,
    /// Reserved GDT blocks and descriptors that are freed.
    pub freed_descriptors: Vec<Range<u64>>,
    /// Bad blocks that are dropped from their list, in clusters.
    pub dropped_bad: u64,
    /// Blocks that stay marked as in use and are nobody's.
    pub leaked_blocks: u64,
    /// Whether the search for free blocks had to take those that were in use before.
    pub desperate: bool,
    /// What was gone through on the way.
    pub counts: Counts,
}

/// How much the passes go through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Inodes looked at.
    pub inodes_scanned: u64,
    /// Nodes of extent trees and indirect blocks read.
    pub nodes_read: u64,
    /// Block pointers that are rewritten.
    pub pointers: u64,
    /// Directories gone through for entries to be rewritten.
    pub dirs_scanned: u64,
}

impl Changes {
    /// Blocks that move.
    #[must_use]
    pub fn moved_blocks(&self) -> u64 {
        let clusters = self.relocations.iter().map(|run| run.len).fold(0, u64::saturating_add);
        self.block_map.block(clusters)
    }
}
