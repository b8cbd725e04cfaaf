//! The theme, on the page's root element and in the store.

use web_sys::{Document, Window};

use crate::state::Theme;

/// The store's key; `theme.js` reads it before the first paint.
const KEY: &str = "extscope.theme";

/// The theme that the page has.
pub(super) fn current() -> Theme {
    web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element())
        .and_then(|root| root.get_attribute("data-theme"))
        .and_then(|slug| Theme::parse(&slug))
        .unwrap_or_default()
}

/// Gives the page a theme and keeps it for the next time.
pub(super) fn apply(theme: Theme, window: &Window, document: &Document) {
    if let Some(root) = document.document_element() {
        // Refused only for a name that is no attribute's.
        let _ = root.set_attribute("data-theme", theme.slug());
    }
    if let Ok(Some(store)) = window.local_storage() {
        // A full or forbidden store: the theme lasts as long as the page.
        let _ = store.set_item(KEY, theme.slug());
    }
}
