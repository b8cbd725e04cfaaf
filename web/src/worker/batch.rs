//! What the sweep found since the page was last told.

use extscope::analysis::{BlockStats, profile};
use extscope::bitmap::BitmapRef;
use extscope::units::Group;

use crate::protocol::{StatsBatch, StatsColumns};

/// What the sweep found since the page was last told.
#[derive(Debug)]
pub(super) struct Batch {
    /// Bytes of a group's profile.
    parts: u32,
    groups: Vec<u32>,
    stats: Vec<BlockStats>,
    profiles: Vec<u8>,
}

impl Batch {
    pub(super) const fn new(parts: u32) -> Self {
        Self { parts, groups: Vec::new(), stats: Vec::new(), profiles: Vec::new() }
    }

    /// Adds a group; one whose bitmap could not be had has no bits.
    pub(super) fn add(&mut self, group: Group, stats: &BlockStats, bits: &BitmapRef<'_>) {
        self.groups.push(group.get());
        self.stats.push(*stats);
        self.profiles.extend(profile::profile(bits, self.parts));
    }

    /// The batch, unless it is empty; the next one begins.
    pub(super) fn take(&mut self) -> Option<StatsBatch> {
        let Self { groups, stats, profiles, .. } = core::mem::replace(self, Self::new(self.parts));
        (!groups.is_empty()).then(|| StatsBatch {
            groups: groups.into(),
            stats: StatsColumns::from_rows(&stats),
            profiles: profiles.into(),
            reads: Vec::new(),
        })
    }
}
