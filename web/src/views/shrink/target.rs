//! Beside the plan: sizes that are offered, what is to stay free, what it is to run on, whose behaviour
//! is followed, the search for sizes.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::{FoundSizes, Like, MinimumReport};
use crate::select::shrink_cost::{Speed, parse_figure};
use crate::select::shrink_estimate::Estimate;
use crate::select::shrink_headroom::{Headroom, parse_headroom, reserved_at, shares};
use crate::select::shrink_target::{Preset, presets};
use crate::select::shrink_unit::Unit;
use crate::state::{Image, Work};
use crate::text::number;

/// The largest share that the slider leaves free, in per cent.
const MOST_PERCENT: f64 = 75.0;

/// What the panel shows.
#[derive(Clone, Properties, PartialEq)]
pub(super) struct TargetPanelProps {
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
    /// What each size comes to, about.
    pub estimate: Address<Estimate>,
    /// The image.
    pub image: Address<Image>,
    /// What shrinks come to.
    pub sizes: Work<FoundSizes>,
    /// Blocks to come to.
    pub blocks: u64,
    /// Blocks that stay free and blocks that are kept for the privileged user, where a plan says.
    pub planned: Option<(u64, u64)>,
    /// In which unit sizes are shown.
    pub unit: Unit,
    /// What it is to run on.
    pub speed: Speed,
    /// Whose behaviour is followed.
    pub like: Like,
    /// The person chose a size.
    pub on_target: Callback<Option<u64>>,
    /// The person says what it is to run on.
    pub on_speed: Callback<Speed>,
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
    let presets = presets(&props.minimum, props.sizes.here().map(|found| &**found), props.unit);
    html! {
        <div class="shrink-panel">
            <h2 class="panel-heading">{ "Target" }</h2>
            if presets.is_empty() {
                <p class="fine">{ "It is as small as resize2fs thinks it can be." }</p>
            }
            <div role="radiogroup" aria-label="Target sizes">{ for presets.into_iter().map(preset) }</div>
            <FreeField ..props.clone() />
            <h2 class="panel-heading">{ "Smaller still" }</h2>
            { search(props) }
            <h2 class="panel-heading">{ "Runs on" }</h2>
            { medium(props.speed, &props.on_speed) }
            <h2 class="panel-heading">{ "Behave like" }</h2>
            <div role="radiogroup" aria-label="Behave like">{ for releases.map(like) }</div>
        </div>
    }
}

/// How much is to stay free: a slider of shares, and a field for shares and sizes.
#[component]
fn FreeField(props: &TargetPanelProps) -> Html {
    // What is typed stays until it is taken, or the size is another: much is drawn anew meanwhile.
    let typed = use_state(|| None::<(u64, String, bool)>);
    let (minimum, blocks) = (&props.minimum, props.blocks);
    let here = typed.as_ref().filter(|(of, ..)| *of == blocks);
    let is_wrong = here.is_some_and(|(.., is_wrong)| *is_wrong);
    let text = |blocks: u64| props.unit.text(blocks, minimum.block_size);
    let (free, reserved) = props.planned.unwrap_or_else(|| {
        (props.estimate.at(blocks, &props.image).free, reserved_at(blocks, minimum))
    });
    let (for_root, for_all) = shares(free, reserved);
    let percent = free as f64 * 100.0 / blocks.max(1) as f64;
    let aim = {
        let (estimate, image) = (props.estimate.clone(), props.image.clone());
        let (minimum, on_target) = (minimum.clone(), props.on_target.clone());
        Callback::from(move |headroom: Headroom| {
            on_target.emit(Some(headroom.target(&estimate, &image, &minimum)));
        })
    };
    let on_slide = aim.reform(|event: InputEvent| {
        Headroom::Percent(event.target_unchecked_into::<HtmlInputElement>().value_as_number())
    });
    let on_type = {
        let (unit, block_size) = (props.unit, minimum.block_size);
        let typed = typed.setter();
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            match parse_headroom(&text, unit, block_size) {
                Some(headroom) => {
                    typed.set(None);
                    aim.emit(headroom);
                }
                None => typed.set(Some((blocks, text, true))),
            }
        })
    };
    let on_input = {
        let typed = typed.setter();
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            typed.set(Some((blocks, text, false)));
        })
    };
    let shown = here.map_or_else(|| format!("{percent:.1} %"), |(_, text, _)| text.clone());
    html! {
        <div class="headroom">
            <h2 class="panel-heading">{ "Leave free" }</h2>
            <input type="range" min="0" max={MOST_PERCENT.to_string()} step="1"
                value={format!("{percent:.0}")} aria-label="Share that stays free"
                aria-valuetext={format!("{percent:.0} %, {}", text(free))} oninput={on_slide} />
            <input class="headroom__field" type="text" autocomplete="off" spellcheck="false"
                aria-label="Space that stays free" title="Such as 10 % or 2 GiB"
                aria-invalid={is_wrong.to_string()} aria-describedby="headroom-note"
                value={shown} oninput={on_input} onchange={on_type} />
            <p id="headroom-note" class="fine">
                if is_wrong {
                    <span class="shrink__wrong" role="alert">{ "such as 10 %, 2 GiB, 500 MiB" }</span>
                } else {
                    { format!("{} free: {} for root alone, {} for users.", text(free), text(for_root), text(for_all)) }
                }
            </p>
            if for_all == 0 {
                <p class="fine shrink__wrong">{ "Users could write nothing any more." }</p>
            }
        </div>
    }
}

/// What it is to run on: media, and their figures to be changed.
fn medium(speed: Speed, on_speed: &Callback<Speed>) -> Html {
    let media = [("Disk", Speed::DISK), ("Flash", Speed::FLASH), ("SD card", Speed::CARD)];
    let option = |(name, of): (&'static str, Speed)| {
        html! {
            <label>
                <input type="radio" name="shrink-medium" checked={speed == of}
                    onchange={on_speed.reform(move |_: Event| of)} />
                <span>{ name }</span>
            </label>
        }
    };
    let field = |name: &'static str,
                 id: &'static str,
                 value: f64,
                 change: fn(Speed, f64) -> Speed,
                 may_be_zero: bool| {
        let on_figure = on_speed.reform(move |figure| change(speed, figure));
        html! { <Figure {name} {id} {value} {may_be_zero} {on_figure} /> }
    };
    html! {
        <div class="medium">
            <span class="segmented" role="radiogroup" aria-label="Runs on">{ for media.map(option) }</span>
            { field("ms a seek", "shrink-seek", speed.seek_ms, |speed, seek_ms| Speed { seek_ms, ..speed }, true) }
            { field("MiB a second", "shrink-rate", speed.mib_per_second,
                |speed, mib_per_second| Speed { mib_per_second, ..speed }, false) }
        </div>
    }
}

/// A figure of a medium.
#[derive(Properties, PartialEq)]
struct FigureProps {
    name: &'static str,
    id: &'static str,
    value: f64,
    may_be_zero: bool,
    on_figure: Callback<f64>,
}

/// A field for a figure. What is typed stays until it is taken: much is drawn anew meanwhile.
#[component]
fn Figure(props: &FigureProps) -> Html {
    let typed = use_state(|| None::<String>);
    let text = |event: &Event| event.target_unchecked_into::<HtmlInputElement>().value();
    let on_input = {
        let typed = typed.setter();
        Callback::from(move |event: InputEvent| typed.set(Some(text(&event))))
    };
    let on_change = {
        let (typed, on_figure) = (typed.setter(), props.on_figure.clone());
        let may_be_zero = props.may_be_zero;
        Callback::from(move |event: Event| {
            if let Some(figure) = parse_figure(&text(&event), may_be_zero) {
                on_figure.emit(figure);
            }
            typed.set(None);
        })
    };
    let shown = (*typed).clone().unwrap_or_else(|| props.value.to_string());
    html! {
        <label class="medium__figure" for={props.id}>
            <input id={props.id} type="text" inputmode="decimal" autocomplete="off" value={shown}
                oninput={on_input} onchange={on_change} />
            <span>{ props.name }</span>
        </label>
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
            <>
                <p class="fine">
                    { match (found.repeated_blocks.is_empty(), found.forced_blocks) {
                        (true, None) => "Neither -M nor -f works on it as it is.",
                        (true, Some(_)) => "-M does not work on it as it is; -f does.",
                        (false, None) => "-M works; -f gets no further.",
                        (false, Some(_)) => "Both are among the sizes above, where they are smaller.",
                    } }
                </p>
                { runs(props, found) }
            </>
        },
    }
}

/// What each run of -M comes to, and how far each size is from what is in use.
fn runs(props: &TargetPanelProps, found: &FoundSizes) -> Html {
    let minimum = &props.minimum;
    let row = |name: String, blocks: u64| {
        let (sign, over) = match blocks.checked_sub(minimum.used_blocks) {
            Some(over) => ("+", over),
            None => ("−", minimum.used_blocks.saturating_sub(blocks)),
        };
        html! {
            <li>
                <span>{ name }</span>
                <span class="num">{ number::count(blocks) }<small>{ format!("{sign}{}", number::count(over)) }</small></span>
            </li>
        }
    };
    let repeated = (1_u64..).zip(&found.repeated_blocks);
    html! {
        <>
        <ol class="runs" aria-label="Blocks that each run comes to">
            { for repeated.map(|(run, blocks)| row(format!("-M, run {run}"), *blocks)) }
            { for found.forced_blocks.map(|blocks| row("-f, smallest".to_owned(), blocks)) }
        </ol>
        <p class="fine">
            { format!("Behind each, what it is beside the {} in use.",
                number::count_of(minimum.used_blocks, "block", "blocks")) }
        </p>
        </>
    }
}
