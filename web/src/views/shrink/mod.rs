//! How small the filesystem can get, and what resize2fs would do for it.
//!
//! *Belongs here:* the size, the disk before and after, the plan, the commands. *Does not:* planning;
//! that is the engine's, once the person asks for it.

mod cost;
mod curve;
mod figures;
mod lists;
mod minimum;
mod plan;
mod recipe;
mod replay;
mod stage;
mod target;

use std::rc::Rc;

use extscope::units::Ino;
use gloo_timers::callback::Timeout;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use self::cost::cost;
use self::curve::Curve;
use self::figures::{Aimed, Typed, figures};
use self::lists::PlanLists;
use self::minimum::MinimumTerms;
use self::plan::{phases, refusals, warnings};
use self::recipe::Recipe;
use self::replay::{ReplayView, use_replay, use_rest};
use self::stage::Stage;
use self::target::TargetPanel;
use super::shared::{Address, Icon, NO_SIDE_PANEL, use_media};
use crate::protocol::{Export, Like, MinimumReport, PlanDetail, ShrinkRequest, Target};
use crate::select::shrink_commands::Subject;
use crate::select::shrink_cost::{CurveOf, Speed};
use crate::select::shrink_estimate::Estimate;
use crate::select::shrink_replay::{Replay, ReplayAct};
use crate::select::shrink_unit::Unit;
use crate::state::{OpenImage, Route, Settings, View, Work};
use crate::text::number;

/// Milliseconds for which a size has to stay before it is planned anew.
const PAUSE: u32 = 250;

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct ShrinkProps {
    /// The image.
    pub open: OpenImage,
    /// The person's settings.
    pub settings: Settings,
    /// The size to come to, in blocks, where the person chose one.
    pub target: Option<u64>,
    /// The person chose a size.
    pub on_target: Callback<Option<u64>>,
    /// The person wants a shrink to be planned, or no longer.
    pub on_plan: Callback<Option<ShrinkRequest>>,
    /// The person wants to know what shrinks come to, or no longer.
    pub on_sizes: Callback<Option<Like>>,
    /// Have the engine make something, under a name.
    pub on_export: Callback<(Export, String)>,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
    /// What is looked at.
    pub route: Route,
}

/// What the person set for as long as the view is shown.
struct Choices {
    /// Whose behaviour is followed.
    like: UseStateHandle<Like>,
    /// In which unit sizes are shown.
    unit: UseStateHandle<Unit>,
    /// What it is to run on.
    speed: UseStateHandle<Speed>,
    /// A size that is being typed.
    typed: UseStateHandle<Option<Typed>>,
    /// Moves that are made, and how to see others.
    replay: (Replay, Callback<ReplayAct>),
}

/// How small the filesystem can get.
#[component]
pub(crate) fn Shrink(props: &ShrinkProps) -> Html {
    let shrink = &props.open.shrink;
    let choices = Choices {
        like: use_state(Like::default),
        unit: use_state(Unit::default),
        speed: use_state(|| Speed::FLASH),
        typed: use_state(|| None::<Typed>),
        replay: use_replay(shrink.plan.as_ref()),
    };
    {
        // A size that was chosen otherwise takes the place of what was typed.
        let typed = choices.typed.clone();
        use_effect_with((props.target, *choices.unit), move |_| typed.set(None));
    }
    let has_panel = props.settings.side_bar && !use_media(NO_SIDE_PANEL);
    let estimate = use_memo(props.open.known.clone(), Estimate::new);
    let minimum = shrink.minimum.here();
    let request = minimum.map(|minimum| request(props, minimum, *choices.like));
    use_planning(props, request);
    let is_exact = request.is_some_and(|request| shrink.exact(request).is_some());
    use_rest(is_exact, &choices.replay.1);
    let contents = minimum
        .zip(request)
        .map(|(minimum, request)| planner(props, minimum, request, &estimate, &choices, has_panel));
    match contents {
        Some(contents) => contents,
        None => html! {
            <main id="main" class="view view--whole" tabindex="-1">
                <div class="shrink">
                    <h1 class="visually-hidden">{ "Shrink" }</h1>
                    { waiting(&props.open.shrink.minimum) }
                </div>
            </main>
        },
    }
}

/// What is shown before the smallest size is known, or where it cannot be.
fn waiting(minimum: &Work<MinimumReport>) -> Html {
    match minimum {
        Work::Failed(error) => html! {
            <div class="shrink__none notice notice--err" role="alert">
                { Icon::Err.view() }<div><p><b>{ error.to_string() }</b></p></div>
            </div>
        },
        _ => html! { <p class="shrink__none" aria-busy="true">{ "Adding up…" }</p> },
    }
}

/// What is asked for: the person's size, or the smallest. Below that, resize2fs wants `-f`.
fn request(props: &ShrinkProps, minimum: &MinimumReport, like: Like) -> ShrinkRequest {
    let blocks = blocks_of(props, minimum);
    ShrinkRequest { target: Target::Blocks(blocks), force: blocks < minimum.minimum_blocks, like }
}

fn blocks_of(props: &ShrinkProps, minimum: &MinimumReport) -> u64 {
    props.target.unwrap_or(minimum.minimum_blocks).clamp(1, minimum.blocks_count)
}

/// Everything, once the smallest size is known.
fn planner(
    props: &ShrinkProps,
    minimum: &Rc<MinimumReport>,
    request: ShrinkRequest,
    estimate: &Rc<Estimate>,
    choices: &Choices,
    has_panel: bool,
) -> Html {
    let (open, shrink) = (&props.open, &props.open.shrink);
    let blocks = blocks_of(props, minimum);
    let (unit, speed) = (*choices.unit, *choices.speed);
    let (replay, on_replay) = &choices.replay;
    let exact = shrink.exact(request);
    let sizes = shrink.sizes_like(request.like);
    let found = sizes.here();
    let aimed = Aimed {
        blocks,
        minimum,
        found: found.map(|found| &**found),
        about: estimate.at(blocks, &open.image),
        seconds: CurveOf::Time.at(blocks, estimate, &open.image, speed),
        plan: exact.map(|plan| &**plan),
        unit,
        speed,
    };
    let changes = exact.and_then(|plan| plan.changes.as_deref());
    let panel = html! {
        <TargetPanel minimum={Address::from(minimum)} estimate={Address::from(estimate)}
            image={Address::from(&open.image)} sizes={sizes.clone()} {blocks}
            planned={changes.map(|changes| (changes.free_blocks, changes.reserved_blocks))} {unit} {speed}
            like={request.like} on_target={props.on_target.clone()} on_speed={setter(&choices.speed)}
            on_like={setter(&choices.like)} on_sizes={props.on_sizes.clone()} />
    };
    let subject = Subject {
        name: open.image.name.to_string(),
        block_size: minimum.block_size,
        part: open.part,
    };
    let final_blocks = exact.and_then(|plan| plan.final_blocks);
    // With clusters the tool does not begin without.
    let force = request.force || open.image.has_feature("bigalloc");
    let is_possible =
        exact.is_none_or(|plan| plan.final_blocks.is_some() && plan.failure.is_none());
    let check = AttrValue::from(props.route.with_view(View::Check).to_string());
    html! {
        <>
        if has_panel {
            <aside class="side-panel" aria-label="Target">{ panel.clone() }</aside>
        }
        <main id="main" class="view view--whole" tabindex="-1">
            <div class="shrink">
                <h1 class="visually-hidden">{ "Shrink" }</h1>
                { figures(aimed, &choices.typed, &props.on_target, &setter(&choices.unit)) }
                <div class="shrink__body" tabindex="0" role="region" aria-label="Plan">
                    if !has_panel {
                        <details class="shrink__panel"><summary>{ "Sizes, free space, media and releases" }</summary>{ panel }</details>
                    }
                    <div class="shrink__stage">
                        <Stage known={open.known.clone()} minimum={Address::from(minimum)}
                            found={found.map(Address::from)}
                            plan={shrink.plan.as_ref().map(Address::from)} is_exact={exact.is_some()} {blocks} {unit}
                            replay={*replay} on_target={props.on_target.clone()} on_replay={on_replay.clone()} />
                        { state_line(props, request, exact) }
                        { exact.map(|plan| phases(plan)).unwrap_or_default() }
                        if let Some(plan) = exact {
                            <ReplayView plan={Address::from(plan)} blocks={minimum.blocks_count}
                                block_size={minimum.block_size} replay={*replay} paths={Address::from(&shrink.paths)}
                                theme={props.settings.theme} route={props.route.clone()}
                                on_replay={on_replay.clone()} on_inode={props.on_inode.clone()} />
                        }
                    </div>
                    <div class="shrink__side">
                        { exact.map(|plan| refusals(plan, check)).unwrap_or_default() }
                        { exact.map(|plan| warnings(plan)).unwrap_or_default() }
                        <Recipe {subject} {blocks} {final_blocks} {force} {is_possible} />
                    </div>
                    <div class="shrink__lower">
                        if let Some(plan) = exact {
                            <PlanLists plan={Address::from(plan)} minimum={Address::from(minimum)}
                                paths={Address::from(&shrink.paths)} image={open.image.name.to_string()}
                                route={props.route.clone()} at={replay.at} on_replay={on_replay.clone()}
                                on_export={props.on_export.clone()} on_inode={props.on_inode.clone()} />
                        }
                        { changes.map(|changes| cost(changes, speed)).unwrap_or_default() }
                        <MinimumTerms minimum={Address::from(minimum)} />
                        <Curve estimate={Address::from(estimate)} image={Address::from(&open.image)}
                            minimum={Address::from(minimum)} {blocks} {unit} {speed} />
                    </div>
                </div>
            </div>
        </main>
        </>
    }
}

/// A callback that sets a choice.
fn setter<T: 'static>(choice: &UseStateHandle<T>) -> Callback<T> {
    let setter = choice.setter();
    Callback::from(move |chosen| setter.set(chosen))
}

/// The choice of a unit for sizes.
fn units(unit: Unit, on_unit: &Callback<Unit>) -> Html {
    let option = |of: Unit| html! { <option selected={of == unit}>{ of.name() }</option> };
    let onchange = on_unit.reform(|event: Event| {
        let name = event.target_unchecked_into::<HtmlSelectElement>().value();
        Unit::ALL.into_iter().find(|unit| unit.name() == name).unwrap_or_default()
    });
    html! {
        <select class="shrink__unit" aria-label="Unit of sizes" {onchange}>{ for Unit::ALL.map(option) }</select>
    }
}

/// Whether the figures are those of a plan, and the way to one.
fn state_line(props: &ShrinkProps, request: ShrinkRequest, exact: Option<&Rc<PlanDetail>>) -> Html {
    let shrink = &props.open.shrink;
    let button = |label: &'static str, class: &'static str, asked: Option<ShrinkRequest>| {
        let onclick = props.on_plan.reform(move |_: MouseEvent| asked);
        html! { <button type="button" {class} {onclick}>{ label }</button> }
    };
    let (text, action) = match (&shrink.going, exact, &shrink.failed) {
        (Some((_, progress)), ..) => {
            let percent = number::percent(progress.cur, progress.max.max(1));
            (format!("Planning, {percent}"), button("Stop", "button button--small", None))
        }
        (None, Some(plan), _) if plan.changes.is_some() => {
            ("Exact: every block as resize2fs would move it.".to_owned(), Html::default())
        }
        (None, Some(_), _) => ("There is no plan for this size.".to_owned(), Html::default()),
        (None, None, Some(error)) => {
            (error.to_string(), button("Plan again", "button button--small", Some(request)))
        }
        (None, None, None) if shrink.planned.is_some() => (
            "An estimate, until the line rests and is planned.".to_owned(),
            button("Plan now", "button button--small", Some(request)),
        ),
        (None, None, None) => (
            "An estimate. Planning reads all bitmaps and inodes, and says what each block does."
                .to_owned(),
            button("Plan this shrink", "button button--primary", Some(request)),
        ),
    };
    // How far it is would be said ten times a second.
    let role = shrink.going.is_none().then_some("status");
    html! { <p class="shrink__state"><span {role}>{ text }</span>{ action }</p> }
}

/// Plans anew when the size changes and stays, once the person asked for a plan.
#[hook]
fn use_planning(props: &ShrinkProps, request: Option<ShrinkRequest>) {
    let shrink = &props.open.shrink;
    let is_wanted = shrink.planned.is_some() || shrink.going.is_some();
    let on_plan = props.on_plan.clone();
    use_effect_with((request, is_wanted), move |&(request, is_wanted)| {
        let timeout = request
            .filter(|_| is_wanted)
            .map(|request| Timeout::new(PAUSE, move || on_plan.emit(Some(request))));
        move || drop(timeout)
    });
}
