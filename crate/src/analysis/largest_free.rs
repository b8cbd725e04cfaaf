//! The largest free extents with their places.

use core::cmp::Reverse;
use core::ops::Range;
use std::collections::BinaryHeap;

use crate::bitmap::{BitmapRef, Bits};
use crate::fs::Geometry;
use crate::units::{Group, Grpblk};

/// Keeps the largest free extents of the block bitmaps that it sees, in any order of groups.
///
/// What touches the border of a group waits until the end, since it may go on in the next one.
#[derive(Clone, Debug)]
pub struct LargestFree {
    count: usize,
    /// The shortest first: it makes room.
    largest: BinaryHeap<Reverse<(u64, Reverse<u64>)>>,
    /// First block and the block behind the last of what touches a border.
    open: Vec<(u64, u64)>,
}

impl LargestFree {
    /// Keeps at most `count`.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { count, largest: BinaryHeap::new(), open: Vec::new() }
    }

    /// Takes in a group's block bitmap, once.
    pub fn add(&mut self, geometry: &Geometry, group: Group, bits: BitmapRef<'_>) {
        let first = geometry.group_first_fsblk(group).get();
        let end = first.saturating_add(u64::from(geometry.group_blocks(group)));
        let block = |bit: u64| {
            let grpblk = Grpblk::new(u32::try_from(bit).unwrap_or(u32::MAX));
            geometry.fsblk_from_grpblk(group, grpblk).get().min(end)
        };
        for run in bits.clear_runs() {
            let run = block(run.start)..block(run.end);
            if run.start == first || run.end == end {
                self.open.push((run.start, run.end));
            } else {
                self.keep(run);
            }
        }
    }

    /// The largest, the first of equals before the others.
    #[must_use]
    pub fn finish(mut self) -> Vec<Range<u64>> {
        let mut open = core::mem::take(&mut self.open);
        open.sort_unstable();
        let mut joined: Option<Range<u64>> = None;
        for (start, end) in open {
            match &mut joined {
                Some(run) if run.end == start => run.end = end,
                _ => {
                    if let Some(run) = joined.replace(start..end) {
                        self.keep(run);
                    }
                }
            }
        }
        if let Some(run) = joined {
            self.keep(run);
        }
        let largest = self.largest.into_sorted_vec();
        largest.into_iter().map(|Reverse((len, Reverse(start)))| start..start + len).collect()
    }

    fn keep(&mut self, run: Range<u64>) {
        let len = run.end.saturating_sub(run.start);
        if len > 0 {
            self.largest.push(Reverse((len, Reverse(run.start))));
        }
        if self.largest.len() > self.count {
            self.largest.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::Files;

    #[test]
    fn extents_go_on_over_borders_whatever_the_order_of_groups() {
        let geometry = *Files::new().filesystem().geometry();
        // Free: all of group 1 but its first 8 blocks, and the first 16 of group 2.
        let used = |from: usize, to: usize| {
            let mut bytes = vec![0_u8; 1024];
            bytes[from / 8..to / 8].fill(0xff);
            bytes
        };
        let groups = [(2, used(16, 8192)), (0, used(0, 8000)), (1, used(0, 8))];
        for count in [1, 3] {
            let mut largest = LargestFree::new(count);
            for (group, bytes) in &groups {
                let bits = BitmapRef::new(bytes, 8192).expect("long enough");
                largest.add(&geometry, Group::new(*group), bits);
            }
            let due = [1 + 8192 + 8..1 + 2 * 8192 + 16, 1 + 8000..1 + 8192];
            assert_eq!(largest.finish(), due[..count.min(2)]);
        }
    }
}
