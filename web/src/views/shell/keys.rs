//! The keyboard, where no view wants it.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::state::{Setting, View};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The sheet of shortcuts.
    Help,
    /// Another image.
    Open,
    /// The box to go anywhere.
    Jump,
    /// The dialog that saves things.
    Export,
    /// A setting, turned over.
    Turn(Setting),
    /// A view.
    Go(View),
    /// Close, or select nothing.
    Leave,
}

/// How long, in milliseconds, `G` waits for the second key.
const CHORD: f64 = 1200.0;

/// Calls `on_command` for the keys that hold everywhere; behind a dialog only for those that close it.
#[hook]
pub(crate) fn use_keys(single_keys: bool, is_behind: bool, on_command: Callback<Command>) {
    // The listener outlives a render; what it calls is the callback of the last one.
    let latest = use_mut_ref(Callback::<Command>::noop);
    *latest.borrow_mut() = on_command;
    use_effect_with((single_keys, is_behind), move |&(single_keys, is_behind)| {
        // When `G` was pressed; the event's own clock.
        let chord: Rc<Cell<Option<f64>>> = Rc::default();
        let listeners = web_sys::window().map(|window| {
            let second = {
                let (chord, latest) = (Rc::clone(&chord), latest.clone());
                // What has the focus has its own use for letters; the second one is not for it.
                let options = EventListenerOptions::run_in_capture_phase();
                let options = EventListenerOptions { passive: false, ..options };
                EventListener::new_with_options(&window, "keydown", options, move |event| {
                    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                    if let Some(view) = second_key(event, &chord) {
                        event.prevent_default();
                        event.stop_propagation();
                        let on_command = latest.borrow().clone();
                        on_command.emit(Command::Go(view));
                    }
                })
            };
            let options = EventListenerOptions::enable_prevent_default();
            let first =
                EventListener::new_with_options(&window, "keydown", options, move |event| {
                    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                    if event.default_prevented() || event.is_composing() {
                        return;
                    }
                    let command = command(event, single_keys, &chord);
                    if let Some(command) = command.filter(|it| !is_behind || *it == Command::Leave)
                    {
                        event.prevent_default();
                        let on_command = latest.borrow().clone();
                        on_command.emit(command);
                    }
                });
            (first, second)
        });
        move || drop(listeners)
    });
}

fn command(event: &KeyboardEvent, single_keys: bool, chord: &Cell<Option<f64>>) -> Option<Command> {
    let key = event.key();
    if event.ctrl_key() || event.meta_key() {
        return match key.to_ascii_lowercase().as_str() {
            "o" => Some(Command::Open),
            "k" => Some(Command::Jump),
            _ => None,
        };
    }
    if key == "Escape" {
        return Some(Command::Leave);
    }
    if !single_keys || event.alt_key() || is_typing(event) {
        return None;
    }
    match key.as_str() {
        "g" => {
            chord.set(Some(event.time_stamp()));
            None
        }
        "?" => Some(Command::Help),
        "/" => Some(Command::Jump),
        "e" => Some(Command::Export),
        "D" => Some(Command::Turn(Setting::Theme)),
        "[" => Some(Command::Turn(Setting::SideBar)),
        "]" => Some(Command::Turn(Setting::Inspector)),
        _ => None,
    }
}

/// The view that the key behind a `G` leads to.
fn second_key(event: &KeyboardEvent, chord: &Cell<Option<f64>>) -> Option<View> {
    let then = chord.take()?;
    let is_plain = !event.ctrl_key() && !event.alt_key() && !event.meta_key();
    if !is_plain || event.time_stamp() - then >= CHORD {
        return None;
    }
    match event.key().as_str() {
        "m" => Some(View::Map),
        "f" => Some(View::Files),
        "g" => Some(View::Groups),
        "u" => Some(View::Superblock),
        "x" => Some(View::Hex),
        "e" => Some(View::Free),
        "s" => Some(View::Shrink),
        "c" => Some(View::Check),
        "l" => Some(View::Learn),
        _ => None,
    }
}

/// Inputs into which no letters go.
const NOT_TYPED: [&str; 4] = ["checkbox", "radio", "range", "file"];

/// Whether keys go into a field.
fn is_typing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => {
            let kind = element.get_attribute("type").unwrap_or_default();
            !NOT_TYPED.contains(&kind.as_str())
        }
        _ => false,
    })
}
