//! Closing what is open by turning elsewhere.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent, Node};
use yew::prelude::*;

/// Calls `on_leave` when the person presses outside of `node`, or Escape.
#[hook]
pub(crate) fn use_outside(node: NodeRef, is_open: bool, on_leave: Callback<()>) {
    use_effect_with((node, is_open), move |(node, is_open)| {
        let document = web_sys::window().and_then(|window| window.document());
        let listeners = document.filter(|_| *is_open).map(|document| {
            let (node, leave) = (node.clone(), on_leave.clone());
            let press = EventListener::new(&document, "pointerdown", move |event| {
                let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
                let inside = node.get().is_some_and(|node| node.contains(target.as_ref()));
                if !inside {
                    leave.emit(());
                }
            });
            let options = EventListenerOptions::enable_prevent_default();
            let on_key = move |event: &Event| {
                let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
                if key.as_deref() == Some("Escape") {
                    // It closes this and nothing else.
                    event.prevent_default();
                    on_leave.emit(());
                }
            };
            let key = EventListener::new_with_options(&document, "keydown", options, on_key);
            (press, key)
        });
        move || drop(listeners)
    });
}
