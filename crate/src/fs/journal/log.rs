//! The blocks of the log, in the order in which recovery meets them.

use zerocopy::FromBytes;

use super::Journal;
use crate::error::{Error, Result};
use crate::fs::{CsumState, Filesystem};
use crate::io::ByteSource;
use crate::ondisk::jbd2::{
    BlockTag, BlockTag3, CommitHeader, JournalHeader, JournalIncompat, RevokeHeader, TagFlags,
    blocktype,
};
use crate::ondisk::jbd2_csum::{self, BLOCK_TAIL_BYTES};
use crate::units::Fsblk;

/// Bytes of the UUID that follows a tag.
const TAG_UUID_BYTES: usize = 16;

/// A block of the log that is not data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogBlock {
    /// Its number in the journal.
    pub block: u32,
    /// Its place.
    pub fsblk: Fsblk,
    /// The transaction that it belongs to.
    pub sequence: u32,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// What it is.
    pub kind: LogBlockKind,
}

/// What a block of the log is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogBlockKind {
    /// It lists the data blocks that follow it.
    Descriptor(Vec<LogTag>),
    /// It lists blocks that must not be replayed from this or earlier transactions.
    Revoke(Vec<Fsblk>),
    /// A revoke block that says to list so many bytes, more than it has room for.
    BadRevoke(u32),
    /// It ends a transaction.
    Commit {
        /// When, seconds since 1970.
        seconds: u64,
        /// And nanoseconds.
        nanoseconds: u32,
        /// The first word of its checksum, as stored.
        chksum: u32,
        /// Kind and bytes of that checksum, as stored.
        chksum_kind: (u8, u8),
    },
    /// A copy of the superblock, which no log should hold.
    Superblock,
    /// A type that means nothing here.
    Unknown(u32),
}

/// A data block of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogTag {
    /// Where it belongs.
    pub fsblk: Fsblk,
    /// Its number in the journal.
    pub block: u32,
    /// What else is said of it.
    pub flags: TagFlags,
    /// Its checksum as stored: 32 bits under csum v3, 16 under v2, else 0.
    pub checksum: u32,
}

/// Why a walk over the log ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogEnd {
    /// There is nothing to replay.
    #[default]
    Empty,
    /// A block does not start with the magic.
    NoMagic,
    /// A block is of another transaction than the one that is due: left from an earlier turn.
    Sequence(u32),
    /// The transaction that is due has a wrong checksum.
    Checksum,
    /// A block cannot be read.
    Unreadable,
    /// A block of a type that recovery does not know.
    Type(u32),
    /// The whole log was walked over.
    Full,
}

/// Walks over the log from `s_start` on, the way that recovery does: descriptor blocks with their
/// data blocks skipped, revoke blocks, commit blocks. Ref: `do_one_pass`.
#[derive(Clone, Debug)]
pub struct LogWalk {
    at: u32,
    sequence: u32,
    /// Blocks that may still be walked over; no log is walked over twice.
    left: u32,
    end: Option<LogEnd>,
}

impl LogWalk {
    /// Starts at the first transaction to replay; nothing is read yet.
    #[must_use]
    pub fn new(journal: &Journal) -> Self {
        let superblock = &journal.superblock;
        let is_dirty = journal.is_dirty();
        Self {
            at: superblock.s_start.get(),
            sequence: superblock.s_sequence.get(),
            left: journal.log_end().saturating_sub(superblock.s_first.get()),
            end: (!is_dirty).then_some(LogEnd::Empty),
        }
    }

    /// The next block; `None` at the end, and after an error.
    ///
    /// Its errors: those of [`Journal::block`].
    pub fn next_block<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        journal: &Journal,
    ) -> Option<Result<LogBlock>> {
        if self.end.is_some() {
            return None;
        }
        match self.read(fs, journal) {
            Ok(Ok(block)) => Some(Ok(block)),
            Ok(Err(end)) => {
                self.end = Some(end);
                None
            }
            Err(error) => {
                self.end = Some(LogEnd::NoMagic);
                Some(Err(error))
            }
        }
    }

    fn read<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        journal: &Journal,
    ) -> Result<Result<LogBlock, LogEnd>> {
        if self.left == 0 {
            return Ok(Err(LogEnd::Full));
        }
        let Some(block) = journal.log_block(fs, self.at)? else {
            return Ok(Err(LogEnd::NoMagic));
        };
        if block.sequence != self.sequence {
            return Ok(Err(LogEnd::Sequence(block.sequence)));
        }
        let mut passed = 1_u32;
        match &block.kind {
            LogBlockKind::Descriptor(tags) => {
                let data = u32::try_from(tags.len()).unwrap_or(u32::MAX);
                passed = passed.saturating_add(data);
            }
            LogBlockKind::Revoke(_) | LogBlockKind::BadRevoke(_) => {}
            LogBlockKind::Commit { .. } => self.sequence = self.sequence.wrapping_add(1),
            LogBlockKind::Superblock => return Ok(Err(LogEnd::Type(blocktype::SUPERBLOCK_V2))),
            LogBlockKind::Unknown(number) => return Ok(Err(LogEnd::Type(*number))),
        }
        for _ in 0..passed {
            self.at = journal.next(self.at);
        }
        self.left = self.left.saturating_sub(passed);
        Ok(Ok(block))
    }

    /// The block at which it is.
    #[must_use]
    pub fn at(&self) -> u32 {
        self.at
    }

    /// The transaction that is due.
    #[must_use]
    pub fn sequence(&self) -> u32 {
        self.sequence
    }

    /// Blocks of the log that may still come.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Why it ended, once it has.
    #[must_use]
    pub fn end(&self) -> Option<LogEnd> {
        self.end
    }
}

impl Journal {
    /// Reads a block of the log; `None` for one without the magic, which is data or was never
    /// written.
    ///
    /// # Errors
    /// Those of [`Self::block`].
    pub fn log_block<S: ByteSource>(
        &self,
        fs: &Filesystem<S>,
        block: u32,
    ) -> Result<Option<LogBlock>> {
        let bytes = self.block(fs, block)?;
        let Some(header) = JournalHeader::from_block(&bytes) else {
            return Ok(None);
        };
        let fsblk = self.fsblk(block).unwrap_or_default();
        let at_fsblk = |error: Error| error.at_fsblk(fsblk);
        let (kind, csum) = match header.h_blocktype.get() {
            blocktype::DESCRIPTOR => {
                let kind = LogBlockKind::Descriptor(self.tags(block, &bytes));
                (kind, self.tail_csum(&bytes))
            }
            blocktype::REVOKE => (self.revoked(&bytes).map_err(at_fsblk)?, self.tail_csum(&bytes)),
            blocktype::COMMIT => self.commit(&bytes).map_err(at_fsblk)?,
            blocktype::SUPERBLOCK_V1 | blocktype::SUPERBLOCK_V2 => {
                (LogBlockKind::Superblock, CsumState::None)
            }
            number => (LogBlockKind::Unknown(number), CsumState::None),
        };
        let sequence = header.h_sequence.get();
        Ok(Some(LogBlock { block, fsblk, sequence, csum, kind }))
    }

    /// Whether the checksum that ends a descriptor or revoke block is right.
    fn tail_csum(&self, bytes: &[u8]) -> CsumState {
        let computed = self.seed().and_then(|seed| jbd2_csum::block_tail(seed, bytes));
        let stored = bytes.last_chunk().map(|tail| u32::from_be_bytes(*tail));
        CsumState::compare(stored, computed)
    }

    /// The tags of a descriptor block. Ref: `count_tags`, `jbd2_journal_destroy`.
    fn tags(&self, block: u32, bytes: &[u8]) -> Vec<LogTag> {
        let incompat = self.superblock.incompat();
        let tag_bytes = self.superblock.tag_bytes();
        let tail = if self.superblock.has_csum() { BLOCK_TAIL_BYTES } else { 0 };
        let bytes = bytes.get(..bytes.len().saturating_sub(tail)).unwrap_or_default();
        let mut at = size_of::<JournalHeader>();
        let mut data = block;
        let mut tags = Vec::new();
        while let Some(tag) = bytes.get(at..at.saturating_add(tag_bytes)) {
            data = self.next(data);
            let Some(tag) = tag_of(tag, incompat, data) else { break };
            tags.push(tag);
            at = at.saturating_add(tag_bytes);
            if !tag.flags.contains(TagFlags::SAME_UUID) {
                at = at.saturating_add(TAG_UUID_BYTES);
            }
            if tag.flags.contains(TagFlags::LAST_TAG) {
                break;
            }
        }
        tags
    }

    /// The blocks that a revoke block lists. Ref: `scan_revoke_records`.
    fn revoked(&self, bytes: &[u8]) -> Result<LogBlockKind> {
        let (header, _) = RevokeHeader::read_from_prefix(bytes)
            .map_err(|_| Error::corrupt("a revoke block is cut off"))?;
        let tail = if self.superblock.has_csum() { BLOCK_TAIL_BYTES } else { 0 };
        let room = bytes.len().saturating_sub(tail);
        let count = usize::try_from(header.r_count.get()).unwrap_or(usize::MAX);
        if count > room {
            return Ok(LogBlockKind::BadRevoke(header.r_count.get()));
        }
        let listed = bytes.get(size_of::<RevokeHeader>()..count).unwrap_or_default();
        Ok(LogBlockKind::Revoke(if self.superblock.incompat().contains(JournalIncompat::BIT64) {
            let (words, _) = listed.as_chunks();
            words.iter().map(|word| Fsblk::new(u64::from_be_bytes(*word))).collect()
        } else {
            let (words, _) = listed.as_chunks();
            words.iter().map(|word| Fsblk::new(u32::from_be_bytes(*word).into())).collect()
        }))
    }

    fn commit(&self, bytes: &[u8]) -> Result<(LogBlockKind, CsumState)> {
        let (header, _) = CommitHeader::read_from_prefix(bytes)
            .map_err(|_| Error::corrupt("a commit block is cut off"))?;
        let chksum = header.h_chksum.first().map_or(0, |word| word.get());
        let computed = self.seed().and_then(|seed| jbd2_csum::commit_block(seed, bytes));
        let kind = LogBlockKind::Commit {
            seconds: header.h_commit_sec.get(),
            nanoseconds: header.h_commit_nsec.get(),
            chksum,
            chksum_kind: (header.h_chksum_type, header.h_chksum_size),
        };
        Ok((kind, CsumState::compare(Some(chksum), computed)))
    }
}

/// Reads a tag of the layout that the features give it.
fn tag_of(bytes: &[u8], incompat: JournalIncompat, block: u32) -> Option<LogTag> {
    let has_high = incompat.contains(JournalIncompat::BIT64);
    let whole = |low: u32, high: u32| {
        Fsblk::new(u64::from(low) | if has_high { u64::from(high) << 32 } else { 0 })
    };
    if incompat.contains(JournalIncompat::CSUM_V3) {
        let (tag, _) = BlockTag3::read_from_prefix(bytes).ok()?;
        return Some(LogTag {
            fsblk: whole(tag.t_blocknr.get(), tag.t_blocknr_high.get()),
            block,
            flags: TagFlags::from_bits_retain(tag.t_flags.get()),
            checksum: tag.t_checksum.get(),
        });
    }
    // The high half may be left out.
    let mut padded = [0; size_of::<BlockTag>()];
    for (to, byte) in padded.iter_mut().zip(bytes) {
        *to = *byte;
    }
    let tag = BlockTag::read_from_bytes(&padded).ok()?;
    Some(LogTag {
        fsblk: whole(tag.t_blocknr.get(), tag.t_blocknr_high.get()),
        block,
        flags: TagFlags::from_bits_retain(tag.t_flags.get().into()),
        checksum: tag.t_checksum.get().into(),
    })
}
