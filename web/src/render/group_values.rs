//! What the tiles of the map show of an open image.

use std::rc::Rc;

use extscope::units::Group;

use super::tile::TileFill;
use crate::protocol::{BitmapState, StatsColumns, share};
use crate::state::{Image, OpenImage, Profiles};

/// The parts of an open image that the map is drawn from. Cloning copies addresses.
#[derive(Clone, Debug)]
pub struct GroupValues {
    image: Rc<Image>,
    stats: Rc<StatsColumns>,
    profiles: Rc<Profiles>,
}

impl PartialEq for GroupValues {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_image(other)
            && Rc::ptr_eq(&self.stats, &other.stats)
            && Rc::ptr_eq(&self.profiles, &other.profiles)
    }
}

impl From<&OpenImage> for GroupValues {
    fn from(open: &OpenImage) -> Self {
        Self {
            image: Rc::clone(&open.image),
            stats: Rc::clone(&open.stats),
            profiles: Rc::clone(&open.profiles),
        }
    }
}

/// What is known of how full one group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fullness {
    /// Where the numbers are from.
    pub state: BitmapState,
    /// Clusters in use; by the descriptor while the bitmap is unread.
    pub used: u64,
    /// Clusters in all.
    pub of: u64,
}

impl GroupValues {
    /// Whether both are of the same opening.
    #[must_use]
    pub fn is_same_image(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.image, &other.image)
    }

    /// Number of groups.
    #[must_use]
    pub fn groups(&self) -> u32 {
        u32::try_from(self.image.groups.len()).unwrap_or(u32::MAX)
    }

    /// Groups of a flex group.
    #[must_use]
    pub fn flex_size(&self) -> u32 {
        self.image.geometry.groups_per_flex()
    }

    /// How much of its full height the last group's tile has: the last group may be short.
    #[must_use]
    pub fn last_share(&self) -> f64 {
        let geometry = &self.image.geometry;
        let full = geometry.clusters_per_group();
        let last = geometry.group_clusters(Group::new(self.groups().saturating_sub(1)));
        if full == 0 { 1.0 } else { (f64::from(last) / f64::from(full)).clamp(0.0, 1.0) }
    }

    /// How full a group is; nothing of nothing past the last.
    #[must_use]
    pub fn fullness(&self, group: u32) -> Fullness {
        let group = Group::new(group);
        let of = u64::from(self.image.geometry.group_clusters(group));
        let described = self.image.groups.free_clusters(group);
        let free = self.stats.free(group).or(described).map_or(of, u64::from);
        let state = match described {
            Some(_) => self.stats.state(group),
            None => BitmapState::Failed,
        };
        Fullness { state, used: of.saturating_sub(free), of }
    }

    /// Clusters in use and in all of the groups from `first` to `last`.
    #[must_use]
    pub fn used(&self, first: u32, last: u32) -> (u64, u64) {
        (first..=last).map(|group| self.fullness(group)).fold((0, 0), |(used, of), group| {
            (used.saturating_add(group.used), of.saturating_add(group.of))
        })
    }

    /// What the tile of these groups shows.
    #[must_use]
    pub fn fill(&self, first: u32, last: u32) -> TileFill<'_> {
        let Fullness { state, used, of } = self.fullness(first);
        if first == last {
            return match state {
                BitmapState::Unread => TileFill::Hearsay(share(used, of)),
                BitmapState::Failed => TileFill::Failed,
                BitmapState::Read | BitmapState::Synthesised => {
                    match self.profiles.of(Group::new(first)) {
                        [] => TileFill::Share(share(used, of)),
                        parts => TileFill::Profile(parts),
                    }
                }
            };
        }
        let (mut used, mut of, mut is_exact) = (0_u64, 0_u64, true);
        for group in (first..=last).map(|group| self.fullness(group)) {
            if group.state == BitmapState::Failed {
                return TileFill::Failed;
            }
            is_exact &= group.state.is_exact();
            used = used.saturating_add(group.used);
            of = of.saturating_add(group.of);
        }
        let share = share(used, of);
        if is_exact { TileFill::Share(share) } else { TileFill::Hearsay(share) }
    }

    /// A number that changes when what the tile of these groups shows may have changed.
    #[must_use]
    pub fn version(&self, first: u32, last: u32) -> u32 {
        (first..=last).fold(1, |version: u32, group| {
            let state = self.stats.state(Group::new(group));
            version.wrapping_mul(31).wrapping_add(state as u32)
        })
    }
}
