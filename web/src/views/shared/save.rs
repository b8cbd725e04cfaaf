//! Saving what is shown.

use yew::prelude::*;

use super::Icon;
use crate::client::ObjectUrl;
use crate::state::transfer::save_name;

/// A button that makes a text when it is pressed, and saves it under a name.
pub(crate) fn save_made(
    label: &'static str,
    name: String,
    make: impl Fn() -> String + 'static,
) -> Html {
    let title = format!("Save as {name}");
    let onclick = Callback::from(move |_: MouseEvent| {
        // The browser has taken the bytes by the time the address is given up.
        if let Some(url) = ObjectUrl::of_bytes(make().as_bytes(), "text/plain") {
            url.save(&save_name(name.as_bytes()));
        }
    });
    html! {
        <button type="button" class="button button--small" {title} {onclick}>
            { Icon::Save.view() }{ label }
        </button>
    }
}
