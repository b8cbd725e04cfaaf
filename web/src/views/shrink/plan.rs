//! What the plan says in words: refusals, failures, warnings, phases.

use yew::prelude::*;

use super::super::shared::Icon;
use crate::protocol::{LeftBehind, PhaseReport, PlanDetail, Refusal, RefusalReport, WarningReport};
use crate::text::{number, words};

/// Why the tool does not begin, or ends early; these come before all else.
pub(super) fn refusals(plan: &PlanDetail, check: AttrValue) -> Html {
    let refusal = |at: usize, refusal: &RefusalReport| {
        html! {
            <li>
                <p><b>{ words::sentence(&refusal.message) }</b></p>
                <p>{ &refusal.remedy }</p>
                if at == 0 && plan.refused.len() > 1 {
                    <p class="fine">{ "It stops at this one; the others come after." }</p>
                }
            </li>
        }
    };
    let is_mild = plan.final_blocks.is_some();
    let is_forced = plan.refused.iter().any(|it| matches!(it.refusal, Refusal::Bigalloc));
    let once = if is_forced {
        "The plan is what it does with -f, once e2fsck has run and found nothing to change. "
    } else {
        "The plan is what it does once e2fsck has run and found nothing to change. "
    };
    let refused = (!plan.refused.is_empty()).then(|| {
        html! {
            <section class={classes!("notice", if is_mild { "notice--warn" } else { "notice--err" })}>
                { if is_mild { Icon::Warn.view() } else { Icon::Err.view() } }
                <div>
                    <h3>{ if is_mild { "resize2fs refuses this filesystem for now" } else { "resize2fs refuses this" } }</h3>
                    <ol>{ for plan.refused.iter().enumerate().map(|(at, it)| refusal(at, it)) }</ol>
                    if is_mild {
                        <p>
                            { once }
                            <a href={check}>{ "See what a check finds" }</a>
                        </p>
                    }
                </div>
            </section>
        }
    });
    let failure = plan.failure.as_ref().map(|failure| {
        let tone = match failure.leaves {
            LeftBehind::Nothing | LeftBehind::ErrorMark => "notice--warn",
            LeftBehind::Damage => "notice--err",
        };
        html! {
            <section class={classes!("notice", tone)}>
                { Icon::Err.view() }
                <div>
                    <h3>{ "resize2fs begins and fails" }</h3>
                    <p><b>{ words::sentence(&failure.message) }</b></p>
                    <p>{ words::sentence(&failure.leaves_message) }</p>
                </div>
            </section>
        }
    });
    html! { <>{ refused }{ failure }</> }
}

/// Faults of the tool that the plan runs into.
pub(super) fn warnings(plan: &PlanDetail) -> Html {
    let warning =
        |warning: &WarningReport| html! { <li>{ words::sentence(&warning.message) }</li> };
    if plan.warnings.is_empty() {
        return Html::default();
    }
    html! {
        <section class="notice notice--warn">
            { Icon::Warn.view() }
            <div>
                <h3>{ "Known faults of resize2fs that this runs into" }</h3>
                <ul>{ for plan.warnings.iter().map(warning) }</ul>
            </div>
        </section>
    }
}

/// The phases, in the tool's order. What is nothing is said to be nothing.
pub(super) fn phases(plan: &PlanDetail) -> Html {
    let phase = |at: usize, phase: &PhaseReport| {
        let count = match phase.count {
            0 => html! { <b class="phases__none">{ "nothing" }</b> },
            count => html! { <><b>{ number::count(count) }</b>{ " " }{ &phase.unit }</> },
        };
        html! {
            <li title={words::sentence(&phase.meaning)}>
                <span>{ format!("{}. {}", at + 1, phase.name.replace('_', " ")) }</span>
                <span>{ count }</span>
            </li>
        }
    };
    let Some(changes) = &plan.changes else { return Html::default() };
    html! {
        <ol class="phases" aria-label="Phases">
            { for changes.phases.iter().enumerate().map(|(at, it)| phase(at, it)) }
        </ol>
    }
}
