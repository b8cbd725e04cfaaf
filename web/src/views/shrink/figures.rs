//! The figures of a shrink: the size to come to, and what that gives.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::units;
use crate::protocol::{FoundSizes, MinimumReport, PlanDetail};
use crate::select::shrink_cost::Speed;
use crate::select::shrink_estimate::Estimated;
use crate::select::shrink_target::parse_target;
use crate::select::shrink_unit::Unit;
use crate::text::{THIN_SPACE, number, time};

/// A size as far as the person typed it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Typed {
    /// The text.
    text: String,
    /// Whether it was meant so and is no size.
    is_wrong: bool,
}

/// What the figures are of.
#[derive(Clone, Copy)]
pub(super) struct Aimed<'a> {
    /// Blocks to come to.
    pub blocks: u64,
    /// The smallest size.
    pub minimum: &'a MinimumReport,
    /// What shrinks come to, where that is known.
    pub found: Option<&'a FoundSizes>,
    /// What it would come to, about.
    pub about: Estimated,
    /// Seconds that it would take, about.
    pub seconds: f64,
    /// What it would come to, where it is planned.
    pub plan: Option<&'a PlanDetail>,
    /// In which unit sizes are shown.
    pub unit: Unit,
    /// What it is to run on.
    pub speed: Speed,
}

/// The figures.
pub(super) fn figures(
    aimed: Aimed<'_>,
    typed: &UseStateHandle<Option<Typed>>,
    on_target: &Callback<Option<u64>>,
    on_unit: &Callback<Unit>,
) -> Html {
    let Aimed { blocks, minimum, found, about, plan, unit, .. } = aimed;
    let text = |blocks: u64| unit.text(blocks, minimum.block_size);
    let figure = |name: &'static str, amount: String, note: String| {
        html! { <div><dt>{ name }</dt><dd><b>{ amount }</b>{ " " }<small>{ note }</small></dd></div> }
    };
    let comes_to = plan.and_then(|plan| plan.final_blocks).unwrap_or(blocks);
    let changes = plan.and_then(|plan| plan.changes.as_ref());
    let (to_copy, free, seconds) = match changes {
        Some(changes) => {
            let seconds = changes.cost.cost.seconds(aimed.speed.medium());
            (changes.moved_blocks, changes.free_blocks, seconds)
        }
        None => (about.to_copy, about.free, aimed.seconds),
    };
    let how = if changes.is_some() { "exact" } else { "about" };
    let span = time::span(seconds * 1000.0);
    let repeated =
        found.and_then(|found| Some((found.repeated_blocks.last()?, found.repeated_blocks.len())));
    let given_back = minimum.blocks_count.saturating_sub(comes_to);
    html! {
        <dl class="figures shrink__figures">
            { target_field(aimed, typed, on_target, on_unit) }
            { figure("Given back", text(given_back), number::percent(given_back, minimum.blocks_count)) }
            { figure("Smallest, first run", text(minimum.minimum_blocks), number::count(minimum.minimum_blocks)) }
            if let Some((blocks, runs)) = repeated {
                { figure("Smallest, repeated", text(*blocks),
                    format!("after {} of -M", number::count_of(runs as u64, "run", "runs"))) }
            }
            if let Some(blocks) = found.and_then(|found| found.forced_blocks) {
                { figure("Smallest with -f", text(blocks), number::count(blocks)) }
            }
            { figure("To copy", text(to_copy), format!("{how}, in about {span}")) }
            { figure("Free afterwards", text(free), format!("{}, {how}", number::percent(free, comes_to))) }
        </dl>
    }
}

fn target_field(
    aimed: Aimed<'_>,
    typed: &UseStateHandle<Option<Typed>>,
    on_target: &Callback<Option<u64>>,
    on_unit: &Callback<Unit>,
) -> Html {
    let Aimed { blocks, minimum, unit, .. } = aimed;
    let (block_size, blocks_count) = (minimum.block_size, minimum.blocks_count);
    let on_input = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            typed.set(Some(Typed { text, is_wrong: false }));
        })
    };
    let on_change = {
        let (typed, on_target) = (typed.clone(), on_target.clone());
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            match parse_target(&text, unit, block_size, blocks_count) {
                Some(blocks) => {
                    typed.set(None);
                    on_target.emit(Some(blocks.min(blocks_count)));
                }
                None => typed.set(Some(Typed { text, is_wrong: true })),
            }
        })
    };
    let is_wrong = typed.as_ref().is_some_and(|typed| typed.is_wrong);
    let size = || unit.text(blocks, block_size).replace(THIN_SPACE, " ");
    let shown = typed.as_ref().map_or_else(size, |typed| typed.text.clone());
    html! {
        <div class="shrink__target">
            <dt><label for="shrink-target">{ "Target size" }</label></dt>
            <dd>
                <input id="shrink-target" type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
                    title="In KiB, MiB, GiB, TiB, blocks, sectors (s) or %"
                    aria-invalid={is_wrong.to_string()} aria-describedby="shrink-blocks"
                    value={shown} oninput={on_input} onchange={on_change} />
                { units(unit, on_unit) }
                { " " }
                <small id="shrink-blocks">
                    if is_wrong {
                        <span class="shrink__wrong" role="alert">{ "such as 14.5 GiB, 900 MiB, 70 %, 3,675,289 blocks" }</span>
                    } else {
                        { number::count_of(blocks, "block", "blocks") }
                    }
                </small>
            </dd>
        </div>
    }
}
