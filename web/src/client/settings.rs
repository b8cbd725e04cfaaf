//! The settings, on the page's root element and in the browser's store.

use gloo_events::EventListener;
use web_sys::{Storage, Window};
use yew::Callback;

use crate::state::{Settings, Theme};

/// `theme.js` reads this one before the first paint.
const THEME: &str = "extscope.theme";
const SIDE_BAR: &str = "extscope.side-bar";
const INSPECTOR: &str = "extscope.inspector";
const SINGLE_KEYS: &str = "extscope.single-keys";

/// The settings of the last time; the theme is what the page was painted with.
pub(super) fn load(window: &Window) -> Settings {
    let store = store(window);
    let flag = |key: &str, or: bool| {
        let stored = store.as_ref().and_then(|store| store.get_item(key).ok().flatten());
        match stored.as_deref() {
            Some("on") => true,
            Some("off") => false,
            _ => or,
        }
    };
    let theme = window
        .document()
        .and_then(|document| document.document_element())
        .and_then(|root| root.get_attribute("data-theme"))
        .and_then(|slug| Theme::parse(&slug));
    let or = Settings::default();
    Settings {
        theme: theme.unwrap_or(or.theme),
        is_theme_chosen: store
            .as_ref()
            .is_some_and(|store| matches!(store.get_item(THEME), Ok(Some(_)))),
        side_bar: flag(SIDE_BAR, or.side_bar),
        inspector: flag(INSPECTOR, or.inspector),
        single_keys: flag(SINGLE_KEYS, or.single_keys),
    }
}

/// Tells from now on which theme the system prefers, when that changes.
pub(super) fn watch_system(window: &Window, on_theme: Callback<Theme>) -> Option<EventListener> {
    let list = window.match_media("(prefers-color-scheme: light)").ok()??;
    let theme_of = |is_light| if is_light { Theme::Light } else { Theme::Dark };
    let target = list.clone();
    Some(EventListener::new(&target, "change", move |_| on_theme.emit(theme_of(list.matches()))))
}

/// Gives the page its theme.
pub(super) fn apply(theme: Theme, window: &Window) {
    if let Some(root) = window.document().and_then(|document| document.document_element()) {
        // Refused only for a name that is no attribute's.
        let _ = root.set_attribute("data-theme", theme.slug());
    }
}

/// Keeps the settings for the next time. Where the store is full or forbidden, they last as long
/// as the page.
pub(super) fn save(settings: &Settings, window: &Window) {
    let Some(store) = store(window) else { return };
    let flag = |on: bool| if on { "on" } else { "off" };
    let theme = settings.is_theme_chosen.then_some((THEME, settings.theme.slug()));
    let items = [
        (SIDE_BAR, flag(settings.side_bar)),
        (INSPECTOR, flag(settings.inspector)),
        (SINGLE_KEYS, flag(settings.single_keys)),
    ];
    for (key, value) in items.into_iter().chain(theme) {
        let _ = store.set_item(key, value);
    }
}

fn store(window: &Window) -> Option<Storage> {
    window.local_storage().ok().flatten()
}
