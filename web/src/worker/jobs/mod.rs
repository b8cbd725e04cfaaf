//! Work that a question starts, beside the sweep and ahead of it.
//!
//! *Belongs here:* what takes many reads, a step at a time. *Does not:* what is answered at once.

mod checking;
mod exporting;
mod finding;
mod free;
mod listing;
mod looking;
mod planning;
mod racing;
mod sizing;
mod surveying;
mod telling;
mod trying;
mod weighing;

use core::ops::Range;
use std::collections::VecDeque;
use std::rc::Rc;

use extscope::Error;
use extscope::analysis::{Inventory, Names};
use extscope::check::{CheckOptions, Mode};
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::resize::{Like, Request as ShrinkRequest};
use extscope::units::Ino;
use extscope_picture::Shrunk;

use self::checking::Checking;
use self::exporting::Exporting;
use self::finding::Finding;
use self::free::Free;
use self::listing::Listing;
use self::looking::Looking;
use self::planning::Planning;
use self::racing::Racing;
use self::sizing::Sizing;
use self::surveying::Surveying;
use self::telling::Telling;
use self::trying::Trying;
use self::weighing::Weighing;
use super::Vitals;
use crate::protocol::{DirPart, Export, ExportPlace, LabOrder, RaceOrder, Reply, StepsOrder};

/// The jobs at hand. They take turns, so that a long one keeps no short one waiting.
#[derive(Debug)]
pub(super) struct Jobs<S> {
    waiting: VecDeque<Job<S>>,
    /// All names, once they were read for a search.
    names: Option<Rc<Names>>,
    /// What is being made, while the page does not ask for its next piece.
    resting: Option<Box<Exporting>>,
    /// What the survey found, once it was asked for and is over.
    pub(super) inventory: Option<Rc<Inventory>>,
    /// The check that is over, and the blocks that it complains of.
    pub(super) checked: Option<(Mode, Vec<Range<u64>>)>,
    /// The shrink that was planned last, where it comes to one.
    pub(super) planned: Option<(ShrinkRequest, Shrunk)>,
}

impl<S> Default for Jobs<S> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            names: None,
            resting: None,
            inventory: None,
            checked: None,
            planned: None,
        }
    }
}

#[derive(Debug)]
enum Job<S> {
    List(Box<Listing>),
    Look(Box<Looking>),
    Free(Box<Free<Rc<Filesystem<S>>>>),
    Survey(Box<Surveying<Rc<Filesystem<S>>>>),
    Find(Box<Finding<Rc<Filesystem<S>>>>),
    Export(Box<Exporting>),
    Check(Box<Checking<S>>),
    Sizes(Box<Sizing<Rc<Filesystem<S>>>>),
    Plan(Box<Planning<Rc<Filesystem<S>>>>),
    Race(Box<Racing>),
    Tell(Box<Telling<S>>),
    Try(Box<Trying<S>>),
    Weigh(Box<Weighing>),
}

/// What a step of a job leads to.
enum Stepped {
    /// Another step, after this was told.
    More(Option<Reply>),
    /// The end.
    Over(Reply),
}

impl<S: ByteSource + Clone + 'static> Jobs<S> {
    /// Lists a directory.
    pub(super) fn list(&mut self, fs: &Filesystem<S>, dir: Ino) -> Option<Reply> {
        match Listing::new(fs, dir) {
            Ok(listing) => {
                self.waiting.push_back(Job::List(Box::new(listing)));
                None
            }
            Err(error) => Some(Reply::Listed(DirPart {
                dir,
                rows: Vec::new(),
                faults: vec![error],
                is_last: true,
                is_cut: false,
            })),
        }
    }

    /// Looks at a file, and at no other any more: only one is shown.
    pub(super) fn look(&mut self, fs: &Filesystem<S>, ino: Ino) -> Option<Reply> {
        self.waiting.retain(|job| !matches!(job, Job::Look(_)));
        match Looking::new(fs, ino) {
            Ok(looking) => {
                self.waiting.push_back(Job::Look(Box::new(looking)));
                None
            }
            Err(error) => Some(Reply::NotLooked { ino, error }),
        }
    }

    /// Goes through all block bitmaps for what is free, and not for what was asked before.
    pub(super) fn free(&mut self, fs: &Rc<Filesystem<S>>, chunk_kib: Option<u64>) -> Option<Reply> {
        self.waiting.retain(|job| !matches!(job, Job::Free(_)));
        match Free::new(Rc::clone(fs), chunk_kib) {
            Ok(free) => {
                self.waiting.push_back(Job::Free(Box::new(free)));
                None
            }
            Err(error) => Some(Reply::Free { chunk_kib, free: Err(error) }),
        }
    }

    /// Goes through all inodes, or stops that.
    pub(super) fn survey(&mut self, fs: &Rc<Filesystem<S>>, is_wanted: bool) {
        self.waiting.retain(|job| !matches!(job, Job::Survey(_)));
        if is_wanted {
            self.waiting.push_back(Job::Survey(Box::new(Surveying::new(Rc::clone(fs)))));
        }
    }

    /// Finds files by a part of their names, and no longer by what was looked for before.
    pub(super) fn find(&mut self, fs: &Rc<Filesystem<S>>, text: String) -> Option<Reply> {
        if let Some(names) = self.names() {
            let found = Ok(Box::new(finding::find(names, &text)));
            return Some(Reply::Found { text, found });
        }
        let going = self.waiting.iter_mut().find_map(|job| match job {
            Job::Find(finding) => Some(finding),
            _ => None,
        });
        match going {
            Some(finding) => finding.look_for(text),
            None => {
                let finding = Finding::new(Rc::clone(fs), text);
                self.waiting.push_back(Job::Find(Box::new(finding)));
            }
        }
        None
    }

    /// All names, if they were read.
    fn names(&self) -> Option<&Names> {
        let surveyed = self.inventory.as_ref().map(|it| &it.names);
        surveyed.or(self.names.as_deref())
    }

    /// Makes the next piece of something: its first, or what follows the piece before.
    pub(super) fn export(
        &mut self,
        fs: &Rc<Filesystem<S>>,
        export: Export,
        place: ExportPlace,
    ) -> Option<Reply> {
        let resting = self.resting.take().filter(|resting| resting.place() == place);
        let exporting = match resting {
            Some(resting) => Ok(resting),
            None => {
                self.stop_export();
                Exporting::new(fs, self.inventory.as_ref(), export, place).map(Box::new)
            }
        };
        match exporting {
            Ok(exporting) => {
                self.waiting.push_back(Job::Export(exporting));
                None
            }
            Err(error) => Some(Reply::Exported { place, part: Err(error) }),
        }
    }

    /// Gives up what is being made.
    pub(super) fn stop_export(&mut self) {
        self.resting = None;
        self.waiting.retain(|job| !matches!(job, Job::Export(_)));
    }

    /// Checks the filesystem, and no longer as was asked for before; or stops that.
    pub(super) fn check(
        &mut self,
        fs: &Filesystem<S>,
        run: u32,
        mode: Option<Mode>,
        is_replayed: bool,
        vitals: Vitals,
    ) {
        self.waiting.retain(|job| !matches!(job, Job::Check(_)));
        if let Some(mode) = mode {
            let options =
                CheckOptions { mode, now: vitals.time, is_replayed, ..CheckOptions::default() };
            let checking = Checking::new(fs, run, options, vitals.now);
            self.waiting.push_back(Job::Check(Box::new(checking)));
        }
    }

    /// Looks for the sizes that shrinks come to, or stops that.
    pub(super) fn sizes(&mut self, fs: &Rc<Filesystem<S>>, like: Option<Like>) {
        self.waiting.retain(|job| !matches!(job, Job::Sizes(_)));
        if let Some(like) = like {
            self.waiting.push_back(Job::Sizes(Box::new(Sizing::new(Rc::clone(fs), like))));
        }
    }

    /// Plans a shrink, and not the one that was asked for before; or stops that.
    pub(super) fn plan(&mut self, fs: &Rc<Filesystem<S>>, request: Option<ShrinkRequest>) {
        self.waiting.retain(|job| !matches!(job, Job::Plan(_)));
        if let Some(request) = request {
            self.waiting.push_back(Job::Plan(Box::new(Planning::new(Rc::clone(fs), request))));
        }
    }

    /// Races all ways to find free inodes, and not in what was asked before; or stops that.
    pub(super) fn race(&mut self, order: Option<&RaceOrder>) -> Option<Reply> {
        self.waiting.retain(|job| !matches!(job, Job::Race(_)));
        match order.map(Racing::new).transpose() {
            Ok(race) => {
                self.waiting.extend(race.map(|race| Job::Race(Box::new(race))));
                None
            }
            Err(error) => Some(Reply::Raced(Err(error))),
        }
    }

    /// Measures a bitmap's two forms, and not as was asked for before; or stops that.
    pub(super) fn weigh(&mut self, percent: Option<u8>) {
        self.waiting.retain(|job| !matches!(job, Job::Weigh(_)));
        self.waiting.extend(percent.map(|percent| Job::Weigh(Box::new(Weighing::new(percent)))));
    }

    /// Tries something in the lab, and no longer what was asked for before.
    pub(super) fn try_out(
        &mut self,
        fs: &Filesystem<S>,
        order: LabOrder,
        vitals: Vitals,
    ) -> Option<Reply> {
        self.waiting.retain(|job| !matches!(job, Job::Try(_)));
        match Trying::new(fs, order.clone(), vitals) {
            Ok(trying) => {
                self.waiting.push_back(Job::Try(Box::new(trying)));
                None
            }
            Err(error) => Some(Reply::Tried { order: Box::new(order), report: Err(error) }),
        }
    }

    /// Tells something step by step, and no longer what was asked for before.
    pub(super) fn tell(
        &mut self,
        fs: &Rc<Filesystem<S>>,
        order: StepsOrder,
        vitals: Vitals,
    ) -> Option<Reply> {
        self.waiting.retain(|job| !matches!(job, Job::Tell(_)));
        match Telling::new(fs, order.clone(), vitals) {
            Ok(telling) => {
                self.waiting.push_back(Job::Tell(Box::new(telling)));
                None
            }
            Err(error) => Some(Reply::Steps { order: Box::new(order), report: Err(error) }),
        }
    }

    /// Whether there is any.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Does a step of the job whose turn it is; tells how far it came where that is `due`. True
    /// when that was its last.
    pub(super) fn step(
        &mut self,
        fs: &Rc<Filesystem<S>>,
        due: bool,
        vitals: Vitals,
    ) -> (Option<Reply>, bool) {
        let Some(mut job) = self.waiting.pop_front() else { return (None, false) };
        let stepped = match &mut job {
            Job::List(listing) => listing.step(fs, due),
            Job::Look(looking) => looking.step(fs, self.names()),
            Job::Free(free) => free.step(fs, due),
            Job::Survey(surveying) => surveying.step(fs, due, &mut self.inventory),
            Job::Find(finding) => finding.step(due, &mut self.names),
            Job::Export(exporting) => exporting.step(due),
            Job::Check(checking) => checking.step(fs, due, vitals, &mut self.checked),
            Job::Sizes(sizing) => sizing.step(fs, due),
            Job::Plan(planning) => planning.step(fs, due, &mut self.planned),
            Job::Race(racing) => racing.step(due),
            Job::Tell(telling) => telling.step(),
            Job::Try(trying) => trying.step(fs),
            Job::Weigh(weighing) => weighing.step(due),
        };
        match (stepped, job) {
            (Stepped::More(reply @ Some(_)), Job::Export(exporting)) => {
                self.resting = Some(exporting);
                (reply, false)
            }
            (Stepped::More(reply), job) => {
                self.waiting.push_back(job);
                (reply, false)
            }
            (Stepped::Over(reply), _) => (Some(reply), true),
        }
    }
}

/// An error of a file's own, whatever read it.
fn at_ino(error: Error, ino: Ino) -> Error {
    if error.at().ino.is_some() { error } else { error.at_ino(ino) }
}
