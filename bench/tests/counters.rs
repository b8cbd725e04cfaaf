//! What a sweep reads and how much memory it takes, counted: both follow from the number of groups
//! and from where bitmaps lie, and from nothing else.

use extscope::analysis::{FreeFrag, Sweep, SweepOptions};
use extscope::fs::{BitmapKind, Filesystem, OpenOptions};
use extscope::io::{FileSource, ReadKind};
use extscope::task::Step;
use extscope_bench::{Truth, image};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Bytes of the images: 64 groups, four flex groups.
const BYTES: u64 = 8 << 30;

/// Most bytes that a sweep of so few groups takes.
const MOST_BYTES: usize = 2 << 20;

/// What going through an image took.
struct Taken {
    truth: Truth,
    requests: u64,
    bytes: u64,
    peak: usize,
}

/// Makes an image, sweeps its block bitmaps and checks what was found.
fn sweep(mean: u64) -> Taken {
    let folder = extscope_bench::scratch().expect("the folder for temporary files can be written");
    let path = folder.path().join("image");
    let truth = image::make(&path, BYTES, mean).expect("the image can be made");

    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let source = FileSource::open(&path).expect("the image can be opened");
    let filesystem = Filesystem::open(source, OpenOptions::default()).expect("the image is sound");
    let options = SweepOptions { inodes: false, ..SweepOptions::default() };
    let mut sweep = Sweep::new(&filesystem, options).expect("there is memory");
    let mut free = FreeFrag::new(None);
    let mut step = || {
        sweep.step_with(&mut |swept| {
            assert_eq!(swept.kind, BitmapKind::Block);
            free.add(filesystem.geometry(), swept.group, swept.bits);
        })
    };
    while step().expect("the image can be read") == Step::More {}
    let found = free.finish(filesystem.geometry()).figures;
    let peak = ALLOCATED.peak_usage().saturating_sub(before);

    assert_eq!((found.bits, found.runs), (truth.free, truth.runs), "runs of {mean}");
    let read = filesystem.meter().count(ReadKind::BlockBitmap);
    Taken { truth, requests: read.requests, bytes: read.bytes, peak }
}

#[test]
fn a_sweep_costs_by_groups_and_not_by_runs() {
    let [short, long, empty] = [16, 512, 0].map(sweep);
    assert!(short.truth.runs > 20 * long.truth.runs);
    for taken in [&short, &long, &empty] {
        assert_eq!(taken.requests, taken.truth.bitmap_runs);
        assert_eq!(taken.bytes, taken.truth.on_disk * 4096);
        assert!(taken.peak < MOST_BYTES, "{} bytes", taken.peak);
    }
    assert_eq!(short.truth.on_disk, short.truth.groups);
    assert!(empty.truth.on_disk < empty.truth.groups, "bitmaps never written are never read");
    assert!(short.peak * 10 <= long.peak * 11, "{} bytes, {}", short.peak, long.peak);
}
