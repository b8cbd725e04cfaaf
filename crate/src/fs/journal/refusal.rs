//! What a journal's superblock must say before its log is replayed.

use super::Journal;
use crate::fs::CsumState;
use crate::ondisk::jbd2::{JournalIncompat, JournalSuperblock, blocktype};
use crate::ondisk::jbd2_csum;

/// Fewest blocks of a log. Ref: `JBD2_MIN_JOURNAL_BLOCKS`.
pub(crate) const MIN_BLOCKS: u64 = 1024;

/// `s_checksum_type` of crc32c. Ref: `JBD2_CRC32C_CHKSUM`.
const CRC32C: u8 = 4;

/// Why neither the kernel nor e2fsck replays a journal.
/// Ref: `journal_load_superblock` (fs/jbd2/journal.c), `e2fsck_journal_load`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalRefusal {
    /// It has incompatible features that nobody knows.
    Incompat(u32),
    /// It has features that must be known to write; there are none that are.
    RoCompat(u32),
    /// It says to have checksums of two kinds at once.
    TwoChecksums,
    /// Its superblock's checksum is wrong, or of an unknown kind.
    Checksum,
    /// Its blocks are not as large as the filesystem's.
    BlockSize(u32),
    /// It says to be longer than what holds it.
    TooLong(u32),
    /// Its fast commits leave too little for the log.
    NoRoom(u32),
}

impl JournalRefusal {
    /// What speaks against replaying a journal that `blocks` blocks of `block_size` bytes hold.
    pub(crate) fn of(journal: &JournalSuperblock, blocks: u64, block_size: u32) -> Option<Self> {
        let incompat = journal.incompat();
        let unknown = incompat.difference(JournalIncompat::KNOWN);
        if !unknown.is_empty() {
            return Some(Self::Incompat(unknown.bits()));
        }
        let is_v2 = journal.s_header.h_blocktype.get() == blocktype::SUPERBLOCK_V2;
        let ro_compat = journal.s_feature_ro_compat.get();
        if is_v2 && ro_compat != 0 {
            return Some(Self::RoCompat(ro_compat));
        }
        let both = JournalIncompat::CSUM_V2 | JournalIncompat::CSUM_V3;
        let has_v1 = is_v2 && journal.has_transaction_csum();
        if incompat.contains(both) || journal.has_csum() && has_v1 {
            return Some(Self::TwoChecksums);
        }
        if journal.has_csum() && (journal.s_checksum_type != CRC32C || is_csum_bad(journal)) {
            return Some(Self::Checksum);
        }
        let size = journal.s_blocksize.get();
        if size != block_size {
            return Some(Self::BlockSize(size));
        }
        let maxlen = journal.s_maxlen.get();
        if u64::from(maxlen) > blocks {
            return Some(Self::TooLong(maxlen));
        }
        let fast_commit = journal.fast_commit_blocks();
        let log = u64::from(maxlen.saturating_sub(fast_commit));
        (fast_commit != 0 && log < MIN_BLOCKS).then_some(Self::NoRoom(fast_commit))
    }

    /// The reason as a clause.
    pub(super) fn words(self) -> String {
        match self {
            Self::Incompat(bits) => {
                format!("the journal has incompatible features that are unknown ({bits:#x})")
            }
            Self::RoCompat(bits) => {
                format!("the journal has features that are unknown ({bits:#x})")
            }
            Self::TwoChecksums => "the journal says to have checksums of two kinds".to_owned(),
            Self::Checksum => "the checksum of the journal's superblock is wrong".to_owned(),
            Self::BlockSize(size) => format!("the journal has blocks of {size} bytes"),
            Self::TooLong(blocks) => {
                format!("the journal says to have {blocks} blocks, more than what holds it")
            }
            Self::NoRoom(blocks) => {
                format!("{blocks} blocks for fast commits leave the log too little")
            }
        }
    }
}

/// Whether the checksum of a superblock that has one is wrong.
fn is_csum_bad(journal: &JournalSuperblock) -> bool {
    let (stored, computed) = (journal.s_checksum.get(), jbd2_csum::journal_superblock(journal));
    CsumState::compare(Some(stored), Some(computed)) == CsumState::Bad
}

impl Journal {
    /// What speaks against replaying it.
    #[must_use]
    pub fn refusal(&self) -> Option<JournalRefusal> {
        JournalRefusal::of(&self.superblock, self.blocks, self.block_size)
    }
}
