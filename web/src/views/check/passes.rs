//! The passes of a check side by side.

use yew::prelude::*;

use super::super::shared::Icon;
use crate::select::check_words::{PassState, Stage, pass_states};
use crate::select::problem_rows::ProblemFilter;
use crate::state::Check;
use crate::text::number;

/// The passes; a pass that found something can be shown alone.
pub(super) fn passes(
    check: &Check,
    filter: &ProblemFilter,
    on_filter: &Callback<ProblemFilter>,
) -> Html {
    let item = |state: PassState| {
        let is_alone = filter.pass == Some(state.pass);
        let to = ProblemFilter { pass: (!is_alone).then_some(state.pass), ..filter.clone() };
        let (class, icon) = match (state.stage, state.problems) {
            (Stage::Over, 0) => ("passes__pass passes__pass--ok", Icon::Ok),
            (_, 1..) => ("passes__pass passes__pass--err", Icon::Err),
            (Stage::Going, 0) => ("passes__pass passes__pass--going", Icon::Check),
            (Stage::Missed, 0) => ("passes__pass passes__pass--missed", Icon::Warn),
            (Stage::Waits, 0) => ("passes__pass", Icon::Check),
        };
        let style = state.percent.map(|percent| format!("--done:{percent}%"));
        html! {
            <li>
                <button type="button" {class} {style} aria-pressed={is_alone.to_string()} title="Show the problems of this pass alone"
                    onclick={on_filter.reform(move |_: MouseEvent| to.clone())}>
                    <span class="passes__name">
                        { icon.view() }
                        <b>{ format!("Pass {}", state.pass.name()) }</b>
                        <span>{ state.title }</span>
                        if state.problems > 0 {
                            <small class="passes__count" aria-label={number::count_of(state.problems, "problem", "problems")}>
                                { number::count(state.problems) }
                            </small>
                        }
                    </span>
                    <span class="passes__note">{ state.note }</span>
                </button>
            </li>
        }
    };
    html! { <ol class="passes" aria-label="Passes">{ for pass_states(check).into_iter().map(item) }</ol> }
}
