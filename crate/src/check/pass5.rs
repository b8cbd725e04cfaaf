//! Pass 5: the bitmaps on the disk against what was found, and the counts against the bitmaps.
//!
//! A bitmap is compared as a whole, by words; differences are runs.

use core::ops::Range;

use super::context::Context;
use super::finding::Problem;
use super::problem::{
    Code, PR_5_BLOCK_BITMAP_CSUM_INVALID, PR_5_BLOCK_BITMAP_HEADER, PR_5_BLOCK_BMAP_PADDING,
    PR_5_BLOCK_RANGE_UNUSED, PR_5_BLOCK_RANGE_USED, PR_5_BLOCK_UNINIT, PR_5_BLOCK_UNUSED,
    PR_5_BLOCK_USED, PR_5_FREE_BLOCK_COUNT, PR_5_FREE_BLOCK_COUNT_GROUP, PR_5_FREE_DIR_COUNT_GROUP,
    PR_5_FREE_INODE_COUNT, PR_5_FREE_INODE_COUNT_GROUP, PR_5_INODE_BITMAP_CSUM_INVALID,
    PR_5_INODE_BITMAP_HEADER, PR_5_INODE_BMAP_PADDING, PR_5_INODE_RANGE_UNUSED,
    PR_5_INODE_RANGE_USED, PR_5_INODE_UNINIT, PR_5_INODE_UNUSED, PR_5_INODE_USED,
};
use super::sink::{Flow, Mode};
use super::steps::CheckStep;
use crate::bitmap::{
    Bitmap, BitmapRef, Bits as _, BitsMut as _, Comparison, Differences, RunBitmap, Runs, compare,
};
use crate::fs::{BitmapKind, CsumState};
use crate::io::ByteSource;
use crate::ondisk::BgFlags;
use crate::units::{Fsblk, Group, Ino};

/// Groups compared in a step.
const GROUPS: u32 = 64;

/// The pass at work.
pub(super) struct Pass5 {
    kind: BitmapKind,
    next: u32,
    pending: Option<Run>,
    told_header: bool,
    /// Free bits, and of inodes directories, of each group done.
    counts: Vec<(u32, u32)>,
    /// Bitmaps of each kind whose checksum is wrong.
    bad_csums: [Vec<Group>; 2],
    /// Whether some padding is not set, of each kind.
    bad_padding: [bool; 2],
    /// Clusters that e2fsck takes to be set on the disk whatever lies there: metadata of groups
    /// without a bitmap, also where it lies in a group with one. A thorough check tells of those that
    /// are free there: the kernel gives them away.
    assumed: RunBitmap,
}

/// A difference that may go on in the next group.
#[derive(Clone, Debug)]
struct Run {
    /// Set on the disk, and nobody's; or the other way round.
    is_unused: bool,
    /// Where e2fsck does not look.
    is_beyond: bool,
    /// Clusters or inodes.
    range: Range<u64>,
}

/// A bitmap on the disk.
struct OnDisk {
    bytes: Vec<u8>,
    bits: u64,
    /// It was never written.
    is_uninit: bool,
    /// It was read from the disk.
    is_read: bool,
}

impl OnDisk {
    fn set(&mut self, bit: u64) {
        let byte = usize::try_from(bit / 8).ok().and_then(|at| self.bytes.get_mut(at));
        if let Some(byte) = byte {
            *byte |= 1 << (bit % 8);
        }
    }

    fn view(&self) -> BitmapRef<'_> {
        BitmapRef::new(&self.bytes, self.bits).unwrap_or_default()
    }
}

impl Pass5 {
    pub(super) fn new<S: ByteSource>(ctx: &Context<S>) -> Self {
        Self {
            assumed: assumed(ctx),
            kind: BitmapKind::Block,
            next: 0,
            pending: None,
            told_header: false,
            counts: Vec::new(),
            bad_csums: [Vec::new(), Vec::new()],
            bad_padding: [false; 2],
        }
    }

    /// Bitmaps done.
    pub(super) fn done<S: ByteSource>(&self, ctx: &Context<S>) -> u64 {
        let before = if self.kind == BitmapKind::Inode { ctx.fs.groups().len() } else { 0 };
        u64::from(before) + u64::from(self.next)
    }

    /// Compares some bitmaps; true at the end.
    pub(super) fn step<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow<bool> {
        let groups = ctx.fs.groups().len();
        let end = self.next.saturating_add(GROUPS).min(groups);
        while self.next < end {
            self.compare(ctx, Group::new(self.next))?;
            self.next += 1;
        }
        if self.next < groups {
            return Ok(false);
        }
        self.flush(ctx)?;
        self.check_counts(ctx)?;
        if self.kind == BitmapKind::Block {
            self.kind = BitmapKind::Inode;
            self.next = 0;
            self.told_header = false;
            return Ok(false);
        }
        self.finish(ctx)?;
        Ok(true)
    }

    /// Compares the bitmap of a group.
    fn compare<S: ByteSource>(&mut self, ctx: &mut Context<S>, group: Group) -> Flow {
        let mut disk = on_disk(ctx, self.kind, group);
        let base = self.base(ctx, group);
        let mut differences = Vec::new();
        if self.kind == BitmapKind::Block {
            for run in Runs::new(&self.assumed, true, base..base + disk.bits) {
                let run = run.start - base..run.end - base;
                if ctx.sink.mode() == Mode::Thorough {
                    let free = Runs::new(disk.view(), false, run.clone());
                    let beyond = |range| Run { is_unused: false, is_beyond: true, range };
                    differences.extend(free.map(beyond));
                }
                run.for_each(|bit| disk.set(bit));
            }
        }
        let found = match self.kind {
            BitmapKind::Block => &ctx.maps.block_found,
            BitmapKind::Inode => &ctx.maps.inode_used,
        };
        let due = Bitmap::of_range(found, base..base + disk.bits)?;
        let compared = compare(disk.view(), due.view());
        let dirs = if self.kind == BitmapKind::Inode {
            let dirs = Runs::new(&ctx.maps.inode_dir, true, base..base + disk.bits);
            dirs.map(|run| disk.view().count_range(run.start - base..run.end - base)).sum()
        } else {
            0
        };
        let used = match compared {
            Comparison::Equal(used) => used,
            Comparison::Differ(_) => disk.view().count(),
        };
        let free = disk.bits - used;
        self.counts.push((
            u32::try_from(free).unwrap_or(u32::MAX),
            u32::try_from(dirs).unwrap_or(u32::MAX),
        ));
        self.note_state(ctx, group, &disk);
        if matches!(compared, Comparison::Differ(_)) {
            for run in Differences(disk.view(), due.view()).set_runs() {
                // Where a bit is set decides which of the two is wrong.
                for is_unused in [true, false] {
                    let parts = Runs::new(disk.view(), is_unused, run.clone());
                    let told = |range| Run { is_unused, is_beyond: false, range };
                    differences.extend(parts.map(told));
                }
            }
            // Kept in the order of e2fsck's, among which others come.
            differences.sort_by_key(|run| run.is_beyond);
        }
        let of_e2fsck = differences.iter().filter(|run| !run.is_beyond);
        let differing = of_e2fsck.map(|run| run.range.end - run.range.start).sum();
        ctx.sink.recorder.note(CheckStep::Compare { kind: self.kind, group, differing });
        for Run { is_unused, is_beyond, range } in differences {
            if !is_unused && !is_beyond && disk.is_uninit {
                self.tell_uninit(ctx, group, range.end - range.start)?;
            }
            let range = range.start + base..range.end + base;
            self.push(ctx, Run { is_unused, is_beyond, range })?;
        }
        Ok(())
    }

    /// First cluster or inode of a group.
    fn base<S: ByteSource>(&self, ctx: &Context<S>, group: Group) -> u64 {
        match self.kind {
            BitmapKind::Block => {
                let first = ctx.geometry().group_first_fsblk(group);
                ctx.geometry().cluster_from_fsblk(first).map_or(0, |cluster| cluster.get())
            }
            BitmapKind::Inode => {
                ctx.geometry().group_first_ino(group).map_or(0, |ino| u64::from(ino.get()))
            }
        }
    }

    /// Notes a wrong checksum, and padding that is not set.
    fn note_state<S: ByteSource>(&mut self, ctx: &Context<S>, group: Group, disk: &OnDisk) {
        let index = usize::from(self.kind == BitmapKind::Inode);
        if !disk.is_uninit
            && ctx.fs.check_bitmap(self.kind, group, &disk.bytes) == CsumState::Bad
            && let Some(list) = self.bad_csums.get_mut(index)
        {
            list.push(group);
        }
        let is_last = group.get() + 1 == ctx.fs.groups().len();
        let whole = match self.kind {
            BitmapKind::Block => u64::from(ctx.geometry().clusters_per_group()),
            BitmapKind::Inode => u64::from(ctx.geometry().inodes_per_group()),
        };
        // Of a group that is not the last, whole bytes are looked at.
        let from = if is_last { disk.bits } else { whole.next_multiple_of(8) };
        let all = BitmapRef::new(&disk.bytes, disk.bytes.len() as u64 * 8).unwrap_or_default();
        if disk.is_read
            && all.next_clear(from).is_some()
            && let Some(flag) = self.bad_padding.get_mut(index)
        {
            *flag = true;
        }
    }

    fn tell_uninit<S: ByteSource>(&self, ctx: &mut Context<S>, group: Group, count: u64) -> Flow {
        let code = match self.kind {
            BitmapKind::Block => PR_5_BLOCK_UNINIT,
            BitmapKind::Inode => PR_5_INODE_UNINIT,
        };
        ctx.sink.tell(Problem::new(code).group(group).count(count))
    }

    /// Adds a difference; one that goes on makes the last one longer, over groups, too.
    fn push<S: ByteSource>(&mut self, ctx: &mut Context<S>, run: Run) -> Flow {
        if let Some(last) = &mut self.pending
            && (last.is_unused, last.is_beyond) == (run.is_unused, run.is_beyond)
            && last.range.end == run.range.start
        {
            last.range.end = run.range.end;
            return Ok(());
        }
        self.flush(ctx)?;
        self.pending = Some(run);
        Ok(())
    }

    /// Tells the difference that ended.
    fn flush<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        let Some(Run { is_unused, is_beyond, range }) = self.pending.take() else { return Ok(()) };
        if !is_unused && self.kind == BitmapKind::Block {
            ctx.maps.block_unmarked.mark_range(range.clone());
        }
        if !is_beyond && !core::mem::replace(&mut self.told_header, true) {
            ctx.sink.tell_code(header(self.kind))?;
        }
        let count = range.end - range.start;
        let code = difference_code(self.kind, is_unused, count > 1);
        let problem = Problem::new(code).count(count);
        let problem = match self.kind {
            BitmapKind::Block => {
                let ratio = u64::from(ctx.geometry().blocks_per_cluster());
                let first = ctx.geometry().first_data_block().get();
                let start = range.start * ratio + first;
                problem.block(start).count((count - 1) * ratio + 1)
            }
            BitmapKind::Inode => {
                problem.ino(Ino::new(u32::try_from(range.start).unwrap_or(u32::MAX)))
            }
        };
        if is_beyond {
            ctx.sink.tell_beyond(problem);
            return Ok(());
        }
        ctx.sink.tell(problem)
    }

    /// Holds the counts of descriptors and superblock against the bitmaps.
    fn check_counts<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        let is_block = self.kind == BitmapKind::Block;
        let mut total = 0_u64;
        for (group, (free, dirs)) in (0..).map(Group::new).zip(core::mem::take(&mut self.counts)) {
            total += u64::from(free);
            let Some(entry) = ctx.fs.groups().get(group).copied() else { continue };
            let desc = entry.desc;
            let (stored, code) = if is_block {
                (desc.free_blocks_count, PR_5_FREE_BLOCK_COUNT_GROUP)
            } else {
                (desc.free_inodes_count, PR_5_FREE_INODE_COUNT_GROUP)
            };
            if stored != free {
                ctx.sink.tell(Problem::new(code).group(group).found(stored).expected(free))?;
            }
            if !is_block && desc.used_dirs_count != dirs {
                let problem = Problem::new(PR_5_FREE_DIR_COUNT_GROUP).group(group);
                ctx.sink.tell(problem.found(desc.used_dirs_count).expected(dirs))?;
            }
        }
        let (stored, total, code) = if is_block {
            let ratio = u64::from(ctx.geometry().blocks_per_cluster());
            (ctx.superblock().free_blocks_count(), total * ratio, PR_5_FREE_BLOCK_COUNT)
        } else {
            let stored = u64::from(ctx.superblock().s_free_inodes_count.get());
            (stored, total, PR_5_FREE_INODE_COUNT)
        };
        if stored != total {
            ctx.sink.tell(Problem::new(code).found(stored).expected(total))?;
        }
        Ok(())
    }

    /// Tells of padding and checksums.
    fn finish<S: ByteSource>(&mut self, ctx: &mut Context<S>) -> Flow {
        let [block, inode] = self.bad_padding;
        if inode {
            ctx.sink.tell_code(PR_5_INODE_BMAP_PADDING)?;
        }
        if block {
            ctx.sink.tell_code(PR_5_BLOCK_BMAP_PADDING)?;
        }
        let [blocks, inodes] = core::mem::take(&mut self.bad_csums);
        for (kind, groups, code) in [
            (BitmapKind::Inode, inodes, PR_5_INODE_BITMAP_CSUM_INVALID),
            (BitmapKind::Block, blocks, PR_5_BLOCK_BITMAP_CSUM_INVALID),
        ] {
            for group in groups {
                ctx.sink.tell_code(header(kind))?;
                ctx.sink.tell(Problem::new(code).group(group))?;
            }
        }
        Ok(())
    }
}

/// Where e2fsck does not look at the disk. Ref: `mark_uninit_bg_group_blocks`.
fn assumed<S: ByteSource>(ctx: &Context<S>) -> RunBitmap {
    let mut assumed = RunBitmap::new(ctx.maps.block_found.len());
    if !ctx.fs.trusts_uninit() {
        return assumed;
    }
    for (_, entry) in ctx.fs.groups().iter() {
        let desc = &entry.desc;
        if desc.flags.contains(BgFlags::BLOCK_UNINIT) {
            let table = (desc.inode_table.get(), ctx.geometry().itable_blocks());
            for (start, len) in [table, (desc.block_bitmap.get(), 1), (desc.inode_bitmap.get(), 1)]
            {
                if !ctx.is_illegal(start) {
                    assumed.mark_range(ctx.clusters(start, len));
                }
            }
        }
    }
    assumed
}

fn header(kind: BitmapKind) -> Code {
    match kind {
        BitmapKind::Block => PR_5_BLOCK_BITMAP_HEADER,
        BitmapKind::Inode => PR_5_INODE_BITMAP_HEADER,
    }
}

fn difference_code(kind: BitmapKind, is_unused: bool, is_range: bool) -> Code {
    match (kind, is_unused, is_range) {
        (BitmapKind::Block, true, false) => PR_5_BLOCK_UNUSED,
        (BitmapKind::Block, true, true) => PR_5_BLOCK_RANGE_UNUSED,
        (BitmapKind::Block, false, false) => PR_5_BLOCK_USED,
        (BitmapKind::Block, false, true) => PR_5_BLOCK_RANGE_USED,
        (BitmapKind::Inode, true, false) => PR_5_INODE_UNUSED,
        (BitmapKind::Inode, true, true) => PR_5_INODE_RANGE_UNUSED,
        (BitmapKind::Inode, false, false) => PR_5_INODE_USED,
        (BitmapKind::Inode, false, true) => PR_5_INODE_RANGE_USED,
    }
}

/// A bitmap as e2fsck takes it to be: as it lies on the disk, whatever its checksum; of one that
/// was never written, what the layout says; where none can be read, all free.
fn on_disk<S: ByteSource>(ctx: &Context<S>, kind: BitmapKind, group: Group) -> OnDisk {
    let bits = u64::from(ctx.fs.bitmap_bits(kind, group));
    let block_size = ctx.geometry().block_size() as usize;
    let blank = |is_uninit| OnDisk { bytes: vec![0; block_size], bits, is_uninit, is_read: false };
    let Some(entry) = ctx.fs.groups().get(group).copied() else { return blank(true) };
    let (flag, place) = match kind {
        BitmapKind::Block => (BgFlags::BLOCK_UNINIT, entry.desc.block_bitmap),
        BitmapKind::Inode => (BgFlags::INODE_UNINIT, entry.desc.inode_bitmap),
    };
    let is_uninit = ctx.fs.trusts_uninit() && entry.desc.flags.contains(flag);
    let mut disk = blank(is_uninit);
    // What a descriptor with a wrong checksum says to be uninitialised is read all the same.
    let is_wanted = !is_uninit || entry.csum == CsumState::Bad;
    if is_wanted
        && !ctx.is_illegal(place.get())
        && let Ok(bytes) = ctx.fs.block(kind.read_kind(), Fsblk::new(place.get()))
    {
        disk.bytes = bytes;
        disk.is_read = true;
    }
    if is_uninit
        && kind == BitmapKind::Block
        && let Ok(made) = ctx.fs.synthesise_bitmap(kind, group)
    {
        for (byte, made) in disk.bytes.iter_mut().zip(made.as_bytes()) {
            *byte |= made;
        }
    }
    disk
}
