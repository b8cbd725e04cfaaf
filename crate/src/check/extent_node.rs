//! What e2fsck takes for a node of an extent tree.

use zerocopy::FromBytes;

use crate::fs::Filesystem;
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::{EXTENT_MAGIC, Extent, ExtentHeader, ExtentIdx, I_BLOCK_BYTES, csum};
use crate::units::Fsblk;

/// A node of an extent tree whose header makes sense.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Entries in use.
    pub(super) entries: u16,
    /// Entries that there is room for.
    pub(super) max: u16,
    /// Levels below it, as it says.
    pub(super) depth: u16,
    /// Its checksum is wrong.
    pub(super) fails_csum: bool,
    bytes: Vec<u8>,
}

/// An entry of a node: of a leaf, blocks; else a node below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// First block of the file.
    pub(super) lblk: u32,
    /// First block, or the node.
    pub(super) fsblk: u64,
    /// Blocks of a leaf's entry.
    pub(super) len: u16,
    /// Its blocks were never written.
    pub(super) is_unwritten: bool,
}

/// Whether a header is one. Room for up to two entries fewer than fit is allowed.
/// Ref: `ext2fs_extent_header_verify`.
fn verify(bytes: &[u8]) -> Option<ExtentHeader> {
    let (header, rest) = ExtentHeader::read_from_prefix(bytes).ok()?;
    let room = u16::try_from(rest.len() / size_of::<Extent>()).unwrap_or(u16::MAX);
    let (entries, max) = (header.eh_entries.get(), header.eh_max.get());
    let is_one = header.eh_magic.get() == EXTENT_MAGIC
        && entries <= max
        && (room.saturating_sub(2)..=room).contains(&max);
    is_one.then_some(header)
}

/// Whether `i_block` starts with the header of a root.
pub(super) fn verify_root(i_block: &[u8; I_BLOCK_BYTES]) -> bool {
    verify(i_block).is_some()
}

impl Node {
    /// The root, if `i_block` is one.
    pub(super) fn root(i_block: &[u8; I_BLOCK_BYTES]) -> Option<Self> {
        Some(Self::new(verify(i_block)?, i_block.to_vec(), false))
    }

    /// The node in a block; `None` when its header is none. The outer `None`: unreadable.
    pub(super) fn read<S: ByteSource>(
        fs: &Filesystem<S>,
        fsblk: u64,
        seed: Option<u32>,
        inode_fails_csum: bool,
    ) -> Option<Option<Self>> {
        let bytes = fs.block(ReadKind::Mapping, Fsblk::new(fsblk)).ok()?;
        let Some(header) = verify(&bytes) else { return Some(None) };
        let fails_csum = seed.is_some_and(|seed| {
            let tail = header.tail_offset();
            let stored = bytes.get(tail..).and_then(|tail| tail.first_chunk());
            let due = csum::extent_block(seed, &header, &bytes).map(u32::to_le_bytes);
            inode_fails_csum || stored.is_none() || stored != due.as_ref()
        });
        Some(Some(Self::new(header, bytes, fails_csum)))
    }

    fn new(header: ExtentHeader, bytes: Vec<u8>, fails_csum: bool) -> Self {
        Self {
            entries: header.eh_entries.get(),
            max: header.eh_max.get(),
            depth: header.eh_depth.get(),
            fails_csum,
            bytes,
        }
    }

    /// The first blocks that its entries lead to.
    pub(super) fn blocks(&self, is_leaf: bool) -> impl Iterator<Item = u64> {
        (0..self.entries).map_while(move |index| Some(self.entry(index, is_leaf)?.fsblk))
    }

    /// The entry at an index, read as its level says.
    pub(super) fn entry(&self, index: u16, is_leaf: bool) -> Option<Entry> {
        if index >= self.entries {
            return None;
        }
        let at = size_of::<Extent>() * (usize::from(index) + 1);
        let bytes = self.bytes.get(at..)?;
        if is_leaf {
            let (extent, _) = Extent::read_from_prefix(bytes).ok()?;
            return Some(Entry {
                lblk: extent.lblk().get(),
                fsblk: extent.fsblk().get(),
                len: extent.len(),
                is_unwritten: extent.is_unwritten(),
            });
        }
        let (idx, _) = ExtentIdx::read_from_prefix(bytes).ok()?;
        Some(Entry { lblk: idx.lblk().get(), fsblk: idx.leaf().get(), len: 0, is_unwritten: false })
    }
}

/// Levels below the root that a file of this block size can need. Ref: `ext2fs_max_extent_depth`.
pub(super) fn max_depth(block_size: u32) -> u16 {
    let per_node = (block_size.saturating_sub(12) / 12).max(2);
    let in_root: u32 = 4;
    let depth = 1 + (31 - in_root.ilog2()) / per_node.ilog2();
    u16::try_from(depth).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_no_deeper_than_the_longest_file_needs() {
        let depths = [1024, 2048, 4096, 8192, 16384, 65536].map(max_depth);
        assert_eq!(depths, [5, 5, 4, 4, 3, 3]);
    }

    #[test]
    fn a_root_has_room_for_two_to_four_entries() {
        let mut i_block = [0; I_BLOCK_BYTES];
        i_block[..2].copy_from_slice(&EXTENT_MAGIC.to_le_bytes());
        let told = [1, 2, 4, 5].map(|max| {
            i_block[4] = max;
            verify_root(&i_block)
        });
        assert_eq!(told, [false, true, true, false]);
    }
}
