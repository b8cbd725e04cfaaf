//! How much was read, and for what.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// What a read was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReadKind {
    /// The superblock, and the first bytes when there is none.
    Superblock,
    /// Places where a backup superblock may lie.
    Backup,
    /// Blocks of the descriptor table.
    GroupDesc,
    /// Block bitmaps.
    BlockBitmap,
    /// Inode bitmaps.
    InodeBitmap,
    /// Inode tables.
    InodeTable,
    /// Nodes of extent trees and indirect blocks.
    Mapping,
    /// Directories.
    Directory,
    /// Extended attributes outside their inode.
    Xattr,
    /// The journal.
    Journal,
    /// Contents of files.
    Data,
}

impl ReadKind {
    /// Every kind, in the order in which an image is usually read.
    pub const ALL: [Self; 11] = [
        Self::Superblock,
        Self::Backup,
        Self::GroupDesc,
        Self::BlockBitmap,
        Self::InodeBitmap,
        Self::InodeTable,
        Self::Mapping,
        Self::Directory,
        Self::Xattr,
        Self::Journal,
        Self::Data,
    ];
}

/// Requests that reached the source and the bytes that they fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadCount {
    /// Requests to the source.
    pub requests: u64,
    /// Bytes fetched.
    pub bytes: u64,
}

/// One kind's share of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// What the reads were for.
    pub kind: ReadKind,
    /// How many and how much.
    #[serde(flatten)]
    pub count: ReadCount,
}

/// Counts the requests that reach a source. What a cache answers is not counted.
#[derive(Debug, Default)]
pub struct Meter {
    counters: [Counter; ReadKind::ALL.len()],
}

#[derive(Debug, Default)]
struct Counter {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Meter {
    /// Notes one request that fetched `bytes` for `kind`.
    pub fn note(&self, kind: ReadKind, bytes: u64) {
        self.add(kind, ReadCount { requests: 1, bytes });
    }

    /// Notes one request that fetched bytes for several kinds; it counts as one of the first.
    pub fn note_shared(&self, shares: &[(ReadKind, u64)]) {
        for (index, (kind, bytes)) in shares.iter().enumerate() {
            self.add(*kind, ReadCount { requests: u64::from(index == 0), bytes: *bytes });
        }
    }

    /// Takes over what was counted elsewhere for `kind`.
    pub fn add(&self, kind: ReadKind, count: ReadCount) {
        for (counter, _) in self.counters.iter().zip(ReadKind::ALL).filter(|(_, k)| *k == kind) {
            counter.requests.fetch_add(count.requests, Ordering::Relaxed);
            counter.bytes.fetch_add(count.bytes, Ordering::Relaxed);
        }
    }

    /// What was read so far, kind by kind, kinds of which nothing was read left out.
    #[must_use]
    pub fn by_kind(&self) -> Vec<KindCount> {
        let counts = self.counters.iter().map(|counter| ReadCount {
            requests: counter.requests.load(Ordering::Relaxed),
            bytes: counter.bytes.load(Ordering::Relaxed),
        });
        counts
            .zip(ReadKind::ALL)
            .filter(|(count, _)| *count != ReadCount::default())
            .map(|(count, kind)| KindCount { kind, count })
            .collect()
    }

    /// What was read so far for `kind`.
    #[must_use]
    pub fn count(&self, kind: ReadKind) -> ReadCount {
        self.by_kind()
            .into_iter()
            .find(|entry| entry.kind == kind)
            .map_or_else(ReadCount::default, |entry| entry.count)
    }

    /// What was read so far, all kinds together.
    #[must_use]
    pub fn total(&self) -> ReadCount {
        self.by_kind().into_iter().fold(ReadCount::default(), |sum, entry| ReadCount {
            requests: sum.requests.saturating_add(entry.count.requests),
            bytes: sum.bytes.saturating_add(entry.count.bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_kind_apart_and_all_together() {
        let meter = Meter::default();
        meter.note(ReadKind::Superblock, 1024);
        meter.note(ReadKind::BlockBitmap, 65536);
        meter.note(ReadKind::BlockBitmap, 4096);
        assert_eq!(meter.count(ReadKind::BlockBitmap), ReadCount { requests: 2, bytes: 69632 });
        assert_eq!(meter.count(ReadKind::InodeBitmap), ReadCount::default());
        assert_eq!(meter.total(), ReadCount { requests: 3, bytes: 70656 });
        let kinds: Vec<_> = meter.by_kind().iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [ReadKind::Superblock, ReadKind::BlockBitmap]);
    }

    #[test]
    fn a_shared_request_counts_once_and_its_bytes_each_for_their_kind() {
        let meter = Meter::default();
        meter.note_shared(&[(ReadKind::BlockBitmap, 4096), (ReadKind::InodeBitmap, 1024)]);
        assert_eq!(meter.count(ReadKind::BlockBitmap), ReadCount { requests: 1, bytes: 4096 });
        assert_eq!(meter.count(ReadKind::InodeBitmap), ReadCount { requests: 0, bytes: 1024 });
        assert_eq!(meter.by_kind().len(), 2);
    }
}
