//! The engine as the page has it: one worker at work, one warmed up to take its place.
//!
//! A worker that must stop is ended, never asked: it may be in the middle of a step, or broken.
//! The spare takes its place at once, and its memory is free again.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use extscope::Error;
use extscope::units::{Group, Ino};
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};
use yew::Callback;

use super::port::{Port, PortEvent};
use super::transfer::{Received, Transferring};
use super::{ObjectUrl, sample};
use crate::protocol::{
    Epoch, Piece, Reply, ReplyMessage, Request, RequestId, RequestMessage, Stretch,
    SuperblockChoice,
};
use crate::state::transfer::LARGEST;
use crate::state::{Action, Opening, Reason, Sample};

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
    given: RefCell<Option<Given>>,
    transfer: RefCell<Option<Transferring>>,
    /// What was saved last; the browser may still be at it.
    saved: RefCell<Option<ObjectUrl>>,
}

/// A worker and the number that its events are known by.
struct Worker {
    number: u32,
    port: Port,
    used: Cell<bool>,
}

/// What the person gave to open.
#[derive(Clone)]
enum Given {
    File { name: String, blob: Blob },
    Sample(&'static Sample),
}

impl Engine {
    /// An engine that tells `dispatch` what happens. Starts its first worker.
    #[must_use]
    pub fn start(dispatch: Callback<Action>) -> Self {
        let inner = Rc::new(Inner {
            dispatch,
            active: RefCell::default(),
            spare: RefCell::default(),
            epoch: Cell::default(),
            last_id: Cell::default(),
            last_worker: Cell::default(),
            given: RefCell::default(),
            transfer: RefCell::default(),
            saved: RefCell::default(),
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
        self.0.open(Given::File { name: file.name(), blob }, None);
    }

    /// Fetches a sample and opens it.
    pub fn open_sample(&self, sample: &'static Sample) {
        self.0.open(Given::Sample(sample), None);
    }

    /// Opens the same file again, from a superblock other than the primary one.
    pub fn choose(&self, superblock: SuperblockChoice) {
        self.0.open_again(Some(superblock));
    }

    /// Opens the same file again.
    pub fn reopen(&self) {
        self.0.open_again(None);
    }

    /// Closes the image, or cancels its opening.
    pub fn close(&self) {
        *self.0.given.borrow_mut() = None;
        self.0.fresh_worker();
        self.0.dispatch.emit(Action::Closed(self.0.next_epoch()));
    }

    /// Asks a question about the open image.
    pub fn ask(&self, request: Request) {
        self.0.ask(request, None);
    }

    /// Saves a file of the image on the person's disk, in place of one that is on its way.
    pub fn save(&self, ino: Ino, name: String, size: u64) {
        if size > LARGEST {
            let text = format!(
                "{name} is too large to be saved from a browser. The command line can: extscope cat"
            );
            return self.0.dispatch.emit(Action::Notice(Some(text)));
        }
        let transfer = Transferring::new(ino, name, size);
        self.0.dispatch.emit(Action::Transfer(Some(transfer.state())));
        let first = transfer.next();
        *self.0.transfer.borrow_mut() = Some(transfer);
        self.0.ask(Request::Read(first), None);
    }

    /// Gives up the file that is on its way.
    pub fn stop_saving(&self) {
        self.0.stop_saving();
    }

    /// Asks for everything about a group.
    pub fn inspect(&self, group: Group) {
        self.0.ask(Request::Inspect { group }, None);
    }

    /// Has the bitmaps of these groups read before the others.
    pub fn prioritise(&self, first: Group, count: u32) {
        self.0.ask(Request::Prioritise { first, count }, None);
    }

    /// Stops the reading of bitmaps, or lets it go on.
    pub fn pause_sweep(&self, paused: bool) {
        self.0.ask(Request::Pause(paused), None);
    }
}

impl Inner {
    fn next_epoch(&self) -> Epoch {
        self.stop_saving();
        self.epoch.set(self.epoch.get().next());
        self.epoch.get()
    }

    fn open_again(self: &Rc<Self>, superblock: Option<SuperblockChoice>) {
        let given = self.given.borrow().clone();
        if let Some(given) = given {
            self.open(given, superblock);
        }
    }

    fn open(self: &Rc<Self>, given: Given, superblock: Option<SuperblockChoice>) {
        let epoch = self.next_epoch();
        *self.given.borrow_mut() = Some(given.clone());
        self.fresh_worker();
        match given {
            Given::File { name, blob } => {
                self.begin(epoch, &name, Some(blob.size()), superblock);
                self.ask(Request::Open { superblock }, Some(&blob));
            }
            Given::Sample(sample) => {
                self.begin(epoch, &sample.image_name(), None, superblock);
                let inner = Rc::clone(self);
                wasm_bindgen_futures::spawn_local(async move {
                    let fetched = sample::fetch(sample).await;
                    if inner.epoch.get() != epoch {
                        return;
                    }
                    match fetched {
                        Ok(blob) => inner.ask(Request::Open { superblock }, Some(&blob)),
                        Err(text) => inner.broke(Reason::Sample(text)),
                    }
                });
            }
        }
    }

    fn begin(
        &self,
        epoch: Epoch,
        name: &str,
        bytes: Option<f64>,
        superblock: Option<SuperblockChoice>,
    ) {
        // A Blob's size is a whole number below 2^53.
        let bytes = bytes.map(|bytes| bytes as u64);
        let opening = Opening { superblock, ..Opening::new(name, bytes) };
        self.dispatch.emit(Action::Opening { epoch, opening });
    }

    fn ask(&self, request: Request, file: Option<&Blob>) {
        let id = self.last_id.get().next();
        self.last_id.set(id);
        let message = RequestMessage { epoch: self.epoch.get(), id, request };
        let sent = match &*self.active.borrow() {
            None => Err("no worker could be started".into()),
            Some(worker) => {
                worker.used.set(true);
                worker.port.send(&message, file.map(AsRef::as_ref))
            }
        };
        if let Err(text) = sent {
            self.broke(Reason::Program(text));
        }
    }

    fn stop_saving(&self) {
        if self.transfer.take().is_some() {
            self.dispatch.emit(Action::Transfer(None));
        }
    }

    /// Takes in a piece of the file that is on its way.
    fn received(&self, stretch: Stretch, piece: Result<Piece, Error>) {
        let mut waiting = self.transfer.borrow_mut();
        let Some(transfer) = waiting.as_mut().filter(|transfer| transfer.next() == stretch) else {
            return;
        };
        let received = piece
            .map_err(|error| error.to_string())
            .and_then(|piece| transfer.take(&piece))
            .map_err(|why| format!("{} cannot be saved: {why}", transfer.name()));
        match received {
            Ok(Received::Next(next)) => {
                let state = transfer.state();
                drop(waiting);
                self.dispatch.emit(Action::Transfer(Some(state)));
                self.ask(Request::Read(next), None);
            }
            Ok(Received::Whole(url)) => {
                url.save(transfer.name());
                *self.saved.borrow_mut() = Some(url);
                drop(waiting);
                self.stop_saving();
            }
            Err(why) => {
                drop(waiting);
                self.stop_saving();
                self.dispatch.emit(Action::Notice(Some(why)));
            }
        }
    }

    fn broke(&self, reason: Reason) {
        self.dispatch.emit(Action::Broke { epoch: self.epoch.get(), reason });
    }

    /// Sees to it that the active worker knows nothing of an earlier image.
    fn fresh_worker(self: &Rc<Self>) {
        let used = self.active.borrow().as_ref().is_none_or(|worker| worker.used.get());
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
        Ok(Worker { number, port, used: Cell::new(false) })
    }

    /// Takes in what a worker did.
    fn happened(self: &Rc<Self>, number: u32, event: PortEvent) {
        let is = |worker: &RefCell<Option<Worker>>| {
            worker.borrow().as_ref().is_some_and(|worker| worker.number == number)
        };
        if is(&self.active) {
            match event {
                PortEvent::Ready => self.warm_spare(),
                PortEvent::Reply(message) => self.answered(*message),
                PortEvent::NeverCame(text) => {
                    // The next one would not come either; it is tried when something is opened.
                    drop(self.active.take());
                    self.broke(Reason::Program(text));
                }
                PortEvent::Broke(text) => {
                    self.broke(Reason::Program(text));
                    self.replace_worker();
                }
            }
        } else if is(&self.spare) && is_end(&event) {
            drop(self.spare.take());
        }
    }

    /// Passes on an answer of the active worker.
    fn answered(self: &Rc<Self>, message: ReplyMessage) {
        let ReplyMessage { epoch, reply, .. } = message;
        let reply = match reply {
            Reply::Read { stretch, piece } if stretch.len == Stretch::THROUGH => {
                // A piece for an image that was closed finds no file on its way.
                return self.received(stretch, piece);
            }
            reply => reply,
        };
        let is_broken = matches!(reply, Reply::Broke(_));
        let is_settled =
            matches!(reply, Reply::Opened(_) | Reply::NotOpened(_) | Reply::Choose { .. });
        self.dispatch.emit(Action::Replied { epoch, reply });
        if is_broken {
            self.replace_worker();
        }
        // Not before: the opening has both processors for itself.
        if is_broken || is_settled {
            self.warm_spare();
        }
    }
}

/// Whether the worker that this came from is of no more use.
fn is_end(event: &PortEvent) -> bool {
    match event {
        PortEvent::NeverCame(_) | PortEvent::Broke(_) => true,
        PortEvent::Reply(message) => matches!(message.reply, Reply::Broke(_)),
        PortEvent::Ready => false,
    }
}
