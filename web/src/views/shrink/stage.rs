//! The disk before and after, with what moves between them; the line between kept and given back.

use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::{FoundSizes, MinimumReport, PlanChanges, PlanDetail, Stream};
use crate::select::shrink_picture::{Piece, Ribbon, known_fill, pieces, ribbons, strip_fill};
use crate::select::shrink_replay::{Replay, ReplayAct, during, first_move, front};
use crate::select::shrink_target::{Mark, marks};
use crate::select::shrink_unit::Unit;
use crate::state::Known;
use crate::text::{number, size};

/// Heights of the picture: a strip, and what lies between the two.
const STRIP: f64 = 30.0;
const BETWEEN: f64 = 190.0;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct StageProps {
    /// How full the groups are.
    pub known: Known,
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
    /// What shrinks come to, where that is known.
    pub found: Option<Address<FoundSizes>>,
    /// The plan that came last.
    pub plan: Option<Address<PlanDetail>>,
    /// Whether that is of the size shown.
    pub is_exact: bool,
    /// Blocks to come to.
    pub blocks: u64,
    /// In which unit sizes are shown.
    pub unit: Unit,
    /// Moves that are made.
    pub replay: Replay,
    /// The person chose a size.
    pub on_target: Callback<Option<u64>>,
    /// The person wants to see another move.
    pub on_replay: Callback<ReplayAct>,
}

/// The disk before and after. The picture is that of the last plan; only the line moves with the
/// size, so that it can be dragged.
#[component]
pub(super) fn Stage(props: &StageProps) -> Html {
    let minimum = &props.minimum;
    let all = minimum.blocks_count;
    let changes = props.plan.as_ref().and_then(|plan| plan.changes.as_ref());
    let text = |blocks: u64| props.unit.text(blocks, minimum.block_size);
    let share = |blocks: u64| format!("{:.3}%", blocks as f64 * 100.0 / all.max(1) as f64);
    let style = format!("--target:{}", share(props.blocks));
    let is_stale = !props.is_exact && changes.is_some();
    let marks = marks(minimum, props.found.as_deref());
    let mark = |mark: &Mark| {
        let title = format!("{}: {}", mark.name, text(mark.blocks));
        html! { <span class="stage__mark" style={format!("left:{}", share(mark.blocks))} {title} /> }
    };
    let named = |mark: &Mark| {
        html! { <span><small>{ mark.name }</small>{ " " }{ text(mark.blocks) }</span> }
    };
    html! {
        <figure class={classes!("stage", is_stale.then_some("stage--stale"))} {style}>
            <figcaption class="stage__caption">
                <b>{ "Now" }</b>{ " " }{ text(all) }
                <span class="grow" />
                <small>{ "drag the line, or type a size above" }</small>
            </figcaption>
            <div class="stage__picture">
                { for marks.iter().map(mark) }
                <Picture known={changes.is_none().then(|| props.known.clone())} plan={props.plan.clone()}
                    replay={props.replay} blocks={all} on_replay={props.on_replay.clone()} />
                <span class="stage__given" />
                { slider(props) }
            </div>
            <p class="stage__caption">
                <b>{ "After" }</b>{ " " }{ text(props.blocks) }
                <span class="grow" />
                <small>{ format!("given back: {}", text(all.saturating_sub(props.blocks))) }</small>
            </p>
            <p class="stage__marks">{ for marks.iter().map(named) }</p>
        </figure>
    }
}

/// The sizes before and after that a picture is of.
pub(super) fn end_of(plan: &PlanDetail, blocks: u64) -> u64 {
    plan.final_blocks.unwrap_or(blocks)
}

/// What the picture shows.
#[derive(Properties, PartialEq)]
struct PictureProps {
    /// How full the groups are, while there is no plan.
    known: Option<Known>,
    /// The plan that came last.
    plan: Option<Address<PlanDetail>>,
    /// Moves that are made.
    replay: Replay,
    /// Blocks of the disk.
    blocks: u64,
    on_replay: Callback<ReplayAct>,
}

/// The strips, and the streams between them.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let ribbons = use_memo((props.plan.clone(), props.blocks), |(plan, blocks)| {
        let changes = plan.as_ref().and_then(|plan| plan.changes.as_ref());
        changes.map(|changes| pressed(changes, *blocks)).unwrap_or_default()
    });
    let plan = props.plan.as_ref();
    let planned = plan.and_then(|plan| Some((plan, plan.changes.as_ref()?)));
    let before = match (planned, &props.known) {
        (Some((_, changes)), _) => pieces(&strip_fill(&changes.before)),
        (None, Some(known)) => pieces(&known_fill(known)),
        (None, None) => Vec::new(),
    };
    let drawn = planned.map(|(plan, changes)| {
        let front = front(&changes.moves, props.replay.at);
        let after = if props.replay.is_under_way() {
            during((&changes.before, &changes.after), props.blocks, end_of(plan, props.blocks), front)
        } else {
            changes.after.clone()
        };
        let ribbon = |(ribbon, first): &(Ribbon, Option<usize>)| {
            let turn = match (props.replay.is_under_way(), ribbon.stream.from) {
                (true, (start, _)) if start >= front.from => Some("stage__stream--to-come"),
                (true, (_, end)) if end >= front.from => Some("stage__stream--now"),
                _ => None,
            };
            let colour = ribbon.colour.map(|colour| format!("stage__stream--{colour}"));
            let onclick = first
                .map(|at| props.on_replay.reform(move |_: MouseEvent| ReplayAct::Go(at + 1)));
            html! { <path class={classes!("stage__stream", colour, turn)} d={ribbon.path.clone()} {onclick} /> }
        };
        html! {
            <>
                <g transform={format!("translate(0 {STRIP})")}>{ for ribbons.iter().map(ribbon) }</g>
                <g class="stage__strip" transform={format!("translate(0 {})", STRIP + BETWEEN)}>
                    <rect class="stage__ground" width="1000" height={STRIP.to_string()} />
                    { for pieces(&strip_fill(&after)).iter().map(strip) }
                </g>
            </>
        }
    });
    let spoken = match planned {
        Some((_, changes)) => format!(
            "{} in {} move towards the beginning.",
            number::count_of(changes.moved_blocks, "block", "blocks"),
            number::count_of(changes.move_count, "run", "runs")
        ),
        None => "How full the disk is; what moves is not planned yet.".to_owned(),
    };
    html! {
        <svg viewBox={format!("0 0 1000 {}", 2.0 * STRIP + BETWEEN)} preserveAspectRatio="none" role="img"
            aria-label={spoken}>
            <g class="stage__strip">
                <rect class="stage__ground" width="1000" height={STRIP.to_string()} />
                { for before.iter().map(strip) }
            </g>
            { drawn.unwrap_or_default() }
        </svg>
    }
}

/// The ribbons, each with the move that it begins with, as far as that is told.
fn pressed(changes: &PlanChanges, blocks: u64) -> Vec<(Ribbon, Option<usize>)> {
    let ribbons = ribbons(&changes.streams, &changes.files, blocks, BETWEEN);
    let first = |ribbon: Ribbon| {
        let Stream { ino, from: (from, _), .. } = ribbon.stream;
        (ribbon, first_move(&changes.moves, ino, from))
    };
    ribbons.into_iter().map(first).collect()
}

/// A piece of a strip.
fn strip(piece: &Piece) -> Html {
    html! {
        <rect x={format!("{:.2}", piece.at)} width={format!("{:.2}", piece.width)} height={STRIP.to_string()}
            fill-opacity={format!("{:.2}", piece.shade)} />
    }
}

/// The line as a slider over the picture. Steps are a MiB, 64 MiB with Shift, a GiB by the page.
fn slider(props: &StageProps) -> Html {
    let (least, all) = (props.minimum.minimum_blocks, props.minimum.blocks_count);
    let block = u64::from(props.minimum.block_size).max(1);
    let on_input = props.on_target.reform(move |event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        value.parse::<f64>().ok().map(|blocks| (blocks as u64).clamp(least, all))
    });
    let on_key = {
        let (blocks, on_target) = (props.blocks, props.on_target.clone());
        Callback::from(move |event: KeyboardEvent| {
            let step = (if event.shift_key() { 64 << 20 } else { 1 << 20 }) / block;
            let page = (1_u64 << 30) / block;
            let to = match event.key().as_str() {
                "ArrowLeft" | "ArrowDown" => {
                    blocks.saturating_sub(step.max(1)).max(least.min(blocks))
                }
                "ArrowRight" | "ArrowUp" => blocks.saturating_add(step.max(1)),
                "PageDown" => blocks.saturating_sub(page).max(least.min(blocks)),
                "PageUp" => blocks.saturating_add(page),
                "Home" => least,
                "End" => all,
                _ => return,
            };
            event.prevent_default();
            on_target.emit(Some(to.min(all)));
        })
    };
    let text = format!(
        "{}, {}",
        size::whole(props.blocks.saturating_mul(block)),
        number::count_of(props.blocks, "block", "blocks")
    );
    html! {
        <input class="stage__slider" type="range" min="0" max={all.to_string()} step="1"
            value={props.blocks.to_string()} aria-label="Target size" aria-valuetext={text}
            oninput={on_input} onkeydown={on_key} />
    }
}
