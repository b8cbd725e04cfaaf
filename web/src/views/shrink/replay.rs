//! The moves played in the tool's order: buttons, a slider, what the move at hand is, and small maps of
//! the disk before, during and after.

use std::collections::HashMap;
use std::rc::Rc;

use extscope::units::Ino;
use gloo_timers::callback::Interval;
use web_sys::{HtmlCanvasElement, HtmlInputElement};
use yew::prelude::*;

use super::super::shared::{Address, Icon, step_button, use_media};
use super::stage::end_of;
use crate::canvas::{Surface, palette};
use crate::protocol::{FileChange, FileExtent, OwnedMove, PlanChanges, PlanDetail};
use crate::render::shrink_maps::{difference_map, fill_map};
use crate::select::shrink_links::on_map;
use crate::select::shrink_replay::{Replay, ReplayAct, during, file_name, front, narration};
use crate::state::{Route, Theme};
use crate::text::{number, size};

/// Milliseconds between two steps of playing.
const TICK: u32 = 50;

/// The replay as a reducer: time acts on what is there by then.
#[derive(Clone, Copy, Default, PartialEq)]
struct Playing(Replay);

impl Reducible for Playing {
    type Action = ReplayAct;

    fn reduce(self: Rc<Self>, act: ReplayAct) -> Rc<Self> {
        Rc::new(Self(self.0.after(act)))
    }
}

/// The replay of a plan's moves, and how to act on it.
#[hook]
pub(super) fn use_replay(plan: Option<&Rc<PlanDetail>>) -> (Replay, Callback<ReplayAct>) {
    let playing = use_reducer(Playing::default);
    let on_act = {
        let dispatcher = playing.dispatcher();
        use_callback((), move |act, ()| dispatcher.dispatch(act))
    };
    {
        let on_act = on_act.clone();
        use_effect_with(plan.map(Address::from), move |plan| {
            let changes = plan.as_ref().and_then(|plan| plan.changes.as_ref());
            on_act.emit(ReplayAct::Load(changes.map_or(0, |changes| changes.moves.len())));
        });
    }
    {
        let on_act = on_act.clone();
        use_effect_with(playing.0.is_playing, move |&is_playing| {
            let timer = is_playing.then(|| {
                Interval::new(TICK, move || {
                    let document = web_sys::window().and_then(|window| window.document());
                    if document.is_none_or(|document| !document.hidden()) {
                        on_act.emit(ReplayAct::Tick);
                    }
                })
            });
            move || drop(timer)
        });
    }
    (playing.0, on_act)
}

/// Lets the replay rest when it cannot be seen: a plan of another size is not shown.
#[hook]
pub(super) fn use_rest(is_exact: bool, on_act: &Callback<ReplayAct>) {
    let on_act = on_act.clone();
    use_effect_with(is_exact, move |is_exact| {
        if !is_exact {
            on_act.emit(ReplayAct::Rest);
        }
    });
}

/// What the replay shows.
#[derive(Properties, PartialEq)]
pub(super) struct ReplayViewProps {
    /// The plan.
    pub plan: Address<PlanDetail>,
    /// Blocks of the disk.
    pub blocks: u64,
    /// Bytes of a block.
    pub block_size: u32,
    /// Moves that are made.
    pub replay: Replay,
    /// Paths of files, as far as they are known.
    pub paths: Address<HashMap<Ino, String>>,
    /// The theme.
    pub theme: Theme,
    /// What is looked at.
    pub route: Route,
    /// The person wants to see another move.
    pub on_replay: Callback<ReplayAct>,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
}

/// The moves played, and the one at hand.
#[component]
pub(super) fn ReplayView(props: &ReplayViewProps) -> Html {
    let is_still = use_media("(prefers-reduced-motion: reduce)");
    let Some(changes) = &props.plan.changes else { return Html::default() };
    let replay = props.replay;
    if replay.len == 0 {
        return Html::default();
    }
    let said = narration(replay, &changes.moves, changes.move_count, &props.paths);
    let act = |act: ReplayAct| props.on_replay.reform(move |_: MouseEvent| act);
    // Without motion, playing is going a step on, and from the end back to the start.
    let next = if replay.is_under_way() { replay.at + 1 } else { 0 };
    let (icon, name, play) = match (is_still, replay.is_playing) {
        (true, _) => (Icon::Play, "The next move", ReplayAct::Go(next)),
        (false, true) => (Icon::Pause, "Pause", ReplayAct::Toggle),
        (false, false) => (Icon::Play, "Play the moves", ReplayAct::Toggle),
    };
    let on_seek = props.on_replay.reform(|event: InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
        ReplayAct::Go(value.max(0.0) as usize)
    });
    let back = (replay.at > 0).then(|| act(ReplayAct::Go(replay.at.saturating_sub(1))));
    let on = replay.is_under_way().then(|| act(ReplayAct::Go(replay.at + 1)));
    let moved = replay.at.checked_sub(1).and_then(|at| changes.moves.get(at));
    html! {
        <section class="replay" aria-label="The moves, one after another">
            <div class="replay__bar">
                <button type="button" class="button button--small" onclick={act(play)}>
                    { icon.view() }{ name }
                </button>
                { step_button(Icon::StepBack, "A move back", back) }
                { step_button(Icon::StepOn, "A move on", on) }
                <input type="range" min="0" max={replay.len.to_string()} step="1" value={replay.at.to_string()}
                    aria-label="Moves made" aria-valuetext={said.clone()} oninput={on_seek} />
            </div>
            <p class="replay__said" role={(!replay.is_playing).then_some("status")}>{ &said }</p>
            <Maps plan={props.plan.clone()} blocks={props.blocks} {replay} theme={props.theme} />
            <p class="fine">
                <a class="link" href={on_map(&props.route, None)}>{ "See the difference on the map, block by block" }</a>
            </p>
            { moved.filter(|_| !replay.is_playing).map(|moved| detail(props, changes, *moved)).unwrap_or_default() }
        </section>
    }
}

/// The move at hand: whose it is, from where to where, and how its file lies before and after.
fn detail(props: &ReplayViewProps, changes: &PlanChanges, moved: OwnedMove) -> Html {
    let last = |start: u64| start.saturating_add(moved.len).max(1) - 1;
    let place = |start: u64| {
        let href = on_map(&props.route, Some((start, last(start))));
        html! { <a class="link mono" {href}>{ number::range(start, last(start)) }</a> }
    };
    let ino = moved.ino;
    let bytes = size::bytes(moved.len.saturating_mul(props.block_size.into()));
    html! {
        <div class="replay__detail">
            <p>
                <button type="button" class="link link--path" title={format!("Look at inode {ino}")}
                    onclick={props.on_inode.reform(move |_: MouseEvent| ino)}>
                    <bdi>{ file_name(&props.paths, ino) }</bdi>
                </button>
                { format!(", {bytes}: ") }{ place(moved.from) }{ " → " }{ place(moved.to) }
            </p>
            { changes.file(ino).map(|file| file_change(file, &props.route)).unwrap_or_default() }
        </div>
    }
}

/// How a file lies before and after.
fn file_change(file: &FileChange, route: &Route) -> Html {
    let row = |extent: &FileExtent| {
        let (first, last) = (extent.fsblk, extent.fsblk.saturating_add(extent.len).max(1) - 1);
        let lblk = number::range(extent.lblk, extent.lblk.saturating_add(extent.len).max(1) - 1);
        html! {
            <tr>
                <td class="num mono">{ lblk }</td>
                <td class="num mono">
                    <a class="link" href={on_map(route, Some((first, last)))}>{ number::range(first, last) }</a>
                </td>
            </tr>
        }
    };
    let list = |name: &'static str, extents: &[FileExtent], count: u64| {
        let rest = count.saturating_sub(extents.len() as u64);
        html! {
            <table class="table">
                <caption>{ format!("{name}: {}", number::count_of(count, "extent", "extents")) }</caption>
                <thead><tr>
                    <th scope="col" class="num">{ "In the file" }</th><th scope="col" class="num">{ "On the disk" }</th>
                </tr></thead>
                <tbody>
                    { for extents.iter().map(row) }
                    if rest > 0 {
                        <tr><td colspan="2">{ format!("and {} more", number::count(rest)) }</td></tr>
                    }
                </tbody>
            </table>
        }
    };
    let renumbered = (file.new_ino != file.ino).then(|| {
        html! { <p class="fine">{ format!("Inode {} becomes inode {}.", file.ino, file.new_ino) }</p> }
    });
    html! {
        <>
            { renumbered.unwrap_or_default() }
            <div class="replay__extents">
                { list("Before", &file.before, file.before_count) }
                { list("After", &file.after, file.after_count) }
            </div>
        </>
    }
}

/// What the maps show.
#[derive(Properties, PartialEq)]
struct MapsProps {
    plan: Address<PlanDetail>,
    blocks: u64,
    replay: Replay,
    theme: Theme,
}

/// The disk before, after the moves so far, and what differs; each part as full as its cell.
#[component]
fn Maps(props: &MapsProps) -> Html {
    let nodes = [use_node_ref(), use_node_ref(), use_node_ref()];
    let shown = (props.plan.clone(), props.blocks, props.replay, props.theme);
    {
        let nodes = nodes.clone();
        use_effect_with(shown, move |(plan, blocks, replay, _)| {
            let Some(changes) = &plan.changes else { return };
            let after = if replay.is_under_way() {
                let front = front(&changes.moves, replay.at);
                during((&changes.before, &changes.after), *blocks, end_of(plan, *blocks), front)
            } else {
                changes.after.clone()
            };
            let palette = palette();
            let maps = [
                fill_map(&changes.before, &palette),
                fill_map(&after, &palette),
                difference_map((&changes.before, &after), &palette),
            ];
            for (node, pixels) in nodes.iter().zip(&maps) {
                if let Some(surface) = node.cast::<HtmlCanvasElement>().and_then(Surface::new) {
                    surface.set_pixels(pixels);
                }
            }
        });
    }
    let names = [
        ("Before", "How full each part of the disk is before the shrink"),
        ("After these moves", "How full each part of the disk is after the moves so far"),
        ("Difference", "What is filled and what leaves"),
    ];
    let map = |((name, spoken), node): ((&'static str, &'static str), NodeRef)| {
        html! {
            <figure>
                <figcaption>{ name }</figcaption>
                <canvas ref={node} role="img" aria-label={spoken} />
            </figure>
        }
    };
    html! {
        <div class="replay__maps">
            { for names.into_iter().zip(nodes).map(map) }
            <p class="replay__legend">
                <span><i class="replay__fills" />{ "is filled" }</span>
                <span><i class="replay__leaves" />{ "leaves, or is given up" }</span>
            </p>
        </div>
    }
}
