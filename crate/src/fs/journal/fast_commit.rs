//! Fast commits: what changed since the last commit, file by file, in blocks of their own at the
//! end of the journal. Ref: `fs/ext4/fast_commit.h`.

use zerocopy::FromBytes;

use super::Journal;
use crate::error::{Error, Result};
use crate::fs::{CsumState, Filesystem};
use crate::io::ByteSource;
use crate::ondisk::csum::crc32c;
use crate::ondisk::jbd2::{FastCommitTl, fast_commit_tag as tag};
use crate::ondisk::{Extent, RawInode};
use crate::units::{Fsblk, Ino, Lblk};

/// Bytes ahead of the value of an entry.
const TL_BYTES: usize = size_of::<FastCommitTl>();

/// What an entry tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FastCommitEntry {
    /// A fast commit starts.
    Head {
        /// Features that must be known to replay it.
        features: u32,
        /// The transaction that it goes with.
        tid: u32,
    },
    /// It ends.
    Tail {
        /// The transaction that it goes with.
        tid: u32,
        /// Whether the checksum of all its entries is right.
        csum: CsumState,
    },
    /// Blocks were added to a file.
    AddRange {
        /// The file.
        ino: Ino,
        /// First block of the file.
        lblk: Lblk,
        /// Its place.
        fsblk: Fsblk,
        /// Blocks.
        len: u16,
        /// Whether they read as zeros.
        is_unwritten: bool,
    },
    /// Blocks were taken from a file.
    DelRange {
        /// The file.
        ino: Ino,
        /// First block of the file.
        lblk: Lblk,
        /// Blocks.
        len: u32,
    },
    /// A name was made with its inode, added or removed; which says the tag.
    Name {
        /// `CREAT`, `LINK` or `UNLINK`.
        tag: u16,
        /// The directory.
        parent: Ino,
        /// What is named.
        ino: Ino,
        /// The name.
        name: Vec<u8>,
    },
    /// An inode as it is now.
    Inode {
        /// Its number.
        ino: Ino,
        /// Its fields.
        raw: Box<RawInode>,
    },
    /// Unused bytes.
    Pad,
    /// A tag that means nothing here.
    Unknown(u16),
}

/// Goes through the blocks of fast commits, entry by entry.
#[derive(Clone, Debug)]
pub struct FastCommits {
    next: u32,
    end: u32,
    /// Block, its bytes and the next of them.
    current: Option<(u32, Vec<u8>, usize)>,
    /// Checksum of the entries since the last tail.
    crc: u32,
}

impl FastCommits {
    /// Starts at the first of their blocks, the second behind the log; nothing is read yet.
    /// Ref: `j_fc_first`.
    #[must_use]
    pub fn new(journal: &Journal) -> Self {
        let end = journal.superblock.s_maxlen.get();
        Self { next: journal.log_end().saturating_add(1), end, current: None, crc: 0 }
    }

    /// The next entry with the block of the journal in which it lies; `None` where nothing more
    /// was written, and after an error.
    ///
    /// Its errors: those of [`Journal::block`], and
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) for an entry that is cut off.
    pub fn next_entry<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        journal: &Journal,
    ) -> Option<Result<(u32, FastCommitEntry)>> {
        loop {
            let (block, bytes, at) = match self.current.take() {
                Some(current) => current,
                None if self.next >= self.end => return None,
                None => match journal.block(fs, self.next) {
                    Ok(bytes) => {
                        let block = self.next;
                        self.next = self.next.saturating_add(1);
                        (block, bytes, 0)
                    }
                    Err(error) => return Some(Err(self.over(error))),
                },
            };
            let rest = bytes.get(at..).unwrap_or_default();
            if rest.len() < TL_BYTES {
                continue;
            }
            if rest.first_chunk() == Some(&[0, 0]) {
                // A block that was never written, or the rest of one.
                self.next = self.end;
                return None;
            }
            let Some((entry, len, crc)) = entry(rest, self.crc) else {
                let what = format!("an entry of a fast commit is cut off, at byte {at} of it");
                let mut error = Error::corrupt(what);
                if let Some(fsblk) = journal.fsblk(block) {
                    error = error.at_fsblk(fsblk);
                }
                return Some(Err(self.over(error)));
            };
            self.crc = crc;
            // A tail fills its block.
            if !matches!(entry, FastCommitEntry::Tail { .. }) {
                self.current = Some((block, bytes, at.saturating_add(len)));
            }
            return Some(Ok((block, entry)));
        }
    }

    fn over(&mut self, error: Error) -> Error {
        self.next = self.end;
        error
    }
}

/// The first entry of some bytes, how many of them it takes, and the checksum behind it.
fn entry(bytes: &[u8], crc: u32) -> Option<(FastCommitEntry, usize, u32)> {
    let (tl, rest) = FastCommitTl::read_from_prefix(bytes).ok()?;
    let value = rest.get(..usize::from(tl.fc_len.get()))?;
    let len = TL_BYTES.checked_add(value.len())?;
    let word = |at: usize| {
        let word = value.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*word))
    };
    let entry = match tl.fc_tag.get() {
        tag::HEAD => FastCommitEntry::Head { features: word(0)?, tid: word(4)? },
        tag::TAIL => {
            let covered = bytes.get(..TL_BYTES.checked_add(4)?)?;
            let csum = CsumState::compare(word(4), Some(crc32c(crc, covered)));
            return Some((FastCommitEntry::Tail { tid: word(0)?, csum }, len, 0));
        }
        tag::ADD_RANGE => {
            let (extent, _) = Extent::read_from_prefix(value.get(4..)?).ok()?;
            FastCommitEntry::AddRange {
                ino: Ino::new(word(0)?),
                lblk: extent.lblk(),
                fsblk: extent.fsblk(),
                len: extent.len(),
                is_unwritten: extent.is_unwritten(),
            }
        }
        tag::DEL_RANGE => FastCommitEntry::DelRange {
            ino: Ino::new(word(0)?),
            lblk: Lblk::new(word(4)?),
            len: word(8)?,
        },
        tag @ (tag::CREAT | tag::LINK | tag::UNLINK) => FastCommitEntry::Name {
            tag,
            parent: Ino::new(word(0)?),
            ino: Ino::new(word(4)?),
            name: value.get(8..)?.to_vec(),
        },
        tag::INODE => FastCommitEntry::Inode {
            ino: Ino::new(word(0)?),
            raw: Box::new(RawInode::from_bytes(value.get(4..)?)),
        },
        tag::PAD => FastCommitEntry::Pad,
        tag => FastCommitEntry::Unknown(tag),
    };
    Some((entry, len, crc32c(crc, bytes.get(..len)?)))
}
