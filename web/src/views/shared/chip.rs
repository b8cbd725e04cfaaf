//! A word on a tinted ground.

use yew::prelude::*;

use super::Icon;
use crate::select::header::Tone;

/// What a chip says.
#[derive(Properties, PartialEq)]
pub(crate) struct ChipProps {
    /// How much it matters. All but neutral ones have an icon as well as a colour.
    #[prop_or_default]
    pub tone: Tone,
    /// The reason, said when asked.
    #[prop_or_default]
    pub title: Option<AttrValue>,
    /// The word.
    pub children: Html,
}

/// A word on a tinted ground.
#[component]
pub(crate) fn Chip(props: &ChipProps) -> Html {
    let (class, icon) = match props.tone {
        Tone::Neutral => (None, None),
        Tone::Ok => (Some("chip--ok"), Some(Icon::Ok)),
        Tone::Warn => (Some("chip--warn"), Some(Icon::Warn)),
        Tone::Err => (Some("chip--err"), Some(Icon::Err)),
    };
    html! {
        <span class={classes!("chip", class)} title={props.title.clone()}>
            { icon.map(Icon::view) }
            { props.children.clone() }
        </span>
    }
}
