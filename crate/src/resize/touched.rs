//! Files before and after.

use serde::{Deserialize, Serialize};

use super::extent::Entry;
use super::relocations::Relocations;
use crate::fs::{Mapping, MappingState};
use crate::units::Ino;

/// Blocks of a file that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileExtent {
    /// First block of the file.
    pub lblk: u64,
    /// First block of the filesystem.
    pub fsblk: u64,
    /// Blocks.
    pub len: u64,
    /// Whether they read as zeros.
    pub unwritten: bool,
}

/// Where a file lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMap {
    /// Its blocks; of a file mapped by blocks, as long as they follow one another.
    pub extents: Vec<FileExtent>,
    /// Blocks that map others, before what they map.
    pub nodes: Vec<u64>,
}

/// A file that a shrink changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// Its number before.
    pub old_ino: Ino,
    /// Its number after.
    pub new_ino: Ino,
    /// Block of attributes after; 0 is none.
    pub acl: u64,
    /// `i_blocks` after.
    pub i_blocks: u64,
    /// Where it lies before.
    pub before: FileMap,
    /// Where it lies after.
    pub after: FileMap,
}

/// What of a file moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnedPart {
    /// Contents.
    Data,
    /// Nodes of its extent tree, indirect blocks.
    Node,
    /// Its block of attributes.
    Xattr,
}

/// Blocks that move together, and whose they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnedMove {
    /// First block before.
    pub from: u64,
    /// First block after.
    pub to: u64,
    /// Blocks.
    pub len: u64,
    /// Whose, by the number before. Of a block of attributes that several share, the first; it is
    /// listed once for each.
    pub ino: Ino,
    /// What of it.
    pub part: OwnedPart,
}

/// The blocks of a file, and whether any of them moves.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockList {
    pub(super) map: FileMap,
    pub(super) moves: bool,
}

impl From<&Mapping> for FileExtent {
    fn from(mapping: &Mapping) -> Self {
        Self {
            lblk: u64::from(mapping.lblk.get()),
            fsblk: mapping.fsblk.get(),
            len: u64::from(mapping.len),
            unwritten: mapping.state == MappingState::Unwritten,
        }
    }
}

impl From<Entry> for FileExtent {
    fn from(entry: Entry) -> Self {
        let Entry { lblk, fsblk, len, is_unwritten } = entry;
        Self { lblk, fsblk, len, unwritten: is_unwritten }
    }
}

impl FileMap {
    /// Adds an extent as it is.
    pub(super) fn push(&mut self, mapping: &Mapping) {
        self.extents.push(mapping.into());
    }

    /// Adds an extent, and joins it to the last one that it follows, as of a file mapped by blocks.
    pub(super) fn push_joined(&mut self, extent: FileExtent) {
        if let Some(last) = self.extents.last_mut()
            && last.lblk.checked_add(last.len) == Some(extent.lblk)
            && last.fsblk.checked_add(last.len) == Some(extent.fsblk)
        {
            last.len = last.len.saturating_add(extent.len);
        } else {
            self.extents.push(extent);
        }
    }

    /// The same file, mapped by blocks, with what moves at its new place.
    pub(super) fn relocated(&self, relocations: &Relocations) -> Self {
        let nodes = self.nodes.iter().map(|node| relocations.target(*node).unwrap_or(*node));
        let mut map = Self { extents: Vec::new(), nodes: nodes.collect() };
        for extent in &self.extents {
            let blocks = extent.fsblk..extent.fsblk.saturating_add(extent.len);
            let mut at = blocks.start;
            let mut push = |from: u64, fsblk: u64, end: u64| {
                let len = end.saturating_sub(from);
                let lblk = extent.lblk.saturating_add(from.saturating_sub(blocks.start));
                if len > 0 {
                    map.push_joined(FileExtent { lblk, fsblk, len, unwritten: extent.unwritten });
                }
            };
            for piece in relocations.pieces(blocks.clone()) {
                push(at, at, piece.blocks.start);
                push(piece.blocks.start, piece.to, piece.blocks.end);
                at = piece.blocks.end;
            }
            push(at, at, blocks.end);
        }
        map
    }
}
