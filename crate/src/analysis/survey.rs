//! One pass over all inodes and bitmaps: whose every block is, and how every file lies.

use core::ops::{Deref, Range};
use std::collections::HashSet;

use super::claims::{Claims, Settled};
use super::class::{BlockClass, Owner};
use super::filefrag::{FileFrag, FragCount};
use super::fixed;
use super::inode_class::{self, InodeClasses};
use super::owner_map::OwnerMap;
use super::sweep::{Sweep, SweepOptions};
use crate::bitmap::{Bits as _, BitsMut as _, RunBitmap};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, Filesystem, Inode, InodeScan, MapItem, MapWalk, Mapping};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::reserved;
use crate::task::{Progress, Step, Task};
use crate::units::{Fsblk, Group, Grpblk};

/// Groups laid out, or items of maps walked over, before a step ends.
const ITEMS: u32 = 4096;

/// Works out an [`OwnerMap`]: what the layout takes, what the inodes say, what the block bitmaps
/// say, in this order. Progress counts groups, three times.
///
/// What cannot be followed is a fault of the map and no error, and so are pieces of files and runs
/// of used blocks past the most that the filesystem can have. No node of a map is walked over for a
/// second file, so that however inodes point at one another, time is that of the image.
///
/// # Errors
/// [`ErrorKind::Limit`] when memory does not suffice.
#[derive(Debug)]
pub struct Survey<F> {
    filesystem: F,
    state: State<F>,
    claims: Claims,
    classes: InodeClasses,
    /// Blocks that were met as nodes of a map.
    nodes: HashSet<Fsblk>,
    scan: InodeScan,
    laid_out: u32,
    swept: u64,
    /// Reserved GDT blocks, as the layout has them, that the resize inode was not seen to own.
    reserved_gdt: RunBitmap,
    used: RunBitmap,
    unknown: RunBitmap,
    /// The bitmaps have more runs than are kept.
    is_over: bool,
    faults: Vec<Error>,
    fault_count: u64,
}

#[derive(Debug)]
enum State<F> {
    Layout,
    Inodes {
        inodes: std::vec::IntoIter<Inode>,
        current: Option<Box<Current>>,
    },
    Bitmaps(Box<Sweep<F>>),
    /// Puts the claims in order; these ranges of them are not yet.
    Sort(Vec<Range<usize>>),
    Settle,
    Fill(Settled),
    Over,
}

/// The inode whose map is walked over.
#[derive(Debug)]
struct Current {
    inode: Inode,
    class: BlockClass,
    walk: MapWalk,
    count: FragCount,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Survey<F> {
    /// Nothing is read yet.
    pub fn new(filesystem: F) -> Self {
        let blocks_count = filesystem.geometry().blocks_count();
        Self {
            state: State::Layout,
            claims: Claims::new(filesystem.geometry()),
            classes: InodeClasses::new(&*filesystem),
            nodes: HashSet::new(),
            scan: InodeScan::new(),
            laid_out: 0,
            swept: 0,
            reserved_gdt: RunBitmap::new(blocks_count),
            used: RunBitmap::new(blocks_count),
            unknown: RunBitmap::new(blocks_count),
            is_over: false,
            faults: Vec::new(),
            fault_count: 0,
            filesystem,
        }
    }

    /// Does one step and shows each inode in use whose map it came to the end of.
    ///
    /// # Errors
    /// Those of the task.
    pub fn step_with(&mut self, see: &mut dyn FnMut(&Inode, &FileFrag)) -> Result<Step<OwnerMap>> {
        match core::mem::replace(&mut self.state, State::Over) {
            State::Layout => {
                let is_more = self.lay_out();
                let inodes = Vec::new().into_iter();
                self.state =
                    if is_more { State::Layout } else { State::Inodes { inodes, current: None } };
            }
            State::Inodes { inodes, current } => self.walk_inodes(inodes, current, see)?,
            State::Bitmaps(mut sweep) => {
                self.state = match self.sweep(&mut sweep)? {
                    Step::More => State::Bitmaps(sweep),
                    Step::Done(()) => State::Sort(self.claims.unsorted()),
                };
            }
            State::Sort(mut unsorted) => {
                let is_more = self.claims.sort_more(&mut unsorted);
                self.state = if is_more { State::Sort(unsorted) } else { State::Settle };
            }
            State::Settle => {
                let geometry = self.filesystem.geometry();
                self.state = State::Fill(core::mem::take(&mut self.claims).settle(geometry));
            }
            State::Fill(settled) => {
                let geometry = self.filesystem.geometry();
                let mut map = OwnerMap::new(settled, &self.used, &self.unknown, geometry);
                map.faults = core::mem::take(&mut self.faults);
                map.fault_count = self.fault_count;
                return Ok(Step::Done(map));
            }
            State::Over => {
                return Err(Error::new(ErrorKind::Cancelled, "the survey is already over"));
            }
        }
        Ok(Step::More)
    }

    /// Claims what lies where it does whatever the files. False when all groups are done.
    fn lay_out(&mut self) -> bool {
        let fs = self.filesystem.clone();
        if self.laid_out == 0 {
            self.lay_out_start(&fs);
        }
        for _ in 0..ITEMS {
            if self.laid_out >= fs.groups().len() {
                return false;
            }
            self.lay_out_group(&fs, Group::new(self.laid_out));
            self.laid_out = self.laid_out.saturating_add(1);
        }
        true
    }

    /// Claims what belongs to no group.
    fn lay_out_start(&mut self, fs: &F) {
        // No bitmap tells of the blocks ahead of the groups.
        self.used.mark_range(0..fs.geometry().first_data_block().get());
        fixed::of_no_group(&**fs).for_each(|(blocks, owner)| self.claim(blocks, owner));
    }

    fn lay_out_group(&mut self, fs: &F, group: Group) {
        let (fixed, error) = fixed::of_group(&**fs, group);
        for (blocks, owner) in fixed {
            if owner.class == BlockClass::ReservedGdt {
                self.reserved_gdt.mark_range(blocks);
            } else {
                self.claim(blocks, owner);
            }
        }
        if let Some(error) = error {
            self.fault(error);
        }
    }

    /// Walks over maps until a step is full, or reads the next inodes.
    fn walk_inodes(
        &mut self,
        mut inodes: std::vec::IntoIter<Inode>,
        mut current: Option<Box<Current>>,
        see: &mut dyn FnMut(&Inode, &FileFrag),
    ) -> Result<()> {
        let fs = self.filesystem.clone();
        for _ in 0..ITEMS {
            let Some(mut walking) = current.take() else {
                if let Some(inode) = inodes.next() {
                    current = self.start(&fs, inode);
                    continue;
                }
                match self.scan.next_piece(&*fs) {
                    Some(Ok(piece)) => {
                        let all: Vec<Inode> = piece.inodes(&*fs).collect();
                        inodes = all.into_iter();
                    }
                    Some(Err(error)) => self.fault(error),
                    None => {
                        self.claim_reserved_gdt();
                        let options = SweepOptions { inodes: false, ..SweepOptions::default() };
                        self.state = State::Bitmaps(Box::new(Sweep::new(fs, options)?));
                        return Ok(());
                    }
                }
                break;
            };
            match walking.walk.next_item(&*fs) {
                Some(Ok(item)) => {
                    walking.count.add(&item);
                    self.claim_item(&mut walking, &item);
                    current = Some(walking);
                }
                Some(Err(error)) => {
                    self.fault(error);
                    current = Some(walking);
                }
                None => see(&walking.inode, &walking.count.finish()),
            }
        }
        self.state = State::Inodes { inodes, current };
        Ok(())
    }

    /// Claims for their groups the reserved GDT blocks that the resize inode does not own.
    fn claim_reserved_gdt(&mut self) {
        let reserved_gdt = core::mem::take(&mut self.reserved_gdt);
        for blocks in reserved_gdt.set_runs() {
            let group = self.filesystem.geometry().group_from_fsblk(Fsblk::new(blocks.start));
            let owner = group.map_or(Owner::nobody(BlockClass::ReservedGdt), |group| {
                Owner::of_group(BlockClass::ReservedGdt, group)
            });
            self.claim(blocks, owner);
        }
    }

    /// Starts with an inode, if it is in use.
    fn start(&mut self, fs: &F, inode: Inode) -> Option<Box<Current>> {
        if !inode_class::is_in_use(&**fs, &inode) {
            return None;
        }
        let acl = inode.raw.file_acl().get();
        if acl != 0 {
            let owner = Owner::of_inode(BlockClass::Xattr, inode.ino);
            self.claim(acl..acl.saturating_add(1), owner);
        }
        Some(Box::new(Current {
            class: self.classes.of(&inode),
            walk: MapWalk::new(&**fs, &inode),
            count: FragCount::new(fs.geometry(), &inode, self.classes.is_special(inode.ino)),
            inode,
        }))
    }

    fn claim_item(&mut self, current: &mut Current, item: &MapItem) {
        let ino = current.inode.ino;
        match item {
            MapItem::Mapping(mapping) => {
                self.claim_mapped(mapping, Owner::of_inode(current.class, ino));
            }
            MapItem::Node(node) => {
                if !self.nodes.insert(node.fsblk) {
                    current.walk.skip_node();
                    let what = "another file has the same block as a node of its map";
                    self.fault(Error::corrupt(what).at_ino(ino).at_fsblk(node.fsblk));
                }
                let class = inode_class::of_node(ino, node.kind);
                let block = node.fsblk.get();
                self.claim(block..block.saturating_add(1), Owner::of_inode(class, ino));
            }
        }
    }

    /// Claims the part of some blocks that lies in the filesystem.
    fn claim(&mut self, blocks: Range<u64>, owner: Owner) {
        let blocks = self.inside(blocks, owner);
        if let Err(error) = self.claims.add(blocks, owner) {
            self.fault(of_owner(error, owner));
        }
    }

    /// Claims blocks of a file likewise.
    fn claim_mapped(&mut self, mapping: &Mapping, owner: Owner) {
        let blocks = self.inside(mapping.fsblk.get()..mapping.fsblk_end(), owner);
        if let Err(error) = self.claims.add_mapped(blocks, mapping.lblk, owner) {
            self.fault(of_owner(error, owner));
        }
    }

    /// The part of some blocks that lies in the filesystem; the rest is a fault.
    fn inside(&mut self, blocks: Range<u64>, owner: Owner) -> Range<u64> {
        let end = self.filesystem.geometry().blocks_count();
        if blocks.end > end && !blocks.is_empty() {
            let what = format!("{} outside the filesystem", owner.class.name());
            let error = Error::new(ErrorKind::OutOfBounds, what).at_fsblk(Fsblk::new(blocks.start));
            self.fault(of_owner(error, owner));
        }
        let blocks = blocks.start..blocks.end.min(end);
        if owner.ino() == Some(reserved::RESIZE) {
            self.reserved_gdt.unmark_range(blocks.clone());
        }
        blocks
    }

    /// Notes which blocks the bitmaps say are in use.
    fn sweep(&mut self, sweep: &mut Sweep<F>) -> Result<Step<()>> {
        let geometry = *self.filesystem.geometry();
        let (used, unknown) = (&mut self.used, &mut self.unknown);
        // Of a sound filesystem, each run of used blocks has a piece of a file.
        let most = limits::UNCLAIMED_RUNS.saturating_add(self.claims.len() as u64);
        let mut left_out = None;
        let step = sweep.step_with(&mut |swept| {
            let group_blocks = group_blocks(&geometry, swept.group);
            if used.run_count() > most {
                unknown.mark_range(group_blocks);
                left_out = left_out.or(Some(swept.group));
                return;
            }
            let block = |bit: u64| {
                let grpblk = Grpblk::new(u32::try_from(bit).unwrap_or(u32::MAX));
                geometry.fsblk_from_grpblk(swept.group, grpblk).get()
            };
            for run in swept.bits.set_runs() {
                used.mark_range(block(run.start)..block(run.end).min(group_blocks.end));
            }
        })?;
        self.swept = sweep.progress().cur;
        if let Some(group) = left_out.filter(|_| !core::mem::replace(&mut self.is_over, true)) {
            let what = "the bitmaps have too many pieces in use that are no file's to go on";
            // It is about all that follows, so no other faults may crowd it out.
            self.fault_count = self.fault_count.saturating_add(1);
            self.faults.insert(0, Error::new(ErrorKind::Limit, what).at_group(group));
        }
        if let Step::Done(()) = step {
            for (group, stats) in sweep.all_stats() {
                if stats.blocks.state == super::BitmapState::Failed {
                    self.unknown.mark_range(group_blocks(&geometry, group));
                }
            }
            for (kind, _, error) in sweep.failures() {
                if *kind == BitmapKind::Block {
                    self.fault(error.clone());
                }
            }
        }
        Ok(step)
    }

    fn fault(&mut self, error: Error) {
        self.fault_count = self.fault_count.saturating_add(1);
        if self.faults.len() < limits::FAILURES_KEPT {
            self.faults.push(error);
        }
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for Survey<F> {
    type Output = OwnerMap;

    fn step(&mut self) -> Result<Step<OwnerMap>> {
        self.step_with(&mut |_, _| {})
    }

    fn progress(&self) -> Progress {
        let groups = u64::from(self.filesystem.groups().len());
        let done = [u64::from(self.laid_out), u64::from(self.scan.groups_done()), self.swept];
        Progress {
            cur: done.into_iter().fold(0, u64::saturating_add),
            max: groups.saturating_mul(3),
        }
    }
}

/// An error with whose blocks it is about.
fn of_owner(mut error: Error, owner: Owner) -> Error {
    if let Some(ino) = owner.ino() {
        error = error.at_ino(ino);
    }
    if let Some(group) = owner.group() {
        error = error.at_group(group);
    }
    error
}

/// The blocks of a group.
fn group_blocks(geometry: &crate::fs::Geometry, group: Group) -> Range<u64> {
    let first = geometry.group_first_fsblk(group).get();
    first..first.saturating_add(u64::from(geometry.group_blocks(group)))
}
