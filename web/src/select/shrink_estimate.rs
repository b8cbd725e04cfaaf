//! What a shrink would come to, from what is known already: quick, and near enough to drag by.

use extscope::units::{Fsblk, Group};

use crate::state::{Image, Known};

/// For each group, what lies past its first block and would have to be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Blocks in use and no group's metadata, from a group on to the end.
    past: Vec<u64>,
    /// Blocks in use in all.
    used: u64,
    /// Metadata of a group.
    metadata: u64,
}

/// What a size would come to, about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimated {
    /// Blocks to copy.
    pub to_copy: u64,
    /// Free blocks afterwards.
    pub free: u64,
}

impl Estimate {
    /// Looks through all groups.
    #[must_use]
    pub fn new(known: &Known) -> Self {
        let image = known.image();
        let geometry = &image.geometry;
        let groups = known.groups();
        let unit = u64::from(geometry.blocks_per_cluster());
        let mut metadata_in = vec![0_u64; groups as usize];
        for group in 0..groups {
            let Some(row) = image.groups.row(Group::new(group)).filter(|row| row.readable) else {
                continue;
            };
            let places = [
                (row.block_bitmap, 1),
                (row.inode_bitmap, 1),
                (row.inode_table, geometry.itable_blocks()),
            ];
            for (fsblk, blocks) in places {
                let slot = geometry
                    .group_from_fsblk(fsblk)
                    .and_then(|it| metadata_in.get_mut(it.get() as usize));
                if let Some(slot) = slot {
                    *slot = slot.saturating_add(blocks);
                }
            }
        }
        let mut used = 0_u64;
        let mut past = vec![0_u64; groups as usize + 1];
        for group in (0..groups).rev() {
            let at = group as usize;
            let in_use = known.fullness(Group::new(group)).used.saturating_mul(unit);
            used = used.saturating_add(in_use);
            past[at] = past[at + 1].saturating_add(in_use.saturating_sub(metadata_in[at]));
        }
        Self { past, used, metadata: geometry.itable_blocks().saturating_add(2) }
    }

    /// What a size of so many blocks would come to.
    #[must_use]
    pub fn at(&self, blocks: u64, image: &Image) -> Estimated {
        let geometry = &image.geometry;
        let blocks = blocks.max(geometry.first_data_block().get());
        let groups = self.past.len().saturating_sub(1) as u64;
        let group =
            geometry.group_from_fsblk(Fsblk::new(blocks)).map_or(groups, |it| it.get().into());
        let past = |group: u64| self.past.get(group as usize).copied().unwrap_or(0);
        let (from, to) = (past(group), past(group.saturating_add(1)));
        let first =
            geometry.group_first_fsblk(Group::new(u32::try_from(group).unwrap_or(u32::MAX))).get();
        let size = u64::from(geometry.blocks_per_group()).max(1);
        let behind = size.saturating_sub(blocks.saturating_sub(first)).min(size);
        let cut = u128::from(from.saturating_sub(to)) * u128::from(behind) / u128::from(size);
        let to_copy = to.saturating_add(u64::try_from(cut).unwrap_or(u64::MAX));
        let dropped = groups.saturating_sub(group).saturating_sub(u64::from(blocks > first));
        let kept = self.used.saturating_sub(dropped.saturating_mul(self.metadata));
        Estimated { to_copy, free: blocks.saturating_sub(kept) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::{batch, described_image, read};

    /// Three groups of 8192 blocks whose bitmaps say that all but so many are free.
    fn known(used: [u32; 3]) -> Known {
        let mut known = Known::described(std::rc::Rc::new(described_image()));
        let rows: Vec<_> =
            (0..).zip(used).map(|(group, used)| (group, read(8192 - used))).collect();
        known.merge(&batch(&rows, Vec::new()));
        known
    }

    #[test]
    fn what_is_past_the_end_is_copied_but_for_metadata() {
        let known = known([1000, 2000, 500]);
        let (image, estimate) = (known.image(), Estimate::new(&known));
        // Two bitmaps and two blocks of inodes a group.
        let metadata = 4;
        assert_eq!(estimate.at(24_577, image).to_copy, 0);
        assert_eq!(estimate.at(16_385, image).to_copy, 500 - metadata);
        assert_eq!(estimate.at(8193, image).to_copy, 2500 - 2 * metadata);
        let half = estimate.at(8193 + 4096, image).to_copy;
        assert_eq!(half, 500 - metadata + (2000 - metadata) / 2);
    }

    #[test]
    fn groups_that_go_take_their_metadata_with_them() {
        let known = known([1000, 2000, 500]);
        let (image, estimate) = (known.image(), Estimate::new(&known));
        assert_eq!(estimate.at(16_384, image).free, 16_384 - 3500 + 4);
    }
}
