//! Loading block bitmaps: all of them, or those that somebody asks for.
//!
//! e2fsck loads every bitmap before it replays fast commits, and debugfs before it answers anything.
//! The kernel loads one when it is first asked for, and since Linux 5.9 of 2020 the rest of its flex
//! group with it: mounting 120 TB on a slow device went from some ten hours to 20 s. Each [`LoadWay`]
//! is run here as it is, on a disk of which one says how long it takes.
//!
//! Ref: `ext4_fc_replay` (e2fsck/journal.c), `ext2fs_read_bitmaps` (lib/ext2fs/rw_bitmaps.c),
//! `ext4_mb_prefetch` (fs/ext4/mballoc.c).

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::{BitmapPlaces, Tally, Watch};
use crate::fs::{BitmapKind, BitmapPlace, JoinedRead, PlacedBitmap};
use crate::units::Group;

/// A way to have bitmaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LoadWay {
    /// All of them, a request each, before anything is answered.
    #[default]
    All,
    /// All of them, neighbours in one request.
    AllJoined,
    /// One when it is first asked for.
    OnDemand,
    /// One when it is first asked for, and with it the rest of its flex group.
    ReadAhead,
    /// Those that will be asked for, planned beforehand: neighbours in one request, and small gaps
    /// between them read through.
    Planned,
}

impl LoadWay {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::All, Self::AllJoined, Self::OnDemand, Self::ReadAhead, Self::Planned];
}

/// Who asks for bitmaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Question {
    /// The replay of a journal: blocks are marked in few groups, some of them again and again.
    #[default]
    Replay,
    /// Whether one block is free.
    OneBlock,
    /// What is free around a file.
    Around,
    /// The map of everything.
    Everything,
}

/// Changes in the journal that is replayed.
const CHANGES: u64 = 24;

/// Groups around a file.
const AROUND: u32 = 10;

impl Question {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Replay, Self::OneBlock, Self::Around, Self::Everything];

    /// The groups whose bitmaps it asks for, in order, of so many. The same in every run.
    #[must_use]
    pub fn asks(self, groups: u32) -> Vec<u32> {
        let from = groups / 3;
        match self {
            _ if groups == 0 => Vec::new(),
            Self::Replay => {
                let mut seed = 20_200_904_u64;
                let mut at = 0;
                let mut change = |number: u64| {
                    // Ref: the linear congruential generator of Knuth's MMIX.
                    seed = seed
                        .wrapping_mul(0x5851_f42d_4c95_7f2d)
                        .wrapping_add(0x1405_7b7e_f767_814f);
                    let random = seed >> 33;
                    // A file reaches over a few groups; then comes another file.
                    let next = if number.is_multiple_of(4) { random } else { at + random % 3 };
                    at = next % u64::from(groups);
                    at as u32
                };
                (0..CHANGES).map(&mut change).collect()
            }
            Self::OneBlock => vec![from],
            Self::Around => (from..groups.min(from.saturating_add(AROUND))).collect(),
            Self::Everything => (0..groups).collect(),
        }
    }
}

/// How long a disk takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DiskModel {
    /// Microseconds to go elsewhere than where the last request ended.
    pub seek_us: u32,
    /// Microseconds of each request, wherever it is.
    pub request_us: u32,
    /// Bytes a microsecond, which is megabytes a second.
    pub mb_per_s: u32,
}

impl DiskModel {
    /// A disk of 7200 turns a minute: 8 ms to the track, and half a turn.
    pub const HARD_DISK: Self = Self { seek_us: 12_000, request_us: 0, mb_per_s: 150 };
    /// A solid-state disk on SATA.
    pub const SOLID_STATE: Self = Self { seek_us: 0, request_us: 100, mb_per_s: 500 };
    /// A file in a browser: what Chromium takes for a slice of it.
    pub const BROWSER: Self = Self { seek_us: 0, request_us: 650, mb_per_s: 160 };

    /// Nanoseconds of a request.
    #[must_use]
    pub fn nanos(self, bytes: u64, seeks: bool) -> u64 {
        let seek = if seeks { self.seek_us } else { 0 };
        let wait = u64::from(seek).saturating_add(self.request_us.into()).saturating_mul(1000);
        wait.saturating_add(bytes.saturating_mul(1000) / u64::from(self.mb_per_s.max(1)))
    }
}

/// A step of the loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadAct {
    /// Blocks are read.
    Read(Request),
    /// The bitmap of a group is among them, and kept.
    Keep {
        /// The group.
        group: u32,
    },
    /// Somebody asks for the bitmap of a group.
    Ask {
        /// The group.
        group: u32,
    },
    /// It is in memory.
    Here {
        /// The group.
        group: u32,
    },
    /// It was never written and follows from the layout: nothing is read.
    Uninit {
        /// The group.
        group: u32,
    },
    /// It cannot be had: the descriptor leads nowhere.
    Nowhere {
        /// The group.
        group: u32,
    },
}

/// A request to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The first block.
    pub fsblk: u64,
    /// Blocks.
    pub blocks: u32,
    /// Bitmaps among them that are kept; the other blocks are read through.
    pub bitmaps: u32,
    /// Whether the disk has to go there first.
    pub seeks: bool,
    /// How long it takes.
    pub nanos: u64,
}

/// What loading came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Requests to the disk.
    pub requests: u64,
    /// Those that begin elsewhere than where the last one ended.
    pub seeks: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Bitmaps kept in memory.
    pub kept: u64,
    /// Time of all requests, one after another.
    pub nanos: u64,
}

impl Loaded {
    /// With a step more.
    #[must_use]
    pub fn after(mut self, act: LoadAct, block_size: u32) -> Self {
        match act {
            LoadAct::Read(request) => {
                self.requests += 1;
                self.seeks += u64::from(request.seeks);
                self.bytes += u64::from(request.blocks) * u64::from(block_size);
                self.nanos = self.nanos.saturating_add(request.nanos);
            }
            LoadAct::Keep { .. } => self.kept += 1,
            LoadAct::Ask { .. }
            | LoadAct::Here { .. }
            | LoadAct::Uninit { .. }
            | LoadAct::Nowhere { .. } => {}
        }
        self
    }
}

/// Loading bitmaps for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// How.
    pub way: LoadWay,
    /// Who asks.
    pub question: Question,
    /// How long the disk takes.
    pub disk: DiskModel,
    /// Bytes between two bitmaps that are read through, where neighbours are one request.
    pub gap_bytes: u32,
}

impl Load {
    /// Answers the question.
    pub fn run(self, places: &BitmapPlaces, watch: &mut impl Watch<LoadAct>) -> Loaded {
        let groups = 0..places.len();
        let asked = self.question.asks(groups.end);
        let mut loader = Loader {
            places,
            disk: self.disk,
            is_kept: vec![false; places.groups.len()],
            head: None,
            loaded: Loaded::default(),
            watch,
        };
        match self.way {
            LoadWay::All => groups.clone().for_each(|group| loader.load(group..group + 1, 0)),
            LoadWay::AllJoined => loader.load(groups.clone(), self.gap_bytes),
            LoadWay::Planned => loader.load(asked.iter().copied(), self.gap_bytes),
            LoadWay::OnDemand | LoadWay::ReadAhead => {}
        }
        for group in asked {
            loader.tell(LoadAct::Ask { group });
            match places.get(group) {
                None => loader.tell(LoadAct::Nowhere { group }),
                Some(BitmapPlace::Uninit) => loader.tell(LoadAct::Uninit { group }),
                Some(BitmapPlace::Disk(_)) => {
                    match self.way {
                        LoadWay::OnDemand => loader.load(group..group + 1, 0),
                        LoadWay::ReadAhead => loader.load(rest_of_flex(group, places), 0),
                        LoadWay::All | LoadWay::AllJoined | LoadWay::Planned => {}
                    }
                    loader.tell(LoadAct::Here { group });
                }
            }
        }
        loader.loaded
    }
}

/// A group and those behind it in its flex group.
fn rest_of_flex(group: u32, places: &BitmapPlaces) -> Range<u32> {
    let flex = places.groups_per_flex.max(1);
    group..(group - group % flex).saturating_add(flex).min(places.len())
}

struct Loader<'a, W> {
    places: &'a BitmapPlaces,
    disk: DiskModel,
    is_kept: Vec<bool>,
    /// The block behind the last request.
    head: Option<u64>,
    loaded: Loaded,
    watch: &'a mut W,
}

impl<W: Watch<LoadAct>> Loader<'_, W> {
    /// Loads the bitmaps that are not there yet, neighbours in one request.
    fn load(&mut self, groups: impl IntoIterator<Item = u32>, gap_bytes: u32) {
        let mut wanted: Vec<PlacedBitmap> = Vec::new();
        for group in groups {
            let is_kept = self.is_kept.get_mut(group as usize);
            let Some((fsblk, is_kept)) = self.places.fsblk(group).zip(is_kept) else { continue };
            if !core::mem::replace(is_kept, true) {
                wanted.push(PlacedBitmap {
                    fsblk,
                    group: Group::new(group),
                    kind: BitmapKind::Block,
                });
            }
        }
        for read in JoinedRead::of(wanted, self.places.block_size, gap_bytes) {
            let fsblk = read.fsblk.get();
            let bytes = u64::from(read.blocks) * u64::from(self.places.block_size);
            let seeks = self.head.replace(fsblk.saturating_add(read.blocks.into())) != Some(fsblk);
            self.watch.work(Tally { loads: 1, bytes, ..Tally::NONE });
            self.tell(LoadAct::Read(Request {
                fsblk,
                blocks: read.blocks,
                bitmaps: read.bitmaps.len() as u32,
                seeks,
                nanos: self.disk.nanos(bytes, seeks),
            }));
            for bitmap in read.bitmaps {
                self.tell(LoadAct::Keep { group: bitmap.group.get() });
            }
        }
    }

    fn tell(&mut self, act: LoadAct) {
        self.loaded = self.loaded.after(act, self.places.block_size);
        self.watch.act(act);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lesson::{Course, Unwatched};
    use crate::units::Fsblk;

    /// A disk on which times are whole numbers: 5 ms to seek, 1 ms a request, 41 us a bitmap.
    const DISK: DiskModel = DiskModel { seek_us: 5000, request_us: 1000, mb_per_s: 100 };
    const BITMAP_NANOS: u64 = 40_960;

    const FLEX_SIZES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

    fn load(way: LoadWay, question: Question) -> Load {
        Load { way, question, disk: DISK, gap_bytes: 128 << 10 }
    }

    fn course(load: Load, places: &BitmapPlaces) -> Course<LoadAct> {
        Course::record(|watch| {
            load.run(places, watch);
        })
    }

    /// Groups as they are kept, in order.
    fn kept(course: &Course<LoadAct>) -> Vec<u32> {
        let acts = course.until(usize::MAX).iter().map(|step| step.act);
        acts.filter_map(|act| if let LoadAct::Keep { group } = act { Some(group) } else { None })
            .collect()
    }

    fn distinct(mut groups: Vec<u32>) -> Vec<u32> {
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    fn each_disk(check: impl Fn(&BitmapPlaces, u64, u64)) {
        for flex in FLEX_SIZES {
            for groups in [1, 2, 15, 16, 17, 67, 128, 129, 512] {
                let places = BitmapPlaces::made(groups, flex).expect("small");
                check(&places, groups.into(), groups.div_ceil(flex).into());
            }
        }
    }

    #[test]
    fn loading_all_is_the_closed_formula_for_every_size_of_flex_groups() {
        each_disk(|places, groups, flex_groups| {
            for question in Question::ALL {
                let one_by_one = load(LoadWay::All, question).run(places, &mut Unwatched);
                let bytes = groups * 4096;
                let expected = Loaded {
                    requests: groups,
                    seeks: flex_groups,
                    bytes,
                    kept: groups,
                    nanos: flex_groups * 5_000_000 + groups * (1_000_000 + BITMAP_NANOS),
                };
                assert_eq!(one_by_one, expected, "{places:?}");
                let joined = load(LoadWay::AllJoined, question).run(places, &mut Unwatched);
                let expected = Loaded {
                    requests: flex_groups,
                    nanos: flex_groups * 6_000_000 + groups * BITMAP_NANOS,
                    ..expected
                };
                assert_eq!(joined, expected, "{places:?}");
            }
        });
    }

    #[test]
    fn on_demand_what_is_asked_for_is_read_and_reading_ahead_reads_the_rest_of_its_flex_group() {
        each_disk(|places, _, _| {
            for question in Question::ALL {
                let asked = question.asks(places.len());
                let wanted = distinct(asked.clone());
                let on_demand = load(LoadWay::OnDemand, question).run(places, &mut Unwatched);
                let count = wanted.len() as u64;
                assert_eq!((on_demand.requests, on_demand.kept), (count, count), "{question:?}");
                let planned = course(load(LoadWay::Planned, question), places);
                assert_eq!(distinct(kept(&planned)), wanted);
                // From the first group of each flex group that is asked for, to its end.
                let mut ahead = Vec::new();
                for group in &wanted {
                    ahead.extend(rest_of_flex(*group, places));
                }
                let read_ahead = course(load(LoadWay::ReadAhead, question), places);
                assert_eq!(distinct(kept(&read_ahead)), distinct(ahead), "{question:?}");
            }
        });
    }

    #[test]
    fn every_bitmap_is_read_once_and_nobody_is_answered_without_it() {
        each_disk(|places, _, _| {
            for way in LoadWay::ALL {
                for question in Question::ALL {
                    let course = course(load(way, question), places);
                    let mut is_kept = vec![false; places.groups.len()];
                    let mut answered = Vec::new();
                    for step in course.until(usize::MAX) {
                        match step.act {
                            LoadAct::Keep { group } => {
                                let before = core::mem::replace(&mut is_kept[group as usize], true);
                                assert!(!before, "{way:?}: group {group} is read twice");
                            }
                            LoadAct::Here { group } => {
                                assert!(is_kept[group as usize], "{way:?}: group {group}");
                                answered.push(group);
                            }
                            _ => {}
                        }
                    }
                    assert_eq!(answered, question.asks(places.len()), "{way:?}");
                }
            }
        });
    }

    #[test]
    fn flex_groups_of_sixteen_make_a_sixteenth_of_the_requests() {
        let requests = |flex: u32| {
            let places = BitmapPlaces::made(256, flex).expect("small");
            load(LoadWay::AllJoined, Question::Replay).run(&places, &mut Unwatched).requests
        };
        assert_eq!((requests(1), requests(16)), (256, 16));
    }

    #[test]
    fn a_gap_is_read_through_where_that_is_less_than_the_threshold() {
        let mut places = BitmapPlaces::made(30, 32).expect("small");
        for group in (11..20).step_by(2) {
            places.groups[group] = Some(BitmapPlace::Uninit);
        }
        places.groups[12] = None;
        let planned = |gap_bytes| {
            let load = Load { gap_bytes, ..load(LoadWay::Planned, Question::Around) };
            let loaded = load.run(&places, &mut Unwatched);
            (loaded.requests, loaded.bytes / 4096, loaded.kept)
        };
        // Groups 10, 14, 16 and 18.
        assert_eq!(planned(0), (4, 4, 4));
        assert_eq!(planned(4096), (2, 6, 4));
        assert_eq!(planned(3 * 4096), (1, 9, 4));
    }

    #[test]
    fn what_was_never_written_is_not_read_and_what_lies_nowhere_is_told() {
        let mut places = BitmapPlaces::made(4, 4).expect("small");
        (places.groups[1], places.groups[2]) = (Some(BitmapPlace::Uninit), None);
        for way in LoadWay::ALL {
            let course = course(load(way, Question::Everything), &places);
            assert_eq!(kept(&course), [0, 3], "{way:?}");
            let has = |act| course.until(usize::MAX).iter().any(|step| step.act == act);
            assert!(has(LoadAct::Uninit { group: 1 }) && has(LoadAct::Nowhere { group: 2 }));
        }
        let none = BitmapPlaces { groups: Vec::new(), ..places };
        let nothing = load(LoadWay::All, Question::Replay).run(&none, &mut Unwatched);
        assert_eq!(nothing, Loaded::default());
    }

    #[test]
    fn a_request_takes_the_way_there_its_own_time_and_that_of_its_bytes() {
        assert_eq!(DISK.nanos(100_000, true), 7_000_000);
        assert_eq!(DISK.nanos(100_000, false), 2_000_000);
        let still = DiskModel { mb_per_s: 0, ..DISK };
        assert_eq!(still.nanos(1, false), 1_001_000);
    }

    proptest! {
        #[test]
        fn watching_changes_nothing_and_the_steps_add_up_to_the_whole(
            places in prop::collection::vec(prop::option::weighted(0.9, 0_u64..400), 0..40),
            flex in 0_u32..9,
            gap_bytes in 0_u32..40_000,
        ) {
            let mut taken = std::collections::BTreeSet::new();
            let place = |fsblk: Option<u64>| match fsblk {
                Some(fsblk) if taken.insert(fsblk) => Some(BitmapPlace::Disk(Fsblk::new(fsblk))),
                Some(_) => Some(BitmapPlace::Uninit),
                None => None,
            };
            let places = BitmapPlaces {
                block_size: 4096,
                blocks_count: 400,
                groups_per_flex: flex,
                groups: places.into_iter().map(place).collect(),
            };
            for way in LoadWay::ALL {
                for question in Question::ALL {
                    let load = Load { gap_bytes, ..load(way, question) };
                    let course = course(load, &places);
                    let steps = course.until(usize::MAX).iter();
                    let sum = steps.fold(Loaded::default(), |sum, step| sum.after(step.act, 4096));
                    prop_assert_eq!(sum, load.run(&places, &mut Unwatched));
                    let mut kept = kept(&course);
                    let count = kept.len();
                    kept.sort_unstable();
                    kept.dedup();
                    prop_assert_eq!(kept.len(), count, "read twice");
                }
            }
        }
    }
}
