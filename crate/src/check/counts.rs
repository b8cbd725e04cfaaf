//! A count for each inode, small where most counts are 1.

use std::collections::BTreeMap;

use crate::bitmap::{Bits as _, BitsMut, RunBitmap};

/// How often each inode counts. Ref: `ext2_icount_t`.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// Inodes that count once.
    once: RunBitmap,
    /// Those that count more often.
    more: BTreeMap<u32, u32>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { once: RunBitmap::new(1 << 32), more: BTreeMap::new() }
    }
}

impl Counts {
    /// The count of an inode.
    pub(super) fn get(&self, ino: u32) -> u32 {
        match self.more.get(&ino) {
            Some(count) => *count,
            None => u32::from(self.once.test(u64::from(ino))),
        }
    }

    /// Sets the count of an inode that has none.
    pub(super) fn set(&mut self, ino: u32, count: u32) {
        match count {
            0 => {}
            1 => _ = self.once.mark(u64::from(ino)),
            _ => _ = self.more.insert(ino, count),
        }
    }

    /// Counts an inode once more.
    pub(super) fn add(&mut self, ino: u32) {
        match self.more.get_mut(&ino) {
            Some(count) => *count = count.saturating_add(1),
            None if self.once.unmark(u64::from(ino)) => _ = self.more.insert(ino, 2),
            None => _ = self.once.mark(u64::from(ino)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_whichever_way_they_came() {
        let mut counts = Counts::default();
        counts.set(12, 1);
        counts.set(13, 40);
        counts.add(12);
        counts.add(13);
        counts.add(14);
        let told: Vec<u32> = (11..16).map(|ino| counts.get(ino)).collect();
        assert_eq!(told, [0, 2, 41, 1, 0]);
    }
}
