//! What replaying the log would bring. Ref: `jbd2_journal_recover`, `fs/jbd2/recovery.c`.

use core::ops::{Deref, Range};
use std::collections::HashMap;

use zerocopy::IntoBytes;

use super::{FastCommitEntry, FastCommits, Journal, JournalCsum, JournalPlace, JournalRefusal};
use super::{LogBlock, LogBlockKind, LogEnd, LogTag, LogWalk};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{CsumState, Filesystem};
use crate::io::{ByteSource, Cover, Covers, ReadKind};
use crate::limits;
use crate::ondisk::csum::superblock_csum;
use crate::ondisk::features::Incompat;
use crate::ondisk::jbd2::{JBD2_MAGIC, TagFlags};
use crate::ondisk::{SUPERBLOCK_OFFSET, Superblock, jbd2_csum};
use crate::task::{Progress, Step, Task};
use crate::units::Fsblk;

/// Blocks of the journal read before a step ends.
const BLOCKS: u32 = 64;

/// `h_chksum_type` and `h_chksum_size` of a transaction's checksum. Ref: `JBD2_CRC32_CHKSUM`.
const CRC32_KIND: (u8, u8) = (1, 4);

/// Works out what replaying the log brings: which transactions are whole, which blocks they
/// replace, which of these were revoked since. Progress counts blocks of the log.
///
/// Fast commits behind the last transaction are counted and not replayed.
///
/// # Errors
/// [`ErrorKind::Corrupt`] where the log forbids to replay anything;
/// [`ErrorKind::Limit`] when the log holds more blocks than any real one; those of reading it.
#[derive(Debug)]
pub struct Recovery<F> {
    filesystem: F,
    /// Where the journal lies: the same, or the image of another device.
    log: F,
    is_external: bool,
    journal: Journal,
    state: State,
    walk: LogWalk,
    log_blocks: u32,
    /// Data blocks of whole transactions, with the number of their transaction.
    tags: Vec<(u32, LogTag)>,
    /// The last transaction that revokes each block.
    revoked: HashMap<Fsblk, u32>,
    open: OpenTransaction,
    last_commit: u64,
    recovered: Recovered,
}

#[derive(Debug)]
enum State {
    Scan,
    /// Checks and covers the data blocks from here on.
    Replay(usize),
    FastCommits(FastCommits),
    Over,
}

/// The transaction that is walked over.
#[derive(Debug, Default)]
struct OpenTransaction {
    first_block: Option<u32>,
    tags: Vec<LogTag>,
    revoked: Vec<Fsblk>,
    /// Checksum of the whole transaction so far, under csum v1.
    sum: Option<u32>,
    /// Data blocks that are still to be added to it.
    unsummed: Range<usize>,
    /// A descriptor or revoke block has a wrong checksum.
    is_bad: bool,
    /// A revoke block that says to be longer than it is.
    bad_revoke: Option<Fsblk>,
}

/// A whole transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its number.
    pub sequence: u32,
    /// Its first block in the journal.
    pub first_block: u32,
    /// Its commit block.
    pub commit_block: u32,
    /// Data blocks.
    pub blocks: u32,
    /// Blocks that it revokes.
    pub revoked: u32,
    /// When it was committed, seconds since 1970.
    pub seconds: u64,
    /// And nanoseconds.
    pub nanoseconds: u32,
}

/// What replaying the log brings.
#[derive(Clone, Debug, Default)]
pub struct Recovered {
    /// The transactions that are replayed, in order.
    pub transactions: Vec<Transaction>,
    /// The transaction behind them, which is not whole or not there.
    pub end_transaction: u32,
    /// Why it ended with them.
    pub end: LogEnd,
    /// Why nothing of them is put in place, if that is so.
    pub held_back: Option<HeldBack>,
    /// What replaying puts in the place of blocks; the superblocks of filesystem and journal are
    /// made to say that there is nothing left to replay.
    pub covers: Covers,
    /// Blocks that replaying writes.
    pub written: u64,
    /// Data blocks left out since a transaction revoked them.
    pub revoked: u64,
    /// Fast commits that go with the transaction behind the last; they are not replayed.
    pub fast_commits: u32,
    /// What of the log is not as it should be.
    pub faults: Vec<Error>,
}

/// Why nothing of a log is put in place, whatever it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldBack {
    /// The filesystem does not ask for recovery. The kernel then drops the log; e2fsck asks. From a
    /// backup superblock nobody can tell, and the log counts.
    /// Ref: `ext4_load_journal`, `PR_0_JOURNAL_RECOVERY_CLEAR`.
    NotDue,
    /// The log is that of another filesystem: its blocks do not belong here.
    Foreign,
    /// Neither the kernel nor e2fsck takes such a journal.
    Refused(JournalRefusal),
    /// A block of the log cannot be read, and what follows it may revoke what came before.
    Unreadable(Error),
}

impl HeldBack {
    fn new<S: ByteSource>(
        fs: &Filesystem<S>,
        journal: &Journal,
        is_external: bool,
    ) -> Option<Self> {
        if let Some(refusal) = journal.refusal() {
            Some(Self::Refused(refusal))
        } else if journal.place == JournalPlace::Image && !is_external {
            Some(Self::Foreign)
        } else {
            // A backup superblock never says that recovery is due.
            let is_due = fs.needs_recovery() || fs.is_from_backup();
            (journal.is_dirty() && !is_due).then_some(Self::NotDue)
        }
    }

    /// The reason as an error, with what to do.
    #[must_use]
    pub fn error(&self) -> Error {
        match self {
            Self::NotDue => {
                let what = "the filesystem does not ask for recovery, so the log is out of date";
                Error::new(ErrorKind::Unsupported, what)
                    .with_hint("The kernel drops such a log, e2fsck asks whether to run it.")
            }
            Self::Foreign => {
                let what = "the log belongs to another filesystem, which is not in this image";
                Error::new(ErrorKind::Unsupported, what)
            }
            Self::Refused(refusal) => refused(refusal.words()),
            Self::Unreadable(error) => error.clone(),
        }
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Recovery<F> {
    /// Opens the journal and reads no more.
    ///
    /// # Errors
    /// Those of [`Journal::open`].
    pub fn new(filesystem: F) -> Result<Self> {
        let log = filesystem.clone();
        Self::of_log(filesystem, log, false)
    }

    /// Opens a journal that lies on another device, of which this is the image.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when the filesystem has no journal there, or the image is not the
    /// one that it names; those of [`Journal::open`].
    pub fn with_device(filesystem: F, device: F) -> Result<Self> {
        let found = device.superblock().s_uuid;
        let what = match (filesystem.journal_place(), device.journal_place()) {
            (_, JournalPlace::None | JournalPlace::Inode(_) | JournalPlace::Device(_)) => {
                "the image that was given for the journal is none"
            }
            (JournalPlace::Device(due), JournalPlace::Image) if due == found => {
                return Self::of_log(filesystem, device, true);
            }
            (JournalPlace::Device(_), JournalPlace::Image) => {
                "the journal that was given is that of another filesystem: its UUID differs"
            }
            _ => "the filesystem has no journal on another device",
        };
        Err(Error::new(ErrorKind::Unsupported, what))
    }

    fn of_log(filesystem: F, log: F, is_external: bool) -> Result<Self> {
        let journal = Journal::open(&*log)?;
        if journal.block_size() != filesystem.geometry().block_size() {
            let what = "the journal has blocks of another size than the filesystem";
            return Err(Error::new(ErrorKind::Unsupported, what));
        }
        let walk = LogWalk::new(&journal);
        let recovered = Recovered {
            end_transaction: walk.sequence(),
            held_back: HeldBack::new(&*filesystem, &journal, is_external),
            covers: Covers::new(journal.block_size()),
            ..Recovered::default()
        };
        Ok(Self {
            log_blocks: walk.left(),
            walk,
            journal,
            state: State::Scan,
            tags: Vec::new(),
            revoked: HashMap::new(),
            open: OpenTransaction::default(),
            last_commit: 0,
            recovered,
            filesystem,
            log,
            is_external,
        })
    }

    /// The journal that is replayed.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Walks over the next block of the log; false at its end.
    fn scan(&mut self) -> Result<bool> {
        if let Some(at) = self.open.unsummed.next() {
            self.sum_data(at)?;
            return Ok(true);
        }
        match self.walk.next_block(&*self.log, &self.journal) {
            Some(Ok(block)) => self.add(block),
            Some(Err(error)) => {
                self.recovered.end = LogEnd::Unreadable;
                self.recovered.held_back.get_or_insert(HeldBack::Unreadable(error));
                Ok(false)
            }
            None => {
                self.recovered.end = self.walk.end().unwrap_or(LogEnd::Full);
                Ok(false)
            }
        }
    }

    /// Takes in a block of the log; false when it ends what can be replayed.
    fn add(&mut self, block: LogBlock) -> Result<bool> {
        self.open.first_block.get_or_insert(block.block);
        let is_bad = block.csum == CsumState::Bad;
        match block.kind {
            LogBlockKind::Descriptor(tags) => {
                self.open.is_bad |= is_bad;
                let before = self.open.tags.len();
                self.open.tags.extend(tags);
                if self.journal.csum_kind() == JournalCsum::V1 {
                    let bytes = self.journal.block(&*self.log, block.block)?;
                    self.open.add_to_sum(&bytes);
                    self.open.unsummed = before..self.open.tags.len();
                }
                self.check_room(block.fsblk)?;
                Ok(true)
            }
            LogBlockKind::Revoke(blocks) => {
                self.open.is_bad |= is_bad;
                self.open.revoked.extend(blocks);
                self.check_room(block.fsblk)?;
                Ok(true)
            }
            LogBlockKind::BadRevoke(_) => {
                self.open.is_bad |= is_bad;
                self.open.bad_revoke = Some(block.fsblk);
                Ok(true)
            }
            LogBlockKind::Commit { seconds, nanoseconds, chksum, chksum_kind } => {
                let open = core::mem::take(&mut self.open);
                // One that is older than the last is left from an earlier turn of the log.
                let is_old = seconds < self.last_commit;
                if open.is_bad && !is_old {
                    let what = format!("a checksum within transaction {}", block.sequence);
                    return Err(refused(what + " is wrong").at_fsblk(block.fsblk));
                }
                let sum = open.sum.unwrap_or(!0);
                let is_sum_wrong = self.journal.csum_kind() == JournalCsum::V1
                    && (chksum_kind, chksum) != (CRC32_KIND, sum)
                    && (chksum_kind, chksum) != ((0, 0), 0);
                if open.is_bad || is_bad || is_sum_wrong {
                    if !is_old {
                        let what = format!("the checksum of transaction {}", block.sequence);
                        self.fault(Error::corrupt(what + " is wrong").at_fsblk(block.fsblk));
                    }
                    self.recovered.end_transaction = block.sequence;
                    self.recovered.end = LogEnd::Checksum;
                    return Ok(false);
                }
                if let Some(fsblk) = open.bad_revoke {
                    let what = "a revoke block lists more than it has room for";
                    return Err(refused(what.to_owned()).at_fsblk(fsblk));
                }
                self.last_commit = seconds;
                self.commit(open, &block, (seconds, nanoseconds));
                Ok(true)
            }
            LogBlockKind::Superblock | LogBlockKind::Unknown(_) => Ok(false),
        }
    }

    /// Refuses a log that lists more than any real one.
    fn check_room(&self, fsblk: Fsblk) -> Result<()> {
        let lists = [self.tags.len(), self.open.tags.len()];
        let revokes = [self.revoked.len(), self.open.revoked.len()];
        let listed = lists.into_iter().chain(revokes).fold(0, usize::saturating_add);
        if listed <= limits::JOURNAL_TAGS {
            return Ok(());
        }
        let what = format!("the log lists over {} blocks", limits::JOURNAL_TAGS);
        Err(Error::new(ErrorKind::Limit, what).at_fsblk(fsblk))
    }

    /// Keeps a whole transaction.
    fn commit(
        &mut self,
        open: OpenTransaction,
        block: &LogBlock,
        (seconds, nanoseconds): (u64, u32),
    ) {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.recovered.transactions.push(Transaction {
            sequence: block.sequence,
            first_block: open.first_block.unwrap_or(block.block),
            commit_block: block.block,
            blocks: count(open.tags.len()),
            revoked: count(open.revoked.len()),
            seconds,
            nanoseconds,
        });
        self.recovered.end_transaction = block.sequence.wrapping_add(1);
        self.revoked.extend(open.revoked.into_iter().map(|fsblk| (fsblk, block.sequence)));
        self.tags.extend(open.tags.into_iter().map(|tag| (block.sequence, tag)));
    }

    /// Adds a data block to the checksum of its transaction.
    fn sum_data(&mut self, at: usize) -> Result<()> {
        if let Some(block) = self.open.tags.get(at).map(|tag| tag.block) {
            let bytes = self.journal.block(&*self.log, block)?;
            self.open.add_to_sum(&bytes);
        }
        Ok(())
    }

    /// Puts a data block in its place, unless it was revoked or is damaged.
    fn replay(&mut self, sequence: u32, tag: LogTag) {
        if self.revoked.get(&tag.fsblk).is_some_and(|by| !is_later(sequence, *by)) {
            self.recovered.revoked = self.recovered.revoked.saturating_add(1);
            return;
        }
        match self.cover(sequence, tag) {
            Ok(cover) => {
                self.recovered.written = self.recovered.written.saturating_add(1);
                self.recovered.covers.insert(tag.fsblk.get(), cover);
            }
            Err(error) => self.fault(error.at_fsblk(tag.fsblk)),
        }
    }

    fn cover(&self, sequence: u32, tag: LogTag) -> Result<Cover> {
        let geometry = self.filesystem.geometry();
        if tag.fsblk.get() >= geometry.blocks_count() {
            let what = "the journal holds a block outside the filesystem";
            return Err(Error::new(ErrorKind::OutOfBounds, what));
        }
        let lost = || Error::corrupt(format!("block {} of the journal is nowhere", tag.block));
        let at = self.journal.fsblk(tag.block);
        let from = at.and_then(|at| self.log.geometry().byte_from_fsblk(at));
        let from = from.ok_or_else(lost)?.get();
        if let Some(seed) = self.journal.seed() {
            let bytes = self.journal.block(&*self.log, tag.block)?;
            let computed = jbd2_csum::data_block(seed, sequence, &bytes);
            let is_same = match self.journal.csum_kind() {
                JournalCsum::V3 => computed == tag.checksum,
                _ => computed & 0xffff == tag.checksum,
            };
            if !is_same {
                let what = format!("block {} of the journal has a wrong checksum", tag.block);
                return Err(Error::corrupt(what));
            }
        }
        // A data block that starts with the magic is kept with zeros instead.
        let is_escaped = tag.flags.contains(TagFlags::ESCAPE);
        if self.is_external {
            return self.copied(tag.block, is_escaped);
        }
        Ok(Cover::Moved { from, start: is_escaped.then_some(JBD2_MAGIC.to_be_bytes()) })
    }

    /// A block of a journal on another device, of which no more is held than fits.
    fn copied(&self, block: u32, is_escaped: bool) -> Result<Cover> {
        let held = self.recovered.written.saturating_mul(u64::from(self.journal.block_size()));
        if held > limits::EXTERNAL_LOG_BYTES {
            let what = format!("the log holds over {} bytes", limits::EXTERNAL_LOG_BYTES);
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let mut bytes = self.journal.block(&*self.log, block)?;
        if is_escaped {
            overwrite(&mut bytes, &JBD2_MAGIC.to_be_bytes());
        }
        Ok(Cover::Bytes(bytes.into()))
    }

    /// Counts the next fast commit if it goes with the transaction behind the last; false after
    /// those that do.
    fn count_fast_commit(&mut self, entries: &mut FastCommits) -> bool {
        let due = self.recovered.end_transaction;
        match entries.next_entry(&*self.log, &self.journal) {
            Some(Ok((_, FastCommitEntry::Tail { tid, csum }))) => {
                let is_due = tid == due && csum != CsumState::Bad;
                let more = u32::from(is_due);
                self.recovered.fast_commits = self.recovered.fast_commits.saturating_add(more);
                is_due
            }
            Some(Ok((_, FastCommitEntry::Head { tid, .. }))) => tid == due,
            Some(Ok(_)) => true,
            Some(Err(_)) | None => false,
        }
    }

    /// Makes the superblocks say that there is nothing left to replay.
    fn settle_superblocks(&mut self) -> Result<()> {
        let filesystem = &*self.filesystem;
        let geometry = filesystem.geometry();
        let block_size = u64::from(geometry.block_size());
        let primary = SUPERBLOCK_OFFSET.checked_div(block_size).unwrap_or(0);
        let in_block = usize::try_from(SUPERBLOCK_OFFSET.checked_rem(block_size).unwrap_or(0));
        let mut bytes = self.covered(Fsblk::new(primary))?;
        let place = in_block.ok().and_then(|at| bytes.get_mut(at..)).unwrap_or_default();
        if let Some(mut superblock) = Superblock::from_prefix(place) {
            let incompat = superblock.features().incompat.difference(Incompat::RECOVER);
            superblock.s_feature_incompat.set(incompat.bits());
            if let Some(sum) = superblock_csum(&superblock) {
                superblock.s_checksum.set(sum);
            }
            overwrite(place, superblock.as_bytes());
            self.recovered.covers.insert(primary, Cover::Bytes(bytes.into()));
        }

        if self.is_external {
            return Ok(());
        }
        let mut superblock = self.journal.superblock.clone();
        superblock.s_start.set(0);
        superblock.s_sequence.set(self.recovered.end_transaction.wrapping_add(1));
        if superblock.has_csum() {
            let sum = jbd2_csum::journal_superblock(&superblock);
            superblock.s_checksum.set(sum);
        }
        if let Some(fsblk) = self.journal.fsblk(self.journal.superblock_at()) {
            let mut bytes = self.covered(fsblk)?;
            overwrite(&mut bytes, superblock.as_bytes());
            self.recovered.covers.insert(fsblk.get(), Cover::Bytes(bytes.into()));
        }
        Ok(())
    }

    /// A block as it is after replay.
    fn covered(&self, fsblk: Fsblk) -> Result<Vec<u8>> {
        let mut bytes = self.filesystem.block(ReadKind::Journal, fsblk)?;
        match self.recovered.covers.get(fsblk.get()) {
            None => {}
            Some(Cover::Bytes(cover)) => overwrite(&mut bytes, cover),
            Some(Cover::Moved { from, start }) => {
                self.filesystem.reader().read(ReadKind::Journal, *from, &mut bytes)?;
                if let Some(start) = start {
                    overwrite(&mut bytes, start);
                }
            }
        }
        Ok(bytes)
    }

    fn fault(&mut self, error: Error) {
        if self.recovered.faults.len() < limits::FAILURES_KEPT {
            self.recovered.faults.push(error);
        }
    }
}

impl OpenTransaction {
    fn add_to_sum(&mut self, bytes: &[u8]) {
        self.sum = Some(jbd2_csum::transaction(self.sum.unwrap_or(!0), bytes));
    }
}

/// Why nothing of a log is replayed.
fn refused(what: String) -> Error {
    Error::corrupt(what).with_hint(
        "Neither the kernel nor e2fsck replays such a log; the filesystem can be seen as it lies.",
    )
}

/// Replaces the first bytes.
fn overwrite(bytes: &mut [u8], by: &[u8]) {
    for (to, byte) in bytes.iter_mut().zip(by) {
        *to = *byte;
    }
}

/// Whether a transaction comes after another; numbers wrap around. Ref: `tid_gt`.
fn is_later(sequence: u32, than: u32) -> bool {
    (1..=u32::MAX >> 1).contains(&sequence.wrapping_sub(than))
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for Recovery<F> {
    type Output = Recovered;

    fn step(&mut self) -> Result<Step<Recovered>> {
        for _ in 0..BLOCKS {
            match core::mem::replace(&mut self.state, State::Over) {
                State::Scan => {
                    if self.scan()? {
                        self.state = State::Scan;
                    } else if self.recovered.held_back.is_none() {
                        self.state = State::Replay(0);
                    } else {
                        return Ok(Step::Done(core::mem::take(&mut self.recovered)));
                    }
                }
                State::Replay(at) => {
                    self.state = match self.tags.get(at) {
                        Some((sequence, tag)) => {
                            self.replay(*sequence, *tag);
                            State::Replay(at.saturating_add(1))
                        }
                        None => State::FastCommits(FastCommits::new(&self.journal)),
                    };
                }
                State::FastCommits(mut entries) => {
                    if self.count_fast_commit(&mut entries) {
                        self.state = State::FastCommits(entries);
                    } else {
                        self.settle_superblocks()?;
                        return Ok(Step::Done(core::mem::take(&mut self.recovered)));
                    }
                }
                State::Over => {
                    return Err(Error::new(ErrorKind::Cancelled, "recovery is already over"));
                }
            }
        }
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        let left = self.walk.left();
        let replayed = match self.state {
            State::Scan => 0,
            State::Replay(at) => u64::try_from(at).unwrap_or(u64::MAX),
            State::FastCommits(_) | State::Over => u64::from(self.log_blocks),
        };
        let scanned = u64::from(self.log_blocks.saturating_sub(left));
        let max = u64::from(self.log_blocks);
        Progress { cur: scanned.saturating_add(replayed).min(max), max }
    }
}
