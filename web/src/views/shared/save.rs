//! Saving what is shown.

use yew::prelude::*;

use super::Icon;
use crate::client::ObjectUrl;
use crate::state::transfer::save_name;

/// A button that saves a text under a name.
pub(crate) fn save_text(label: &'static str, name: String, text: String) -> Html {
    let onclick = Callback::from(move |_: MouseEvent| {
        // The browser has taken the bytes by the time the address is given up.
        if let Some(url) = ObjectUrl::of_bytes(text.as_bytes(), "text/plain") {
            url.save(&save_name(name.as_bytes()));
        }
    });
    html! {
        <button type="button" class="button button--small" title={format!("Save as CSV: {label}")} {onclick}>
            { Icon::Save.view() }{ label }
        </button>
    }
}
