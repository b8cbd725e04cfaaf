//! Keeping the page, to open it without a network.

use yew::prelude::*;

use crate::state::Offline;

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
    let act = |label: &'static str, is_wanted: bool| {
        let onclick = props.on_keep.reform(move |_: MouseEvent| is_wanted);
        html! { <button type="button" class="button button--small" {onclick}>{ label }</button> }
    };
    let (said, button) = match &props.offline {
        Offline::Unable => return Html::default(),
        Offline::Off => (
            "extscope can open without a network, too.".into(),
            Some(act("Keep it on this device", true)),
        ),
        Offline::Bringing => ("Bringing extscope's files\u{2026}".into(), None),
        Offline::Kept => (
            "extscope is kept on this device, and opens without a network.".into(),
            Some(act("Remove it", false)),
        ),
        Offline::Failed(why) => {
            (format!("extscope's files could not be kept: {why}."), Some(act("Try again", true)))
        }
    };
    html! { <p class="open__keep"><span role="status">{ said }</span>{ button }</p> }
}
