//! Files mapped by extents. Ref: `ext4_find_extent`, `fs/ext4/extents.c`.

use std::collections::HashSet;

use zerocopy::FromBytes;

use super::mapping::{MapItem, MapNode, Mapping, MappingState, NodeKind};
use super::{CsumState, Filesystem};
use crate::error::{Error, Result};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::{
    EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx, I_BLOCK_BYTES, MAX_EXTENT_DEPTH, csum,
};
use crate::units::{Fsblk, Ino};

/// The walk over an extent tree. See [`MapWalk`](super::MapWalk).
#[derive(Clone, Debug)]
pub(super) struct ExtentWalk {
    ino: Ino,
    seed: Option<u32>,
    /// The nodes from the root to where the walk is.
    path: Vec<Node>,
    /// The root was refused.
    refused: Option<Error>,
    /// Nodes below the root that were met.
    met: HashSet<Fsblk>,
}

#[derive(Clone, Debug)]
struct Node {
    bytes: Box<[u8]>,
    header: ExtentHeader,
    /// Index of the next entry.
    next: u16,
}

impl ExtentWalk {
    pub(super) fn new(ino: Ino, seed: Option<u32>, i_block: &[u8; I_BLOCK_BYTES]) -> Self {
        let root = Node::new(i_block.as_slice().into(), None);
        let (path, refused) = match root {
            Ok(root) => (vec![root], None),
            Err(error) => (Vec::new(), Some(error.at_ino(ino))),
        };
        Self { ino, seed, path, refused, met: HashSet::new() }
    }

    pub(super) fn next_item<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
    ) -> Option<Result<MapItem>> {
        if let Some(error) = self.refused.take() {
            return Some(Err(error));
        }
        loop {
            let node = self.path.last_mut()?;
            let depth = node.header.eh_depth.get();
            let Some(entry) = node.next_entry() else {
                self.path.pop();
                continue;
            };
            let item = if depth == 0 {
                Extent::read_from_bytes(entry).map_err(|_| unreadable()).and_then(|e| leaf(&e))
            } else {
                let idx = ExtentIdx::read_from_bytes(entry).map_err(|_| unreadable());
                idx.and_then(|idx| self.descend(fs, idx, depth.saturating_sub(1)))
            };
            return Some(item.map_err(|error| error.at_ino(self.ino)));
        }
    }

    pub(super) fn skip_node(&mut self) {
        self.path.pop();
    }

    /// Reads the node below and makes it the one that is walked over.
    fn descend<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        idx: ExtentIdx,
        depth: u16,
    ) -> Result<MapItem> {
        let fsblk = idx.leaf();
        if !self.met.insert(fsblk) {
            return Err(
                Error::corrupt("two entries of the extent tree lead to one node").at_fsblk(fsblk)
            );
        }
        let bytes = fs.block(ReadKind::Mapping, fsblk)?;
        let node = Node::new(bytes.into(), Some(depth)).map_err(|error| error.at_fsblk(fsblk))?;
        let csum = self.check(&node);
        self.path.push(node);
        Ok(MapItem::Node(MapNode { kind: NodeKind::Extent(depth), lblk: idx.lblk(), fsblk, csum }))
    }

    fn check(&self, node: &Node) -> CsumState {
        let Some(seed) = self.seed else {
            return CsumState::None;
        };
        let tail = node.header.tail_offset();
        let stored = node.bytes.get(tail..).and_then(|tail| tail.first_chunk());
        // Room for more entries than the block has leaves no place for a checksum.
        let computed = csum::extent_block(seed, &node.header, &node.bytes);
        match (stored, computed) {
            (Some(stored), Some(computed)) if u32::from_le_bytes(*stored) == computed => {
                CsumState::Good
            }
            _ => CsumState::Bad,
        }
    }
}

impl Node {
    /// A node, when its header allows to walk over it: `depth` levels above the leaves, or any
    /// possible number for the root.
    fn new(bytes: Box<[u8]>, depth: Option<u16>) -> Result<Self> {
        let (header, entries) = ExtentHeader::read_from_prefix(&bytes).map_err(|_| unreadable())?;
        let found = header.eh_depth.get();
        let room = entries.len().checked_div(size_of::<Extent>()).unwrap_or(0);
        let what = if header.eh_magic.get() != EXTENT_MAGIC {
            format!("eh_magic is {:#06x}, not {EXTENT_MAGIC:#06x}", header.eh_magic)
        } else if depth.is_some_and(|depth| depth != found) {
            format!("eh_depth is {found} where {} is due", depth.unwrap_or(0))
        } else if found > MAX_EXTENT_DEPTH {
            format!("eh_depth is {found}; no tree is deeper than {MAX_EXTENT_DEPTH}")
        } else if usize::from(header.eh_entries.get()) > room {
            format!("eh_entries is {}, and there is room for {room}", header.eh_entries)
        } else {
            return Ok(Self { bytes, header, next: 0 });
        };
        Err(Error::corrupt(what))
    }

    fn next_entry(&mut self) -> Option<&[u8]> {
        if self.next >= self.header.eh_entries.get() {
            return None;
        }
        self.next = self.next.saturating_add(1);
        let start = usize::from(self.next).checked_mul(size_of::<Extent>())?;
        self.bytes.get(start..start.checked_add(size_of::<Extent>())?)
    }
}

/// The blocks of an entry of a leaf.
fn leaf(extent: &Extent) -> Result<MapItem> {
    let (lblk, len) = (extent.lblk(), extent.len());
    if len == 0 || lblk.checked_add(u32::from(len).saturating_sub(1)).is_none() {
        let what = format!("an extent of {len} blocks at block {lblk} of the file");
        return Err(Error::corrupt(what).at_fsblk(extent.fsblk()));
    }
    let state = if extent.is_unwritten() { MappingState::Unwritten } else { MappingState::Written };
    Ok(MapItem::Mapping(Mapping { lblk, fsblk: extent.fsblk(), len: u32::from(len), state }))
}

fn unreadable() -> Error {
    Error::corrupt("an extent node is too short")
}

#[cfg(test)]
mod tests {
    use zerocopy::IntoBytes;

    use super::super::testing::Files;
    use super::*;
    use crate::error::ErrorKind;
    use crate::units::Lblk;

    fn node(depth: u16, max: u16, entries: &[[u8; 12]]) -> Vec<u8> {
        let header = ExtentHeader {
            eh_magic: EXTENT_MAGIC.into(),
            eh_entries: u16::try_from(entries.len()).expect("few").into(),
            eh_max: max.into(),
            eh_depth: depth.into(),
            eh_generation: 0.into(),
        };
        [header.as_bytes(), entries.concat().as_slice()].concat()
    }

    fn extent(lblk: u32, len: u16, fsblk: u32) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&lblk.to_le_bytes());
        bytes[4..6].copy_from_slice(&len.to_le_bytes());
        bytes[8..].copy_from_slice(&fsblk.to_le_bytes());
        bytes
    }

    fn idx(lblk: u32, fsblk: u32) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&lblk.to_le_bytes());
        bytes[4..8].copy_from_slice(&fsblk.to_le_bytes());
        bytes
    }

    fn mapping(lblk: u32, fsblk: u64, len: u32) -> MapItem {
        let state = MappingState::Written;
        MapItem::Mapping(Mapping { lblk: Lblk::new(lblk), fsblk: Fsblk::new(fsblk), len, state })
    }

    #[test]
    fn a_root_of_extents_needs_no_reads() {
        let mut files = Files::new();
        files.i_block(12, &node(0, 4, &[extent(0, 5, 100), extent(7, 0x8003, 200)]));
        let (fs, inode) = files.open(12);
        let items: Vec<_> = fs.map_items(&inode).map(|item| item.expect("sound")).collect();
        let MapItem::Mapping(unwritten) = items[1] else { panic!("{items:?}") };
        assert_eq!(items[0], mapping(0, 100, 5));
        assert_eq!((unwritten.lblk.get(), unwritten.len), (7, 3));
        assert_eq!(unwritten.state, MappingState::Unwritten);
        assert_eq!(fs.meter().count(ReadKind::Mapping).requests, 0);
    }

    #[test]
    fn nodes_come_before_what_they_map() {
        let mut files = Files::new();
        files.i_block(12, &node(1, 4, &[idx(0, 900), idx(50, 901)]));
        files.block(900, &node(0, 84, &[extent(0, 5, 100)]));
        files.block(901, &node(0, 84, &[extent(50, 1, 300)]));
        let (fs, inode) = files.open(12);
        let items: Vec<_> = fs.map_items(&inode).map(|item| item.expect("sound")).collect();
        let nodes = [items[0], items[2]].map(|item| match item {
            MapItem::Node(node) => (node.kind, node.fsblk.get(), node.lblk.get()),
            MapItem::Mapping(_) => panic!("{items:?}"),
        });
        assert_eq!(nodes, [(NodeKind::Extent(0), 900, 0), (NodeKind::Extent(0), 901, 50)]);
        assert_eq!([items[1], items[3]], [mapping(0, 100, 5), mapping(50, 300, 1)]);
    }

    #[test]
    fn a_tree_that_leads_back_to_itself_ends() {
        let mut files = Files::new();
        files.i_block(12, &node(3, 4, &[idx(0, 900), idx(9, 900)]));
        files.block(900, &node(2, 84, &[idx(0, 900), idx(1, 901), idx(2, 900)]));
        files.block(901, &node(1, 84, &[]));
        let (fs, inode) = files.open(12);
        let items: Vec<_> = fs.map_items(&inode).collect();
        let bad = items.iter().filter(|item| item.is_err()).count();
        assert_eq!((items.len(), bad), (5, 3));
    }

    #[test]
    fn a_bad_node_costs_only_what_it_maps() {
        let mut files = Files::new();
        files.i_block(12, &node(1, 4, &[idx(0, 900), idx(5, 1 << 30), idx(9, 901), idx(99, 902)]));
        files.block(900, &node(1, 84, &[idx(0, 902)]));
        files.block(901, &node(0, 84, &[extent(9, 1, 33)]));
        files.block(902, &node(0, 84, &vec![extent(0, 1, 1); 85]));
        let (fs, inode) = files.open(12);
        let kinds: Vec<_> = fs
            .map_items(&inode)
            .map(|item| item.map_err(|error| (error.kind(), error.at().ino.is_some())))
            .collect();
        assert_eq!(kinds[0], Err((ErrorKind::Corrupt, true)), "wrong depth");
        assert_eq!(kinds[1], Err((ErrorKind::OutOfBounds, true)), "outside the filesystem");
        assert_eq!(kinds[3], Ok(mapping(9, 33, 1)));
        assert_eq!(kinds[4], Err((ErrorKind::Corrupt, true)), "more entries than room");
        assert_eq!(kinds.len(), 5);
    }

    #[test]
    fn impossible_extents_are_named() {
        let mut files = Files::new();
        files.i_block(12, &node(0, 4, &[extent(0, 0, 9), extent(u32::MAX, 2, 9)]));
        let (fs, inode) = files.open(12);
        assert!(fs.map_items(&inode).all(|item| item.is_err()));
        assert_eq!(fs.map_items(&inode).count(), 2);
        files.i_block(12, &node(6, 4, &[idx(0, 900)]));
        let (fs, inode) = files.open(12);
        assert!(fs.map_items(&inode).next().expect("an item").is_err());
        assert_eq!(fs.map_items(&inode).count(), 1);
    }
}
