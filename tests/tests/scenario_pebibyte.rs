//! The scenario of 1 PiB costs what its groups explain, and nothing for its size.

use extscope::analysis::{Sweep, SweepOptions};
use extscope::fs::{Filesystem, GroupEntry, OpenOptions};
use extscope::io::{ByteSource as _, ReadKind};
use extscope::scenario::Scenario;
use extscope::task::{Step, Task as _};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Bytes for buffers, whatever the size.
const BUFFERS: usize = 16 << 20;

/// Groups that are swept of each end.
const SWEPT: u32 = 2048;

#[test]
fn a_pebibyte_is_opened_and_swept_in_memory_for_its_groups() {
    let before = ALLOCATED.current_usage();
    let recipe = "pebibyte".parse().expect("a recipe");
    let scenario = Scenario::new(&recipe).expect("a scenario");
    assert!(ALLOCATED.current_usage() - before < 1 << 16, "a scenario keeps nothing of its groups");
    assert_eq!(scenario.len(), 1 << 50);

    let fs = Filesystem::open(&scenario, OpenOptions::default()).expect("it opens");
    let groups = fs.groups().len();
    assert_eq!(u64::from(groups), fs.geometry().groups_count(), "every group is listed");
    let read = fs.meter().count(ReadKind::GroupDesc);
    assert_eq!(read.bytes, u64::from(groups) * 64);
    assert!(read.requests <= 4, "{read:?}");

    for groups in [0..SWEPT, groups - SWEPT..groups] {
        let options = SweepOptions { groups, ..SweepOptions::default() };
        let mut sweep = Sweep::new(&fs, options).expect("groups to sweep");
        while sweep.step().expect("it is read") == Step::More {}
        assert_eq!(sweep.failed(), 0);
    }
    let bitmaps = fs.meter().count(ReadKind::BlockBitmap);
    assert_eq!(bitmaps.bytes, u64::from(2 * SWEPT) * 4096);
    assert!(bitmaps.requests <= u64::from(2 * SWEPT) / 16, "{bitmaps:?}");
    let kept = usize::try_from(groups).expect("few") * size_of::<GroupEntry>();
    let peak = ALLOCATED.peak_usage() - before;
    assert!(peak < kept + BUFFERS, "{peak} bytes for {groups} groups");
}
