//! Which blocks a file has, whichever way it is mapped.

use super::block_map::BlockMapWalk;
use super::extent_tree::ExtentWalk;
use super::{CsumState, Filesystem, Inode};
use crate::error::Result;
use crate::io::ByteSource;
use crate::ondisk::InodeFlags;
use crate::units::{Fsblk, Lblk};

/// What reading mapped blocks gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MappingState {
    /// What was written.
    Written,
    /// Zeros, whatever the blocks hold.
    Unwritten,
}

/// Blocks that follow one another in the file and on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First block of the file.
    pub lblk: Lblk,
    /// First block of the filesystem; as stored, so maybe outside of it.
    pub fsblk: Fsblk,
    /// Blocks, at least 1; no block lies past the last that a file can have.
    pub len: u32,
    /// What reading them gives.
    pub state: MappingState,
}

impl Mapping {
    /// The block of the file behind the last; past the type's end it is the type's end.
    #[must_use]
    pub fn lblk_end(&self) -> u64 {
        u64::from(self.lblk.get()).saturating_add(u64::from(self.len))
    }

    /// The block of the filesystem behind the last.
    #[must_use]
    pub fn fsblk_end(&self) -> u64 {
        self.fsblk.get().saturating_add(u64::from(self.len))
    }
}

/// What sort of block maps others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A node of an extent tree, so many levels above the leaves; leaves themselves are at 0.
    Extent(u16),
    /// An indirect block.
    Ind,
    /// A double indirect block.
    Dind,
    /// A triple indirect block.
    Tind,
}

/// A block that maps others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapNode {
    /// Which sort.
    pub kind: NodeKind,
    /// First block of the file that it maps.
    pub lblk: Lblk,
    /// Its place.
    pub fsblk: Fsblk,
    /// Whether its checksum is right; indirect blocks have none.
    pub csum: CsumState,
}

/// A step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapItem {
    /// A block that maps others; what it maps follows.
    Node(MapNode),
    /// Blocks of the file.
    Mapping(Mapping),
}

/// Walks over the blocks of a file in the order in which they are mapped, nodes before what they
/// map. Holes are what is between.
///
/// No block is taken for a node twice, so that a walk ends however the nodes point at one
/// another. Mappings are given as stored: they may lie out of order, overlap, or lie outside the
/// filesystem.
#[derive(Clone, Debug)]
pub struct MapWalk {
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Nothing,
    Extents(ExtentWalk),
    Blocks(BlockMapWalk),
}

impl MapWalk {
    /// Starts at the first block; nothing is read yet.
    #[must_use]
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Self {
        let way = if !inode.has_blocks() {
            Way::Nothing
        } else if inode.flags().contains(InodeFlags::EXTENTS) {
            let seed = fs.csum().inode_seed(inode.ino, inode.raw.i_generation.get());
            Way::Extents(ExtentWalk::new(inode.ino, seed, &inode.raw.i_block))
        } else {
            Way::Blocks(BlockMapWalk::new(inode.ino, &inode.raw.i_block))
        };
        Self { way }
    }

    /// The next item; `None` after the last. An error costs the node in which it lies, and the
    /// walk goes on behind that.
    ///
    /// Its errors: [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) for a node that is none or
    /// was met before; those of [`Filesystem::block`].
    pub fn next_item<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Option<Result<MapItem>> {
        match &mut self.way {
            Way::Nothing => None,
            Way::Extents(walk) => walk.next_item(fs),
            Way::Blocks(walk) => walk.next_item(fs),
        }
    }

    /// Leaves out what the node given last maps.
    pub fn skip_node(&mut self) {
        match &mut self.way {
            Way::Nothing => {}
            Way::Extents(walk) => walk.skip_node(),
            Way::Blocks(walk) => walk.skip_node(),
        }
    }
}

impl<S: ByteSource> Filesystem<S> {
    /// All of a [`MapWalk`].
    pub fn map_items(&self, inode: &Inode) -> impl Iterator<Item = Result<MapItem>> {
        let mut walk = MapWalk::new(self, inode);
        core::iter::from_fn(move || walk.next_item(self))
    }
}
