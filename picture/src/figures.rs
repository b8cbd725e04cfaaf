//! What a sweep over the bitmaps left of each group.

use std::collections::BTreeMap;

use extscope::analysis::BlockStats;
use extscope::bitmap::{Bitmap, BitmapRef, Bits};
use extscope::units::Group;

/// Bytes of bitmaps that are kept whole, at most.
const KEPT: usize = 4 << 20;

/// What a sweep over the block bitmaps left of each group, as far as it came.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    stats: Vec<BlockStats>,
    /// Bytes of a group's profile.
    parts: usize,
    profiles: Vec<u8>,
    /// Bitmaps that are kept whole, and their bytes.
    bits: BTreeMap<u32, Bitmap>,
    kept: usize,
}

impl Figures {
    /// Nothing is known yet of `groups` groups, whose profiles have `parts` bytes.
    #[must_use]
    pub fn new(groups: u32, parts: u32) -> Self {
        let (groups, parts) = (groups as usize, parts as usize);
        let profiles = vec![0; groups.saturating_mul(parts)];
        let stats = vec![BlockStats::default(); groups];
        Self { stats, parts, profiles, ..Self::default() }
    }

    /// Takes in a group; a profile of another length is left out.
    pub fn set(&mut self, group: Group, stats: BlockStats, profile: &[u8]) {
        let at = group.get() as usize;
        let Some(slot) = self.stats.get_mut(at) else { return };
        *slot = stats;
        let from = at.saturating_mul(self.parts);
        if let Some(slot) = self.profiles.get_mut(from..from.saturating_add(self.parts))
            && slot.len() == profile.len()
        {
            slot.copy_from_slice(profile);
        }
    }

    /// Keeps a group's bitmap, so that nobody has to read it again, as far as memory is for that.
    pub fn keep(&mut self, group: Group, bits: BitmapRef<'_>) {
        let kept = self.kept.saturating_add(bits.len().div_ceil(8) as usize);
        let is_wanted = (group.get() as usize) < self.stats.len() && kept <= KEPT;
        if !is_wanted {
            return;
        }
        if self.bits.insert(group.get(), Bitmap::from(bits)).is_none() {
            self.kept = kept;
        }
    }

    /// A group's bitmap, where it is kept.
    #[must_use]
    pub fn bits(&self, group: Group) -> Option<BitmapRef<'_>> {
        self.bits.get(&group.get()).map(Bitmap::view)
    }

    /// Bytes of a group's profile.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// What is known of a group.
    #[must_use]
    pub fn stats(&self, group: Group) -> BlockStats {
        self.stats.get(group.get() as usize).copied().unwrap_or_default()
    }

    /// How full its parts are; means nothing where its bitmap is unread.
    #[must_use]
    pub fn profile(&self, group: Group) -> &[u8] {
        let from = (group.get() as usize).saturating_mul(self.parts);
        self.profiles.get(from..from.saturating_add(self.parts)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use extscope::bitmap::BitsMut;

    use super::*;

    #[test]
    fn what_is_taken_in_is_known_of_that_group_alone() {
        let mut figures = Figures::new(3, 2);
        let read = BlockStats { free: 7, ..BlockStats::default() };
        figures.set(Group::new(1), read, &[1, 2]);
        figures.set(Group::new(9), read, &[3, 4]);
        figures.set(Group::new(2), read, &[9]);
        assert_eq!(figures.stats(Group::new(1)), read);
        assert_eq!(figures.stats(Group::new(0)), BlockStats::default());
        assert_eq!(
            (figures.profile(Group::new(1)), figures.profile(Group::new(9))),
            (&[1, 2][..], &[][..])
        );
        assert_eq!(figures.profile(Group::new(2)), [0, 0]);
    }

    #[test]
    fn bitmaps_are_kept_as_far_as_memory_is_for_them() {
        let mut figures = Figures::new(2000, 1);
        let mut bitmap = Bitmap::new(8 * 4096).expect("short");
        bitmap.mark_range(7..9);
        for group in (0..2000).chain([0, 1]) {
            figures.keep(Group::new(group), bitmap.view());
        }
        let has = |group| figures.bits(Group::new(group)).is_some_and(|bits| bits.count() == 2);
        assert!(has(0) && has(1023));
        assert!(!has(1024) && !has(1999));
    }
}
