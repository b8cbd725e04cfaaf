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
    QUOTA_BLOCK_BYTES, QuotaBlockHeader, QuotaEntry, QuotaEntryR0, QuotaHeader, QuotaInfo,
    QuotaKind, TREE_DEPTH,
};
use crate::units::Ino;

/// A quota file.
#[derive(Clone, Debug)]
pub struct QuotaFile {
    /// Whether it begins as such a file does. Without, the kernel does not use it, and e2fsck
    /// does not mind.
    pub has_magic: bool,
    /// What it says of everybody, by number.
    pub entries: Vec<QuotaEntry>,
}

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

    /// Reads a quota file.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] for a file that contradicts itself or leads out of itself;
    /// [`ErrorKind::Limit`] for more than [`limits::QUOTA_BLOCKS`]; those of reading its map and
    /// its blocks.
    pub fn quota_file(&self, kind: QuotaKind, ino: Ino) -> Result<QuotaFile> {
        let inode = self.inode(ino)?;
        let runs = BlockRuns::new(self, &inode)?;
        let first = self.quota_block(&inode, &runs, 0)?;
        let head = Head::new(&first, kind, inode.raw.size()).map_err(|error| error.at_ino(ino))?;
        let mut met = HashSet::new();
        let mut entries = Vec::new();
        // Blocks to look at, each with the levels of the tree below it.
        let mut todo = vec![(1_u32, TREE_DEPTH)];
        while let Some((number, levels)) = todo.pop() {
            // One block may be met at several levels, and says something else at each.
            if !met.insert((number, levels)) {
                continue;
            }
            if met.len() > limits::QUOTA_BLOCKS {
                let what = format!("a quota file of over {} blocks", limits::QUOTA_BLOCKS);
                return Err(Error::new(ErrorKind::Limit, what).at_ino(ino));
            }
            let block = self.quota_block(&inode, &runs, number)?;
            if levels == 0 {
                entries.extend(head.entries_of(&block));
                continue;
            }
            let (words, _) = block.as_chunks();
            let below = words.iter().map(|word| u32::from_le_bytes(*word));
            for number in below.filter(|number| *number != 0) {
                if number >= head.blocks {
                    let what = format!("the quota file has no block {number}");
                    return Err(Error::corrupt(what).at_ino(ino));
                }
                todo.push((number, levels.saturating_sub(1)));
            }
        }
        entries.sort_by_key(|entry| entry.dqb_id.get());
        Ok(QuotaFile { has_magic: head.magic == kind.magic(), entries })
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

/// What the first block of a quota file says of the others.
struct Head {
    magic: u32,
    /// Blocks of the file.
    blocks: u32,
    /// Whether entries are those of version 0.
    is_r0: bool,
}

impl Head {
    /// Judges as e2fsck does. Ref: `v2_check_file`, `v2_init_io`.
    fn new(block: &[u8], kind: QuotaKind, size: u64) -> Result<Self> {
        const MOST_BYTES: u64 = 1 << 31;
        let none = || Error::corrupt("the quota file is too short");
        let (header, rest) = QuotaHeader::read_from_prefix(block).map_err(|_| none())?;
        let (info, _) = QuotaInfo::read_from_prefix(rest).map_err(|_| none())?;
        let magic = header.dqh_magic.get();
        if magic.swap_bytes() == kind.magic() {
            return Err(Error::corrupt("the quota file is of the other byte order"));
        }
        let version = header.dqh_version.get();
        if version > 1 {
            return Err(Error::corrupt(format!("the quota file is of version {version}")));
        }
        let blocks = info.dqi_blocks.get();
        let in_file = size.div_ceil(u64::try_from(QUOTA_BLOCK_BYTES).unwrap_or(u64::MAX));
        if size > MOST_BYTES || u64::from(blocks) > in_file {
            let what = format!("{blocks} blocks of quota do not go into {size} bytes");
            return Err(Error::corrupt(what));
        }
        for free in [info.dqi_free_blk, info.dqi_free_entry] {
            if free.get() >= blocks {
                let what = format!("block {free} of the quota file is free and not there");
                return Err(Error::corrupt(what));
            }
        }
        Ok(Self { magic, blocks, is_r0: version == 0 })
    }

    /// The entries of a block at the leaves; one of zeros is unused.
    fn entries_of(&self, block: &[u8]) -> Vec<QuotaEntry> {
        let entries = block.get(size_of::<QuotaBlockHeader>()..).unwrap_or_default();
        let size = if self.is_r0 { size_of::<QuotaEntryR0>() } else { size_of::<QuotaEntry>() };
        let used = entries.chunks_exact(size).filter(|entry| entry.iter().any(|byte| *byte != 0));
        used.filter_map(|entry| {
            if self.is_r0 {
                QuotaEntryR0::read_from_bytes(entry).map(QuotaEntry::from).ok()
            } else {
                QuotaEntry::read_from_bytes(entry).ok()
            }
        })
        .collect()
    }
}
