//! A button to the neighbour of what is looked at.

use yew::prelude::*;

use super::Icon;

/// A button to a neighbour; without one, a button that does nothing.
pub(in crate::views) fn step_button(
    icon: Icon,
    name: &'static str,
    on_click: Option<Callback<MouseEvent>>,
) -> Html {
    html! {
        <button
            type="button"
            class="icon-button icon-button--small"
            aria-label={name}
            title={name}
            disabled={on_click.is_none()}
            onclick={on_click}
        >
            { icon.view() }
        </button>
    }
}
