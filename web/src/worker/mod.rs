//! The engine's side: a worker that opens, reads and answers.
//!
//! *Belongs here:* the only calls of the engine, and the bytes that it reads. *Does not:* anything
//! of the page. *May use:* `protocol` and the whole engine.
//!
//! [`Session`] is plain code that is tested natively; what is below only carries messages. Between
//! two steps of work the worker looks for new questions, so that it answers while it sweeps.

mod batch;
mod blob_source;
mod clock;
mod contents;
mod describe;
mod exports;
mod host;
mod image;
mod jobs;
mod logged;
mod mapping;
mod opening;
mod seeking;
mod session;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

pub use blob_source::BlobSource;
pub use host::Host;
pub use session::{Session, Vitals};

use crate::protocol::{
    BUILD, Epoch, Reply, ReplyMessage, RequestId, RequestMessage, decode, encode_sized,
};

/// Milliseconds of work between two looks at what the page asks. A look costs as much as a small
/// read, and nobody should wait for one.
const SLICE: f64 = 8.0;

thread_local! {
    /// The opening at work, for the last words of a panic.
    static EPOCH: Cell<Epoch> = const { Cell::new(Epoch::FIRST) };
}

/// Starts the worker: tells the page that it is up, and answers from then on.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| broke(panic.to_string())));
    match Worker::new() {
        Ok(worker) => Rc::new(worker).listen(),
        Err(_) => broke("this browser has no MessageChannel".into()),
    }
}

struct Worker {
    session: RefCell<Session<Host>>,
    /// A message to oneself, so that questions that wait come first.
    next_step: MessageChannel,
    step_waits: Cell<bool>,
    /// Questions that were taken in.
    asked: Cell<u32>,
}

impl Worker {
    fn new() -> Result<Self, JsValue> {
        let session = RefCell::new(Session::default());
        let next_step = MessageChannel::new()?;
        Ok(Self { session, next_step, step_waits: Cell::default(), asked: Cell::default() })
    }

    /// Listens for as long as the worker lives.
    fn listen(self: Rc<Self>) {
        let worker = Rc::clone(&self);
        let on_message = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
            worker.asked(&event.data());
        });
        scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        on_message.forget();

        let worker = Rc::clone(&self);
        let on_step = Closure::<dyn FnMut()>::new(move || worker.step());
        self.next_step.port1().set_onmessage(Some(on_step.as_ref().unchecked_ref()));
        on_step.forget();

        let reply = Reply::Ready { build: BUILD.to_owned() };
        post(&ReplyMessage { epoch: Epoch::FIRST, id: RequestId::default(), reply });
    }

    /// Takes in a question.
    fn asked(&self, parcel: &JsValue) {
        let parcel = Array::from(parcel);
        let bytes = parcel.get(0).dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec());
        let message: RequestMessage = match decode(&bytes.unwrap_or_default()) {
            Ok(message) => message,
            Err(error) => return broke(error.to_string()),
        };
        EPOCH.set(message.epoch);
        self.asked.set(self.asked.get().wrapping_add(1));
        let source = Host::beside(parcel.get(1));
        let replies = self.session.borrow_mut().ask(message, source, vitals());
        self.answer(&replies);
    }

    /// Does steps of the session's work for a [`SLICE`], and at least one.
    fn step(&self) {
        self.step_waits.set(false);
        let begin = vitals().now;
        let mut replies = Vec::new();
        loop {
            let vitals = vitals();
            replies.extend(self.session.borrow_mut().step(vitals));
            if vitals.now - begin >= SLICE || !self.session.borrow().has_work() {
                break;
            }
        }
        self.answer(&replies);
    }

    /// Posts answers, and sees to it that work goes on.
    fn answer(&self, replies: &[ReplyMessage]) {
        replies.iter().for_each(post);
        if !self.session.borrow().has_work() {
            let reply = Reply::Rests { asked: self.asked.get() };
            return post(&ReplyMessage { epoch: EPOCH.get(), id: RequestId::default(), reply });
        }
        if !self.step_waits.replace(true)
            && let Err(error) = self.next_step.port2().post_message(&JsValue::NULL)
        {
            broke(format!("the next step cannot be planned: {error:?}"));
        }
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn vitals() -> Vitals {
    let memory = wasm_bindgen::memory().unchecked_into::<js_sys::WebAssembly::Memory>();
    let buffer = memory.buffer().unchecked_into::<js_sys::ArrayBuffer>();
    Vitals {
        now: clock::now(),
        memory_bytes: buffer.byte_length().into(),
        time: Some((js_sys::Date::now() / 1000.0) as u64),
    }
}

/// Tells the page that nothing more is to be expected, and why.
fn broke(text: String) {
    let (epoch, id) = (EPOCH.get(), RequestId::default());
    post(&ReplyMessage { epoch, id, reply: Reply::Broke(text) });
}

/// Posts an answer; its buffer moves to the page.
fn post(message: &ReplyMessage) {
    let posted = encode_sized(message, message.about_len()).map(|bytes| {
        let bytes = Uint8Array::from(bytes.as_slice());
        scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()))
    });
    // With no way to the page left, the worker's own error is all that can still be seen of it.
    if !matches!(posted, Ok(Ok(()))) {
        wasm_bindgen::throw_str("an answer could not be posted");
    }
}
