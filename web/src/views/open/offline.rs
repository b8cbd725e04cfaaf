//! Keeping the page, to open it without a network.

use yew::prelude::*;

use crate::state::Offline;

/// What is on the button as long as the page is not kept.
const KEEP: &str = "Keep it on this device";

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct KeepProps {
    /// Whether the page is kept.
    pub offline: Offline,
    /// Keep it, or no longer.
    pub on_keep: Callback<bool>,
}

/// Keeping the page; nothing where the browser cannot.
#[component]
pub(super) fn Keep(props: &KeepProps) -> Html {
    let (said, label, is_wanted): (AttrValue, _, _) = match &props.offline {
        Offline::Unable => return Html::default(),
        Offline::Off => ("extscope can open without a network, too.".into(), KEEP, true),
        Offline::Bringing => ("Bringing extscope's files\u{2026}".into(), KEEP, true),
        Offline::Kept => (
            "extscope is kept on this device, and opens without a network.".into(),
            "Remove it",
            false,
        ),
        Offline::Failed(why) => {
            (format!("extscope's files could not be kept: {why}.").into(), "Try again", true)
        }
    };
    // The button stays while it has nothing to do, or the focus would have nowhere to be.
    let is_busy = props.offline == Offline::Bringing;
    let on_keep = props.on_keep.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        if !is_busy {
            on_keep.emit(is_wanted);
        }
    });
    html! {
        <p class="open__keep">
            <span role="status">{ said }</span>
            <button type="button" class="button button--small" aria-disabled={is_busy.to_string()} {onclick}>
                { label }
            </button>
        </p>
    }
}
