//! The images that come with the page.

use yew::prelude::*;

use super::super::shared::Icon;
use crate::state::{SAMPLES, Sample};

/// What the list does.
#[derive(Properties, PartialEq)]
pub(super) struct SamplesProps {
    /// Open a sample.
    pub on_sample: Callback<&'static Sample>,
}

/// The images that come with the page.
#[component]
pub(super) fn Samples(props: &SamplesProps) -> Html {
    let row = |sample: &'static Sample| {
        html! {
            <li>
                <button type="button" onclick={props.on_sample.reform(move |_: MouseEvent| sample)}>
                    <span class="samples__icon">{ Icon::Disk.view() }</span>
                    <span><b>{ sample.label }</b><small>{ sample.description }</small></span>
                </button>
            </li>
        }
    };
    html! {
        <aside class="samples" aria-labelledby="samples-title">
            <h2 id="samples-title">{ "Samples" }</h2>
            <ul>{ for SAMPLES.iter().map(row) }</ul>
            <p class="fine">{ "They come with the page and are fetched only when chosen." }</p>
        </aside>
    }
}
