//! Going through all that the engine can tell of an image, the way that a curious person would.

use extscope::Error;
use std::ops::Range;

use extscope::analysis::{BitmapState, BlockStats, InodeStats, Sweep, SweepOptions};
use extscope::bitmap::Bits as _;
use extscope::fs::{BitmapKind, BitmapPlace, Filesystem, OpenOptions};
use extscope::io::ByteSource;
use extscope::task::{Step, Task as _};
use extscope::units::Group;

/// Groups of which the bitmaps are also had one by one; the sweep goes over all.
const ONE_BY_ONE: u32 = 512;

/// Bytes that are fetched for a bitmap that is had alone, so that its neighbours come with it.
const CHUNK_BYTES: u64 = 64 << 10;

/// What was found on the way.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Groups listed.
    pub groups: u32,
    /// Bitmaps that could not be had.
    pub failed: u64,
    /// Free clusters of all bitmaps that could.
    pub free: u64,
}

/// Opens an image, looks at groups and their bitmaps, sweeps all, and holds the one against the
/// other.
///
/// # Errors
/// That of opening.
///
/// # Panics
/// When two ways to the same figure disagree, or when more was read or done than the number of
/// groups explains.
pub fn go_through(source: impl ByteSource, options: OpenOptions) -> Result<Summary, Error> {
    let fs = Filesystem::open(source, options)?;
    for (name, _) in fs.features().iter().map(|feature| (feature.name(), feature.bit)) {
        assert!(!name.is_empty(), "a feature has a name");
    }
    let mut sweep = Sweep::new(&fs, SweepOptions::default())?;
    let groups = u64::from(fs.groups().len());
    let mut steps = 0;
    while sweep.step()? == Step::More {
        steps += 1;
        assert!(steps <= 3 * groups + 16, "{groups} groups take over {steps} steps");
    }
    let progress = sweep.progress();
    assert_eq!(progress.cur, progress.max, "a finished sweep is at its end");

    let mut summary = Summary { groups: fs.groups().len(), ..Summary::default() };
    for (group, stats) in sweep.all_stats() {
        if group.get() < ONE_BY_ONE {
            assert_eq!(stats.blocks, blocks(&fs, group), "group {group}, swept and one by one");
            assert_eq!(stats.inodes, inodes(&fs, group), "group {group}, swept and one by one");
            let base = fs.layout().group_base(group);
            assert!(base.gdt.end <= base.reserved_gdt.start, "group {group}: {base:?}");
        }
        for state in [stats.blocks.state, stats.inodes.state] {
            assert_ne!(state, BitmapState::Unread, "group {group} was left out");
            summary.failed += u64::from(state == BitmapState::Failed);
        }
        assert!(stats.blocks.free <= fs.geometry().clusters_per_group(), "group {group}");
        summary.free += u64::from(stats.blocks.free);
    }
    assert_eq!(summary.failed, sweep.failed(), "each failure is counted once");

    let read = fs.meter().total();
    let block_size = u64::from(fs.geometry().block_size());
    let cached = 2 * u64::from(ONE_BY_ONE) * CHUNK_BYTES.max(2 * block_size);
    assert!(read.requests <= 8 * groups + 64, "{read:?} for {groups} groups");
    assert!(read.bytes <= 4 * groups * block_size + cached, "{read:?} for {groups} groups");
    Ok(summary)
}

/// Figures of a group's block bitmap, had alone and worked out run by run.
fn blocks<S: ByteSource>(fs: &Filesystem<S>, group: Group) -> BlockStats {
    let Ok(bitmap) = fs.bitmap(BitmapKind::Block, group) else {
        return BlockStats { state: BitmapState::Failed, ..BlockStats::default() };
    };
    let bits = bitmap.bits();
    let narrow = |n: u64| u32::try_from(n).expect("a bit of a block");
    // A quarter of a bitmap block's bits.
    let highest = (2 * fs.geometry().block_size()).ilog2() as i8;
    let mut stats = BlockStats {
        state: state(bitmap.place),
        csum: bitmap.csum,
        largest_free_order: -1,
        first_free: narrow(bits.len()),
        ..BlockStats::default()
    };
    for run in bits.clear_runs() {
        let len = narrow(run.end - run.start);
        stats.first_free = stats.first_free.min(narrow(run.start));
        stats.free += len;
        stats.fragments += 1;
        stats.largest_free = stats.largest_free.max(len);
        while stats.largest_free_order < highest && holds_order(&run, stats.largest_free_order + 1)
        {
            stats.largest_free_order += 1;
        }
    }
    stats
}

/// Whether a run holds 2^order bits from a multiple of as many on.
fn holds_order(run: &Range<u64>, order: i8) -> bool {
    let size = 1 << order;
    run.start.next_multiple_of(size) + size <= run.end
}

/// Figures of a group's inode bitmap, had alone.
fn inodes<S: ByteSource>(fs: &Filesystem<S>, group: Group) -> InodeStats {
    match fs.bitmap(BitmapKind::Inode, group) {
        Ok(bitmap) => InodeStats::new(&bitmap.bits(), state(bitmap.place), bitmap.csum),
        Err(_) => InodeStats { state: BitmapState::Failed, ..InodeStats::default() },
    }
}

fn state(place: BitmapPlace) -> BitmapState {
    match place {
        BitmapPlace::Disk(_) => BitmapState::Read,
        BitmapPlace::Uninit => BitmapState::Synthesised,
    }
}
