//! An open image, and the sweep over its bitmaps.

use std::rc::Rc;

use extscope::analysis::{Sweep, SweepOptions, profile};
use extscope::fs::{BitmapKind, Filesystem, GroupEntry};
use extscope::io::ByteSource;
use extscope::task::{Step, Task};
use extscope::units::Group;

use super::batch::Batch;
use super::contents::{self, Contents};
use super::describe;
use super::jobs::Jobs;
use super::logged::Logged;
use super::mapping::Mapping;
use super::opening::Replay;
use super::seeking;
use super::session::Vitals;
use crate::protocol::{
    Activity, BlockReport, GroupColumns, GroupDetail, InfoReport, Opened, Reply, Request, Sought,
};

/// Bytes between two bitmaps that are read through: in a browser, one more request costs as much.
const GAP_BYTES: u32 = 128 << 10;

/// Groups that are swept before anything is drawn of them, so that nothing is drawn twice.
const AT_ONCE: u64 = 64;

/// What a step is of. Who has something to do has every second or third one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Map,
    Job,
    Sweep,
}

/// Who is to tell how far it is with its next step.
#[derive(Clone, Copy, Debug, Default)]
struct Due {
    job: bool,
    sweep: bool,
}

/// An open image, and the sweep over a part of its block bitmaps.
#[derive(Debug)]
pub(super) struct Image<S> {
    filesystem: Rc<Filesystem<Logged<S>>>,
    /// What came of replaying its journal, where that was asked for.
    replay: Option<Replay>,
    /// `None` before it begins and once it is over.
    sweep: Option<Sweep<Rc<Filesystem<Logged<S>>>>>,
    batch: Batch,
    /// What questions started.
    jobs: Jobs<Logged<S>>,
    contents: Contents,
    map: Mapping,
    /// Whose step was the last.
    turn: Turn,
    due: Due,
    paused: bool,
    /// Memory of the engine when it was told last beside what others swept.
    memory_bytes: u64,
}

impl<S: ByteSource + Clone + 'static> Image<S> {
    /// An image to answer questions of, and what came of replaying its journal.
    pub(super) fn new(filesystem: Filesystem<Logged<S>>, replay: Option<Replay>) -> Self {
        let groups = filesystem.groups().len();
        Self { replay, ..Self::drawing(groups, filesystem) }
    }

    /// An image that is swept here, and drawn elsewhere.
    pub(super) fn joined(filesystem: Filesystem<Logged<S>>) -> Self {
        Self::drawing(0, filesystem)
    }

    /// An image of which so many groups are drawn here.
    fn drawing(groups: u32, filesystem: Filesystem<Logged<S>>) -> Self {
        let parts = profile::parts_for(filesystem.groups().len());
        Self {
            map: Mapping::new(&filesystem, groups, parts),
            turn: Turn::Sweep,
            due: Due::default(),
            filesystem: Rc::new(filesystem),
            replay: None,
            sweep: None,
            batch: Batch::new(parts),
            jobs: Jobs::default(),
            contents: Contents::default(),
            paused: false,
            memory_bytes: 0,
        }
    }

    /// Tells what the image is.
    pub(super) fn opened(&self, vitals: Vitals) -> Reply {
        Reply::Opened(Box::new(Opened {
            info: InfoReport::new(&self.filesystem),
            geometry: *self.filesystem.geometry(),
            groups: describe::groups(&self.filesystem).into(),
            replay: self.replay.clone(),
            activity: self.activity(vitals),
        }))
    }

    /// Begins to sweep some groups, whose descriptors come along.
    pub(super) fn sweep(&mut self, first: Group, groups: &GroupColumns) -> Option<Reply> {
        self.sweep = None;
        // Only a worker that joined has no descriptors of its own, and it does nothing but sweep.
        if let Some(filesystem) = Rc::get_mut(&mut self.filesystem) {
            filesystem.adopt_groups(first, groups.rows().map(GroupEntry::from));
        }
        let count = u32::try_from(groups.len()).unwrap_or(u32::MAX);
        let options = SweepOptions {
            groups: first.get()..first.get().saturating_add(count),
            inodes: false,
            gap_bytes: GAP_BYTES,
            ..SweepOptions::default()
        };
        match Sweep::new(Rc::clone(&self.filesystem), options) {
            Ok(sweep) => {
                self.sweep = Some(sweep);
                None
            }
            Err(error) => Some(Reply::SweepFailed(error)),
        }
    }

    /// Answers what takes no time, and starts a job for the rest. Nothing is to be said of what
    /// is not there.
    pub(super) fn ask(&mut self, request: Request, vitals: Vitals) -> Option<Reply> {
        let filesystem = &*self.filesystem;
        match request {
            Request::Open { .. } | Request::Join { .. } => None,
            Request::Sweep { first, groups } => self.sweep(first, &groups),
            Request::Inspect { group } => {
                GroupDetail::read(filesystem, group).map(|it| Reply::Inspected(Box::new(it)))
            }
            Request::Pause(paused) => {
                self.paused = paused;
                Some(Reply::Activity(self.activity(vitals)))
            }
            Request::Prioritise { first, count } => {
                if let Some(sweep) = &mut self.sweep {
                    sweep.prioritise(first.get()..first.get().saturating_add(count));
                }
                None
            }
            Request::List { dir } => self.jobs.list(filesystem, dir),
            Request::Look { ino } => self.jobs.look(filesystem, ino),
            Request::Free { chunk_kib } => self.jobs.free(&self.filesystem, chunk_kib),
            Request::Survey(is_wanted) => {
                self.jobs.survey(&self.filesystem, is_wanted);
                None
            }
            Request::Find { text } => self.jobs.find(&self.filesystem, text),
            Request::Export { export, place } => self.jobs.export(&self.filesystem, export, place),
            Request::StopExport => {
                self.jobs.stop_export();
                None
            }
            Request::Map(order) => {
                self.map.order(filesystem, order);
                None
            }
            Request::Whose { fsblk } => {
                let inventory = self.jobs.inventory.as_deref();
                let report =
                    inventory.and_then(|it| BlockReport::new(&it.map, &it.names, fsblk).ok());
                Some(Reply::Whose(report.map(Box::new)))
            }
            Request::Seek { what, from, stopped, forward } => {
                let found = match what {
                    Sought::Free => {
                        seeking::free(filesystem, self.map.figures(), from, stopped, forward)
                    }
                    Sought::SameOwner => {
                        let owners = self.jobs.inventory.as_deref().map(|it| &it.map);
                        seeking::same_owner(owners, self.map.extents(), from, stopped, forward)
                    }
                };
                Some(Reply::Sought(found))
            }
            Request::MapPicture(picture) => {
                self.map.picture(filesystem, picture);
                None
            }
            Request::MapExtents(extents) => {
                self.map.look_for(extents);
                None
            }
            Request::Learn(batch) => {
                self.map.learn(&batch);
                // What is learnt is all that makes this worker's memory grow meanwhile.
                let has_grown = self.memory_bytes != vitals.memory_bytes;
                self.memory_bytes = vitals.memory_bytes;
                has_grown.then(|| Reply::Activity(self.activity(vitals)))
            }
            Request::Minimum => Some(Reply::Minimum(describe::minimum(filesystem).map(Box::new))),
            Request::Sizes(like) => {
                self.jobs.sizes(&self.filesystem, like);
                None
            }
            Request::Plan(request) => {
                self.jobs.plan(&self.filesystem, request);
                None
            }
            Request::Race(order) => self.jobs.race(order.as_deref()),
            Request::Weigh(percent) => {
                self.jobs.weigh(percent);
                None
            }
            Request::Try(order) => self.jobs.try_out(filesystem, *order, vitals),
            Request::Steps(order) => self.jobs.tell(&self.filesystem, *order, vitals),
            Request::Check { run, mode } => {
                let is_replayed = matches!(self.replay, Some(Ok(_)));
                self.jobs.check(filesystem, run, mode, is_replayed, vitals);
                None
            }
            Request::Block { fsblk } => {
                let block = describe::block(filesystem, self.jobs.inventory.as_deref(), fsblk);
                Some(Reply::Block { fsblk, block: block.map(Box::new) })
            }
            Request::Walk { path } => {
                let found = contents::walk(filesystem, &path);
                Some(Reply::Walked { path, found })
            }
            Request::Read(stretch) => {
                let piece = self.contents.read(filesystem, stretch);
                Some(Reply::Read { stretch, piece })
            }
        }
    }

    pub(super) fn has_work(&self) -> bool {
        self.next_turn().is_some()
    }

    /// Whose turn it is, if anyone has something to do.
    fn next_turn(&self) -> Option<Turn> {
        let has_work = |turn: &Turn| match turn {
            Turn::Map => self.map.has_work(),
            Turn::Job => !self.jobs.is_empty(),
            Turn::Sweep => self.sweep.is_some() && !self.paused,
        };
        let is_short = |sweep: &Sweep<_>| sweep.progress().max <= AT_ONCE;
        if has_work(&Turn::Sweep) && self.sweep.as_ref().is_some_and(is_short) {
            return Some(Turn::Sweep);
        }
        let order = match self.turn {
            Turn::Map => [Turn::Job, Turn::Sweep, Turn::Map],
            Turn::Job => [Turn::Sweep, Turn::Map, Turn::Job],
            Turn::Sweep => [Turn::Map, Turn::Job, Turn::Sweep],
        };
        order.into_iter().find(has_work)
    }

    /// Does one step of the map, a job or the sweep, in turns; tells what it found when that is
    /// `due`, and when it is over.
    pub(super) fn step(&mut self, vitals: Vitals, due: bool) -> Vec<Reply> {
        let Some(turn) = self.next_turn() else { return Vec::new() };
        self.turn = turn;
        if due {
            self.due = Due { job: true, sweep: true };
        }
        match turn {
            Turn::Map => {
                let tile = self.map.step(&self.filesystem, &self.jobs);
                tile.into_iter().collect()
            }
            Turn::Job => {
                let due = core::mem::take(&mut self.due.job);
                let (found, is_over) = self.jobs.step(&self.filesystem, due, vitals);
                let is_told = is_over || due && found.is_none();
                let activity = is_told.then(|| Reply::Activity(self.activity(vitals)));
                found.into_iter().chain(activity).collect()
            }
            Turn::Sweep => {
                let due = core::mem::take(&mut self.due.sweep);
                self.step_sweep(vitals, due)
            }
        }
    }

    fn step_sweep(&mut self, vitals: Vitals, due: bool) -> Vec<Reply> {
        let Some(sweep) = &mut self.sweep else { return Vec::new() };
        let (batch, map) = (&mut self.batch, &mut self.map);
        let stepped = sweep.step_with(&mut |swept| {
            if swept.kind == BitmapKind::Block {
                batch.add(swept.group, &swept.stats.blocks, &swept.bits);
                map.keep(swept.group, swept.bits);
            }
        });
        let last = match stepped {
            Ok(Step::More) if !due => return Vec::new(),
            Ok(Step::More) => None,
            Ok(Step::Done(())) => Some(Reply::PartSwept),
            Err(error) => Some(Reply::SweepFailed(error)),
        };
        if last.is_some() {
            self.sweep = None;
        }
        let mut found = self.batch.take();
        if let Some(found) = &mut found {
            found.reads = self.filesystem.reader().source().take();
            self.map.learn(found);
        }
        let found = found.map(Reply::Swept);
        let activity = Reply::Activity(self.activity(vitals));
        found.into_iter().chain([activity]).chain(last).collect()
    }

    pub(super) fn activity(&self, vitals: Vitals) -> Activity {
        Activity { reads: self.filesystem.meter().by_kind(), memory_bytes: vitals.memory_bytes }
    }
}
