//! The plan of a shrink, worked out phase by phase in the order of the tool. Ref: `resize_fs`.

use core::ops::{Deref, Range};

use super::cluster_map::ClusterMap;
use super::dirents::{EntryChange, Renumbered, entry_changes};
use super::extent::Early;
use super::group_phase::GroupPhase;
use super::inodes::{InodePass, is_passed};
use super::itables::ItableMove;
use super::plan::{BitmapMove, Changes, Counts, Plan};
use super::refusal::refusals;
use super::size::stride;
use super::soundness::{bad_itable, untrusted_bitmap};
use super::summary::Totals;
use super::touched::Touched;
use super::work::Work;
use super::{Failure, Frame, Request, minimum};
use crate::analysis::{Sweep, SweepOptions};
use crate::bitmap::BitsMut as _;
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{BitmapKind, CsumState, Filesystem, Inode, InodeScan};
use crate::io::ByteSource;
use crate::ondisk::features::{Compat, Incompat};
use crate::ondisk::reserved;
use crate::task::{Progress, Step, Task};
use crate::units::{Group, Ino};

/// Groups a step.
const GROUPS: u32 = 2048;

/// Inodes a step.
const INODES: usize = 2048;

/// Directories a step.
const DIRS: usize = 64;

/// Works out the plan. Progress counts groups, for each phase that goes over all of them.
///
/// What the tool refuses, or fails at, is no error: the plan says so.
///
/// # Errors
/// Those of [`Frame::of`]; those of reading bitmaps, inodes and directories;
/// [`ErrorKind::Corrupt`] where a file that must move makes no sense, so that nobody can say what
/// the tool makes of it.
#[derive(Debug)]
pub struct ShrinkPlan<F> {
    fs: F,
    request: Request,
    state: State<F>,
    progress: Progress,
}

#[derive(Debug)]
enum State<F> {
    Start,
    Bitmaps(Box<Sweep<F>>, Box<Running>),
    Groups(GroupPhase, u32, Box<Running>),
    Destinations(Box<Running>),
    Inodes(std::vec::IntoIter<Inode>, Box<Running>),
    Entries(std::vec::IntoIter<Ino>, Renumbered, Box<Running>),
    Itables(Box<Running>),
    Finish(Box<Running>),
    Over,
}

/// What a plan that is being worked out has come to.
#[derive(Debug)]
struct Running {
    plan: Plan,
    work: Work,
    scan: InodeScan,
    pass: InodePass,
    totals: Totals,
    entries: Vec<EntryChange>,
    dirs_scanned: u64,
    itable_moves: Vec<ItableMove>,
    freed_descriptors: Vec<Range<u64>>,
    dropped_bad: u64,
    /// The first group whose inode table does not lie in the filesystem, and its place.
    bad_itable: Option<(Group, u64)>,
    /// Whether the scan has come to where checksums of inodes no longer count.
    ignores_csums: bool,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> ShrinkPlan<F> {
    /// Nothing is read yet.
    pub fn new(fs: F, request: Request) -> Self {
        /// The phases over groups, reading bitmaps and inodes among them.
        const PHASES: u64 = 10;
        let groups = u64::from(fs.groups().len());
        let progress = Progress { cur: 0, max: groups.saturating_mul(PHASES) };
        Self { fs, request, state: State::Start, progress }
    }

    /// Looks for reasons not to begin.
    fn start(&mut self) -> Result<Step<Plan>> {
        let frame = Frame::of(&*self.fs)?;
        let minimum = minimum(&frame);
        let (sizes, refusals) = refusals(&*self.fs, &frame, &minimum, self.request);
        let request = self.request;
        let mut plan = Plan { request, minimum, sizes, refusals, failure: None, changes: None };
        if !plan.refusals.is_empty() {
            return Ok(Step::Done(plan));
        }
        let Some(blocks) = plan.sizes.blocks else {
            plan.failure = Some(Failure::TooSmall);
            return Ok(Step::Done(plan));
        };
        let stride = stride(&frame);
        let work = Work::new(frame, blocks, stride, request.like)?;
        let running = Running {
            plan,
            work,
            scan: InodeScan::new(),
            pass: InodePass::default(),
            totals: Totals::default(),
            entries: Vec::new(),
            dirs_scanned: 0,
            itable_moves: Vec::new(),
            freed_descriptors: Vec::new(),
            dropped_bad: 0,
            bad_itable: None,
            ignores_csums: false,
        };
        let options = SweepOptions { figures: false, ..SweepOptions::default() };
        let sweep = Sweep::new(self.fs.clone(), options)?;
        self.state = State::Bitmaps(Box::new(sweep), Box::new(running));
        Ok(Step::More)
    }

    /// Reads bitmaps into the old map.
    fn read_bitmaps(
        &mut self,
        mut sweep: Box<Sweep<F>>,
        mut running: Box<Running>,
    ) -> Result<Step<Plan>> {
        let mut failure = None;
        let fs = self.fs.clone();
        let done = sweep.step_with(&mut |swept| {
            failure = failure.or_else(|| untrusted_bitmap(&*fs, &swept));
            failure = failure.or_else(|| running.work.load(&swept));
        })?;
        if failure.is_some() {
            running.plan.failure = failure;
            return Ok(Step::Done(running.plan));
        }
        self.progress.cur = sweep.progress().cur;
        if done == Step::More {
            self.state = State::Bitmaps(sweep, running);
            return Ok(Step::More);
        }
        // What lies outside reads as zeros; what cannot be read ends the tool.
        let outside = |kind: BitmapKind, group: Group| {
            self.fs
                .group(group)
                .is_ok_and(|entry| !self.fs.geometry().contains(kind.place(&entry.desc)))
        };
        if let Some((_, _, error)) =
            sweep.failures().iter().find(|(kind, group, _)| !outside(*kind, *group))
        {
            return Err(error.clone());
        }
        self.state = State::Groups(GroupPhase::OldUninit, 0, running);
        Ok(Step::More)
    }

    /// Goes over some groups.
    fn groups(
        &mut self,
        phase: GroupPhase,
        from: u32,
        mut running: Box<Running>,
    ) -> Result<Step<Plan>, Early> {
        let work = &mut running.work;
        let (first, end) = phase.groups(work);
        let at = from.max(first);
        let to = at.saturating_add(GROUPS).min(end);
        if at < to {
            phase.step(work, at..to, &mut running.totals).map_err(Early::Failure)?;
            let done = u64::from(to.saturating_sub(at));
            self.progress.cur = self.progress.cur.saturating_add(done).min(self.progress.max);
        }
        if to < end {
            self.state = State::Groups(phase, to, running);
            return Ok(Step::More);
        }
        self.state = match phase {
            GroupPhase::OldUninit => {
                work.cut_map();
                State::Groups(GroupPhase::DropGroups, 0, running)
            }
            GroupPhase::DropGroups => {
                work.check_inodes().map_err(Early::Failure)?;
                State::Groups(GroupPhase::NewUninit, 0, running)
            }
            GroupPhase::NewUninit => {
                work.init_last_group();
                State::Groups(GroupPhase::Metadata, 0, running)
            }
            GroupPhase::Metadata => {
                work.check_metadata().map_err(Early::Error)?;
                State::Groups(GroupPhase::Replace, 0, running)
            }
            GroupPhase::Replace => State::Groups(GroupPhase::Moving, 0, running),
            GroupPhase::Moving => {
                work.make_room_for_backup().map_err(Early::Failure)?;
                running.freed_descriptors = work.release_descriptors();
                State::Destinations(running)
            }
            GroupPhase::CountFree => {
                work.set_totals(running.totals);
                State::Groups(GroupPhase::Flags, 0, running)
            }
            GroupPhase::Flags => State::Finish(running),
        };
        Ok(Step::More)
    }

    /// Finds a place for all that moves.
    fn destinations(&mut self, mut running: Box<Running>) -> Result<Step<Plan>, Early> {
        running.bad_itable = bad_itable(&running.work.old);
        running.check_itable(Group::new(0)).map_err(Early::Failure)?;
        let bad = self.bad_blocks(&mut running.work)?;
        running.dropped_bad = running.work.find_destinations(&bad).map_err(Early::Failure)?;
        let blocks = self.fs.image_len() >> self.fs.geometry().block_size().trailing_zeros();
        running.work.check_sources(blocks).map_err(Early::Failure)?;
        self.state = if running.work.needs_inode_pass() {
            State::Inodes(Vec::new().into_iter(), running)
        } else {
            State::Itables(running)
        };
        Ok(Step::More)
    }

    /// Clusters whose first block is known as bad.
    fn bad_blocks(&self, work: &mut Work) -> Result<ClusterMap, Early> {
        let mut bad = work.old_map.cleared();
        let inode = self.fs.inode(reserved::BAD).map_err(Early::Error)?;
        if inode.csum == CsumState::Bad {
            let failure = Failure::InodeChecksum { ino: inode.ino, is_late: false };
            return Err(Early::Failure(failure));
        }
        let blocks = work.read_map(&*self.fs, &inode)?;
        let per_cluster = bad.blocks_per_cluster();
        for extent in &blocks.extents {
            let end = extent.fsblk.saturating_add(extent.len);
            let clusters = extent.fsblk.div_ceil(per_cluster)..end.div_ceil(per_cluster);
            bad.bits_mut().mark_range(clusters);
        }
        Ok(bad)
    }

    /// Looks at some inodes.
    fn inodes(
        &mut self,
        mut inodes: std::vec::IntoIter<Inode>,
        mut running: Box<Running>,
    ) -> Result<Step<Plan>, Early> {
        for _ in 0..INODES {
            if let Some(inode) = inodes.next() {
                running.pass_inode(&*self.fs, &inode)?;
                continue;
            }
            let before = running.scan.groups_done();
            match running.scan.next_piece(&*self.fs) {
                Some(piece) => {
                    let group = Group::new(before.max(running.scan.groups_done()));
                    running.check_itable(group).map_err(Early::Failure)?;
                    let piece = piece.map_err(Early::Error)?;
                    let all: Vec<Inode> = piece.inodes(&*self.fs).collect();
                    inodes = all.into_iter();
                    let done = running.scan.groups_done().saturating_sub(before);
                    let cur = self.progress.cur.saturating_add(u64::from(done));
                    self.progress.cur = cur.min(self.progress.max);
                    break;
                }
                None => {
                    let last = running.work.old.group_count();
                    running.check_itable(Group::new(last)).map_err(Early::Failure)?;
                    let renumbered = Renumbered::new(&running.pass.inode_moves);
                    let dirs = core::mem::take(&mut running.pass.dirs);
                    let dirs = if running.pass.inode_moves.is_empty() { Vec::new() } else { dirs };
                    running.dirs_scanned = u64::try_from(dirs.len()).unwrap_or(u64::MAX);
                    self.state = State::Entries(dirs.into_iter(), renumbered, running);
                    return Ok(Step::More);
                }
            }
        }
        self.state = State::Inodes(inodes, running);
        Ok(Step::More)
    }

    /// Looks through some directories.
    fn entries(
        &mut self,
        mut dirs: std::vec::IntoIter<Ino>,
        renumbered: Renumbered,
        mut running: Box<Running>,
    ) -> Result<Step<Plan>, Early> {
        for _ in 0..DIRS {
            let Some(dir) = dirs.next() else {
                self.state = State::Itables(running);
                return Ok(Step::More);
            };
            let changes = entry_changes(&*self.fs, dir, &renumbered, &mut running.entries);
            changes.map_err(|error| Early::of(error, Failure::BrokenDirectory { ino: dir }))?;
        }
        self.state = State::Entries(dirs, renumbered, running);
        Ok(Step::More)
    }

    /// Puts the plan together.
    fn finish(&mut self, mut running: Box<Running>) -> Result<Step<Plan>> {
        running.work.clear_uninit_inodes();
        running.plan.failure = self.last_reads(&running)?;
        self.rebuild_resize_inode(&mut running)?;
        let Running { mut plan, work, pass, entries, dirs_scanned, .. } = *running;
        let block_map = work.final_map();
        if work.new.has_incompat(Incompat::MMP) {
            let s_mmp_block = work.new.superblock.s_mmp_block.get();
            if !work.is_inside(s_mmp_block) {
                plan.failure = plan.failure.or(Some(Failure::MmpBlock { s_mmp_block }));
            }
        }
        plan.changes = Some(Box::new(Changes {
            bitmap_moves: bitmap_moves(&work),
            old: work.old,
            new: work.new,
            old_map: work.old_map,
            block_map,
            old_inodes: work.old_inodes,
            inode_map: work.inode_map,
            relocations: work.relocations.runs().to_vec(),
            owned: pass.owned,
            inode_moves: pass.inode_moves,
            entries,
            itable_moves: running.itable_moves,
            new_nodes: pass.new_nodes,
            touched: pass.touched,
            dirs_moved: pass.dirs_moved,
            freed_descriptors: running.freed_descriptors,
            dropped_bad: running.dropped_bad,
            leaked_blocks: work.leaked_blocks,
            desperate: work.destinations.is_desperate,
            counts: Counts {
                inodes_scanned: pass.scanned,
                nodes_read: pass.nodes_read,
                pointers: pass.pointers,
                dirs_scanned,
            },
        }));
        self.progress.cur = self.progress.max;
        Ok(Step::Done(plan))
    }

    /// The inodes that the tool reads at the end, for whose sake it may fail.
    fn last_reads(&self, running: &Running) -> Result<Option<Failure>> {
        let Running { work, pass, .. } = running;
        let checksum = |inode: &Inode| {
            let touched = &pass.touched;
            let is_rewritten = touched.iter().any(|touched| touched.old_ino == inode.ino);
            let is_wrong = inode.csum == CsumState::Bad && !is_rewritten;
            is_wrong.then_some(Failure::InodeChecksum { ino: inode.ino, is_late: true })
        };
        if work.new.has_compat(Compat::RESIZE_INODE) {
            let inode = self.fs.inode(reserved::RESIZE)?;
            let is_empty = double_indirect(&inode) == 0;
            let failure = checksum(&inode).or(is_empty.then_some(Failure::EmptyResizeInode));
            if failure.is_some() {
                return Ok(failure);
            }
        }
        let s_journal_inum = work.new.superblock.s_journal_inum.get();
        let is_elsewhere = work.new.superblock.s_journal_dev.get() != 0 && s_journal_inum == 0;
        if !work.new.has_compat(Compat::HAS_JOURNAL) || is_elsewhere {
            return Ok(None);
        }
        if !(1..=work.new.superblock.s_inodes_count.get()).contains(&s_journal_inum) {
            return Ok(Some(Failure::NoJournalInode { s_journal_inum }));
        }
        Ok(checksum(&self.fs.inode(Ino::new(s_journal_inum))?))
    }

    /// The resize inode is emptied and built anew, whatever it was.
    fn rebuild_resize_inode(&self, running: &mut Running) -> Result<()> {
        let Running { work, pass, .. } = running;
        if !work.new.has_compat(Compat::RESIZE_INODE) {
            return Ok(());
        }
        let inode = self.fs.inode(reserved::RESIZE)?;
        let dind = double_indirect(&inode);
        let dind = work.relocations.target(dind).unwrap_or(dind);
        let Some((after, i_blocks)) = work.resize_inode(dind) else {
            return Ok(());
        };
        let known = pass.touched.iter().position(|touched| touched.old_ino == reserved::RESIZE);
        if let Some(touched) = known.and_then(|at| pass.touched.get_mut(at)) {
            (touched.after, touched.i_blocks) = (after, i_blocks);
            return Ok(());
        }
        let before = work.file_map(&*self.fs, &inode);
        let at = pass.touched.partition_point(|touched| touched.old_ino < reserved::RESIZE);
        let ino = reserved::RESIZE;
        let acl = inode.raw.file_acl().get();
        pass.touched
            .insert(at, Touched { old_ino: ino, new_ino: ino, acl, i_blocks, before, after });
        Ok(())
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for ShrinkPlan<F> {
    type Output = Plan;

    fn step(&mut self) -> Result<Step<Plan>> {
        let state = core::mem::replace(&mut self.state, State::Over);
        // A failure of the tool needs the plan that its phase consumed.
        let outline = match &state {
            State::Groups(_, _, running)
            | State::Destinations(running)
            | State::Inodes(_, running)
            | State::Entries(_, _, running) => Some(running.plan.clone()),
            _ => None,
        };
        let step = match state {
            State::Start => return self.start(),
            State::Bitmaps(sweep, running) => return self.read_bitmaps(sweep, running),
            State::Groups(phase, at, running) => self.groups(phase, at, running),
            State::Destinations(running) => self.destinations(running),
            State::Inodes(inodes, running) => self.inodes(inodes, running),
            State::Entries(dirs, renumbered, running) => self.entries(dirs, renumbered, running),
            State::Itables(mut running) => {
                running.itable_moves = running.work.move_itables();
                self.state = State::Groups(GroupPhase::CountFree, 0, running);
                return Ok(Step::More);
            }
            State::Finish(running) => return self.finish(running),
            State::Over => {
                return Err(Error::new(ErrorKind::Cancelled, "the plan is already over"));
            }
        };
        match (step, outline) {
            (Err(Early::Failure(failure)), Some(plan)) => {
                Ok(Step::Done(Plan { failure: Some(failure), ..plan }))
            }
            (Err(Early::Error(error)), _) => Err(error),
            (Err(Early::Failure(_)), None) => {
                Err(Error::new(ErrorKind::Cancelled, "the plan is already over"))
            }
            (Ok(step), _) => Ok(step),
        }
    }

    fn progress(&self) -> Progress {
        self.progress
    }
}

impl Running {
    /// Looks at an inode. Checksums count only up to the first one in use.
    fn pass_inode<S: ByteSource>(
        &mut self,
        fs: &Filesystem<S>,
        inode: &Inode,
    ) -> Result<(), Early> {
        if !self.ignores_csums && inode.csum == CsumState::Bad {
            let failure = Failure::InodeChecksum { ino: inode.ino, is_late: false };
            return Err(Early::Failure(failure));
        }
        self.ignores_csums |= is_passed(inode);
        self.work.pass_inode(fs, inode, &mut self.pass)
    }

    /// Fails when the scan has come to a table that does not lie in the filesystem.
    fn check_itable(&self, group: Group) -> Result<(), Failure> {
        match self.bad_itable {
            Some((bad, inode_table)) if bad <= group => {
                Err(Failure::ItablePlace { group: bad, inode_table })
            }
            _ => Ok(()),
        }
    }
}

/// The block of an inode that leads to the indirect ones.
fn double_indirect(inode: &Inode) -> u64 {
    inode.raw.block_numbers().nth(13).map_or(0, u64::from)
}

/// Bitmaps that get another place.
fn bitmap_moves(work: &Work) -> Vec<BitmapMove> {
    let pairs = (0..).map(Group::new).zip(work.old.groups.iter().zip(&work.new.groups));
    pairs
        .flat_map(|(group, (old, new))| {
            [
                (false, old.block_bitmap, new.block_bitmap),
                (true, old.inode_bitmap, new.inode_bitmap),
            ]
            .map(|(of_inodes, from, to)| BitmapMove {
                group,
                of_inodes,
                from: from.get(),
                to: to.get(),
            })
        })
        .filter(|bitmap| bitmap.from != bitmap.to)
        .collect()
}
