//! Which bitmaps to fetch together: those that lie next to one another, as flex_bg puts them.

use core::ops::Range;

use super::bitmaps::{BitmapKind, BitmapPlace};
use super::{DescState, Filesystem};
use crate::error::Error;
use crate::io::ByteSource;
use crate::limits;
use crate::units::{Fsblk, Group};

/// A bitmap that lies on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedBitmap {
    /// Its block.
    pub fsblk: Fsblk,
    /// Its group.
    pub group: Group,
    /// Which of the group's two.
    pub kind: BitmapKind,
}

/// Bitmaps that one request fetches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedRead {
    /// First block.
    pub fsblk: Fsblk,
    /// Blocks.
    pub blocks: u32,
    /// The bitmaps in them, by block.
    pub bitmaps: Vec<PlacedBitmap>,
}

/// How the bitmaps of some groups are to be had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadPlan {
    /// What to read, by block.
    pub reads: Vec<JoinedRead>,
    /// Bitmaps that were never written.
    pub uninit: Vec<(BitmapKind, Group)>,
    /// Bitmaps that cannot be had, and why.
    pub failed: Vec<(BitmapKind, Group, Error)>,
}

impl LoadPlan {
    /// Plans the bitmaps of `groups`, joining those with at most `gap_bytes` between them.
    ///
    /// Groups whose descriptor was not read yet are left out.
    pub fn new<S: ByteSource>(
        filesystem: &Filesystem<S>,
        groups: Range<u32>,
        kinds: &[BitmapKind],
        gap_bytes: u32,
    ) -> Self {
        let mut plan = Self::default();
        let mut placed = Vec::new();
        for group in groups.map(Group::new) {
            let entry = filesystem.groups().get(group);
            if entry.is_none_or(|entry| entry.state == DescState::Unread) {
                continue;
            }
            for kind in kinds.iter().copied() {
                match filesystem.bitmap_place(kind, group) {
                    Ok(BitmapPlace::Disk(fsblk)) => {
                        placed.push(PlacedBitmap { fsblk, group, kind });
                    }
                    Ok(BitmapPlace::Uninit) => plan.uninit.push((kind, group)),
                    Err(error) => plan.failed.push((kind, group, error)),
                }
            }
        }
        plan.reads = JoinedRead::of(placed, filesystem.geometry().block_size(), gap_bytes);
        plan
    }
}

impl JoinedRead {
    /// The requests that fetch bitmaps in blocks of `block_size` bytes, joining those with at most
    /// `gap_bytes` between them, in the order of the disk.
    #[must_use]
    pub fn of(bitmaps: Vec<PlacedBitmap>, block_size: u32, gap_bytes: u32) -> Vec<Self> {
        let blocks = |bytes: u32| bytes.checked_div(block_size).unwrap_or(0);
        join(bitmaps, blocks(gap_bytes), blocks(limits::READ_BYTES))
    }
}

/// Joins bitmaps with at most `gap` blocks between them into reads of at most `most` blocks.
fn join(mut placed: Vec<PlacedBitmap>, gap: u32, most: u32) -> Vec<JoinedRead> {
    placed.sort_unstable();
    let mut reads: Vec<JoinedRead> = Vec::new();
    for bitmap in placed {
        let joined = reads.last_mut().and_then(|read| {
            let blocks = bitmap.fsblk.get().checked_sub(read.fsblk.get())?.checked_add(1)?;
            let blocks = u32::try_from(blocks).ok().filter(|blocks| *blocks <= most)?;
            let reach = read.blocks.saturating_add(gap).saturating_add(1);
            (blocks <= reach).then_some((read, blocks))
        });
        match joined {
            Some((read, blocks)) => {
                read.blocks = read.blocks.max(blocks);
                read.bitmaps.push(bitmap);
            }
            None => {
                reads.push(JoinedRead { fsblk: bitmap.fsblk, blocks: 1, bitmaps: vec![bitmap] });
            }
        }
    }
    reads
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn placed(blocks: &[u64]) -> Vec<PlacedBitmap> {
        (0..)
            .zip(blocks)
            .map(|(group, fsblk)| PlacedBitmap {
                fsblk: Fsblk::new(*fsblk),
                group: Group::new(group),
                kind: BitmapKind::Block,
            })
            .collect()
    }

    fn spans(reads: &[JoinedRead]) -> Vec<(u64, u32)> {
        reads.iter().map(|read| (read.fsblk.get(), read.blocks)).collect()
    }

    #[test]
    fn neighbours_are_one_read_whatever_their_order() {
        assert_eq!(spans(&join(placed(&[12, 10, 11, 40]), 0, 100)), [(10, 3), (40, 1)]);
    }

    #[test]
    fn a_gap_is_read_through_up_to_the_threshold() {
        assert_eq!(spans(&join(placed(&[10, 13]), 2, 100)), [(10, 4)]);
        assert_eq!(spans(&join(placed(&[10, 14]), 2, 100)), [(10, 1), (14, 1)]);
    }

    #[test]
    fn a_read_is_never_longer_than_allowed() {
        assert_eq!(spans(&join(placed(&[1, 2, 3, 4, 5]), 0, 2)), [(1, 2), (3, 2), (5, 1)]);
    }

    #[test]
    fn groups_that_share_a_bitmap_block_share_its_read() {
        let reads = join(placed(&[7, 7]), 0, 1);
        assert_eq!(spans(&reads), [(7, 1)]);
        assert_eq!(reads[0].bitmaps.len(), 2);
    }

    proptest! {
        #[test]
        fn every_bitmap_lies_in_exactly_one_read(
            blocks in prop::collection::vec(0u64..500, 0..60), gap in 0u32..5, most in 1u32..20,
        ) {
            let reads = join(placed(&blocks), gap, most);
            let mut seen = Vec::new();
            for read in &reads {
                prop_assert!(read.blocks <= most);
                for bitmap in &read.bitmaps {
                    let at = bitmap.fsblk.get() - read.fsblk.get();
                    prop_assert!(at < u64::from(read.blocks));
                    seen.push(bitmap.group);
                }
            }
            seen.sort_unstable();
            prop_assert_eq!(seen.len(), blocks.len());
            prop_assert!(seen.iter().zip(0..).all(|(group, n)| group.get() == n));
        }
    }
}
