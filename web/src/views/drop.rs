//! Files dropped anywhere on the page.

use web_sys::DragEvent;
use yew::prelude::*;

use crate::client::Engine;

/// What the page's root does with a file that is dragged over it.
pub(super) struct Drop {
    /// It enters or moves.
    pub on_drag: Callback<DragEvent>,
    /// It leaves.
    pub on_leave: Callback<DragEvent>,
    /// It is let go.
    pub on_drop: Callback<DragEvent>,
}

/// Opens what is dropped; `is_over` while something hovers.
#[hook]
pub(super) fn use_drop(engine: &Engine, is_over: &UseStateHandle<bool>) -> Drop {
    let on_drag = {
        let is_over = is_over.clone();
        Callback::from(move |event: DragEvent| {
            if carries_file(&event) {
                // Without this the browser would show the file instead of the page.
                event.prevent_default();
                if !*is_over {
                    is_over.set(true);
                }
            }
        })
    };
    let on_leave = {
        let is_over = is_over.clone();
        Callback::from(move |event: DragEvent| {
            // From one element of the page to the next is no leaving.
            if event.related_target().is_none() {
                is_over.set(false);
            }
        })
    };
    let on_drop = {
        let (engine, is_over) = (engine.clone(), is_over.clone());
        Callback::from(move |event: DragEvent| {
            is_over.set(false);
            let files = event.data_transfer().and_then(|data| data.files());
            if let Some(file) = files.and_then(|files| files.get(0)) {
                event.prevent_default();
                engine.open_file(&file);
            }
        })
    };
    Drop { on_drag, on_leave, on_drop }
}

fn carries_file(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|data| data.types());
    types.is_some_and(|types| types.includes(&"Files".into(), 0))
}
