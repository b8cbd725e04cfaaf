//! Where the focus goes when the page changes under it.

use core::mem::{Discriminant, discriminant};

use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlElement};
use yew::prelude::*;

use crate::state::{Phase, View};

/// What in a view is gone through by keys.
const GONE_THROUGH: &str =
    "#main :is([role=application], [role=grid], [role=treegrid], [role=tree])[tabindex='0']";

/// Puts the focus into the view that the person was sent to: whenever `sent` counts on, and when
/// another view or another phase came and the focus was on something that went.
#[hook]
pub(super) fn use_landing(view: View, phase: &Phase, sent: u32) {
    let last = use_mut_ref(|| None::<(View, Discriminant<Phase>, u32)>);
    use_effect_with((view, discriminant(phase), sent), move |now| {
        let before = last.replace(Some(*now));
        let was_sent = before.is_some_and(|before| before.2 != now.2);
        if was_sent || before.is_some() && is_focus_nowhere() {
            focus(document().and_then(|document| landing(&document)));
        }
    });
}

/// Moves the focus without touching the address, which names the view.
pub(super) fn skip_to_main(event: MouseEvent) {
    event.prevent_default();
    focus(document().and_then(|document| main(&document)));
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

fn main(document: &Document) -> Option<HtmlElement> {
    document.get_element_by_id("main")?.dyn_into().ok()
}

/// What keys go through in the view, else the view.
fn landing(document: &Document) -> Option<HtmlElement> {
    let inside = document.query_selector(GONE_THROUGH).ok().flatten();
    inside.and_then(|element| element.dyn_into().ok()).or_else(|| main(document))
}

/// Whether nothing has the focus, as when what had it is gone.
fn is_focus_nowhere() -> bool {
    let focused = document().and_then(|document| document.active_element());
    focused.is_none_or(|element| element.tag_name() == "BODY")
}

fn focus(element: Option<HtmlElement>) {
    if let Some(element) = element {
        // Fails only for an element that is gone.
        let _ = element.focus();
    }
}
