//! How small the filesystem can get, and what resize2fs would do for it.
//!
//! *Belongs here:* the size, the disk before and after, the plan, the commands. *Does not:* planning;
//! that is the engine's, once the person asks for it.

mod curve;
mod figures;
mod lists;
mod minimum;
mod plan;
mod recipe;
mod stage;
mod target;

use std::rc::Rc;

use extscope::units::Ino;
use gloo_timers::callback::Timeout;
use yew::prelude::*;

use self::curve::Curve;
use self::figures::{Aimed, Typed, figures};
use self::lists::PlanLists;
use self::minimum::MinimumTerms;
use self::plan::{phases, refusals, warnings};
use self::recipe::Recipe;
use self::stage::Stage;
use self::target::TargetPanel;
use super::shared::{Address, Icon, NO_SIDE_PANEL, use_media};
use crate::protocol::{Like, MinimumReport, PlanDetail, ShrinkRequest, Target};
use crate::select::shrink_commands::{Aim, Subject};
use crate::select::shrink_estimate::Estimate;
use crate::state::{OpenImage, Settings, Work};
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
    /// Look at a file.
    pub on_inode: Callback<Ino>,
    /// The address of the check.
    pub check: AttrValue,
}

/// How small the filesystem can get.
#[component]
pub(crate) fn Shrink(props: &ShrinkProps) -> Html {
    let like = use_state(Like::default);
    let typed = use_state(|| None::<Typed>);
    {
        // A size that was chosen otherwise takes the place of what was typed.
        let typed = typed.clone();
        use_effect_with(props.target, move |_| typed.set(None));
    }
    let has_panel = props.settings.side_bar && !use_media(NO_SIDE_PANEL);
    let known = &props.open.known;
    let estimate = use_memo(known.clone(), Estimate::new);
    let minimum = props.open.shrink.minimum.here();
    let request = minimum.map(|minimum| request(props, minimum, *like));
    use_planning(props, request);
    let contents = minimum.zip(request).map(|(minimum, request)| {
        let on_like = {
            let like = like.clone();
            Callback::from(move |chosen| like.set(chosen))
        };
        planner(props, minimum, request, &estimate, &typed, has_panel, on_like)
    });
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
    typed: &UseStateHandle<Option<Typed>>,
    has_panel: bool,
    on_like: Callback<Like>,
) -> Html {
    let (open, shrink) = (&props.open, &props.open.shrink);
    let blocks = blocks_of(props, minimum);
    let exact = shrink.exact(request);
    let aimed = Aimed {
        blocks,
        minimum,
        found: shrink.sizes.here().map(|found| &**found),
        about: estimate.at(blocks, &open.image),
        plan: exact.map(|plan| &**plan),
    };
    let panel = html! {
        <TargetPanel minimum={Address::from(minimum)} sizes={shrink.sizes.clone()} {blocks} like={request.like}
            on_target={props.on_target.clone()} {on_like} on_sizes={props.on_sizes.clone()} />
    };
    let subject = Subject {
        name: open.image.name.to_string(),
        block_size: minimum.block_size,
        partition: open.part.and_then(|part| part.number),
    };
    let aim = Aim {
        blocks,
        final_blocks: exact.and_then(|plan| plan.final_blocks),
        force: request.force,
    };
    html! {
        <>
        if has_panel {
            <aside class="side-panel" aria-label="Target">{ panel.clone() }</aside>
        }
        <main id="main" class="view view--whole" tabindex="-1">
            <div class="shrink">
                <h1 class="visually-hidden">{ "Shrink" }</h1>
                { figures(aimed, typed, &props.on_target) }
                <div class="shrink__body" tabindex="0" role="region" aria-label="Plan">
                    if !has_panel {
                        <details class="shrink__panel"><summary>{ "Sizes and releases" }</summary>{ panel }</details>
                    }
                    <div class="shrink__stage">
                        <Stage known={open.known.clone()} minimum={Address::from(minimum)}
                            plan={shrink.plan.as_ref().map(Address::from)} is_exact={exact.is_some()} {blocks}
                            on_target={props.on_target.clone()} />
                        { state_line(props, request, exact) }
                        { exact.map(|plan| phases(plan)).unwrap_or_default() }
                    </div>
                    <div class="shrink__side">
                        { exact.map(|plan| refusals(plan, props.check.clone())).unwrap_or_default() }
                        { exact.map(|plan| warnings(plan)).unwrap_or_default() }
                        <Recipe {subject} {aim} />
                    </div>
                    <div class="shrink__lower">
                        <MinimumTerms minimum={Address::from(minimum)} />
                        <Curve estimate={Address::from(estimate)} image={Address::from(&open.image)}
                            minimum={Address::from(minimum)} {blocks} />
                        if let Some(plan) = exact {
                            <PlanLists plan={Address::from(plan)} minimum={Address::from(minimum)}
                                paths={Address::from(&shrink.paths)} image={open.image.name.to_string()} on_inode={props.on_inode.clone()} />
                        }
                    </div>
                </div>
            </div>
        </main>
        </>
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
