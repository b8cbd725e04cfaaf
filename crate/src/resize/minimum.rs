//! The smallest size that resize2fs estimates, and every term that it is made of.
//!
//! The estimate looks at the superblock and the descriptors alone. It is no bound: a shrink may
//! work below it, and, where extent trees grow, may not work at it. Ref: `resize2fs -P`,
//! `calculate_minimum_resize_size`.

use serde::{Deserialize, Serialize};

use super::Frame;
use crate::ondisk::features::{Incompat, RoCompat};
use crate::units::Group;

/// Blocks kept free in the last group.
const LAST_GROUP_RESERVE: u64 = 50;

/// One block of each so many saved is kept for extent trees that grow.
const MARGIN_DIVISOR: u64 = 500;

/// What settled the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MinimumEnd {
    /// The terms, added up.
    Terms,
    /// The terms come to the present size or more; so the present size.
    PresentSize,
    /// Free blocks and overhead are more than all blocks; so the present size. Usual with
    /// bigalloc, whose free clusters are taken for blocks.
    CountsDisagree,
}

/// The estimate and its terms, in blocks unless the name says otherwise.
///
/// Under [`MinimumEnd::Terms`], `blocks` is the sum of `full_groups`, `flex_before`,
/// `last_group_overhead`, `flex_after`, `last_group_data`, `first_data_block`, `cluster_slack`,
/// `itable_end` and `extents_margin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minimum {
    /// The estimate.
    pub blocks: u64,
    /// What settled it.
    pub end: MinimumEnd,
    /// Inodes in use, as the superblock counts them.
    pub used_inodes: u32,
    /// Groups that these inodes need.
    pub inode_groups: u32,
    /// What is to be kept: all blocks without the free ones and without the groups' overhead.
    pub data_blocks: u64,
    /// Groups in the end, those for the data among them.
    pub groups: u32,
    /// Groups whose overhead is counted: whole flex groups, and one more.
    pub flex_groups: u32,
    /// All groups but the last.
    pub full_groups: u64,
    /// Overhead of the last group.
    pub last_group_overhead: u64,
    /// Overhead of the groups before the last, which is counted a second time when the last
    /// group lies in the first flex group.
    pub flex_before: u64,
    /// Overhead of groups past the last one, which are counted because a flex group is.
    pub flex_after: u64,
    /// What the groups before the last have no room for, or a reserve.
    pub last_group_data: u64,
    /// Blocks ahead of group 0.
    pub first_data_block: u64,
    /// Two clusters, with bigalloc.
    pub cluster_slack: u64,
    /// What is missing to the end of the last group's present inode table.
    pub itable_end: u64,
    /// Kept for extent trees that grow.
    pub extents_margin: u64,
}

/// Works out the estimate. Time is in proportion to groups.
#[must_use]
pub fn minimum(frame: &Frame) -> Minimum {
    let geometry = &frame.geometry;
    let used_inodes = frame.used_inodes();
    let inode_groups = used_inodes.div_ceil(geometry.inodes_per_group().max(1));
    let mut minimum = Minimum {
        blocks: geometry.blocks_count(),
        end: MinimumEnd::CountsDisagree,
        used_inodes,
        inode_groups,
        data_blocks: 0,
        groups: 0,
        flex_groups: 0,
        full_groups: 0,
        last_group_overhead: 0,
        flex_before: 0,
        flex_after: 0,
        last_group_data: 0,
        first_data_block: geometry.first_data_block().get(),
        cluster_slack: 0,
        itable_end: 0,
        extents_margin: 0,
    };
    let Some(data_blocks) = data_blocks(frame) else {
        return minimum;
    };
    minimum.data_blocks = data_blocks;
    minimum.end = MinimumEnd::PresentSize;
    let Some(room) = Room::for_data(frame, inode_groups, data_blocks) else {
        return minimum;
    };
    minimum.groups = room.groups;
    minimum.flex_groups = room.flex_groups;
    add_last_group(&mut minimum, frame, room.lead);
    let terms = minimum.terms_without_margin();
    if terms >= geometry.blocks_count() {
        return minimum;
    }
    if frame.has_incompat(Incompat::EXTENTS) {
        minimum.extents_margin = extents_margin(frame, &minimum, terms);
    }
    minimum.blocks = terms.wrapping_add(minimum.extents_margin);
    minimum.end = MinimumEnd::Terms;
    minimum
}

impl Minimum {
    fn terms_without_margin(&self) -> u64 {
        [
            self.full_groups,
            self.flex_before,
            self.last_group_overhead,
            self.flex_after,
            self.last_group_data,
            self.first_data_block,
            self.cluster_slack,
            self.itable_end,
        ]
        .into_iter()
        .fold(0, u64::wrapping_add)
    }
}

/// All blocks without the free ones and the overhead; `None` when that is fewer than none.
fn data_blocks(frame: &Frame) -> Option<u64> {
    let per_group = u64::from(frame.geometry.blocks_per_group());
    (0..).map(Group::new).zip(&frame.groups).try_fold(
        frame.geometry.blocks_count(),
        |left, (group, desc)| {
            let free = u64::from(desc.free_blocks_count).min(per_group);
            left.checked_sub(free.saturating_add(frame.overhead(group)))
        },
    )
}

/// Groups taken until their room suffices.
struct Room {
    groups: u32,
    /// Groups whose overhead was taken off.
    flex_groups: u32,
    /// Blocks that hold data.
    room: u64,
    /// Those of them that are not in the last group. Ref: `last_start`.
    lead: u64,
}

impl Room {
    /// Takes groups for the inodes, and more until the data fits. `None` when that is more groups
    /// than there are: whatever follows then comes to the present size.
    fn for_data(frame: &Frame, inode_groups: u32, data_blocks: u64) -> Option<Self> {
        let per_group = u64::from(frame.geometry.blocks_per_group());
        let is_flex = frame.has_incompat(Incompat::FLEX_BG);
        let counted = |groups: u32| if is_flex { whole_flex_groups(frame, groups) } else { groups };
        let mut room = Self {
            groups: inode_groups,
            flex_groups: counted(inode_groups),
            room: u64::from(inode_groups).wrapping_mul(per_group),
            lead: 0,
        };
        if inode_groups > frame.group_count() {
            return None;
        }
        for group in 0..room.flex_groups {
            let overhead = frame.overhead(Group::new(group));
            if group < inode_groups.wrapping_sub(1) {
                room.lead = room.lead.wrapping_add(per_group.wrapping_sub(overhead));
            }
            room.room = room.room.saturating_sub(overhead);
        }
        while let Some(missing) = data_blocks.checked_sub(room.room).filter(|n| *n > 0) {
            let extra = missing.div_ceil(per_group);
            room.room = room.room.wrapping_add(extra.wrapping_mul(per_group));
            let last = frame.overhead(Group::new(room.groups.wrapping_sub(1)));
            room.lead = room.lead.wrapping_add(per_group.wrapping_sub(last));
            let from = room.flex_groups;
            room.groups = u32::try_from(extra).ok().and_then(|n| room.groups.checked_add(n))?;
            if room.groups > frame.group_count() {
                return None;
            }
            if !is_flex || room.groups > room.flex_groups {
                room.flex_groups = counted(room.groups);
            }
            for group in from..room.flex_groups {
                let overhead = frame.overhead(Group::new(group));
                if group < room.groups.wrapping_sub(1) {
                    room.lead = room.lead.wrapping_add(per_group.wrapping_sub(overhead));
                }
                // What goes below nothing is taken for plenty.
                room.room = room.room.wrapping_sub(overhead);
            }
        }
        Some(room)
    }
}

/// Whole flex groups, and always one more than `groups` begin; at most all groups.
fn whole_flex_groups(frame: &Frame, groups: u32) -> u32 {
    let per_flex = frame.geometry.groups_per_flex();
    let begun = groups.checked_rem(per_flex).unwrap_or(0);
    groups.wrapping_add(per_flex.wrapping_sub(begun)).min(frame.group_count())
}

/// Adds the terms that the last group brings. `lead` is the data that lies before it.
fn add_last_group(minimum: &mut Minimum, frame: &Frame, lead: u64) {
    let geometry = &frame.geometry;
    let last = minimum.groups.wrapping_sub(1);
    minimum.full_groups = u64::from(last).wrapping_mul(u64::from(geometry.blocks_per_group()));
    let is_first_flex = frame.has_incompat(Incompat::FLEX_BG) && last < geometry.groups_per_flex();
    let overhead = |groups: core::ops::Range<u32>| {
        groups.map(|group| frame.overhead(Group::new(group))).fold(0, u64::wrapping_add)
    };
    if is_first_flex {
        minimum.flex_before = overhead(0..last);
    }
    if last < minimum.flex_groups {
        minimum.last_group_overhead = frame.overhead(Group::new(last));
        minimum.flex_after = overhead(minimum.groups..minimum.flex_groups);
    }
    let left = minimum.data_blocks.saturating_sub(lead);
    minimum.last_group_data = left.max(LAST_GROUP_RESERVE);
    if frame.has_ro_compat(RoCompat::BIGALLOC) && geometry.blocks_per_cluster() > 1 {
        minimum.cluster_slack = u64::from(geometry.blocks_per_cluster()).wrapping_mul(2);
    }
    let itable = frame.group(Group::new(last)).map_or(0, |desc| desc.inode_table.get());
    let itable_end = itable.wrapping_add(geometry.itable_blocks());
    minimum.itable_end = itable_end.saturating_sub(minimum.terms_without_margin());
}

/// What extent trees may need, were all that is moved torn to single blocks; at most a part of
/// what is saved.
fn extents_margin(frame: &Frame, minimum: &Minimum, terms: u64) -> u64 {
    let entries = u64::from(frame.geometry.block_size() / 12).saturating_sub(1);
    let nodes = minimum.data_blocks.div_ceil(entries.max(1));
    let worst = nodes.max(u64::from(minimum.used_inodes));
    let saved = frame.geometry.blocks_count().saturating_sub(terms);
    saved.checked_div(MARGIN_DIVISOR).unwrap_or(0).min(worst)
}
