//! The open image.

use std::rc::Rc;

use extscope::Error;
use extscope::task::Progress;
use extscope::units::{Fsblk, Group, Ino};

use super::{
    Asks, Bytes, Check, DiskPart, Files, Known, LessonBits, Look, Selection, Shrink, Work, Workers,
};
use crate::protocol::{
    BlockDetail, CheckMode, ExtentRow, FormResult, FoundNames, FreeDetail, Geometry, GroupColumns,
    GroupDetail, InfoReport, LabOrder, LabReport, Opened, PlanDetail, RaceOrder, RaceResult,
    RecoveryReport, Request, ShrinkRequest, StepsOrder, StepsReport, SurveyDetail,
};
use crate::text::number;

/// The part of an open image that never changes. `Eq` lets two `Rc` of the same image be compared
/// by address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The file's name.
    pub name: Rc<str>,
    /// What it is.
    pub info: InfoReport,
    /// How its blocks, clusters, groups and inodes lie.
    pub geometry: Geometry,
    /// Its block groups, as their descriptors have them.
    pub groups: Rc<GroupColumns>,
    /// What replaying its journal brought, or why nothing was replayed, where that was asked for.
    pub replay: Option<Result<Box<RecoveryReport>, Error>>,
}

impl Image {
    /// Whether it is shown as after its journal is replayed.
    #[must_use]
    pub fn is_replayed(&self) -> bool {
        matches!(self.replay, Some(Ok(_)))
    }

    /// What a replay of its journal left out, in a sentence; `None` where it left out nothing.
    #[must_use]
    pub fn replay_note(&self) -> Option<String> {
        let report = match self.replay.as_ref()? {
            Err(error) => return Some(format!("The journal is not replayed: {error}")),
            Ok(report) => report,
        };
        let mut left_out: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
        if report.fast_commits > 0 {
            let commits = u64::from(report.fast_commits);
            left_out.push(number::count_of(commits, "fast commit", "fast commits"));
        }
        (!left_out.is_empty()).then(|| format!("Not replayed: {}", left_out.join("; ")))
    }

    /// Whether it has a feature, by e2fsprogs' name.
    #[must_use]
    pub fn has_feature(&self, name: &str) -> bool {
        self.info.features.iter().any(|feature| feature.name == name)
    }

    /// Whether its journal holds changes that are not in place, and not shown either.
    #[must_use]
    pub fn needs_recovery(&self) -> bool {
        self.has_feature("needs_recovery")
    }
}

/// An open image, with what is known of it so far.
#[derive(Clone, Debug)]
pub struct OpenImage {
    /// What never changes.
    pub image: Rc<Image>,
    /// The part of the file that is open, if not the whole.
    pub part: Option<DiskPart>,
    /// How full each group is, as far as that is known.
    pub known: Known,
    /// How the reading of bitmaps stands.
    pub sweep: Sweep,
    /// Whether the person stopped the reading of bitmaps.
    pub is_paused: bool,
    /// What the workers did so far.
    pub workers: Rc<Workers>,
    /// What is selected.
    pub selection: Option<Selection>,
    /// The group that it is in.
    pub detail: Detail,
    /// The inode whose blocks the map looks for.
    pub owner: Option<Box<(Ino, Look)>>,
    /// Directories as far as they were opened, and the file that is looked at.
    pub files: Rc<Files>,
    /// Bytes that were asked for.
    pub bytes: Rc<Bytes>,
    /// The block whose bytes are looked at.
    pub block: Option<(Fsblk, Work<BlockDetail>)>,
    /// The free space.
    pub free: Work<FreeDetail>,
    /// Size in KiB of the chunks whose free ones are counted.
    pub chunk_kib: Option<u64>,
    /// How all files lie, and where the space went.
    pub survey: Work<SurveyDetail>,
    /// The last search for names: what for, and what came of it.
    pub search: Option<(Rc<str>, Work<FoundNames>)>,
    /// Whether the worker has all names, so that a search takes no reading.
    pub has_names: bool,
    /// The check that was asked for last.
    pub check: Option<Rc<Check>>,
    /// How small it can get, and what that takes.
    pub shrink: Rc<Shrink>,
    /// The last race: what it was run on, and what came of it.
    pub race: Option<(LessonBits, Work<RaceResult>)>,
    /// The last measuring of a bitmap's two forms: how many bits were set, and what came of it.
    pub forms: Option<(u8, Work<FormResult>)>,
    /// What was tried last in the lab, and what came of it.
    pub lab: Option<(Box<LabOrder>, Work<LabReport>)>,
    /// What is looked at step by step, and its steps.
    pub steps: Option<(Box<StepsOrder>, Work<StepsReport>)>,
}

/// How the reading of bitmaps stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Sweep {
    /// As [`Known`] says.
    #[default]
    Going,
    /// It cannot go on.
    Failed(Error),
}

/// The selected group.
#[derive(Clone, Debug, Default)]
pub enum Detail {
    /// None is selected.
    #[default]
    None,
    /// The worker was asked.
    Asked(Group),
    /// The worker answered.
    Here(Rc<GroupDetail>),
}

impl PartialEq for Detail {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Asked(a), Self::Asked(b)) => a == b,
            (Self::Here(a), Self::Here(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Detail {
    /// The selected group.
    #[must_use]
    pub fn group(&self) -> Option<Group> {
        match self {
            Self::None => None,
            Self::Asked(group) => Some(*group),
            Self::Here(detail) => Some(detail.group),
        }
    }
}

impl OpenImage {
    pub(super) fn new(name: Rc<str>, part: Option<DiskPart>, opened: Opened) -> Self {
        let Opened { info, geometry, groups, replay, activity } = opened;
        let mut workers = Workers::default();
        workers.at(0).activity = activity;
        let image = Rc::new(Image { name, info, geometry, groups, replay });
        Self {
            known: Known::described(Rc::clone(&image)),
            image,
            part,
            sweep: Sweep::default(),
            is_paused: false,
            workers: Rc::new(workers),
            selection: None,
            owner: None,
            detail: Detail::default(),
            files: Rc::default(),
            bytes: Rc::default(),
            block: None,
            free: Work::Idle,
            chunk_kib: Some(4096),
            survey: Work::Idle,
            search: None,
            has_names: false,
            check: None,
            shrink: Rc::default(),
            race: None,
            forms: None,
            lab: None,
            steps: None,
        }
    }

    /// Selects something, and the group that it is in; what does not exist selects nothing.
    pub(super) fn select(&mut self, selection: Option<&Selection>, asks: &mut Asks) {
        let group = selection.and_then(|selection| selection.group(&self.image.geometry));
        let group = group.filter(|&group| self.image.groups.row(group).is_some());
        self.selection = selection.filter(|_| group.is_some()).cloned();
        if let Some(Selection::Inode(ino)) = self.selection
            && self.owner.as_ref().is_none_or(|owner| owner.0 != ino)
        {
            self.owner = Some(Box::new((ino, Look::Asked)));
            asks.push(Request::Look { ino });
        }
        if group != self.detail.group() {
            self.detail = group.map_or(Detail::None, Detail::Asked);
        }
    }

    /// The block that a byte of the image is in.
    pub(super) fn block_of_byte(&self, byte: u64) -> Fsblk {
        Fsblk::new(byte / u64::from(self.image.geometry.block_size()))
    }

    /// Looks at the bytes of a block; of the first with a superblock where none is named.
    pub(super) fn look_at_block(&mut self, fsblk: Option<Fsblk>, asks: &mut Asks) {
        let first = u64::from(self.image.geometry.block_size() == 1024);
        let fsblk = fsblk.unwrap_or(Fsblk::new(first));
        if self.block.as_ref().is_none_or(|(known, _)| *known != fsblk) {
            self.block = Some((fsblk, Work::Going(Progress::default())));
            asks.push(Request::Block { fsblk });
        }
    }

    /// Looks for files by a part of their names.
    pub(super) fn find(&mut self, text: String, asks: &mut Asks) {
        self.search = Some((text.as_str().into(), Work::Going(Progress::default())));
        asks.push(Request::Find { text });
    }

    /// Takes over what a search found, unless something else is looked for meanwhile.
    pub(super) fn found(&mut self, text: &str, found: Result<Box<FoundNames>, Error>) {
        self.has_names |= found.is_ok();
        if let Some((_, work)) = self.search.as_mut().filter(|search| *search.0 == *text) {
            work.end(found);
        }
    }

    /// Goes through the block bitmaps for what is free.
    pub(super) fn ask_free(&mut self, chunk_kib: Option<u64>, asks: &mut Asks) {
        self.chunk_kib = chunk_kib;
        self.free = Work::Going(Progress::default());
        asks.push(Request::Free { chunk_kib });
    }

    /// Takes in what there is to say of a file, if its blocks are looked for.
    pub(super) fn found_owner(&mut self, ino: Ino, look: &Look, asks: &mut Asks) {
        let Some(owner) = self.owner.as_mut().filter(|owner| owner.0 == ino) else { return };
        owner.1 = look.clone();
        if let Look::Here(detail) = look {
            let blocks = |row: ExtentRow| (row.fsblk, row.fsblk.saturating_add(row.len.into()));
            asks.push(Request::MapExtents(detail.extents.rows().map(blocks).collect()));
        }
    }

    /// Races all ways to find free inodes.
    pub(super) fn ask_race(&mut self, on: LessonBits, order: Box<RaceOrder>, asks: &mut Asks) {
        self.race = Some((on, Work::Going(Progress::default())));
        asks.push(Request::Race(Some(order)));
    }

    /// Stops a race.
    pub(super) fn stop_race(&mut self, asks: &mut Asks) {
        self.race = None;
        asks.push(Request::Race(None));
    }

    /// Measures a bitmap's two forms, or stops that.
    pub(super) fn ask_forms(&mut self, percent: Option<u8>, asks: &mut Asks) {
        self.forms = percent.map(|percent| (percent, Work::Going(Progress::default())));
        asks.push(Request::Weigh(percent));
    }

    /// Tries something in the lab, unless it is what was tried last.
    pub(super) fn ask_lab(&mut self, order: Box<LabOrder>, asks: &mut Asks) {
        if is_begun(&mut self.lab, &order) {
            asks.push(Request::Try(order));
        }
    }

    /// Takes in what came of something tried, unless something else is tried by now.
    pub(super) fn tried(&mut self, order: &LabOrder, report: Result<Box<LabReport>, Error>) {
        end(&mut self.lab, order, report);
    }

    /// Has something told step by step, unless it was last.
    pub(super) fn ask_steps(&mut self, order: Box<StepsOrder>, asks: &mut Asks) {
        if is_begun(&mut self.steps, &order) {
            asks.push(Request::Steps(order));
        }
    }

    /// Takes in the steps of something, unless something else is looked at by now.
    pub(super) fn told(&mut self, order: &StepsOrder, report: Result<Box<StepsReport>, Error>) {
        end(&mut self.steps, order, report);
    }

    /// Checks the filesystem so far, or stops that and keeps what was found.
    pub(super) fn ask_check(&mut self, mode: Option<CheckMode>, asks: &mut Asks) {
        let before = self.check.as_ref().map_or(0, |check| check.run);
        let run = if mode.is_some() { before.wrapping_add(1) } else { before };
        match mode {
            Some(mode) => self.check = Some(Rc::new(Check::new(run, mode))),
            None => {
                if let Some(check) = &mut self.check {
                    Rc::make_mut(check).stop();
                }
            }
        }
        asks.push(Request::Check { run, mode });
    }

    /// How far the check went that is over.
    #[must_use]
    pub fn checked(&self) -> Option<CheckMode> {
        self.check.as_ref().filter(|check| check.outcome().is_some()).map(|check| check.mode)
    }

    /// The shrink that is planned, where it comes to one.
    #[must_use]
    pub fn planned(&self) -> Option<ShrinkRequest> {
        let comes_to_one = |plan: &Rc<PlanDetail>| plan.changes.is_some();
        self.shrink.planned.filter(|_| self.shrink.plan.as_ref().is_some_and(comes_to_one))
    }

    /// Takes over the answer about a group, unless another was selected meanwhile.
    pub(super) fn inspected(&mut self, detail: GroupDetail) {
        if self.detail == Detail::Asked(detail.group) {
            self.detail = Detail::Here(Rc::new(detail));
        }
    }
}

fn is_same<T>(a: Option<&Rc<T>>, b: Option<&Rc<T>>) -> bool {
    a.map(Rc::as_ptr) == b.map(Rc::as_ptr)
}

/// Big parts are compared by address: they are replaced, never changed, once a view has them.
impl PartialEq for OpenImage {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.image, &other.image)
            && self.part == other.part
            && self.known == other.known
            && self.is_paused == other.is_paused
            && Rc::ptr_eq(&self.workers, &other.workers)
            && self.sweep == other.sweep
            && self.selection == other.selection
            && self.owner == other.owner
            && self.detail == other.detail
            && Rc::ptr_eq(&self.files, &other.files)
            && Rc::ptr_eq(&self.bytes, &other.bytes)
            && self.block == other.block
            && self.free == other.free
            && self.chunk_kib == other.chunk_kib
            && self.survey == other.survey
            && self.search == other.search
            && self.has_names == other.has_names
            && is_same(self.check.as_ref(), other.check.as_ref())
            && Rc::ptr_eq(&self.shrink, &other.shrink)
            && self.race == other.race
            && self.forms == other.forms
            && self.lab == other.lab
            && self.steps == other.steps
    }
}

/// An order, and what came of it so far.
type Ordered<O, T> = Option<(Box<O>, Work<T>)>;

/// Begins with an order, unless it is the last one; whether it began.
fn is_begun<O: Clone + PartialEq, T>(last: &mut Ordered<O, T>, order: &O) -> bool {
    let is_new = last.as_ref().is_none_or(|(known, _)| **known != *order);
    if is_new {
        *last = Some((Box::new(order.clone()), Work::Going(Progress::default())));
    }
    is_new
}

/// Takes in what came of an order, unless there is another by now.
fn end<O: PartialEq, T>(last: &mut Ordered<O, T>, order: &O, report: Result<Box<T>, Error>) {
    if let Some((_, work)) = last.as_mut().filter(|(known, _)| **known == *order) {
        work.end(report);
    }
}
