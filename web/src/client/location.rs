//! The address bar.

use wasm_bindgen::JsValue;
use web_sys::Window;

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

/// Puts `route` into the address bar. Another view or selection is a step that the browser's back
/// button undoes; the first route of a page is not, nor is a move of the map.
pub(super) fn show(route: &Route, window: &Window) {
    let hash = route.to_string();
    let shown = window.location().hash().unwrap_or_default();
    if shown == hash {
        return;
    }
    if let Ok(history) = window.history() {
        // Refused only in a document that cannot have a history; then the address stays.
        let _ = if shown.is_empty() || route.is_same_but_for_the_map(&Route::parse(&shown)) {
            history.replace_state_with_url(&JsValue::NULL, "", Some(&hash))
        } else {
            history.push_state_with_url(&JsValue::NULL, "", Some(&hash))
        };
    }
}
