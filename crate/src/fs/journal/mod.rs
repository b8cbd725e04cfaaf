//! The journal: where it lies, what its log holds, and the filesystem as it would be after replay.
//!
//! *Belongs here:* reading the log the way that jbd2 recovers from it. *Does not:* writing, or
//! judging whether what the log would bring is right. *Reference:* `fs/jbd2/recovery.c`,
//! `fs/ext4/fast_commit.c`.

mod fast_commit;
mod log;
mod recovery;
mod refusal;

pub use fast_commit::{FastCommitEntry, FastCommits};
pub use log::{LogBlock, LogBlockKind, LogEnd, LogTag, LogWalk};
pub use recovery::{HeldBack, Recovered, Recovery, Transaction};
pub use refusal::JournalRefusal;
pub(crate) use refusal::MIN_BLOCKS;

use zerocopy::FromBytes;

use super::block_runs::BlockRuns;
use super::{CsumState, Filesystem, Geometry};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::{Compat, Incompat};
use crate::ondisk::jbd2::{JBD2_MAGIC, JournalIncompat, JournalSuperblock, blocktype};
use crate::ondisk::jbd2_csum;
use crate::units::{Fsblk, Ino};

/// Where a filesystem keeps its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalPlace {
    /// Nowhere: it has none.
    None,
    /// In an inode.
    Inode(Ino),
    /// On another device, with this UUID.
    Device([u8; 16]),
    /// The image is the journal of another filesystem.
    Image,
}

/// How the log is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalCsum {
    /// Not at all.
    None,
    /// Each transaction as a whole, in its commit block.
    V1,
    /// Each block; of data blocks 16 bits.
    V2,
    /// Each block.
    V3,
}

/// An opened journal. Blocks of it are numbered from its start; block 0, or what takes its place
/// on a device, is its superblock.
#[derive(Clone, Debug)]
pub struct Journal {
    /// Where it lies.
    pub place: JournalPlace,
    /// Its superblock.
    pub superblock: Box<JournalSuperblock>,
    /// Whether the superblock's checksum is right.
    pub csum: CsumState,
    superblock_at: u32,
    block_size: u32,
    /// Blocks of the file or device that holds it.
    blocks: u64,
    /// Where blocks of the journal lie.
    runs: BlockRuns,
}

impl<S: ByteSource> Filesystem<S> {
    /// Where the journal is.
    pub fn journal_place(&self) -> JournalPlace {
        let superblock = self.superblock();
        if self.features().incompat.contains(Incompat::JOURNAL_DEV) {
            JournalPlace::Image
        } else if !self.features().compat.contains(Compat::HAS_JOURNAL) {
            JournalPlace::None
        } else if superblock.s_journal_inum.get() == 0 {
            JournalPlace::Device(superblock.s_journal_uuid)
        } else {
            JournalPlace::Inode(Ino::new(superblock.s_journal_inum.get()))
        }
    }

    /// Whether the journal holds changes that are not in place yet. Ref: `needs_recovery`.
    pub fn needs_recovery(&self) -> bool {
        self.features().incompat.contains(Incompat::RECOVER)
    }
}

impl Journal {
    /// Opens the journal: its map and its superblock are read.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] without a journal, or with one on another device;
    /// [`ErrorKind::Corrupt`] when it has no superblock or an impossible one;
    /// [`ErrorKind::Limit`] when it lies in more pieces than any real one; those of reading.
    pub fn open<S: ByteSource>(fs: &Filesystem<S>) -> Result<Self> {
        let place = fs.journal_place();
        let block_size = fs.geometry().block_size();
        let (superblock_at, blocks, runs) = match place {
            JournalPlace::None => {
                return Err(Error::new(ErrorKind::Unsupported, "there is no journal"));
            }
            JournalPlace::Device(_) => {
                let what = "the journal lies on another device";
                return Err(Error::new(ErrorKind::Unsupported, what).with_hint(
                    "Open the image of that device to see what its log holds; with both images, \
                         extscope COMMAND --journal FILE shows the filesystem as after replay.",
                ));
            }
            JournalPlace::Inode(ino) => {
                let inode = fs.inode(ino)?;
                let blocks = inode.raw.size().checked_div(block_size.into()).unwrap_or(0);
                (0, blocks, BlockRuns::new(fs, &inode)?)
            }
            // Blocks of the device are blocks of the journal; it follows the ext superblock.
            JournalPlace::Image => (
                u32::try_from(fs.superblock_at().get()).unwrap_or(0).saturating_add(1),
                fs.geometry().blocks_count(),
                BlockRuns::default(),
            ),
        };
        let mut journal = Self {
            place,
            superblock: Box::new(empty_superblock()),
            csum: CsumState::None,
            superblock_at,
            block_size,
            blocks,
            runs,
        };
        let bytes = journal.block(fs, superblock_at)?;
        let (superblock, _) = JournalSuperblock::read_from_prefix(&bytes)
            .map_err(|_| Error::corrupt("the journal has no room for its superblock"))?;
        if let Some(what) = refusal(&superblock, fs.geometry()) {
            let at = journal.fsblk(superblock_at).unwrap_or_default();
            return Err(Error::corrupt(what).at_fsblk(at));
        }
        *journal.superblock = superblock;
        if journal.superblock.has_csum() {
            let computed = jbd2_csum::journal_superblock(&journal.superblock);
            let stored = journal.superblock.s_checksum.get();
            journal.csum = CsumState::compare(Some(stored), Some(computed));
        }
        Ok(journal)
    }

    /// Where a block of the journal lies; `None` for one that is not mapped.
    #[must_use]
    pub fn fsblk(&self, block: u32) -> Option<Fsblk> {
        if self.place == JournalPlace::Image {
            return Some(Fsblk::new(u64::from(block)));
        }
        self.runs.fsblk(block)
    }

    /// Reads a block of the journal.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] where it has no such block; those of [`Filesystem::block`].
    pub fn block<S: ByteSource>(&self, fs: &Filesystem<S>, block: u32) -> Result<Vec<u8>> {
        let fsblk = self
            .fsblk(block)
            .ok_or_else(|| Error::corrupt(format!("block {block} of the journal is nowhere")))?;
        fs.block(ReadKind::Journal, fsblk)
    }

    /// Block of the journal with its superblock.
    #[must_use]
    pub fn superblock_at(&self) -> u32 {
        self.superblock_at
    }

    /// Bytes of a block.
    #[must_use]
    pub fn block_size(&self) -> u32 {
        self.block_size
    }

    /// The block behind the last one of the log. Ref: `j_last`.
    #[must_use]
    pub fn log_end(&self) -> u32 {
        self.superblock.s_maxlen.get().saturating_sub(self.superblock.fast_commit_blocks())
    }

    /// The block of the log that follows another; after the last one comes the first.
    #[must_use]
    pub fn next(&self, block: u32) -> u32 {
        match block.saturating_add(1) {
            next if next >= self.log_end() => self.superblock.s_first.get(),
            next => next,
        }
    }

    /// How its log is checked.
    #[must_use]
    pub fn csum_kind(&self) -> JournalCsum {
        let incompat = self.superblock.incompat();
        if incompat.contains(JournalIncompat::CSUM_V3) {
            JournalCsum::V3
        } else if incompat.contains(JournalIncompat::CSUM_V2) {
            JournalCsum::V2
        } else if self.superblock.has_transaction_csum() {
            JournalCsum::V1
        } else {
            JournalCsum::None
        }
    }

    /// What checksums of its blocks start from, where they have any.
    #[must_use]
    pub fn seed(&self) -> Option<u32> {
        self.superblock.has_csum().then(|| jbd2_csum::journal_seed(&self.superblock))
    }

    /// Whether its log holds transactions that are not in place yet.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.superblock.s_start.get() != 0
    }
}

fn empty_superblock() -> JournalSuperblock {
    zerocopy::FromZeros::new_zeroed()
}

/// Why a journal cannot be walked over.
fn refusal(superblock: &JournalSuperblock, geometry: &Geometry) -> Option<String> {
    let block_size = geometry.block_size();
    let header = superblock.s_header;
    let versions = [blocktype::SUPERBLOCK_V1, blocktype::SUPERBLOCK_V2];
    if header.h_magic.get() != JBD2_MAGIC || !versions.contains(&header.h_blocktype.get()) {
        return Some("the journal has no superblock".to_owned());
    }
    let size = superblock.s_blocksize.get();
    if size != block_size {
        return Some(format!(
            "the journal has blocks of {size} bytes, and the filesystem of {block_size}"
        ));
    }
    if u64::from(superblock.s_maxlen.get()) > geometry.blocks_count() {
        return Some(format!(
            "the journal has {} blocks, which are more than the filesystem's",
            superblock.s_maxlen
        ));
    }
    let (first, start) = (superblock.s_first.get(), superblock.s_start.get());
    let end = superblock.s_maxlen.get().checked_sub(superblock.fast_commit_blocks());
    match end {
        Some(end) if (1..end).contains(&first) && (start == 0 || (first..end).contains(&start)) => {
            None
        }
        _ => Some(format!(
            "the journal has {} blocks, its log starts with block {first}, and what is to be \
             replayed with {start}",
            superblock.s_maxlen
        )),
    }
}
