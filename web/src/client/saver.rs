//! Saves things of the image on the person's disk, one at a time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::sink::{Asked, BlobSink, FileSink, Saved, Sink};
use super::transfer::{Received, Source, Transferring};
use crate::protocol::{Reply, Request};
use crate::state::Action;
use crate::state::transfer::LARGEST;

/// Milliseconds for which the bytes of a download are kept: browsers take them at once, but some ask
/// the person first where to.
const TAKEN: u32 = 60_000;

/// Saves things on the person's disk.
pub(super) struct Saver {
    dispatch: Callback<Action>,
    ask: Callback<Request>,
    /// The number of what is on its way; what is not of that number was given up.
    number: Cell<u32>,
    is_saving: Cell<bool>,
    /// What waits for its next piece.
    waiting: RefCell<Option<Transferring>>,
    /// Ends the address of what was saved last, once the browser has surely taken the bytes.
    saved: RefCell<Option<Timeout>>,
}

impl Saver {
    /// Tells `dispatch` how far it is, and asks the worker for pieces by `ask`.
    pub(super) fn new(dispatch: Callback<Action>, ask: Callback<Request>) -> Self {
        Self {
            dispatch,
            ask,
            number: Cell::default(),
            is_saving: Cell::default(),
            waiting: RefCell::default(),
            saved: RefCell::default(),
        }
    }

    /// Saves something in place of what is on its way. `source` is told its number.
    pub(super) fn save(self: &Rc<Self>, name: String, source: impl FnOnce(u32) -> Source) {
        self.stop();
        let number = self.number.get();
        let source = source(number);
        let is_too_large = matches!(source, Source::File { size, .. } if size > LARGEST);
        let saver = Rc::clone(self);
        spawn_local(async move {
            let asked = match source.may_be_large() {
                true => FileSink::ask(&name).await,
                false => Asked::Unable,
            };
            let sink = match asked {
                Asked::Refused => return,
                Asked::Named(file) => Sink::File(file),
                Asked::Unable if is_too_large => {
                    return saver.tell(format!(
                        "{name} is too large to be gathered by this browser. The command line \
                         can save it: extscope extract"
                    ));
                }
                Asked::Unable => Sink::Blob(BlobSink::new()),
            };
            if saver.number.get() == number {
                saver.is_saving.set(true);
                saver.go_on(Transferring::new(source, name, sink));
            } else {
                sink.give_up();
            }
        });
    }

    /// Gives up what is on its way.
    pub(super) fn stop(&self) {
        self.number.set(self.number.get().wrapping_add(1));
        if let Some(transfer) = self.waiting.take() {
            self.give_up(transfer);
        }
        if self.is_saving.replace(false) {
            self.dispatch.emit(Action::Transfer(None));
        }
    }

    /// Takes in an answer, if it is a piece that is wanted.
    pub(super) fn received(self: &Rc<Self>, reply: Reply) {
        let Some(mut transfer) = self.waiting.borrow_mut().take_if(|it| it.wants(&reply)) else {
            return;
        };
        let (saver, number) = (Rc::clone(self), self.number.get());
        spawn_local(async move {
            let received = transfer.take(reply).await;
            if saver.number.get() != number {
                return saver.give_up(transfer);
            }
            match received {
                Ok(Received::More) => saver.go_on(transfer),
                Ok(Received::Whole(remarks)) => {
                    let name = transfer.state().name;
                    let saved = transfer.finish().await;
                    saver.finished(&name, saved, &remarks);
                }
                Err(why) => {
                    let name = transfer.state().name;
                    saver.give_up(transfer);
                    saver.finished(&name, Err(why), &[]);
                }
            }
        });
    }

    /// Asks for the next piece.
    fn go_on(&self, transfer: Transferring) {
        let (state, next) = (transfer.state(), transfer.next());
        *self.waiting.borrow_mut() = Some(transfer);
        self.dispatch.emit(Action::Transfer(Some(state)));
        self.ask.emit(next);
    }

    fn give_up(&self, transfer: Transferring) {
        if transfer.is_export() {
            self.ask.emit(Request::StopExport);
        }
        transfer.give_up();
    }

    fn finished(&self, name: &str, saved: Result<Saved, String>, remarks: &[String]) {
        self.is_saving.set(false);
        self.dispatch.emit(Action::Transfer(None));
        match saved {
            Ok(Saved::Download(url)) => {
                *self.saved.borrow_mut() = Some(Timeout::new(TAKEN, move || drop(url)));
            }
            Ok(Saved::File) => {}
            Err(why) => return self.tell(format!("{name} cannot be saved: {why}")),
        }
        if !remarks.is_empty() {
            self.tell(format!("{name} is saved, but for this: {}.", remarks.join("; ")));
        }
    }

    fn tell(&self, text: String) {
        self.dispatch.emit(Action::Notice(Some(text)));
    }
}
