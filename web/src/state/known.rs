//! What is known of how full each group is: by its descriptor at first, by its bitmap once that
//! is read.
//!
//! Groups lie in chunks, each with its sums. A chunk is replaced and never changed once somebody
//! has it, so that two states are told apart by addresses: news of some groups costs work for
//! their chunks alone, here and wherever something is drawn.

use std::collections::BTreeSet;
use std::rc::Rc;

use extscope::units::Group;

use super::{Image, Sums};
use crate::protocol::{BitmapState, BlockStats, StatsBatch};

/// Groups of a chunk.
const CHUNK: u32 = 256;

/// What is known of all groups. Cloning copies addresses.
#[derive(Clone, Debug)]
pub struct Known {
    image: Rc<Image>,
    /// Bytes of a group's profile; 0 until the first one arrives.
    parts: usize,
    chunks: Rc<Vec<Rc<Chunk>>>,
    /// Over all groups.
    sums: Sums,
}

/// [`CHUNK`] groups, or the last of them.
#[derive(Clone, Debug)]
struct Chunk {
    stats: Vec<BlockStats>,
    /// One after the other; empty until the first one arrives.
    profiles: Vec<u8>,
    sums: Sums,
}

/// How full a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fullness {
    /// Where the numbers are from.
    pub state: BitmapState,
    /// Clusters in use; by the descriptor while the bitmap is unread.
    pub used: u64,
    /// Clusters in all; 0 where not even the descriptor could be read.
    pub of: u64,
}

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_image(other) && Rc::ptr_eq(&self.chunks, &other.chunks)
    }
}

impl Known {
    /// What the descriptors say.
    #[must_use]
    pub fn described(image: Rc<Image>) -> Self {
        let groups = u32::try_from(image.groups.len()).unwrap_or(u32::MAX);
        let chunk = |first: u32| {
            let count = (groups - first).min(CHUNK) as usize;
            let stats = vec![BlockStats::default(); count];
            let sums = sums(&image, first, &stats);
            Rc::new(Chunk { stats, profiles: Vec::new(), sums })
        };
        let chunks: Vec<_> = (0..groups).step_by(CHUNK as usize).map(chunk).collect();
        let sums = chunks.iter().map(|chunk| &chunk.sums).sum();
        Self { image, parts: 0, chunks: Rc::new(chunks), sums }
    }

    /// Takes over what the bitmaps of some groups say; groups past the last are dropped, and so
    /// are profiles cut otherwise than the first.
    pub fn merge(&mut self, batch: &StatsBatch) {
        let parts = batch.profiles.len().checked_div(batch.groups.len()).unwrap_or(0);
        if self.parts == 0 {
            self.parts = parts;
        }
        let mut profiles = batch.profiles.chunks_exact(parts.max(1));
        let chunks = Rc::make_mut(&mut self.chunks);
        let mut touched = BTreeSet::new();
        for (&group, row) in batch.groups.iter().zip(0..) {
            let profile = profiles.next().filter(|profile| profile.len() == self.parts);
            let Some(stats) = batch.stats.row(Group::new(row)) else { break };
            let at = (group / CHUNK) as usize;
            let Some(chunk) = chunks.get_mut(at) else { continue };
            Rc::make_mut(chunk).set((group % CHUNK) as usize, stats, profile);
            touched.insert(at);
        }
        for at in touched {
            if let Some(chunk) = chunks.get_mut(at).map(Rc::make_mut) {
                chunk.sums = sums(&self.image, at as u32 * CHUNK, &chunk.stats);
            }
        }
        self.sums = chunks.iter().map(|chunk| &chunk.sums).sum();
    }

    /// Whether both are of the same opening.
    #[must_use]
    pub fn is_same_image(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.image, &other.image)
    }

    /// What never changes.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Number of groups.
    #[must_use]
    pub fn groups(&self) -> u32 {
        u32::try_from(self.image.groups.len()).unwrap_or(u32::MAX)
    }

    /// What a group's block bitmap says; nothing past the last group.
    #[must_use]
    pub fn stats(&self, group: Group) -> BlockStats {
        let (at, within) = place(group);
        let chunk = self.chunks.get(at);
        chunk.and_then(|chunk| chunk.stats.get(within)).copied().unwrap_or_default()
    }

    /// How full the parts of a group are; empty where that is not known. While the group's bitmap
    /// is unread, what is here means nothing. Ref: [`extscope::analysis::profile`].
    #[must_use]
    pub fn profile(&self, group: Group) -> &[u8] {
        let (at, within) = place(group);
        let Some(chunk) = self.chunks.get(at) else { return &[] };
        let from = within.saturating_mul(self.parts);
        chunk.profiles.get(from..from.saturating_add(self.parts)).unwrap_or_default()
    }

    /// How full a group is; nothing of nothing past the last.
    #[must_use]
    pub fn fullness(&self, group: Group) -> Fullness {
        fullness(&self.image, group, &self.stats(group))
    }

    /// Clusters in use and in all of the groups from `first` to `last`.
    #[must_use]
    pub fn used(&self, first: u32, last: u32) -> (u64, u64) {
        let (mut used, mut of) = (0_u64, 0_u64);
        let mut group = first;
        while group <= last {
            let whole = self
                .chunks
                .get((group / CHUNK) as usize)
                .filter(|_| group.is_multiple_of(CHUNK) && last.saturating_sub(group) >= CHUNK - 1);
            let (more_used, more_of, groups) = match whole {
                Some(chunk) => (chunk.sums.used, chunk.sums.of, CHUNK),
                None => {
                    let Fullness { used, of, .. } = self.fullness(Group::new(group));
                    (used, of, 1)
                }
            };
            used = used.saturating_add(more_used);
            of = of.saturating_add(more_of);
            let Some(next) = group.checked_add(groups) else { break };
            group = next;
        }
        (used, of)
    }

    /// Sums over all groups.
    #[must_use]
    pub const fn sums(&self) -> Sums {
        self.sums
    }

    /// The groups of which other things are known than in `earlier`, in order. Looks at chunks
    /// that were replaced, and at no others.
    pub fn changes<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let replaced = self.chunks.iter().zip(0_u32..).filter_map(|(chunk, at)| {
            let before = earlier.chunks.get(at as usize);
            let is_same = before.is_some_and(|before| Rc::ptr_eq(before, chunk));
            (!is_same).then_some((chunk, before, at * CHUNK))
        });
        replaced.flat_map(|(chunk, before, first)| {
            chunk.stats.iter().zip(0_u32..).filter_map(move |(stats, within)| {
                let before = before.and_then(|before| before.stats.get(within as usize));
                (before != Some(stats)).then_some(first + within)
            })
        })
    }
}

impl Chunk {
    fn set(&mut self, at: usize, stats: BlockStats, profile: Option<&[u8]>) {
        let count = self.stats.len();
        let Some(slot) = self.stats.get_mut(at) else { return };
        *slot = stats;
        let Some(profile) = profile else { return };
        self.profiles.resize(profile.len().saturating_mul(count), 0);
        let from = at.saturating_mul(profile.len());
        if let Some(slot) = self.profiles.get_mut(from..from.saturating_add(profile.len())) {
            slot.copy_from_slice(profile);
        }
    }
}

/// The chunk of a group, and its place in there.
fn place(group: Group) -> (usize, usize) {
    ((group.get() / CHUNK) as usize, (group.get() % CHUNK) as usize)
}

fn fullness(image: &Image, group: Group, stats: &BlockStats) -> Fullness {
    let Some(described) = image.groups.free_clusters(group) else {
        return Fullness { state: BitmapState::Failed, used: 0, of: 0 };
    };
    let of = u64::from(image.geometry.group_clusters(group));
    let free = if stats.state.is_exact() { stats.free } else { described };
    Fullness { state: stats.state, used: of.saturating_sub(free.into()), of }
}

/// Sums over the groups from `first` on of which `stats` is known.
fn sums(image: &Image, first: u32, stats: &[BlockStats]) -> Sums {
    let mut sums = Sums::default();
    for (stats, group) in stats.iter().zip(first..) {
        let group = Group::new(group);
        let Some(row) = image.groups.row(group) else { break };
        sums.add_group(&row, stats, fullness(image, group, stats));
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::GroupRow;
    use crate::state::testing::{alike, batch, described, read};

    #[test]
    fn a_batch_lands_on_its_own_groups_only() {
        let mut known = alike(4, 9);
        known.merge(&batch(&[(2, read(20)), (0, read(5)), (9, read(7))], vec![1, 2, 3, 4, 5, 6]));
        let stats: Vec<_> = (0..5).map(|group| known.stats(Group::new(group))).collect();
        let unread = BlockStats::default();
        assert_eq!(stats, [read(5), unread, read(20), unread, unread]);
        let profile = |group| known.profile(Group::new(group)).to_vec();
        assert_eq!((profile(0), profile(1), profile(2)), (vec![3, 4], vec![0, 0], vec![1, 2]));
        assert_eq!((profile(9), profile(u32::MAX)), (vec![], vec![]));
    }

    #[test]
    fn profiles_cut_otherwise_than_the_first_are_dropped() {
        let mut known = alike(2, 9);
        known.merge(&batch(&[(0, read(1))], vec![7, 7]));
        known.merge(&batch(&[(1, read(1))], vec![1, 2, 3]));
        known.merge(&batch(&[], vec![]));
        assert_eq!(known.profile(Group::new(0)), [7, 7]);
        assert_eq!(known.profile(Group::new(1)), [0, 0]);
        assert_eq!(known.stats(Group::new(1)), read(1));
    }

    #[test]
    fn nothing_is_said_of_a_group_whose_descriptor_cannot_be_read() {
        let known = described(&[GroupRow { free_clusters: 9, ..GroupRow::default() }]);
        let unknown = Fullness { state: BitmapState::Failed, used: 0, of: 0 };
        assert_eq!(known.fullness(Group::new(0)), unknown);
        assert_eq!((known.sums().of, known.sums().failed), (0, 1));
    }

    #[test]
    fn a_batch_with_too_few_rows_is_taken_as_far_as_it_goes() {
        let mut known = alike(2, 9);
        let short = StatsBatch { groups: vec![0, 1].into(), ..batch(&[(0, read(1))], vec![]) };
        known.merge(&short);
        assert_eq!(known.stats(Group::new(0)), read(1));
        assert_eq!(known.stats(Group::new(1)), BlockStats::default());
    }

    #[test]
    fn news_of_some_groups_leaves_the_other_chunks_alone() {
        let earlier = alike(131_072, 9);
        let mut known = earlier.clone();
        let news: Vec<_> = (70_000..70_100).map(|group| (group, read(3))).collect();
        known.merge(&batch(&news, Vec::new()));
        let replaced =
            known.chunks.iter().zip(earlier.chunks.iter()).filter(|(a, b)| !Rc::ptr_eq(a, b));
        assert!(replaced.count() <= 2, "100 groups in a row lie in two chunks at most");
        assert!(known.changes(&earlier).eq(70_000..70_100));
    }

    proptest! {
        #[test]
        fn sums_are_those_of_all_groups_counted_anew(
            groups in 1_u32..900,
            batches in prop::collection::vec(
                prop::collection::vec((0_u32..900, 0_u32..4, 0_u32..9000), 0..80), 0..6,
            ),
            first in 0_u32..900, count in 1_u32..900,
        ) {
            let mut known = alike(groups, 4000);
            for rows in batches {
                let earlier = known.clone();
                let rows: Vec<_> = rows.into_iter().map(|(group, state, free)| {
                    let states = [BitmapState::Unread, BitmapState::Read,
                        BitmapState::Synthesised, BitmapState::Failed];
                    (group, BlockStats { state: states[state as usize], largest_free: free, ..read(free) })
                }).collect();
                known.merge(&batch(&rows, Vec::new()));
                let changed: Vec<u32> = (0..groups)
                    .filter(|&g| known.stats(Group::new(g)) != earlier.stats(Group::new(g)))
                    .collect();
                prop_assert_eq!(known.changes(&earlier).collect::<Vec<_>>(), changed);
            }
            let all: Vec<_> = (0..groups).map(|group| known.stats(Group::new(group))).collect();
            prop_assert_eq!(known.sums(), sums(&known.image, 0, &all));
            let last = first.saturating_add(count - 1);
            let one_by_one = (first..=last).map(|group| known.fullness(Group::new(group)))
                .fold((0, 0), |(used, of), group| (used + group.used, of + group.of));
            prop_assert_eq!(known.used(first, last), one_by_one);
        }
    }
}
