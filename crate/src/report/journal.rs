//! What the journal holds, and what replaying it would bring.

use serde::{Deserialize, Serialize};

use super::format::{escaped, uuid};
use crate::error::Error;
use crate::fs::CsumState;
use crate::fs::journal::{
    FastCommitEntry, HeldBack, Journal, JournalCsum, JournalPlace, LogBlock, LogBlockKind, LogEnd,
    Recovered,
};
use crate::ondisk::jbd2::{JournalIncompat, TagFlags, fast_commit_tag as tag};

/// A journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalReport {
    /// The inode with it; `None` where the image itself is a journal.
    pub ino: Option<u32>,
    /// Its UUID.
    pub uuid: String,
    /// Bytes of a block.
    pub s_blocksize: u32,
    /// Blocks.
    pub s_maxlen: u32,
    /// First block of the log.
    pub s_first: u32,
    /// First transaction to replay.
    pub s_sequence: u32,
    /// Block at which it starts; 0 when there is nothing to replay.
    pub s_start: u32,
    /// Error of an aborted journal.
    pub s_errno: u32,
    /// Its incompatible features that are known, by the kernel's names, and `checksum`.
    pub features: Vec<String>,
    /// Blocks at its end for fast commits.
    pub fast_commit_blocks: u32,
    /// Filesystems that share it.
    pub s_nr_users: u32,
    /// How the log is checked: `none`, `v1`, `v2` or `v3`.
    pub csum_kind: String,
    /// Whether the checksum of its superblock is right.
    pub csum: CsumState,
}

/// What replaying the log would bring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryReport {
    /// The transactions that are whole, in order.
    pub transactions: Vec<TransactionReport>,
    /// The transaction behind them, which is not whole or not there.
    pub end_transaction: u32,
    /// Why the log ends there, as a sentence.
    pub end: String,
    /// Why nothing of them is put in place, if that is so.
    pub held_back: Option<Error>,
    /// Blocks that replaying writes, each as often as it does.
    pub written: u64,
    /// Blocks that are not the same afterwards, those of the superblocks included.
    pub replaced: u64,
    /// Blocks left out since a later transaction revoked them.
    pub revoked: u64,
    /// Fast commits that go with the next transaction.
    pub fast_commits: u32,
    /// What of the log is not as it should be.
    pub faults: Vec<Error>,
}

/// A whole transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransactionReport {
    /// Its number.
    pub sequence: u32,
    /// First block in the journal.
    pub first_block: u32,
    /// Its commit block.
    pub commit_block: u32,
    /// Data blocks.
    pub blocks: u32,
    /// Blocks that it revokes.
    pub revoked: u32,
    /// When it was committed, seconds since 1970.
    pub seconds: u64,
}

/// A block of the log, or an entry of a fast commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogReport {
    /// Its number in the journal.
    pub block: u32,
    /// Its place in the filesystem.
    pub fsblk: u64,
    /// The transaction that it belongs to; `None` for an entry of a fast commit that names none.
    pub sequence: Option<u32>,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// What it is.
    #[serde(flatten)]
    pub kind: LogKind,
}

/// What a block of the log, or an entry of a fast commit, is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum LogKind {
    /// It lists data blocks.
    Descriptor {
        /// The data blocks.
        tags: Vec<TagReport>,
    },
    /// It lists blocks that must not be replayed.
    Revoke {
        /// The blocks.
        revokes: Vec<u64>,
    },
    /// It ends a transaction.
    Commit {
        /// When, seconds since 1970.
        seconds: u64,
    },
    /// What else there is, in words.
    Other {
        /// The words.
        words: String,
    },
    /// A fast commit's entry, in words.
    FastCommit {
        /// The words.
        words: String,
    },
}

/// A data block of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagReport {
    /// Where it belongs.
    pub fsblk: u64,
    /// Its number in the journal.
    pub block: u32,
    /// Whether it starts with the journal's magic, which is stored as 0.
    pub escaped: bool,
}

impl JournalReport {
    /// Reports an opened journal.
    #[must_use]
    pub fn new(journal: &Journal) -> Self {
        let superblock = &journal.superblock;
        let incompat = superblock.incompat();
        let known = [
            (JournalIncompat::REVOKE, "revoke"),
            (JournalIncompat::BIT64, "64bit"),
            (JournalIncompat::ASYNC_COMMIT, "async_commit"),
            (JournalIncompat::CSUM_V2, "csum_v2"),
            (JournalIncompat::CSUM_V3, "csum_v3"),
            (JournalIncompat::FAST_COMMIT, "fast_commit"),
        ];
        let features = known.into_iter().filter(|(flag, _)| incompat.contains(*flag));
        let csum_kind = match journal.csum_kind() {
            JournalCsum::None => "none",
            JournalCsum::V1 => "v1",
            JournalCsum::V2 => "v2",
            JournalCsum::V3 => "v3",
        };
        Self {
            ino: match journal.place {
                JournalPlace::Inode(ino) => Some(ino.get()),
                _ => None,
            },
            uuid: uuid(superblock.s_uuid),
            s_blocksize: superblock.s_blocksize.get(),
            s_maxlen: superblock.s_maxlen.get(),
            s_first: superblock.s_first.get(),
            s_sequence: superblock.s_sequence.get(),
            s_start: superblock.s_start.get(),
            s_errno: superblock.s_errno.get(),
            features: features.map(|(_, name)| name.to_owned()).collect(),
            fast_commit_blocks: superblock.fast_commit_blocks(),
            s_nr_users: superblock.s_nr_users.get(),
            csum_kind: csum_kind.to_owned(),
            csum: journal.csum,
        }
    }
}

impl RecoveryReport {
    /// Reports what replaying brings.
    #[must_use]
    pub fn new(recovered: &Recovered) -> Self {
        let next = recovered.end_transaction;
        Self {
            transactions: recovered
                .transactions
                .iter()
                .map(|transaction| TransactionReport {
                    sequence: transaction.sequence,
                    first_block: transaction.first_block,
                    commit_block: transaction.commit_block,
                    blocks: transaction.blocks,
                    revoked: transaction.revoked,
                    seconds: transaction.seconds,
                })
                .collect(),
            end_transaction: next,
            end: match recovered.end {
                LogEnd::Empty => "The log is empty.".to_owned(),
                LogEnd::NoMagic => {
                    format!("Transaction {next} is not in the log, or not whole.")
                }
                LogEnd::Checksum => {
                    format!(
                        "Transaction {next} has a wrong checksum; it and all later are left out."
                    )
                }
                LogEnd::Sequence(found) => {
                    format!("Where transaction {next} would follow there is transaction {found}.")
                }
                LogEnd::Type(number) => {
                    format!("In transaction {next} there is a block of the unknown type {number}.")
                }
                LogEnd::Unreadable => {
                    format!("A block in transaction {next} cannot be read.")
                }
                LogEnd::Full => "The log is full to its end.".to_owned(),
            },
            held_back: recovered.held_back.as_ref().map(HeldBack::error),
            written: recovered.written,
            replaced: recovered.covers.len() as u64,
            revoked: recovered.revoked,
            fast_commits: recovered.fast_commits,
            faults: recovered.faults.clone(),
        }
    }
}

impl LogReport {
    /// Reports a block of the log.
    #[must_use]
    pub fn new(block: &LogBlock) -> Self {
        let kind = match &block.kind {
            LogBlockKind::Descriptor(tags) => {
                let tags = tags.iter().map(|tag| TagReport {
                    fsblk: tag.fsblk.get(),
                    block: tag.block,
                    escaped: tag.flags.contains(TagFlags::ESCAPE),
                });
                LogKind::Descriptor { tags: tags.collect() }
            }
            LogBlockKind::Revoke(blocks) => {
                LogKind::Revoke { revokes: blocks.iter().map(|fsblk| fsblk.get()).collect() }
            }
            LogBlockKind::Commit { seconds, .. } => LogKind::Commit { seconds: *seconds },
            LogBlockKind::BadRevoke(count) => {
                LogKind::Other { words: format!("revoke, of {count} bytes, which it has not") }
            }
            LogBlockKind::Superblock => LogKind::Other { words: "superblock".to_owned() },
            LogBlockKind::Unknown(number) => {
                LogKind::Other { words: format!("unknown type {number}") }
            }
        };
        Self {
            block: block.block,
            fsblk: block.fsblk.get(),
            sequence: Some(block.sequence),
            csum: block.csum,
            kind,
        }
    }

    /// Reports an entry of a fast commit.
    #[must_use]
    pub fn of_fast_commit(journal: &Journal, block: u32, entry: &FastCommitEntry) -> Self {
        let (sequence, csum) = match entry {
            FastCommitEntry::Head { tid, .. } => (Some(*tid), CsumState::None),
            FastCommitEntry::Tail { tid, csum } => (Some(*tid), *csum),
            _ => (None, CsumState::None),
        };
        Self {
            block,
            fsblk: journal.fsblk(block).map_or(0, |fsblk| fsblk.get()),
            sequence,
            csum,
            kind: LogKind::FastCommit { words: words(entry) },
        }
    }
}

/// What an entry of a fast commit tells.
fn words(entry: &FastCommitEntry) -> String {
    match entry {
        FastCommitEntry::Head { .. } => "head".to_owned(),
        FastCommitEntry::Tail { .. } => "tail".to_owned(),
        FastCommitEntry::AddRange { ino, lblk, fsblk, len, is_unwritten } => {
            let unwritten = if *is_unwritten { ", unwritten" } else { "" };
            format!("add to inode {ino}: {len} blocks from block {lblk} on, at {fsblk}{unwritten}")
        }
        FastCommitEntry::DelRange { ino, lblk, len } => {
            format!("take from inode {ino}: {len} blocks from block {lblk} on")
        }
        FastCommitEntry::Name { tag: number, parent, ino, name } => {
            let verb = match *number {
                tag::CREAT => "create",
                tag::LINK => "link",
                _ => "unlink",
            };
            format!("{verb} \"{}\" in directory {parent}, inode {ino}", escaped(name))
        }
        FastCommitEntry::Inode { ino, .. } => format!("inode {ino}"),
        FastCommitEntry::Pad => "padding".to_owned(),
        FastCommitEntry::Unknown(number) => format!("unknown tag {number}"),
    }
}
