//! One worker, seen from the page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::protocol::{BUILD, BadMessage, Reply, ReplyMessage, RequestMessage, decode, encode};

/// The worker's first script, beside the page.
const SCRIPT: &str = "./worker_start.js";

/// What a worker does to the page.
pub(super) enum PortEvent {
    /// It is up.
    Ready,
    /// It answered.
    Reply(Box<ReplyMessage>),
    /// It is of another build than the page.
    OtherBuild,
    /// It could not be started.
    NeverCame(String),
    /// It broke, and answers nothing more.
    Broke(String),
}

/// One worker. Dropping it ends the worker at once, whatever it does.
pub(super) struct Port {
    worker: Worker,
    queue: Rc<Queue>,
    _listeners: [Closure<dyn FnMut(JsValue)>; 3],
}

/// What was sent before the worker could listen: a module worker loses messages until then.
#[derive(Default)]
struct Queue {
    ready: Cell<bool>,
    waiting: RefCell<Vec<JsValue>>,
}

impl Port {
    /// Starts a worker that tells `on_event` what happens to it.
    ///
    /// # Errors
    /// What the browser says when it cannot.
    pub(super) fn spawn(on_event: impl Fn(PortEvent) + 'static) -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name("extscope engine");
        let script = format!("{SCRIPT}?{BUILD}");
        let worker = Worker::new_with_options(&script, &options).map_err(said)?;
        let queue = Rc::new(Queue::default());
        let on_event = Rc::new(on_event);

        let on_message = {
            let (worker, queue, on_event) =
                (worker.clone(), Rc::clone(&queue), Rc::clone(&on_event));
            Closure::new(move |event: JsValue| on_event(received(&event, &worker, &queue)))
        };
        let on_error = {
            let (on_event, queue) = (Rc::clone(&on_event), Rc::clone(&queue));
            Closure::new(move |event: JsValue| {
                on_event(broken(&event, queue.ready.get()));
            })
        };
        let on_message_error = Closure::new(move |_: JsValue| {
            on_event(PortEvent::Broke("a message of the worker could not be read".into()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_message_error.as_ref().unchecked_ref()));
        Ok(Self { worker, queue, _listeners: [on_message, on_error, on_message_error] })
    }

    /// Sends a question, with what lies beside it, if anything.
    ///
    /// # Errors
    /// What the browser says when it cannot.
    pub(super) fn send(
        &self,
        message: &RequestMessage,
        beside: Option<JsValue>,
    ) -> Result<(), String> {
        let bytes = encode(message).map_err(|error: BadMessage| error.to_string())?;
        let parcel = Array::of1(&Uint8Array::from(bytes.as_slice()));
        if let Some(beside) = beside {
            parcel.push(&beside);
        }
        if self.queue.ready.get() {
            self.worker.post_message(&parcel).map_err(said)
        } else {
            self.queue.waiting.borrow_mut().push(parcel.into());
            Ok(())
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

/// What a message event says; the first one opens the queue.
fn received(event: &JsValue, worker: &Worker, queue: &Queue) -> PortEvent {
    let data = event.unchecked_ref::<MessageEvent>().data();
    let Ok(bytes) = data.dyn_into::<Uint8Array>() else {
        return PortEvent::Broke("the worker sent something that is no message".into());
    };
    match decode::<ReplyMessage>(&bytes.to_vec()) {
        Ok(ReplyMessage { reply: Reply::Ready { build }, .. }) if build == BUILD => {
            queue.ready.set(true);
            for parcel in queue.waiting.take() {
                if let Err(error) = worker.post_message(&parcel) {
                    return PortEvent::Broke(said(error));
                }
            }
            PortEvent::Ready
        }
        Ok(ReplyMessage { reply: Reply::Ready { .. }, .. }) => PortEvent::OtherBuild,
        Ok(message) => PortEvent::Reply(Box::new(message)),
        Err(_) if !queue.ready.get() => PortEvent::OtherBuild,
        Err(error) => PortEvent::Broke(error.to_string()),
    }
}

/// What an error event says: nothing at all when the script itself could not be loaded.
fn broken(event: &JsValue, was_ready: bool) -> PortEvent {
    if let Some(event) = event.dyn_ref::<Event>() {
        event.prevent_default();
    }
    let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
    let or = |text: &str| if message.is_empty() { text.to_owned() } else { message.clone() };
    if was_ready {
        PortEvent::Broke(or("the worker stopped without a reason"))
    } else {
        PortEvent::NeverCame(or("The engine's worker could not be started. Either the page's \
                                 server no longer answers, or the browser is older than Chrome or \
                                 Edge 111, Firefox 121, Safari 16.4."))
    }
}

/// What a thrown value says.
pub(super) fn said(value: JsValue) -> String {
    match value.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => value.as_string().unwrap_or_else(|| "no reason given".into()),
    }
}
