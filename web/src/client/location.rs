//! The address bar.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;

use crate::state::Route;

/// The route that the address bar names.
#[must_use]
pub(super) fn route() -> Route {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok());
    Route::parse(&hash.unwrap_or_default())
}

/// Loads the page again.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        // Refused only to a page that may not load itself; then the person does it.
        let _ = window.location().reload();
    }
}

/// Milliseconds between two changes of the address, at least: browsers refuse more than some hundred
/// in half a minute.
const PACE: f64 = 250.0;

/// Milliseconds within which a step that follows another belongs to it, as while a key is held.
const HELD: f64 = 350.0;

/// The address bar. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct AddressBar(Rc<RefCell<Bar>>);

#[derive(Default)]
struct Bar {
    /// What it is to show.
    route: Route,
    /// When it was changed last.
    changed: f64,
    /// When the last step was taken in.
    stepped: f64,
    /// `None` while it shows what it is to.
    timer: Option<Timeout>,
}

impl AddressBar {
    /// Puts `route` into the address bar, now or soon.
    pub(super) fn show(&self, route: &Route) {
        let mut bar = self.0.borrow_mut();
        bar.route = route.clone();
        if bar.timer.is_some() {
            return;
        }
        let wait = bar.changed + PACE - now();
        if wait <= 0.0 {
            return bar.change();
        }
        let this = Rc::clone(&self.0);
        bar.timer = Some(Timeout::new(wait.ceil() as u32, move || {
            let mut bar = this.borrow_mut();
            bar.timer = None;
            bar.change();
        }));
    }
}

impl Bar {
    fn change(&mut self) {
        let Some(window) = web_sys::window() else { return };
        let hash = self.route.to_string();
        let shown = window.location().hash().unwrap_or_default();
        if shown == hash {
            return;
        }
        self.changed = now();
        let way = way(&shown, &self.route, self.changed - self.stepped);
        if way != Way::Move {
            self.stepped = self.changed;
        }
        if let Ok(history) = window.history() {
            // Refused only in a document that cannot have a history; then the address stays.
            let _ = match way {
                Way::Step => history.push_state_with_url(&JsValue::NULL, "", Some(&hash)),
                _ => history.replace_state_with_url(&JsValue::NULL, "", Some(&hash)),
            };
        }
    }
}

/// How one place follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As a step that the browser's back button undoes.
    Step,
    /// As a part of the step before it.
    Held,
    /// As no step: the first place of a page, or a move of the map.
    Move,
}

/// How `route` follows the address that is shown, so many milliseconds after the last step.
fn way(shown: &str, route: &Route, since: f64) -> Way {
    let before = Route::parse(shown);
    if shown.is_empty() || route.is_same_but_for_the_map(&before) {
        Way::Move
    } else if since < HELD && route.view == before.view {
        Way::Held
    } else {
        Way::Step
    }
}

fn now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_held_key_are_one_and_moves_of_the_map_are_none() {
        let way = |shown: &str, to: &str, since| way(shown, &Route::parse(to), since);
        assert_eq!(way("", "#/map", 9e9), Way::Move);
        assert_eq!(way("#/map", "#/map?at=7", 9e9), Way::Move);
        assert_eq!(way("#/groups?sel=g:1", "#/groups?sel=g:2", 5000.0), Way::Step);
        assert_eq!(way("#/groups?sel=g:2", "#/groups?sel=g:3", 30.0), Way::Held);
        assert_eq!(way("#/groups?sel=g:3", "#/map?sel=g:3", 30.0), Way::Step);
    }
}
