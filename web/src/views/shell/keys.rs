//! The keyboard, where no view wants it.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::state::View;

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
    /// The other theme.
    Theme,
    /// The side bar, there or not.
    SideBar,
    /// The inspector, there or not.
    Inspector,
    /// A view.
    Go(View),
    /// Close, or select nothing.
    Leave,
}

/// How long, in milliseconds, `G` waits for the second key.
const CHORD: f64 = 1200.0;

/// Calls `on_command` for the keys that hold everywhere.
#[hook]
pub(crate) fn use_keys(single_keys: bool, on_command: Callback<Command>) {
    // The listener outlives a render; what it calls is the callback of the last one.
    let latest = use_mut_ref(Callback::<Command>::noop);
    *latest.borrow_mut() = on_command;
    use_effect_with(single_keys, move |&single_keys| {
        // When `G` was pressed; the event's own clock.
        let chord: Rc<Cell<Option<f64>>> = Rc::default();
        let options = EventListenerOptions::enable_prevent_default();
        let listener = web_sys::window().map(|window| {
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                if event.default_prevented() || event.is_composing() {
                    return;
                }
                if let Some(command) = command(event, single_keys, &chord) {
                    event.prevent_default();
                    let on_command = latest.borrow().clone();
                    on_command.emit(command);
                }
            })
        });
        move || drop(listener)
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
    let now = event.time_stamp();
    if chord.take().is_some_and(|then| now - then < CHORD) {
        return match key.as_str() {
            "m" => Some(Command::Go(View::Map)),
            "f" => Some(Command::Go(View::Files)),
            "g" => Some(Command::Go(View::Groups)),
            "u" => Some(Command::Go(View::Superblock)),
            "x" => Some(Command::Go(View::Hex)),
            "e" => Some(Command::Go(View::Free)),
            "s" => Some(Command::Go(View::Shrink)),
            "c" => Some(Command::Go(View::Check)),
            _ => None,
        };
    }
    match key.as_str() {
        "g" => {
            chord.set(Some(now));
            None
        }
        "?" => Some(Command::Help),
        "/" => Some(Command::Jump),
        "e" => Some(Command::Export),
        "D" => Some(Command::Theme),
        "[" => Some(Command::SideBar),
        "]" => Some(Command::Inspector),
        _ => None,
    }
}

/// Whether keys go into a field.
fn is_typing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| {
        let name = element.tag_name();
        ["TEXTAREA", "SELECT"].contains(&name.as_str())
            || (name == "INPUT" && element.get_attribute("type").as_deref() != Some("checkbox"))
    })
}
