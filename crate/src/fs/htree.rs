//! A name looked up by the index of its directory.

use zerocopy::FromBytes;

use super::block_runs::BlockRuns;
use super::casefold::WantedName;
use super::{DirBlock, DirBlockKind, DirWalk, Filesystem, Inode};
use crate::error::Result;
use crate::io::ByteSource;
use crate::ondisk::InodeFlags;
use crate::ondisk::dirhash::dirhash;
use crate::ondisk::htree::{
    DX_NODE_ENTRIES_OFFSET, DX_ROOT_INFO_OFFSET, DxCountlimit, DxEntry, DxRootInfo, HashVersion,
};
use crate::units::{Ino, Lblk};

/// Levels of index blocks below the root, at most. Ref: `EXT4_HTREE_LEVEL`.
const LEVELS: u8 = 3;

/// Leaves looked at for one name: as many as can share a hash in any real directory.
const LEAVES: u32 = 64;

/// `s_flags`: letters are numbers without a sign. Ref: `EXT2_FLAGS_UNSIGNED_HASH`.
const UNSIGNED_HASH: u32 = 2;

impl<S: ByteSource> Filesystem<S> {
    /// The hash of a name in a directory whose root of the index says so; `None` where it cannot
    /// be worked out from the image alone: for SipHash, which takes a key.
    fn hash_in(&self, info: &DxRootInfo, name: &[u8]) -> Option<u32> {
        let (version, is_unsigned) = HashVersion::from_disk(info.hash_version)?;
        let superblock = self.superblock();
        let is_unsigned = is_unsigned || superblock.s_flags.get() & UNSIGNED_HASH != 0;
        let seed = superblock.s_hash_seed.map(|word| word.get());
        dirhash(version, is_unsigned, seed, name)
    }

    /// The inode that a directory has under a name, as its index leads to it. `None` where the
    /// index does not lead to the name: then all blocks may still hold it.
    ///
    /// # Errors
    /// Those of reading the blocks on the way.
    pub(super) fn lookup_by_hash(&self, dir: &Inode, name: &WantedName<'_>) -> Result<Option<Ino>> {
        if !dir.flags().contains(InodeFlags::INDEX) {
            return Ok(None);
        }
        let walk = DirWalk::new(self, dir)?;
        let runs = BlockRuns::new(self, dir)?;
        let block_at = |lblk: Lblk| {
            let place = runs.fsblk(lblk.get());
            place.map(|fsblk| walk.read_block(self, lblk, fsblk)).transpose()
        };
        let Some(root) = block_at(Lblk::new(0))? else { return Ok(None) };
        let info = root.bytes().get(DX_ROOT_INFO_OFFSET..);
        let info = info.and_then(|bytes| DxRootInfo::read_from_prefix(bytes).ok());
        let Some((info, _)) = info.filter(|(info, _)| info.indirect_levels < LEVELS) else {
            return Ok(None);
        };
        let Some(hash) = self.hash_in(&info, name.hashed()) else { return Ok(None) };

        let mut entries = entries_of(&root, info.entries_offset());
        for _ in 0..info.indirect_levels {
            let Some(at) = place(&entries, hash) else { return Ok(None) };
            let Some(node) = block_at(at)? else { return Ok(None) };
            if node.kind != DirBlockKind::Index {
                return Ok(None);
            }
            entries = entries_of(&node, DX_NODE_ENTRIES_OFFSET);
        }
        let first = entries.partition_point(|(least, _)| *least <= hash).saturating_sub(1);
        // Names of one hash may go on in the leaf behind.
        let leaves = entries.iter().skip(first).zip(0..LEAVES);
        for ((least, at), passed) in leaves {
            if passed > 0 && least & !1 != hash {
                break;
            }
            let Some(leaf) = block_at(*at)? else { return Ok(None) };
            for entry in leaf.entries() {
                let entry = entry?;
                if name.is(&entry.name) {
                    return Ok(Some(entry.ino));
                }
            }
        }
        Ok(None)
    }
}

/// The block in which names of a hash are.
fn place(entries: &[(u32, Lblk)], hash: u32) -> Option<Lblk> {
    let behind = entries.partition_point(|(least, _)| *least <= hash);
    entries.get(behind.saturating_sub(1)).map(|(_, at)| *at)
}

/// Least hash and block of each entry of an index block; the first has no hash, so 0.
fn entries_of(block: &DirBlock, at: usize) -> Vec<(u32, Lblk)> {
    let bytes = block.bytes().get(at..).unwrap_or_default();
    let Ok((counts, _)) = DxCountlimit::read_from_prefix(bytes) else { return Vec::new() };
    let entries = bytes.chunks_exact(size_of::<DxEntry>()).take(counts.count.get().into());
    let entries = entries.filter_map(|entry| DxEntry::read_from_bytes(entry).ok()).zip(0_usize..);
    let told = |(entry, at): (DxEntry, usize)| {
        (if at == 0 { 0 } else { entry.hash.get() }, Lblk::new(entry.lblk()))
    };
    entries.map(told).collect()
}
