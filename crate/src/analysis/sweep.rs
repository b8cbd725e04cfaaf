//! All bitmaps in one pass: few large reads through one buffer, statistics left behind.

use core::num::NonZeroU32;
use core::ops::{Deref, Range};

use super::group_stats::{BitmapState, BlockStats, GroupStats, InodeStats};
use super::windows::Windows;
use crate::bitmap::{BitmapRef, RunScan};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{
    BitmapKind, BitmapPlace, CsumState, Filesystem, JoinedRead, LoadPlan, PlacedBitmap,
};
use crate::io::ByteSource;
use crate::limits;
use crate::task::{Progress, Step, Task};
use crate::units::Group;

/// Groups that are planned together, at least and at most: a flex group where that is between.
/// Few, so that groups that somebody looks at wait for few others.
const WINDOW: Range<u32> = 64..4096;

/// What to sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepOptions {
    /// The groups; those past the last are ignored.
    pub groups: Range<u32>,
    /// Whether inode bitmaps are read, too.
    pub inodes: bool,
    /// Bytes between two bitmaps that are read through rather than left out. In a browser a
    /// request costs as much as some 128 KiB.
    pub gap_bytes: u32,
    /// Whether figures are counted; without, bitmaps only pass by, and what is left of a group is
    /// their states.
    pub figures: bool,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self { groups: 0..u32::MAX, inodes: true, gap_bytes: 0, figures: true }
    }
}

/// A bitmap as it passes by.
#[derive(Clone, Copy, Debug)]
pub struct Swept<'a> {
    /// Its group.
    pub group: Group,
    /// Which of the group's two.
    pub kind: BitmapKind,
    /// Its bits; none where it could not be had.
    pub bits: BitmapRef<'a>,
    /// What is known of the group so far.
    pub stats: &'a GroupStats,
}

/// Reads every bitmap once, a joined read a step. Progress counts groups.
///
/// One pass serves whoever wants something of all bitmaps: it leaves the figures of groups, and
/// what it shows can be taken in by [`super::FreeFrag`], which makes the free extents and their
/// histogram of it, and by [`super::profile`], which makes the pyramid of counts for pictures.
///
/// A bitmap that cannot be had is no error: its group is marked as failed.
///
/// # Errors
/// [`ErrorKind::Limit`] when memory does not suffice for the statistics.
#[derive(Debug)]
pub struct Sweep<F> {
    filesystem: F,
    options: SweepOptions,
    first: u32,
    stats: Vec<GroupStats>,
    windows: Windows,
    reads: std::vec::IntoIter<JoinedRead>,
    /// Groups whose window is being read.
    pending: u32,
    groups_done: u32,
    bytes: Progress,
    buffer: Vec<u8>,
    scan: RunScan,
    failures: Vec<(BitmapKind, Group, Error)>,
    failed: u64,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> Sweep<F> {
    /// Plans nothing yet, so that the first step is as short as the others.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when memory does not suffice for the statistics.
    pub fn new(filesystem: F, options: SweepOptions) -> Result<Self> {
        let end = options.groups.end.min(filesystem.groups().len());
        let first = options.groups.start.min(end);
        let count = end.saturating_sub(first) as usize;
        let mut stats = Vec::new();
        stats.try_reserve_exact(count).map_err(|cause| {
            Error::new(ErrorKind::Limit, format!("no memory for {count} groups")).with_cause(cause)
        })?;
        stats.resize(count, GroupStats::default());
        let per_flex = filesystem.geometry().groups_per_flex();
        let window = NonZeroU32::new(per_flex.clamp(WINDOW.start, WINDOW.end));
        let mut sweep = Self {
            windows: Windows::new(first..end, window.unwrap_or(NonZeroU32::MIN)),
            options: SweepOptions { groups: first..end, ..options },
            first,
            stats,
            reads: Vec::new().into_iter(),
            pending: 0,
            groups_done: 0,
            bytes: Progress::default(),
            buffer: Vec::new(),
            scan: RunScan::default(),
            failures: Vec::new(),
            failed: 0,
            filesystem,
        };
        sweep.bytes.max = sweep.bytes_on_disk();
        Ok(sweep)
    }

    /// Puts the groups that somebody looks at before all others.
    pub fn prioritise(&mut self, groups: Range<u32>) {
        self.windows.want(groups);
    }

    /// Does one step and shows each bitmap that it settled, also those that could not be had.
    ///
    /// # Errors
    /// Those of the task.
    pub fn step_with(&mut self, see: &mut dyn FnMut(Swept<'_>)) -> Result<Step<()>> {
        if let Some(read) = self.reads.next() {
            self.read(&read, see);
        } else if let Some(groups) = self.windows.next() {
            self.groups_done = self.groups_done.saturating_add(self.pending);
            self.pending = groups.end.saturating_sub(groups.start);
            self.plan(groups, see)?;
        } else {
            self.groups_done = self.groups_done.saturating_add(core::mem::take(&mut self.pending));
            return Ok(Step::Done(()));
        }
        Ok(Step::More)
    }

    /// Figures of a group; `None` outside the groups that are swept.
    pub fn stats(&self, group: Group) -> Option<&GroupStats> {
        self.stats.get(group.get().checked_sub(self.first)? as usize)
    }

    /// Figures of all groups that are swept, in order.
    pub fn all_stats(&self) -> impl Iterator<Item = (Group, &GroupStats)> {
        (self.first..).map(Group::new).zip(&self.stats)
    }

    /// How many of the bitmaps' bytes were gone through.
    pub fn bytes(&self) -> Progress {
        self.bytes
    }

    /// The first bitmaps that could not be had, and why.
    pub fn failures(&self) -> &[(BitmapKind, Group, Error)] {
        &self.failures
    }

    /// How many bitmaps could not be had.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    fn kinds(&self) -> &'static [BitmapKind] {
        if self.options.inodes {
            &[BitmapKind::Block, BitmapKind::Inode]
        } else {
            &[BitmapKind::Block]
        }
    }

    fn bytes_on_disk(&self) -> u64 {
        let places = self.options.groups.clone().map(Group::new).flat_map(|group| {
            self.kinds().iter().map(move |kind| self.filesystem.bitmap_place(*kind, group))
        });
        let on_disk = places.filter(|place| matches!(place, Ok(BitmapPlace::Disk(_)))).count();
        (on_disk as u64).saturating_mul(u64::from(self.filesystem.geometry().block_size()))
    }

    /// Plans a window, and settles the bitmaps that need no reading.
    fn plan(&mut self, groups: Range<u32>, see: &mut dyn FnMut(Swept<'_>)) -> Result<()> {
        let plan = LoadPlan::new(&self.filesystem, groups, self.kinds(), self.options.gap_bytes);
        for (kind, group) in plan.uninit {
            let bitmap = self.filesystem.synthesise_bitmap(kind, group)?;
            let bits = u64::from(self.filesystem.bitmap_bits(kind, group));
            let bits = BitmapRef::new(bitmap.as_bytes(), bits).unwrap_or_default();
            self.settle(kind, group, bits, BitmapState::Synthesised, CsumState::None, see);
        }
        for (kind, group, error) in plan.failed {
            self.fail(kind, group, error, see);
        }
        self.reads = plan.reads.into_iter();
        Ok(())
    }

    /// Reads bitmaps together, or one by one when together they cannot be read, so that a bad
    /// block costs only its own group.
    fn read(&mut self, read: &JoinedRead, see: &mut dyn FnMut(Swept<'_>)) {
        let block_size = self.filesystem.geometry().block_size();
        let mut buffer = core::mem::take(&mut self.buffer);
        buffer.resize((read.blocks as usize).saturating_mul(block_size as usize), 0);
        match self.fetch(read, &mut buffer) {
            Ok(()) => {
                let block = |bitmap: &PlacedBitmap| {
                    let index = bitmap.fsblk.get().saturating_sub(read.fsblk.get());
                    let block = buffer.chunks_exact(block_size as usize).nth(index as usize);
                    block.unwrap_or_default()
                };
                for bitmaps in read.bitmaps.chunks(2) {
                    self.look(bitmaps, block, see);
                }
            }
            Err(error) => match read.bitmaps.as_slice() {
                [only] => {
                    self.bytes.cur = self.bytes.cur.saturating_add(block_size.into());
                    self.fail(only.kind, only.group, error, see);
                }
                many => {
                    for bitmap in many {
                        let bitmaps = vec![*bitmap];
                        let alone = JoinedRead { fsblk: bitmap.fsblk, blocks: 1, bitmaps };
                        self.read(&alone, see);
                    }
                }
            },
        }
        self.buffer = buffer;
    }

    fn fetch(&self, read: &JoinedRead, buffer: &mut [u8]) -> Result<()> {
        let Some(first) = read.bitmaps.first() else { return Ok(()) };
        let at = self.filesystem.geometry().byte_from_fsblk(read.fsblk).unwrap_or_default();
        // What is read through counts for block bitmaps.
        let of_inodes = read.bitmaps.iter().filter(|bitmap| bitmap.kind == BitmapKind::Inode);
        let block_size = u64::from(self.filesystem.geometry().block_size());
        let all = buffer.len() as u64;
        let of_inodes = (of_inodes.count() as u64).saturating_mul(block_size).min(all);
        let mut shares = [
            (BitmapKind::Block.read_kind(), all.saturating_sub(of_inodes)),
            (BitmapKind::Inode.read_kind(), of_inodes),
        ];
        if first.kind == BitmapKind::Inode {
            shares.reverse();
        }
        self.filesystem
            .reader()
            .read_shared(&shares, at.get(), buffer)
            .map_err(|error| error.at_group(first.group).at_fsblk(read.fsblk))
    }

    /// Looks at two bitmaps that were read, or at the last.
    fn look<'a>(
        &mut self,
        bitmaps: &[PlacedBitmap],
        block: impl Fn(&PlacedBitmap) -> &'a [u8],
        see: &mut dyn FnMut(Swept<'_>),
    ) {
        let two = match bitmaps {
            [a, b] if a.kind == b.kind => {
                let (groups, blocks) = ([a.group, b.group], [block(a), block(b)]);
                Some(self.filesystem.check_two_bitmaps(a.kind, groups, blocks))
            }
            _ => None,
        };
        for (at, bitmap) in bitmaps.iter().enumerate() {
            let PlacedBitmap { group, kind, .. } = *bitmap;
            let block = block(bitmap);
            let csum = two.and_then(|two| two.get(at).copied());
            let csum = csum.unwrap_or_else(|| self.filesystem.check_bitmap(kind, group, block));
            let bits = u64::from(self.filesystem.bitmap_bits(kind, group));
            let bits = BitmapRef::new(block, bits).unwrap_or_default();
            self.bytes.cur = self.bytes.cur.saturating_add(block.len() as u64);
            self.settle(kind, group, bits, BitmapState::Read, csum, see);
        }
    }

    fn settle(
        &mut self,
        kind: BitmapKind,
        group: Group,
        bits: BitmapRef<'_>,
        state: BitmapState,
        csum: CsumState,
        see: &mut dyn FnMut(Swept<'_>),
    ) {
        let orders = self.filesystem.geometry().mb_num_orders();
        let scan = &mut self.scan;
        let index = group.get().checked_sub(self.first).map(|index| index as usize);
        if let Some(stats) = index.and_then(|index| self.stats.get_mut(index)) {
            let figures = self.options.figures;
            match kind {
                BitmapKind::Block if figures => {
                    stats.blocks = BlockStats::new(scan, bits, orders, state, csum);
                }
                BitmapKind::Inode if figures => {
                    stats.inodes = InodeStats::new(&bits, state, csum);
                }
                BitmapKind::Block => (stats.blocks.state, stats.blocks.csum) = (state, csum),
                BitmapKind::Inode => (stats.inodes.state, stats.inodes.csum) = (state, csum),
            }
            see(Swept { group, kind, bits, stats });
        }
    }

    fn fail(
        &mut self,
        kind: BitmapKind,
        group: Group,
        error: Error,
        see: &mut dyn FnMut(Swept<'_>),
    ) {
        if let Some(stats) = self.stats_mut(group) {
            match kind {
                BitmapKind::Block => stats.blocks.state = BitmapState::Failed,
                BitmapKind::Inode => stats.inodes.state = BitmapState::Failed,
            }
            see(Swept { group, kind, bits: BitmapRef::default(), stats });
        }
        self.failed = self.failed.saturating_add(1);
        if self.failures.len() < limits::FAILURES_KEPT {
            self.failures.push((kind, group, error));
        }
    }

    fn stats_mut(&mut self, group: Group) -> Option<&mut GroupStats> {
        self.stats.get_mut(group.get().checked_sub(self.first)? as usize)
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> Task for Sweep<F> {
    type Output = ();

    fn step(&mut self) -> Result<Step<()>> {
        self.step_with(&mut |_| ())
    }

    fn progress(&self) -> Progress {
        Progress { cur: u64::from(self.groups_done), max: self.stats.len() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::OpenOptions;
    use crate::fs::testing::Image;
    use crate::io::ReadKind;

    /// Groups 0 and 1 have both bitmaps on the disk, side by side; groups 2 and 3 have none.
    fn open(image: &Image) -> Filesystem<Vec<u8>> {
        Filesystem::open(image.bytes(), OpenOptions::default()).unwrap()
    }

    #[test]
    fn a_sweep_reads_side_by_side_bitmaps_at_once_and_uninit_ones_never() {
        let filesystem = open(&Image::new());
        let mut sweep = Sweep::new(&filesystem, SweepOptions::default()).unwrap();
        assert_eq!(sweep.bytes(), Progress { cur: 0, max: 4096 });
        let mut seen = Vec::new();
        while sweep.step_with(&mut |swept| seen.push((swept.group.get(), swept.kind))).unwrap()
            == Step::More
        {}
        assert_eq!(seen.len(), 8);
        assert_eq!(sweep.progress(), Progress { cur: 4, max: 4 });
        assert_eq!(sweep.bytes(), Progress { cur: 4096, max: 4096 });
        let blocks = filesystem.meter().count(ReadKind::BlockBitmap);
        let inodes = filesystem.meter().count(ReadKind::InodeBitmap);
        assert_eq!((blocks.requests, blocks.bytes), (2, 2048));
        assert_eq!((inodes.requests, inodes.bytes), (0, 2048));
        let stats = |group| *sweep.stats(Group::new(group)).unwrap();
        assert_eq!((stats(1).blocks.state, stats(1).blocks.free), (BitmapState::Read, 5461));
        assert_eq!(stats(3).blocks.state, BitmapState::Synthesised);
        assert_eq!((stats(3).blocks.free, stats(3).inodes.free), (964, 256));
        assert!(sweep.stats(Group::new(4)).is_none());
    }

    #[test]
    fn a_bitmap_that_cannot_be_had_costs_its_group_alone() {
        let mut image = Image::new();
        image.descs[0].bg_block_bitmap_lo.set(9_999_999);
        let filesystem = open(&image);
        let mut sweep = Sweep::new(&filesystem, SweepOptions::default()).unwrap();
        while sweep.step().unwrap() == Step::More {}
        let stats = |group| *sweep.stats(Group::new(group)).unwrap();
        assert_eq!(stats(0).blocks.state, BitmapState::Failed);
        assert_eq!(stats(0).inodes.state, BitmapState::Read);
        assert_eq!(stats(1).blocks.state, BitmapState::Read);
        assert_eq!((sweep.failed(), sweep.failures().len()), (1, 1));
    }

    #[test]
    fn a_read_that_fails_as_a_whole_is_done_in_parts() {
        /// A disk that cannot read more than a block at once.
        struct Short(Vec<u8>);
        impl ByteSource for Short {
            fn len(&self) -> u64 {
                ByteSource::len(&self.0)
            }
            fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
                if buf.len() > 1024 {
                    return Err(Error::new(ErrorKind::Io, "too long"));
                }
                self.0.read_at(offset, buf)
            }
        }
        let short = Short(Image::new().bytes());
        let filesystem = Filesystem::open(short, OpenOptions::default()).unwrap();
        let mut sweep = Sweep::new(&filesystem, SweepOptions::default()).unwrap();
        while sweep.step().unwrap() == Step::More {}
        assert_eq!(sweep.failed(), 0);
        assert!(sweep.all_stats().all(|(_, stats)| stats.blocks.free > 0));
    }

    #[test]
    fn only_the_groups_asked_for_are_swept() {
        let filesystem = open(&Image::new());
        let options = SweepOptions { groups: 1..3, inodes: false, ..SweepOptions::default() };
        let mut sweep = Sweep::new(&filesystem, options).unwrap();
        while sweep.step().unwrap() == Step::More {}
        let groups: Vec<_> = sweep.all_stats().map(|(group, _)| group.get()).collect();
        assert_eq!(groups, [1, 2]);
        assert_eq!(filesystem.meter().count(ReadKind::BlockBitmap).requests, 1);
        assert!(sweep.stats(Group::new(0)).is_none());
    }

    #[test]
    fn without_figures_bitmaps_pass_by_all_the_same() {
        let filesystem = open(&Image::new());
        let options = SweepOptions { figures: false, ..SweepOptions::default() };
        let mut sweep = Sweep::new(&filesystem, options).unwrap();
        let mut seen = 0;
        while sweep.step_with(&mut |_| seen += 1).unwrap() == Step::More {}
        assert_eq!(seen, 8);
        assert!(sweep.all_stats().all(|(_, stats)| stats.blocks.state != BitmapState::Unread));
        assert!(sweep.all_stats().all(|(_, stats)| stats.blocks.free == 0));
    }
}
