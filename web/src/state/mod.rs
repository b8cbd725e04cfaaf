//! What the page knows and how it changes.
//!
//! *Belongs here:* the state, the actions, and the pure step from one state to the next. *Does
//! not:* the engine, storage, clocks, drawing; `client` does what an action asks of the world.
//! *May use:* `protocol`, `text`.
//!
//! Big data is held by `Rc` and compared by address.

mod action;
mod asks;
mod bytes;
mod check;
mod file_list;
mod file_table;
mod files;
mod image;
mod known;
mod lab;
mod lesson;
mod map_place;
mod offline;
mod part;
mod path;
mod phase;
mod player;
mod route;
mod sample;
mod selection;
mod settings;
mod shrink;
mod sums;
mod table;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod transfer;
mod work;
mod workers;

use std::rc::Rc;

pub use action::Action;
pub use asks::Asks;
pub use bytes::Bytes;
pub use check::{Check, Course, Found, ProblemId};
pub use file_list::FileList;
pub use file_table::{FileColumn, FileSort};
pub use files::{Chosen, Dir, Files, Look, Tree};
pub use image::{Detail, Image, OpenImage, Sweep};
pub use known::{Fullness, Known};
pub use lab::{Flips, LabPlace};
pub use lesson::{Lesson, LessonBits, LessonPlace};
pub use map_place::{MapPlace, MapStyle, Zoom};
pub use offline::Offline;
pub use part::{DiskPart, Seat};
pub use path::FilePath;
pub use phase::{Choosing, Failure, Opening, Partitions, Phase, Reason};
pub use player::{Player, PlayerAct, SPEEDS};
pub use route::{Route, View};
pub use sample::{SAMPLES, Sample};
pub use selection::Selection;
pub use settings::{Setting, Settings, Theme};
pub use shrink::Shrink;
pub use sums::{CLASSES, Sums};
pub use table::{Deciding, Filter, FilterChip, GroupSort, GroupTable, SortColumn, free_clusters};
pub use transfer::Transfer;
pub use work::Work;
pub use workers::{Worker, Workers};

use crate::protocol::{Epoch, Reply, Request, Stretch};
use crate::text::words::RENEWED;

/// All that the page knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppState {
    /// Where the image is between dropped and read.
    pub phase: Phase,
    /// The opening that `phase` speaks of; answers of another are dropped.
    pub epoch: Epoch,
    /// What is looked at: the part of the state that the address bar holds.
    pub route: Route,
    /// How the table of groups is sorted and filtered.
    pub table: GroupTable,
    /// How the tree of files is sorted.
    pub file_sort: FileSort,
    /// What is to be asked of the engine.
    pub asks: Asks,
    /// What the person set for good.
    pub settings: Settings,
    /// The file on its way to the person's disk.
    pub transfer: Option<Transfer>,
    /// What keeps the page from working at all, when something does.
    pub notice: Option<String>,
    /// Whether a worker that has something to do says nothing.
    pub is_silent: bool,
    /// Whether the page is kept, to open without a network.
    pub offline: Offline,
    /// Whether a newer page than this one is kept.
    pub has_newer_build: bool,
}

impl AppState {
    /// The image, once it is open.
    #[must_use]
    pub fn image(&self) -> Option<&OpenImage> {
        match &self.phase {
            Phase::Ready(image) => Some(image),
            _ => None,
        }
    }

    /// The state after `action`.
    #[must_use]
    pub fn after(mut self, action: Action) -> Self {
        match action {
            Action::Opening { epoch, opening } => {
                // What was selected in one image means nothing in another.
                if !self.phase.may_lead_to(&opening) {
                    self.route = self.route.without_selection();
                }
                self.epoch = epoch;
                self.notice = None;
                self.asks.forget(self.asks.next());
                self.is_silent = false;
                self.route.scenario.clone_from(&opening.scenario);
                self.phase = Phase::Opening(opening);
                self.table = GroupTable::default();
            }
            Action::Closed(epoch) => {
                // What the address named outlasts an opening that is cancelled.
                if !matches!(self.phase, Phase::Opening(_)) {
                    self.route = self.route.without_selection();
                }
                self.epoch = epoch;
                self.is_silent = false;
                self.route.scenario = None;
                self.phase = Phase::Empty;
            }
            Action::Replied { epoch, reply } => {
                if epoch == self.epoch {
                    let is_opened = matches!(reply, Reply::Opened(_));
                    self.phase = self.phase.after(reply, &mut self.asks);
                    if is_opened {
                        self.notice = self.image().and_then(|open| open.image.replay_note());
                    }
                    self.follow_route();
                }
            }
            Action::Broke { epoch, reason } => {
                if epoch == self.epoch {
                    match (&self.phase, &reason) {
                        (Phase::Empty, Reason::Program(text)) => self.notice = Some(text.clone()),
                        (Phase::Empty, Reason::Renewed) => self.notice = Some(RENEWED.to_owned()),
                        _ => {}
                    }
                    self.phase = self.phase.broken(reason);
                }
            }
            Action::Worked { epoch, worker, activity } => {
                self.with_worker(epoch, worker, |worker| worker.activity = activity);
            }
            Action::WorkerEnded { epoch, worker, broke } => {
                self.with_worker(epoch, worker, |worker| {
                    (worker.has_ended, worker.broke) = (true, broke);
                });
            }
            Action::Paused(is_paused) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.is_paused = is_paused;
                }
            }
            Action::Silent(is_silent) => self.is_silent = is_silent,
            Action::Navigated(route) => {
                self.route = route;
                self.follow_route();
            }
            Action::Show(view) => {
                self.route.view = view;
                self.follow_route();
            }
            Action::ToggleDir { path, ino } => self.with_files(|files, asks| {
                files.toggle(&path, ino, asks);
            }),
            Action::SelectFile(file) => {
                (self.route.path, self.route.ino) = (None, None);
                if let Some((path, ino)) = file {
                    self.route.path = Some(path.clone());
                    self.with_files(|files, asks| files.choose(Some(path), ino, asks));
                }
                self.follow_route();
            }
            Action::List(list) => self.route.list = list,
            Action::ShowPath(path) => {
                self.route.view = View::Files;
                (self.route.path, self.route.ino) = (Some(path), None);
                self.follow_route();
            }
            Action::ShowInode(ino) => {
                self.route.view = View::Files;
                (self.route.path, self.route.ino) = (None, Some(ino));
                self.follow_route();
            }
            Action::SortFiles(sort) => self.file_sort = sort,
            Action::Survey(is_wanted) => {
                if let Phase::Ready(image) = &mut self.phase {
                    let going = Work::Going(extscope::task::Progress::default());
                    image.survey = if is_wanted { going } else { Work::Idle };
                    self.asks.push(Request::Survey(is_wanted));
                }
            }
            Action::Find(text) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.find(text, &mut self.asks);
                }
            }
            Action::Check(mode) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.ask_check(mode, &mut self.asks);
                }
            }
            Action::Plan(request) => self.with_shrink(|shrink, asks| {
                shrink.ask_plan(request, asks);
            }),
            Action::Sizes(like) => self.with_shrink(|shrink, asks| shrink.ask_sizes(like, asks)),
            Action::Learn(place) => self.route.lesson = place,
            Action::Race(on, order) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.ask_race(on, order, &mut self.asks);
                }
            }
            Action::StopRace => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.stop_race(&mut self.asks);
                }
            }
            Action::Weigh(percent) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.ask_forms(percent, &mut self.asks);
                }
            }
            Action::Try(order) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.ask_lab(order, &mut self.asks);
                }
            }
            Action::Steps(order) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.ask_steps(order, &mut self.asks);
                }
            }
            Action::Chunk(chunk_kib) => {
                if let Phase::Ready(image) = &mut self.phase {
                    image.ask_free(chunk_kib, &mut self.asks);
                }
            }
            Action::ShowBlock(fsblk) => {
                self.route.view = View::Hex;
                (self.route.block, self.route.byte) = (Some(fsblk), None);
                self.follow_route();
            }
            Action::ShowByte(byte) => {
                self.route.view = View::Hex;
                (self.route.block, self.route.byte) = (None, Some(byte));
                self.follow_route();
            }
            Action::ShowGroup(group) => {
                self.route.view = View::Groups;
                self.route.selection = Some(Selection::Group(group));
                self.follow_route();
            }
            Action::Want(stretches) => self.want(stretches),
            Action::Asked(before) => self.asks.forget(before),
            Action::Select(selection) => {
                self.route.selection = selection;
                self.follow_route();
            }
            Action::MoveMap(place) => self.route.map = place,
            Action::StyleMap(style) => self.route.style = style,
            Action::ShowOnMap(selection) => {
                let image = self.image();
                let at = image.and_then(|it| selection.first_block(&it.image.geometry));
                self.route.map = MapPlace { at, zoom: None };
                if let Selection::Inode(_) = selection {
                    // Where all its blocks are is seen on the whole disk.
                    self.route.style.layer = extscope_picture::Layer::Owner;
                }
                self.route.view = View::Map;
                self.route.selection = Some(selection);
                self.follow_route();
            }
            Action::SelectField(field) => self.route.field = field,
            Action::SelectProblem(problem) => self.route.problem = problem,
            Action::Target(target) => self.route.target = target,
            Action::Deselect => return self.without_selection(),
            Action::Table(table) => self.table = table,
            Action::Turn(setting) => self.settings = self.settings.turned(setting),
            Action::SystemTheme(theme) => self.settings = self.settings.with_system_theme(theme),
            Action::Transfer(transfer) => self.transfer = transfer,
            Action::Notice(notice) => self.notice = notice,
            Action::Offline(offline) => self.offline = offline,
            Action::NewerBuild(is_there) => self.has_newer_build = is_there,
        }
        self
    }

    /// The state with nothing selected in the view that is shown; what is selected elsewhere stays.
    fn without_selection(self) -> Self {
        match self.route.view {
            View::Map | View::Groups => self.after(Action::Select(None)),
            View::Files => self.after(Action::SelectFile(None)),
            View::Superblock => self.after(Action::SelectField(None)),
            View::Check => self.after(Action::SelectProblem(None)),
            View::Hex | View::Free | View::Shrink | View::Learn => self,
        }
    }

    fn with_worker(&mut self, epoch: Epoch, number: u32, news: impl FnOnce(&mut Worker)) {
        if let Phase::Ready(image) = &mut self.phase
            && epoch == self.epoch
        {
            news(Rc::make_mut(&mut image.workers).at(number));
        }
    }

    /// Brings the image's selection to what the route names, as far as there is such a group.
    fn follow_route(&mut self) {
        if let Phase::Ready(image) = &mut self.phase {
            image.select(self.route.selection.as_ref(), &mut self.asks);
            match (self.route.view, &image.selection) {
                (View::Hex, _) => {
                    let of_byte = self.route.byte.map(|byte| image.block_of_byte(byte));
                    image.look_at_block(self.route.block.or(of_byte), &mut self.asks);
                }
                (View::Map, Some(Selection::Block(fsblk))) => {
                    image.look_at_block(Some(*fsblk), &mut self.asks);
                }
                (View::Free, _) if image.free == Work::Idle => {
                    image.ask_free(image.chunk_kib, &mut self.asks);
                }
                _ => {}
            }
        }
        let (path, ino) = (self.route.path.clone(), self.route.ino);
        let is_there = |image: &OpenImage| image.files.is_at(path.as_ref(), ino);
        if self.route.view == View::Files && !self.image().is_none_or(is_there) {
            self.with_files(|files, asks| files.go(path.as_ref(), ino, asks));
        }
    }

    /// Asks for bytes that are not here.
    fn want(&mut self, stretches: Vec<Stretch>) {
        if let Phase::Ready(image) = &mut self.phase {
            for stretch in stretches {
                if !image.bytes.knows(stretch) {
                    Rc::make_mut(&mut image.bytes).want(stretch, &mut self.asks);
                }
            }
        }
    }

    /// Changes what is known of shrinks, once an image is open.
    fn with_shrink(&mut self, change: impl FnOnce(&mut Shrink, &mut Asks)) {
        if let Phase::Ready(image) = &mut self.phase {
            change(Rc::make_mut(&mut image.shrink), &mut self.asks);
        }
    }

    /// Changes what is known of files, once an image is open.
    fn with_files(&mut self, change: impl FnOnce(&mut Files, &mut Asks)) {
        if let Phase::Ready(image) = &mut self.phase {
            change(Rc::make_mut(&mut image.files), &mut self.asks);
        }
    }
}

impl yew::Reducible for AppState {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Rc::unwrap_or_clone(self).after(action))
    }
}
