//! The engine as the page has it: a worker that answers, others that sweep the bitmaps of a large
//! image, and a spare one warmed up to take a place.
//!
//! A worker that must stop is ended, never asked: it may be in the middle of a step, or broken.
//! The spare takes its place at once, and its memory is free again. When the worker that answers
//! breaks, the person is told; of one that sweeps only its part is lost, which another takes over.
//!
//! *Belongs here:* starting, ending and replacing workers, and whose questions and answers are whose.
//! *Does not:* what an answer changes; that is the state's.

mod origin;
mod sweeping;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use extscope::units::{Group, Ino};
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};
use yew::Callback;

use self::origin::{Origin, cut, within};
use self::sweeping::{Sweeping, new_plan};
use super::plan::Plan;
use super::port::{Port, PortEvent};
use super::sample;
use super::saver::Saver;
use super::silence::Silence;
use super::tidings::Tidings;
use super::transfer::Source;
use crate::protocol::{
    Epoch, Export, MapPicture, MapPixels, MapTile, Reply, ReplyMessage, Request, RequestId,
    RequestMessage, Stretch, SuperblockChoice,
};
use crate::state::{Action, DiskPart, Opening, Reason, Sample};
use crate::text::words::RENEWED;

/// The engine. Clones are the same engine.
#[derive(Clone)]
pub struct Engine(Rc<Inner>);

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

struct Inner {
    dispatch: Callback<Action>,
    active: RefCell<Option<Worker>>,
    spare: RefCell<Option<Worker>>,
    epoch: Cell<Epoch>,
    last_id: Cell<RequestId>,
    last_worker: Cell<u32>,
    given: RefCell<Option<(Given, Choice)>>,
    saver: Rc<Saver>,
    /// What was sent to be opened.
    image: RefCell<Option<Image>>,
    /// Who draws the tiles of the map.
    on_tile: RefCell<Option<Callback<MapTile>>>,
    /// Who waits for a picture of the map.
    on_picture: RefCell<Option<Callback<MapPixels>>>,
    /// Questions that somebody waits for an answer to.
    waiting: RefCell<Vec<(RequestId, Callback<Reply>)>>,
    sweeping: RefCell<Option<Sweeping>>,
    silence: Silence,
    tidings: Tidings,
}

/// An image as workers are given it.
#[derive(Clone)]
struct Image {
    origin: Origin,
    superblock: Option<SuperblockChoice>,
    replayed: bool,
}

/// A worker and the number that its events are known by.
struct Worker {
    number: u32,
    /// The number that the person knows it by, counted from 0: the place it has at the image.
    place: u32,
    port: Port,
    /// Questions that were sent to it.
    asked: Cell<u32>,
    /// How many of them there were when it last had nothing left to do.
    done: Cell<u32>,
}

impl Worker {
    /// Whether it has something to do.
    fn is_at_work(&self) -> bool {
        self.asked.get() != self.done.get()
    }
}

/// What of a file is opened, and from where; all and from its beginning by default.
#[derive(Clone, Copy, Default)]
struct Choice {
    part: Option<DiskPart>,
    superblock: Option<SuperblockChoice>,
    replayed: bool,
}

/// What the person gave to open.
#[derive(Clone)]
enum Given {
    File { name: String, blob: Blob },
    Sample(&'static Sample),
    Scenario(Rc<str>),
}

impl Engine {
    /// An engine that tells `dispatch` what happens. Starts its first worker.
    #[must_use]
    pub fn start(dispatch: Callback<Action>) -> Self {
        let inner = Rc::new_cyclic(|weak: &Weak<Inner>| Inner {
            saver: Rc::new(Saver::new(dispatch.clone(), asking(weak))),
            dispatch,
            active: RefCell::default(),
            spare: RefCell::default(),
            epoch: Cell::default(),
            last_id: Cell::default(),
            last_worker: Cell::default(),
            given: RefCell::default(),
            image: RefCell::default(),
            on_tile: RefCell::default(),
            on_picture: RefCell::default(),
            waiting: RefCell::default(),
            sweeping: RefCell::default(),
            silence: Silence::default(),
            tidings: Tidings::default(),
        });
        match inner.spawn() {
            Ok(worker) => *inner.active.borrow_mut() = Some(worker),
            Err(text) => inner.dispatch.emit(Action::Notice(Some(text))),
        }
        Self(inner)
    }

    /// Opens a file of the person's.
    pub fn open_file(&self, file: &File) {
        let blob = file.clone().unchecked_into();
        self.0.open(Given::File { name: file.name(), blob }, Choice::default());
    }

    /// Fetches a sample and opens it.
    pub fn open_sample(&self, sample: &'static Sample) {
        self.0.open(Given::Sample(sample), Choice::default());
    }

    /// Has a scenario made up, of which the recipe may make no sense.
    pub fn open_scenario(&self, recipe: Rc<str>) {
        self.0.open(Given::Scenario(recipe), Choice::default());
    }

    /// The recipe of the scenario that is open or being opened.
    #[must_use]
    pub fn scenario(&self) -> Option<Rc<str>> {
        match &*self.0.given.borrow() {
            Some((Given::Scenario(recipe), _)) => Some(Rc::clone(recipe)),
            _ => None,
        }
    }

    /// Opens the same file again, from a superblock other than the primary one.
    pub fn choose(&self, superblock: SuperblockChoice) {
        self.0.open_again(|choice| Choice { superblock: Some(superblock), ..choice });
    }

    /// Opens a part of the same file, or all of it.
    pub fn choose_part(&self, part: Option<DiskPart>) {
        self.0.open_again(|_| Choice { part, ..Choice::default() });
    }

    /// Opens the same again.
    pub fn reopen(&self) {
        self.0.open_again(|Choice { part, .. }| Choice { part, ..Choice::default() });
    }

    /// Opens the same again, as after its journal is replayed or as it lies on the disk.
    pub fn replay(&self, replayed: bool) {
        self.0.open_again(|choice| Choice { replayed, ..choice });
    }

    /// Closes the image, or cancels its opening.
    pub fn close(&self) {
        *self.0.given.borrow_mut() = None;
        self.0.let_go();
        self.0.fresh_worker();
        self.0.dispatch.emit(Action::Closed(self.0.next_epoch()));
    }

    /// Asks a question about the open image.
    pub fn ask(&self, request: Request) {
        self.0.ask(request, None);
    }

    /// Asks a question that is answered at once, and hands the answer to `then` alone.
    pub fn ask_then(&self, request: Request, then: Callback<Reply>) {
        self.0.ask(request, None);
        self.0.waiting.borrow_mut().push((self.0.last_id.get(), then));
    }

    /// Saves a file of the image on the person's disk, in place of what is on its way.
    pub fn save(&self, ino: Ino, name: String, size: u64) {
        self.0.saver.save(name, |_| Source::File { ino, size });
    }

    /// Saves something made of the image on the person's disk, in place of what is on its way.
    pub fn export(&self, export: Export, name: String) {
        self.0.saver.save(name, |number| Source::Export { export, number });
    }

    /// Gives up what is on its way to the person's disk.
    pub fn stop_saving(&self) {
        self.0.saver.stop();
    }

    /// Asks for everything about a group.
    pub fn inspect(&self, group: Group) {
        self.0.ask(Request::Inspect { group }, None);
    }

    /// Has tiles of the map handed to `on_tile`, and to nobody else any more; they come too often
    /// to be part of the state.
    pub fn set_on_tile(&self, on_tile: Callback<MapTile>) {
        *self.0.on_tile.borrow_mut() = Some(on_tile);
    }

    /// Has a picture of the map drawn and handed to `then`, in place of one that was asked for
    /// before.
    pub fn picture(&self, picture: MapPicture, then: Callback<MapPixels>) {
        *self.0.on_picture.borrow_mut() = Some(then);
        self.0.ask(Request::MapPicture(picture), None);
    }

    /// Has the bitmaps of these groups read before the others.
    pub fn prioritise(&self, first: Group, count: u32) {
        if let Some(sweeping) = &mut *self.0.sweeping.borrow_mut() {
            sweeping.plan.want(first.get()..first.get().saturating_add(count));
        }
        self.0.tell_sweepers(&Request::Prioritise { first, count });
    }

    /// Stops the reading of bitmaps, or lets it go on.
    pub fn pause_sweep(&self, is_paused: bool) {
        if let Some(sweeping) = &mut *self.0.sweeping.borrow_mut() {
            sweeping.plan.pause(is_paused);
        }
        self.0.dispatch.emit(Action::Paused(is_paused));
        self.0.tell_sweepers(&Request::Pause(is_paused));
        self.0.hand_out();
        self.0.watch();
    }
}

impl Inner {
    fn next_epoch(&self) -> Epoch {
        self.epoch.set(self.epoch.get().next());
        self.epoch.get()
    }

    fn open_again(self: &Rc<Self>, choose: impl FnOnce(Choice) -> Choice) {
        let given = self.given.borrow().clone();
        if let Some((given, choice)) = given {
            self.open(given, choose(choice));
        }
    }

    fn open(self: &Rc<Self>, given: Given, choice: Choice) {
        let epoch = self.next_epoch();
        *self.given.borrow_mut() = Some((given.clone(), choice));
        self.let_go();
        self.fresh_worker();
        match given {
            Given::File { name, blob } => {
                self.begin(epoch, Opening::new(&name, Some(within(&blob, choice.part))), choice);
                self.ask_to_open(Origin::Blob(blob), choice);
            }
            Given::Sample(sample) => {
                self.begin(epoch, Opening::new(&sample.image_name(), None), choice);
                let inner = Rc::clone(self);
                wasm_bindgen_futures::spawn_local(async move {
                    let fetched = sample::fetch(sample).await;
                    if inner.epoch.get() != epoch {
                        return;
                    }
                    match fetched {
                        Ok(blob) => inner.ask_to_open(Origin::Blob(blob), choice),
                        Err(text) => inner.broke(Reason::Sample(text)),
                    }
                });
            }
            Given::Scenario(recipe) => {
                // It has no parts that could be cut out of it.
                let choice = Choice { part: None, ..choice };
                self.begin(epoch, Opening::of_scenario(Rc::clone(&recipe)), choice);
                self.ask_to_open(Origin::Scenario(recipe), choice);
            }
        }
    }

    fn begin(&self, epoch: Epoch, opening: Opening, choice: Choice) {
        let Choice { part, superblock, .. } = choice;
        let opening = Opening { part, superblock, ..opening };
        self.dispatch.emit(Action::Opening { epoch, opening });
    }

    fn ask_to_open(self: &Rc<Self>, origin: Origin, choice: Choice) {
        let origin = match cut(origin, choice.part) {
            Ok(origin) => origin,
            Err(text) => return self.broke(Reason::Program(text)),
        };
        let Choice { superblock, replayed, .. } = choice;
        self.ask(Request::Open { superblock, replayed }, Some(&origin));
        *self.image.borrow_mut() = Some(Image { origin, superblock, replayed });
    }

    /// Lets go of all that belongs to an image.
    fn let_go(&self) {
        self.saver.stop();
        drop(self.on_picture.take());
        self.waiting.borrow_mut().clear();
        drop(self.sweeping.take());
        drop(self.image.take());
    }

    /// Asks the worker that answers.
    fn ask(self: &Rc<Self>, request: Request, origin: Option<&Origin>) {
        let sent = match &*self.active.borrow() {
            None => Err("no worker could be started".into()),
            Some(worker) => self.send(worker, request, origin),
        };
        match sent {
            Ok(()) => self.watch(),
            Err(text) => self.broke(Reason::Program(text)),
        }
    }

    fn send(
        &self,
        worker: &Worker,
        request: Request,
        origin: Option<&Origin>,
    ) -> Result<(), String> {
        let id = self.last_id.get().next();
        self.last_id.set(id);
        worker.asked.set(worker.asked.get().wrapping_add(1));
        let message = RequestMessage { epoch: self.epoch.get(), id, request };
        worker.port.send(&message, origin.map(Origin::parcel))
    }

    fn broke(&self, reason: Reason) {
        self.dispatch.emit(Action::Broke { epoch: self.epoch.get(), reason });
    }

    /// Sees to it that the active worker knows nothing of an earlier image.
    fn fresh_worker(self: &Rc<Self>) {
        let used = self.active.borrow().as_ref().is_none_or(|worker| worker.asked.get() > 0);
        if used {
            self.replace_worker();
        }
    }

    /// Ends the active worker and puts the spare, or a new one, in its place.
    fn replace_worker(self: &Rc<Self>) {
        let spare = self.spare.take().map_or_else(|| self.spawn(), Ok);
        match spare {
            Ok(worker) => drop(self.active.replace(Some(worker))),
            Err(text) => {
                drop(self.active.take());
                self.broke(Reason::Program(text));
            }
        }
    }

    /// Warms up a spare, if there is none.
    fn warm_spare(self: &Rc<Self>) {
        if self.spare.borrow().is_none() {
            *self.spare.borrow_mut() = self.spawn().ok();
        }
    }

    fn spawn(self: &Rc<Self>) -> Result<Worker, String> {
        let number = self.last_worker.get().wrapping_add(1);
        self.last_worker.set(number);
        let inner: Weak<Self> = Rc::downgrade(self);
        let port = Port::spawn(move |event| {
            if let Some(inner) = inner.upgrade() {
                inner.happened(number, event);
            }
        })?;
        Ok(Worker { number, place: 0, port, asked: Cell::default(), done: Cell::default() })
    }

    /// Takes in what a worker did.
    fn happened(self: &Rc<Self>, number: u32, event: PortEvent) {
        let is = |worker: &RefCell<Option<Worker>>| {
            worker.borrow().as_ref().is_some_and(|worker| worker.number == number)
        };
        self.silence.heard(number);
        if is(&self.active) {
            match event {
                PortEvent::Ready => self.warm_spare(),
                PortEvent::Reply(message) => self.answered(number, *message),
                PortEvent::OtherBuild => self.never_came(Reason::Renewed),
                PortEvent::NeverCame(text) => self.never_came(Reason::Program(text)),
                PortEvent::Broke(text) => {
                    self.broke(Reason::Program(text));
                    self.let_go();
                    self.replace_worker();
                }
            }
        } else if let Some(place) = self.place_of_sweeper(number) {
            match event {
                PortEvent::Ready => {}
                PortEvent::Reply(message) => match message.reply {
                    Reply::Broke(text) => self.sweeper_broke(number, text, true),
                    Reply::SweepFailed(error) => {
                        self.sweeper_broke(number, error.to_string(), false);
                    }
                    reply => {
                        if let Reply::Swept(batch) = &reply {
                            // Who answers draws the map, and did not see these bitmaps.
                            self.ask(Request::Learn(Box::new(batch.clone())), None);
                        }
                        self.told(number, place, ReplyMessage { reply, ..*message });
                    }
                },
                PortEvent::OtherBuild => self.sweeper_broke(number, RENEWED.into(), false),
                PortEvent::NeverCame(text) => self.sweeper_broke(number, text, false),
                PortEvent::Broke(text) => self.sweeper_broke(number, text, true),
            }
        } else if is(&self.spare) && is_end(&event) {
            drop(self.spare.take());
        }
    }

    /// Takes in that the active worker cannot be started. The next one would not come either; it is
    /// tried when something is opened.
    fn never_came(&self, reason: Reason) {
        drop(self.active.take());
        self.broke(reason);
        self.let_go();
    }

    /// Takes in an answer of the active worker.
    fn answered(self: &Rc<Self>, number: u32, message: ReplyMessage) {
        // A piece for an image that was closed finds nothing on its way.
        if is_piece(&message.reply) {
            return self.saver.received(message.reply);
        }
        if let Reply::MapTile(tile) = message.reply {
            let on_tile = self.on_tile.borrow().clone();
            if let Some(on_tile) = on_tile.filter(|_| message.epoch == self.epoch.get()) {
                on_tile.emit(tile);
            }
            return;
        }
        if let Reply::Rests { asked } = message.reply {
            if let Some(worker) = &*self.active.borrow() {
                worker.done.set(asked);
            }
            return;
        }
        if matches!(message.reply, Reply::Whose(_) | Reply::Sought(_)) {
            let mut waiting = self.waiting.borrow_mut();
            let at = waiting.iter().position(|(id, _)| *id == message.id);
            let then = at.map(|at| waiting.swap_remove(at).1);
            drop(waiting);
            if let Some(then) = then {
                then.emit(message.reply);
            }
            return;
        }
        if let Reply::MapPicture(pixels) = message.reply {
            let then = self.on_picture.take();
            if let Some(then) = then.filter(|_| message.epoch == self.epoch.get()) {
                then.emit(pixels);
            }
            return;
        }
        if let Reply::Opened(opened) = &message.reply {
            let plan = new_plan(opened);
            return self.opened(number, message, plan);
        }
        let is_broken = matches!(message.reply, Reply::Broke(_));
        let is_refused =
            matches!(message.reply, Reply::NotOpened(_) | Reply::Choose { .. } | Reply::Disk(_));
        self.told(number, 0, message);
        if is_broken {
            self.let_go();
            self.replace_worker();
        }
        // Not before: the opening has both processors for itself.
        if is_broken || is_refused {
            self.warm_spare();
        }
    }

    /// Takes in what the image is, and begins to sweep it. Of a large one each of that takes a
    /// while, so that the browser may draw in between.
    fn opened(self: &Rc<Self>, number: u32, message: ReplyMessage, plan: Plan) {
        let epoch = message.epoch;
        self.later(epoch, move |inner| {
            // What comes into view as soon as the image is told of is wanted first.
            *inner.sweeping.borrow_mut() =
                Some(Sweeping { plan, sweepers: Vec::new(), places: 1, error: None });
            inner.told(number, 0, message);
            inner.later(epoch, Self::begin_sweep);
        });
    }

    /// Does something once the browser had its turn, unless another image is opened by then.
    fn later(self: &Rc<Self>, epoch: Epoch, act: impl FnOnce(&Rc<Self>) + 'static) {
        let inner = Rc::clone(self);
        let timer = Timeout::new(0, move || {
            if epoch == inner.epoch.get() {
                act(&inner);
            }
        });
        timer.forget();
    }

    /// Passes on what the worker at `place` told.
    fn told(self: &Rc<Self>, number: u32, place: u32, message: ReplyMessage) {
        let ReplyMessage { epoch, reply, .. } = message;
        if epoch != self.epoch.get() {
            return;
        }
        match reply {
            Reply::Activity(activity) => {
                let worked = Action::Worked { epoch, worker: place, activity };
                self.tidings.tell(worked, &self.dispatch);
            }
            reply @ Reply::Swept(_) => {
                self.tidings.tell(Action::Replied { epoch, reply }, &self.dispatch);
            }
            Reply::PartSwept => {
                self.with_sweep(|sweeping| sweeping.plan.done(number));
                self.hand_out();
            }
            Reply::SweepFailed(error) => {
                self.with_sweep(|sweeping| {
                    sweeping.plan.failed(number);
                    sweeping.error = Some(error);
                });
                self.hand_out();
            }
            reply => self.dispatch.emit(Action::Replied { epoch, reply }),
        }
    }

    /// Watches whether those who have something to do say something.
    fn watch(self: &Rc<Self>) {
        let inner: Weak<Self> = Rc::downgrade(self);
        let at_work = move || inner.upgrade().map(|inner| inner.at_work()).unwrap_or_default();
        self.silence.watch(Rc::new(at_work), self.dispatch.clone());
    }

    /// Those who have something to do for the image.
    fn at_work(&self) -> Vec<u32> {
        let active = self.active.borrow();
        let active = active.iter().filter(|worker| worker.is_at_work()).map(|it| it.number);
        let sweeping = self.sweeping.borrow();
        active.chain(sweeping.iter().flat_map(|it| it.plan.at_work())).collect()
    }
}

/// Asks the engine for as long as there is one.
fn asking(inner: &Weak<Inner>) -> Callback<Request> {
    let inner = Weak::clone(inner);
    Callback::from(move |request| {
        if let Some(inner) = inner.upgrade() {
            inner.ask(request, None);
        }
    })
}

/// Whether an answer is a piece of what is saved.
fn is_piece(reply: &Reply) -> bool {
    match reply {
        Reply::Read { stretch, .. } => stretch.len == Stretch::THROUGH,
        Reply::Exported { .. } => true,
        _ => false,
    }
}

/// Whether the worker that this came from is of no more use.
fn is_end(event: &PortEvent) -> bool {
    match event {
        PortEvent::OtherBuild | PortEvent::NeverCame(_) | PortEvent::Broke(_) => true,
        PortEvent::Reply(message) => matches!(message.reply, Reply::Broke(_)),
        PortEvent::Ready => false,
    }
}
