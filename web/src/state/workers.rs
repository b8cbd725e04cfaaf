//! What the workers on an image did.

use crate::protocol::{Activity, KindCount};

/// A worker on an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// What it did so far.
    pub activity: Activity,
    /// Whether it is gone; what it did stays.
    pub has_ended: bool,
    /// What broke it, if something did.
    pub broke: Option<String>,
}

/// The workers on an image, in the order in which they came. The first one answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workers(Vec<Worker>);

impl Workers {
    /// The workers.
    #[must_use]
    pub fn all(&self) -> &[Worker] {
        &self.0
    }

    /// A worker by its number, counted from 0, to tell news of it.
    pub(super) fn at(&mut self, number: u32) -> &mut Worker {
        let at = number as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, Worker::default());
        }
        &mut self.0[at]
    }

    /// Requests to the file by kind of metadata, of all workers together.
    #[must_use]
    pub fn reads(&self) -> Vec<KindCount> {
        let mut all: Vec<KindCount> = Vec::new();
        for read in self.0.iter().flat_map(|worker| &worker.activity.reads) {
            match all.iter_mut().find(|sum| sum.kind == read.kind) {
                Some(sum) => {
                    sum.count.requests = sum.count.requests.saturating_add(read.count.requests);
                    sum.count.bytes = sum.count.bytes.saturating_add(read.count.bytes);
                }
                None => all.push(*read),
            }
        }
        all
    }

    /// Bytes that they read, of every kind.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.0.iter().map(|worker| worker.activity.bytes_read()).fold(0, u64::saturating_add)
    }

    /// Bytes of memory that those who are left have.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let left = self.0.iter().filter(|worker| !worker.has_ended);
        left.map(|worker| worker.activity.memory_bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{ReadCount, ReadKind};

    #[test]
    fn reads_are_summed_by_kind_and_memory_over_those_who_are_left() {
        let read = |kind, bytes| KindCount { kind, count: ReadCount { requests: 1, bytes } };
        let mut workers = Workers::default();
        workers.at(2).activity = Activity {
            reads: vec![read(ReadKind::Superblock, 1024), read(ReadKind::BlockBitmap, 7)],
            memory_bytes: 100,
        };
        workers.at(0).activity =
            Activity { reads: vec![read(ReadKind::BlockBitmap, 5)], memory_bytes: 30 };
        workers.at(2).has_ended = true;
        let sums = workers.reads();
        let sum = |kind| sums.iter().find(|sum| sum.kind == kind).map(|sum| sum.count);
        assert_eq!(sum(ReadKind::BlockBitmap), Some(ReadCount { requests: 2, bytes: 12 }));
        assert_eq!(sum(ReadKind::Superblock), Some(ReadCount { requests: 1, bytes: 1024 }));
        assert_eq!((workers.all().len(), workers.memory_bytes()), (3, 30));
    }
}
