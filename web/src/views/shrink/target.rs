//! Beside the plan: sizes that are offered, whose behaviour is followed, the search for sizes.

use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::{FoundSizes, Like, MinimumReport};
use crate::select::shrink_target::{Preset, presets};
use crate::state::Work;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub(super) struct TargetPanelProps {
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
    /// What shrinks come to.
    pub sizes: Work<FoundSizes>,
    /// Blocks to come to.
    pub blocks: u64,
    /// Whose behaviour is followed.
    pub like: Like,
    /// The person chose a size.
    pub on_target: Callback<Option<u64>>,
    /// The person wants another release to be followed.
    pub on_like: Callback<Like>,
    /// The person wants to know what shrinks come to, or no longer.
    pub on_sizes: Callback<Option<Like>>,
}

/// Sizes that are offered, whose behaviour is followed, the search for sizes.
#[component]
pub(super) fn TargetPanel(props: &TargetPanelProps) -> Html {
    let preset = |preset: Preset| {
        let blocks = preset.blocks;
        html! {
            <label class="option" title={preset.note.clone()}>
                <input type="radio" name="shrink-preset" checked={props.blocks == blocks}
                    onchange={props.on_target.reform(move |_: Event| Some(blocks))} />
                <span>{ preset.name }</span>
                <small>{ preset.note }</small>
            </label>
        }
    };
    let like = |(like, name): (Like, &'static str)| {
        html! {
            <label class="option">
                <input type="radio" name="shrink-like" checked={props.like == like}
                    onchange={props.on_like.reform(move |_: Event| like)} />
                <span>{ name }</span>
            </label>
        }
    };
    let releases = [(Like::V1_47_0, "resize2fs 1.47.0"), (Like::V1_47_4, "resize2fs 1.47.4")];
    let presets = presets(&props.minimum, props.sizes.here().map(|found| &**found));
    html! {
        <div class="shrink-panel">
            <h2 class="panel-heading">{ "Target" }</h2>
            if presets.is_empty() {
                <p class="fine">{ "It is as small as resize2fs thinks it can be." }</p>
            }
            <div role="radiogroup" aria-label="Target sizes">{ for presets.into_iter().map(preset) }</div>
            <h2 class="panel-heading">{ "Behave like" }</h2>
            <div role="radiogroup" aria-label="Behave like">{ for releases.map(like) }</div>
            <h2 class="panel-heading">{ "Smaller still" }</h2>
            { search(props) }
        </div>
    }
}

/// The search for what shrinks come to.
fn search(props: &TargetPanelProps) -> Html {
    let button = |label: &'static str, asked: Option<Like>| {
        let onclick = props.on_sizes.reform(move |_: MouseEvent| asked);
        html! { <button type="button" class="button button--small" {onclick}>{ label }</button> }
    };
    match &props.sizes {
        Work::Idle => html! {
            <>
                <p class="fine">
                    { "resize2fs -M run again may get further, and -f may get below the estimate. That is found \
                       by planning one shrink after another." }
                </p>
                { button("Look for it", Some(props.like)) }
            </>
        },
        Work::Going(progress) => html! {
            <>
                <p class="fine" aria-busy="true">{ format!("Plan {} of about {}", progress.cur + 1, progress.max) }</p>
                { button("Stop", None) }
            </>
        },
        Work::Failed(error) => html! {
            <>
                <p class="fine" role="alert">{ error.to_string() }</p>
                { button("Look again", Some(props.like)) }
            </>
        },
        Work::Here(found) => html! {
            <p class="fine">
                { match (found.repeated_blocks.is_empty(), found.forced_blocks) {
                    (true, None) => "Neither -M nor -f works on it as it is.",
                    (true, Some(_)) => "-M does not work on it as it is; -f does.",
                    (false, None) => "-M works; -f gets no further.",
                    (false, Some(_)) => "Both are among the sizes above, where they are smaller.",
                } }
            </p>
        },
    }
}
