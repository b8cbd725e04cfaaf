//! What the allocator knows of a group. Ref: `struct ext4_group_info`, `fs/ext4/mballoc.c`.

use serde::{Deserialize, Serialize};

use crate::bitmap::{BitmapRef, Bits, RunScan};
use crate::fs::CsumState;

/// Whether a bitmap was looked at, and where it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BitmapState {
    /// Not yet.
    #[default]
    Unread,
    /// Read from the image.
    Read,
    /// Never written; made as the kernel would.
    Synthesised,
    /// It could not be had.
    Failed,
}

impl BitmapState {
    /// Whether the figures beside it are the bitmap's own.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Read | Self::Synthesised)
    }
}

/// The free clusters of a group, from its block bitmap. Counts are clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockStats {
    /// Whether the figures below are there.
    pub state: BitmapState,
    /// Whether the bitmap's checksum is right.
    pub csum: CsumState,
    /// Exponent of the largest aligned power of two that is free, or -1 without free clusters; the
    /// allocator knows none larger than a quarter of a bitmap block's bits.
    /// Ref: `bb_largest_free_order`.
    pub largest_free_order: i8,
    /// Free clusters. Ref: `bb_free`.
    pub free: u32,
    /// Runs of free clusters. Ref: `bb_fragments`.
    pub fragments: u32,
    /// The first free cluster of the group; the number of its clusters when none is.
    /// Ref: `bb_first_free`.
    pub first_free: u32,
    /// Clusters of the longest free run.
    pub largest_free: u32,
}

/// The free inodes of a group, from its inode bitmap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InodeStats {
    /// Whether the figures below are there.
    pub state: BitmapState,
    /// Whether the bitmap's checksum is right.
    pub csum: CsumState,
    /// Free inodes.
    pub free: u32,
}

/// What a sweep leaves of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupStats {
    /// Its clusters.
    pub blocks: BlockStats,
    /// Its inodes.
    pub inodes: InodeStats,
}

const _: () = assert!(size_of::<GroupStats>() <= 32);

impl BlockStats {
    /// Counts the free runs of a block bitmap, with as many `orders` as
    /// [`Geometry::mb_num_orders`](crate::fs::Geometry::mb_num_orders) says.
    #[must_use]
    pub fn new(
        scan: &mut RunScan,
        bits: BitmapRef<'_>,
        orders: u32,
        state: BitmapState,
        csum: CsumState,
    ) -> Self {
        let highest = i8::try_from(orders).unwrap_or(i8::MAX).saturating_sub(1);
        let mut stats = Self {
            state,
            csum,
            largest_free_order: -1,
            first_free: narrow(bits.next_clear(0).unwrap_or_else(|| bits.len())),
            ..Self::default()
        };
        scan.clear_runs(bits, |run| {
            let len = narrow(run.end.saturating_sub(run.start));
            stats.free = stats.free.saturating_add(len);
            stats.fragments = stats.fragments.saturating_add(1);
            stats.largest_free = stats.largest_free.max(len);
            // Few runs are long enough to be asked where they lie.
            if log2(len).min(highest) > stats.largest_free_order {
                let order = aligned_order(&run, highest);
                stats.largest_free_order = stats.largest_free_order.max(order);
            }
        });
        stats
    }
}

impl InodeStats {
    /// Counts the free inodes of an inode bitmap.
    #[must_use]
    pub fn new(bits: &impl Bits, state: BitmapState, csum: CsumState) -> Self {
        Self { state, csum, free: narrow(bits.len().saturating_sub(bits.count())) }
    }
}

/// Exponent, at most `highest`, of the largest power of two that fits into a run at a multiple of
/// itself.
fn aligned_order(run: &core::ops::Range<u64>, highest: i8) -> i8 {
    let order = log2(narrow(run.end.saturating_sub(run.start))).min(highest);
    let fits = |order: i8| {
        let size = 1_u64 << order;
        run.start.next_multiple_of(size).saturating_add(size) <= run.end
    };
    // A run shorter than twice a power of two may miss its multiples, but not those of the half.
    if order > 0 && !fits(order) { order.saturating_sub(1) } else { order }
}

/// Binary logarithm, rounded down; -1 of nothing.
fn log2(len: u32) -> i8 {
    len.checked_ilog2().and_then(|log| i8::try_from(log).ok()).unwrap_or(-1)
}

/// A group has at most 524288 clusters or inodes.
fn narrow(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bitmap::{Bitmap, BitsMut};

    const BLOCKS_OF_4_KIB: u32 = 14;

    fn stats(used: &[core::ops::Range<u64>], len: u64) -> BlockStats {
        let mut bitmap = Bitmap::new(len).expect("small");
        for range in used {
            bitmap.mark_range(range.clone());
        }
        let (mut scan, state) = (RunScan::default(), BitmapState::Read);
        BlockStats::new(&mut scan, bitmap.view(), BLOCKS_OF_4_KIB, state, CsumState::None)
    }

    #[test]
    fn free_runs_are_counted_in_mballocs_words() {
        let stats = stats(&[0..10, 20..21, 53..64], 64);
        assert_eq!(stats.free, 42);
        assert_eq!(stats.fragments, 2);
        assert_eq!(stats.first_free, 10);
        assert_eq!(stats.largest_free, 32);
        // 21..53 holds no multiple of 32, but one of 16, at 32.
        assert_eq!(stats.largest_free_order, 4);
    }

    #[test]
    fn a_full_group_has_no_first_free() {
        let stats = stats(&[0..50, 50..99], 99);
        assert_eq!((stats.free, stats.fragments, stats.first_free), (0, 0, 99));
        assert_eq!((stats.largest_free, stats.largest_free_order), (0, -1));
    }

    #[test]
    fn an_empty_group_is_one_run() {
        let stats = stats(&[], 32768);
        assert_eq!((stats.free, stats.fragments, stats.first_free), (32768, 1, 0));
        assert_eq!(stats.largest_free, 32768);
    }

    #[test]
    fn no_order_is_higher_than_the_allocators_highest() {
        assert_eq!(stats(&[], 32768).largest_free_order, 13);
        assert_eq!(stats(&[0..1, 16383..32768], 32768).largest_free_order, 12);
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_the_largest_aligned_free_block(
            start in 0u64..3000, len in 1u64..3000, highest in 0..13_i8,
        ) {
            let run = start..start + len;
            let naive = (0..=highest)
                .rev()
                .find(|order| {
                    let size = 1_u64 << order;
                    (0..run.end).step_by(size as usize)
                        .any(|at| at >= run.start && at + size <= run.end)
                })
                .unwrap();
            prop_assert_eq!(aligned_order(&run, highest), naive);
        }
    }
}
