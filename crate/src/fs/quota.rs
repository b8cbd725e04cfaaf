//! Quota files: what users, groups and projects have, and may have.
//! Ref: `fs/quota/quota_tree.c`, `fs/quota/quotaio_v2.h`.

use std::collections::HashSet;

use zerocopy::FromBytes;

use super::block_runs::BlockRuns;
use super::{Filesystem, Inode};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::quota::{
    QUOTA_BLOCK_BYTES, QuotaBlockHeader, QuotaEntry, QuotaHeader, QuotaKind, TREE_DEPTH,
};
use crate::units::Ino;

impl<S: ByteSource> Filesystem<S> {
    /// The quota files that the superblock names.
    pub fn quota_files(&self) -> impl Iterator<Item = (QuotaKind, Ino)> {
        let superblock = self.superblock();
        [
            (QuotaKind::User, superblock.s_usr_quota_inum.get()),
            (QuotaKind::Group, superblock.s_grp_quota_inum.get()),
            (QuotaKind::Project, superblock.s_prj_quota_inum.get()),
        ]
        .into_iter()
        .filter(|(_, ino)| *ino != 0)
        .map(|(kind, ino)| (kind, Ino::new(ino)))
    }

    /// What a quota file says of everybody, by number.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] for a file that is none, or leads out of itself;
    /// [`ErrorKind::Limit`] for more than [`limits::QUOTA_BLOCKS`]; those of reading its map and
    /// its blocks.
    pub fn quota_entries(&self, kind: QuotaKind, ino: Ino) -> Result<Vec<QuotaEntry>> {
        let inode = self.inode(ino)?;
        let runs = BlockRuns::new(self, &inode)?;
        let header = self.quota_block(&inode, &runs, 0)?;
        let is_quota = QuotaHeader::read_from_prefix(&header)
            .is_ok_and(|(header, _)| header.dqh_magic.get() == kind.magic());
        if !is_quota {
            return Err(Error::corrupt("the quota file has no magic").at_ino(ino));
        }
        let mut met = HashSet::new();
        let mut entries = Vec::new();
        // Blocks to look at, each with the levels of the tree below it.
        let mut todo = vec![(1_u32, TREE_DEPTH)];
        while let Some((number, levels)) = todo.pop() {
            if !met.insert(number) {
                continue;
            }
            if met.len() > limits::QUOTA_BLOCKS {
                let what = format!("a quota file of over {} blocks", limits::QUOTA_BLOCKS);
                return Err(Error::new(ErrorKind::Limit, what).at_ino(ino));
            }
            let block = self.quota_block(&inode, &runs, number)?;
            if levels == 0 {
                entries.extend(entries_of(&block));
                continue;
            }
            let (words, _) = block.as_chunks();
            let below = words.iter().map(|word| u32::from_le_bytes(*word));
            let below = below.filter(|number| *number != 0);
            todo.extend(below.map(|number| (number, levels.saturating_sub(1))));
        }
        entries.sort_by_key(|entry| entry.dqb_id.get());
        Ok(entries)
    }

    fn quota_block(&self, inode: &Inode, runs: &BlockRuns, number: u32) -> Result<Vec<u8>> {
        let mut block = vec![0; QUOTA_BLOCK_BYTES];
        let bytes = u64::try_from(QUOTA_BLOCK_BYTES).unwrap_or(0);
        let offset = u64::from(number).saturating_mul(bytes);
        if offset.saturating_add(bytes) > inode.raw.size() {
            let what = format!("block {number} of the quota file lies behind its end");
            return Err(Error::corrupt(what).at_ino(inode.ino));
        }
        let block_size = u64::from(self.geometry().block_size());
        let lblk = offset.checked_div(block_size).and_then(|lblk| u32::try_from(lblk).ok());
        // A hole holds zeros.
        if let Some(fsblk) = lblk.and_then(|lblk| runs.fsblk(lblk)) {
            let skip = offset.checked_rem(block_size).unwrap_or(0);
            self.read_blocks(ReadKind::Data, fsblk, skip, &mut block)?;
        }
        Ok(block)
    }
}

/// The entries of a block at the leaves; one of zeros is unused.
fn entries_of(block: &[u8]) -> impl Iterator<Item = QuotaEntry> {
    let entries = block.get(size_of::<QuotaBlockHeader>()..).unwrap_or_default();
    let entries = entries.chunks_exact(size_of::<QuotaEntry>());
    let used = entries.filter(|entry| entry.iter().any(|byte| *byte != 0));
    used.filter_map(|entry| QuotaEntry::read_from_bytes(entry).ok())
}
