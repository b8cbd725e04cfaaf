//! What the status bar says.

use crate::protocol::{ReadCount, ReadKind};
use crate::state::{OpenImage, Sweep, Worker};
use crate::text::{number, size};

/// What the engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Nothing: all that was asked for is there.
    Ready,
    /// Reading bitmaps.
    Reading,
    /// Nothing: the person stopped the reading.
    Paused,
    /// Nothing: reading cannot go on.
    Stopped,
}

impl Doing {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Reading => "Reading bitmaps",
            Self::Paused => "Paused",
            Self::Stopped => "Stopped",
        }
    }
}

/// The status of an open image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What the engine is doing.
    pub doing: Doing,
    /// Why it stopped, when it did.
    pub reason: Option<String>,
    /// Groups whose bitmap is known.
    pub swept: u64,
    /// Groups whose bitmap cannot be read.
    pub failed: u64,
    /// Groups in all.
    pub groups: u64,
    /// Bytes read.
    pub read: u64,
    /// Bytes of the image.
    pub image: u64,
    /// Requests to the file.
    pub requests: u64,
    /// Memory of the workers, bytes.
    pub memory: u64,
    /// What was read, by kind.
    pub kinds: Vec<Read>,
    /// What was read, by worker.
    pub workers: Vec<Read>,
}

/// A part of what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Of what, or by whom.
    pub of: String,
    /// Requests to the file.
    pub requests: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Status {
    /// The status of `open`.
    #[must_use]
    pub fn of(open: &OpenImage) -> Self {
        let (sums, groups) = (open.known.sums(), u64::from(open.known.groups()));
        let (doing, reason) = match &open.sweep {
            _ if sums.unread == 0 => (Doing::Ready, None),
            Sweep::Failed(error) => (Doing::Stopped, Some(error.to_string())),
            Sweep::Going if open.is_paused => (Doing::Paused, None),
            Sweep::Going => (Doing::Reading, None),
        };
        let reads = open.workers.reads();
        let sum = |of: fn(&ReadCount) -> u64| reads.iter().map(|read| of(&read.count)).sum();
        let kinds = reads.iter().map(|read| Read {
            of: kind_name(read.kind).to_owned(),
            requests: read.count.requests,
            bytes: read.count.bytes,
        });
        Self {
            doing,
            reason,
            swept: groups.saturating_sub(sums.unread.into()),
            failed: sums.failed.into(),
            groups,
            read: sum(|count| count.bytes),
            image: open.image.info.image_bytes,
            requests: sum(|count| count.requests),
            memory: open.workers.memory_bytes(),
            kinds: kinds.collect(),
            workers: open.workers.all().iter().zip(1..).map(by_worker).collect(),
        }
    }

    /// How far the reading is, for a live region: in quarters, so that it speaks seldom.
    #[must_use]
    pub fn announcement(&self) -> String {
        match self.doing {
            Doing::Stopped => self.reason.clone().unwrap_or_default(),
            Doing::Paused => "Reading bitmaps is paused.".into(),
            Doing::Ready if self.failed > 0 => format!(
                "{} of {} bitmaps cannot be read.",
                number::count(self.failed),
                number::count(self.groups)
            ),
            Doing::Ready if self.groups == 1 => "The bitmap is read.".into(),
            Doing::Ready => format!("All {} bitmaps are read.", number::count(self.groups)),
            Doing::Reading => {
                format!("Reading bitmaps, {} percent.", number::quarter(self.swept, self.groups))
            }
        }
    }

    /// The share of the image that was read.
    #[must_use]
    pub fn share_read(&self) -> String {
        number::percent(self.read, self.image)
    }

    /// Bytes read in words.
    #[must_use]
    pub fn read_text(&self) -> String {
        size::bytes(self.read)
    }
}

/// What the worker with this number, counted from 1, read.
fn by_worker((worker, number): (&Worker, u32)) -> Read {
    let of = match (&worker.broke, number) {
        (Some(_), _) => format!("Worker {number}, which broke"),
        (None, 1) => "Worker 1, which answers".to_owned(),
        (None, _) => format!("Worker {number}"),
    };
    let (requests, bytes) = (worker.activity.requests(), worker.activity.bytes_read());
    Read { of, requests, bytes }
}

/// What the reads of a kind are of.
const fn kind_name(kind: ReadKind) -> &'static str {
    match kind {
        ReadKind::Superblock => "Superblock",
        ReadKind::Backup => "Backup superblocks",
        ReadKind::GroupDesc => "Group descriptors",
        ReadKind::BlockBitmap => "Block bitmaps",
        ReadKind::InodeBitmap => "Inode bitmaps",
        ReadKind::InodeTable => "Inode tables",
        ReadKind::Mapping => "Extent trees, indirect blocks",
        ReadKind::Directory => "Directories",
        ReadKind::Xattr => "Extended attributes",
        ReadKind::Journal => "Journal",
        ReadKind::Data => "Contents of files",
        _ => "Other metadata",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_read_has_a_name_of_its_own() {
        let mut names = ReadKind::ALL.map(kind_name).to_vec();
        assert!(!names.contains(&"Other metadata"), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ReadKind::ALL.len());
    }
}
