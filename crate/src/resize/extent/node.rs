//! Nodes of a tree, decoded.

use zerocopy::FromBytes as _;

use super::super::Like;
use crate::error::{Error, Result};
use crate::ondisk::{EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx};

/// Bytes of an entry, and of a header.
const ENTRY_BYTES: usize = size_of::<Extent>();

/// An entry of a node: an extent, or a node below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Entry {
    /// First block of the file.
    pub(in super::super) lblk: u64,
    /// First block of the filesystem, or the block of the node below.
    pub(in super::super) fsblk: u64,
    /// Blocks; of an entry that leads to a node, what lies before the next one.
    pub(in super::super) len: u64,
    /// Whether the blocks read as zeros.
    pub(in super::super) is_unwritten: bool,
}

impl Entry {
    /// Block of the file behind the last.
    pub(in super::super) fn end(self) -> u64 {
        self.lblk.saturating_add(self.len)
    }
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Node {
    pub(in super::super) entries: Vec<Entry>,
    /// Entries that there is room for.
    pub(super) max: usize,
    /// Levels below, as it says; the root's counts.
    pub(super) depth: usize,
}

impl Node {
    /// Decodes a root. One of zeros is empty.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when it is none.
    pub(in super::super) fn decode_root(bytes: &[u8]) -> Result<Self> {
        if bytes.iter().all(|byte| *byte == 0) {
            let max = bytes.len().checked_div(ENTRY_BYTES).unwrap_or(1).saturating_sub(1);
            return Ok(Self { max, ..Self::default() });
        }
        let is_leaf = ExtentHeader::read_from_prefix(bytes)
            .is_ok_and(|(header, _)| header.eh_depth.get() == 0);
        Self::decode(bytes, is_leaf)
    }

    /// Decodes a node. Its own level does not count, but that on which it was come to.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when it is none.
    /// Ref: `ext2fs_extent_header_verify`.
    pub(in super::super) fn decode(bytes: &[u8], is_leaf: bool) -> Result<Self> {
        let (header, entries) = ExtentHeader::read_from_prefix(bytes)
            .map_err(|_| Error::corrupt("an extent node is too short"))?;
        let room = entries.len().checked_div(ENTRY_BYTES).unwrap_or(0);
        let max = usize::from(header.eh_max.get());
        let count = usize::from(header.eh_entries.get());
        if header.eh_magic.get() != EXTENT_MAGIC {
            return Err(Error::corrupt("an extent node has no magic"));
        }
        // Two entries at the end may be kept free.
        if max > room || max < room.saturating_sub(2) || count > max {
            let what = format!("an extent node has {count} entries of {max}, and room for {room}");
            return Err(Error::corrupt(what));
        }
        let entries = entries.chunks_exact(ENTRY_BYTES).take(count);
        Ok(Self {
            entries: entries.filter_map(|bytes| entry(bytes, is_leaf)).collect(),
            max,
            depth: usize::from(header.eh_depth.get()),
        })
    }
}

fn entry(bytes: &[u8], is_leaf: bool) -> Option<Entry> {
    if !is_leaf {
        let idx = ExtentIdx::read_from_bytes(bytes).ok()?;
        let lblk = u64::from(idx.lblk().get());
        return Some(Entry { lblk, fsblk: idx.leaf().get(), ..Entry::default() });
    }
    let extent = Extent::read_from_bytes(bytes).ok()?;
    Some(Entry {
        lblk: u64::from(extent.lblk().get()),
        fsblk: extent.fsblk().get(),
        len: u64::from(extent.len()),
        is_unwritten: extent.is_unwritten(),
    })
}

/// Where nodes come from, and room for new ones.
pub(in super::super) trait Store {
    /// Reads the node that is in a block of the new filesystem, as one of extents or of nodes.
    fn read(&mut self, block: u64, is_leaf: bool) -> Result<Node>;

    /// Takes a block for a new node; `None` when there is no room.
    fn allocate(&mut self) -> Option<u64>;

    /// Gives back the block of a node that is no more.
    fn release(&mut self, block: u64);

    /// Entries that a new node has room for.
    fn node_max(&self) -> usize;

    /// Whose behaviour is followed.
    fn like(&self) -> Like;
}
