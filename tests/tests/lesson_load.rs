//! The lesson of loading bitmaps, held to scenarios and to what a sweep over them really reads.

use extscope::analysis::{Sweep, SweepOptions};
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::ReadKind;
use extscope::lesson::{BitmapPlaces, DiskModel, Load, LoadWay, Question, Unwatched};
use extscope::scenario::{Recipe, Scenario};
use extscope::task;
use extscope::units::Group;

/// Bytes between bitmaps that are read through.
const GAP_BYTES: u32 = 128 << 10;

/// A full scenario, so that every bitmap was written.
fn scenario(groups: u32, groups_per_flex: u32) -> Filesystem<Scenario> {
    let recipe = Recipe { size: u64::from(groups) << 27, groups_per_flex, ..Recipe::default() };
    let scenario = Scenario::new(&recipe).expect("there is such a filesystem");
    Filesystem::open(scenario, OpenOptions::default()).expect("it opens")
}

/// Where the bitmaps of an open filesystem lie.
fn places(filesystem: &Filesystem<Scenario>) -> BitmapPlaces {
    let geometry = filesystem.geometry();
    let groups = 0..filesystem.groups().len();
    BitmapPlaces {
        block_size: geometry.block_size(),
        blocks_count: geometry.blocks_count(),
        groups_per_flex: geometry.groups_per_flex(),
        groups: groups
            .map(|group| filesystem.bitmap_place(BitmapKind::Block, Group::new(group)).ok())
            .collect(),
    }
}

#[test]
fn made_up_places_are_those_of_a_scenario_for_every_size_of_flex_groups() {
    for groups_per_flex in [1, 2, 4, 8, 16, 32, 64] {
        for groups in [1, 17, 67, 130] {
            let made = BitmapPlaces::made(groups, groups_per_flex).expect("small");
            assert_eq!(made, places(&scenario(groups, groups_per_flex)), "flex={groups_per_flex}");
        }
    }
}

#[test]
fn a_sweep_makes_the_requests_that_the_lesson_shows() {
    for groups_per_flex in [1, 2, 4, 8, 16, 32, 64] {
        let filesystem = scenario(67, groups_per_flex);
        let load = Load {
            way: LoadWay::AllJoined,
            question: Question::Everything,
            disk: DiskModel::HARD_DISK,
            gap_bytes: GAP_BYTES,
        };
        let shown = load.run(&places(&filesystem), &mut Unwatched);
        let before = filesystem.meter().count(ReadKind::BlockBitmap);
        assert_eq!(before.requests, 0);
        let options =
            SweepOptions { inodes: false, gap_bytes: GAP_BYTES, ..SweepOptions::default() };
        task::run_to_end(Sweep::new(&filesystem, options).expect("it begins")).expect("it reads");
        let read = filesystem.meter().count(ReadKind::BlockBitmap);
        assert_eq!(
            (shown.requests, shown.bytes),
            (read.requests, read.bytes),
            "flex={groups_per_flex}"
        );
    }
}
