//! What the status bar says.

use crate::protocol::ReadKind;
use crate::state::{OpenImage, Sweep};
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
    /// Memory of the worker's engine, bytes.
    pub memory: u64,
    /// What was read, by kind: kind, requests, bytes.
    pub kinds: Vec<(&'static str, u64, u64)>,
}

impl Status {
    /// The status of `open`.
    #[must_use]
    pub fn of(open: &OpenImage) -> Self {
        let activity = &open.activity;
        let (swept, groups) = (activity.swept.cur, open.image.groups.len() as u64);
        let (doing, reason) = match &open.sweep {
            Sweep::Failed(error) => (Doing::Stopped, Some(error.to_string())),
            Sweep::Going if swept >= groups => (Doing::Ready, None),
            Sweep::Going if activity.paused => (Doing::Paused, None),
            Sweep::Going => (Doing::Reading, None),
        };
        let kinds = activity
            .reads
            .iter()
            .map(|read| (kind_name(read.kind), read.count.requests, read.count.bytes));
        Self {
            doing,
            reason,
            swept,
            failed: activity.failed,
            groups,
            read: activity.bytes_read(),
            image: open.image.info.image_bytes,
            requests: activity.requests(),
            memory: activity.memory_bytes,
            kinds: kinds.collect(),
        }
    }

    /// How far the reading is, for a live region: in quarters, so that it speaks seldom.
    #[must_use]
    pub fn announcement(&self) -> String {
        let quarter = (self.swept * 4).checked_div(self.groups).unwrap_or(4).min(4);
        match self.doing {
            Doing::Stopped => self.reason.clone().unwrap_or_default(),
            Doing::Paused => "Reading bitmaps is paused.".into(),
            Doing::Ready if self.failed > 0 => format!(
                "{} of {} bitmaps cannot be read.",
                number::count(self.failed),
                number::count(self.groups)
            ),
            Doing::Ready => format!("All {} bitmaps are read.", number::count(self.groups)),
            Doing::Reading => format!("Reading bitmaps, {} percent.", quarter * 25),
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

/// What the reads of a kind are of.
const fn kind_name(kind: ReadKind) -> &'static str {
    match kind {
        ReadKind::Superblock => "Superblock",
        ReadKind::Backup => "Backup superblocks",
        ReadKind::GroupDesc => "Group descriptors",
        ReadKind::BlockBitmap => "Block bitmaps",
        ReadKind::InodeBitmap => "Inode bitmaps",
        _ => "Other metadata",
    }
}
