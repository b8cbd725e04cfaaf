//! What the tiles of the map show of an open image.

use extscope::units::Group;

use super::tile::TileFill;
use crate::protocol::{BitmapState, share};
use crate::state::{Fullness, Known};

/// What the tile of the groups from `first` to `last` shows.
#[must_use]
pub fn fill(known: &Known, first: u32, last: u32) -> TileFill<'_> {
    if first == last {
        return fill_one(known, Group::new(first));
    }
    let (mut used, mut of, mut is_exact) = (0_u64, 0_u64, true);
    for group in (first..=last).map(|group| known.fullness(Group::new(group))) {
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

fn fill_one(known: &Known, group: Group) -> TileFill<'_> {
    let Fullness { state, used, of } = known.fullness(group);
    match state {
        BitmapState::Unread => TileFill::Hearsay(share(used, of)),
        BitmapState::Failed => TileFill::Failed,
        BitmapState::Read | BitmapState::Synthesised => match known.profile(group) {
            [] => TileFill::Share(share(used, of)),
            parts => TileFill::Profile(parts),
        },
    }
}

/// How much of its full height the last group's tile has: the last group may be short.
#[must_use]
pub fn last_share(known: &Known) -> f64 {
    let geometry = &known.image().geometry;
    let full = geometry.clusters_per_group();
    let last = geometry.group_clusters(Group::new(known.groups().saturating_sub(1)));
    if full == 0 { 1.0 } else { (f64::from(last) / f64::from(full)).clamp(0.0, 1.0) }
}
