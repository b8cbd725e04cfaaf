//! The problems as a tree of passes, codes and places, of which only what is seen exists.

use std::collections::HashMap;

use yew::prelude::*;

use super::super::shared::{Address, Icon, Scroll, use_follow, use_scroll};
use crate::protocol::Code;
use crate::select::header::Tone;
use crate::select::problem::{pass_title, place, weight};
use crate::select::problem_rows::{ProblemFilter, ProblemRow, problem_rows};
use crate::state::{Check, Found, ProblemId};
use crate::text::number;

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 30.0;

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(super) struct ProblemListProps {
    /// The check.
    pub check: Address<Check>,
    /// Which problems are shown.
    pub filter: ProblemFilter,
    /// The problem that is looked at.
    pub chosen: Option<ProblemId>,
    /// The person looks at a problem.
    pub on_choose: Callback<ProblemId>,
}

/// The problems.
#[component]
pub(super) fn ProblemList(props: &ProblemListProps) -> Html {
    let toggled = use_state(HashMap::<Code, bool>::new);
    let rows = use_memo(
        (props.check.clone(), props.filter.clone(), (*toggled).clone()),
        |(check, filter, toggled)| problem_rows(check, filter, toggled),
    );
    let Scroll { node, window, row, on_scroll } = use_scroll(rows.len(), ROW);
    let toggle = {
        let toggled = toggled.clone();
        Callback::from(move |(code, is_open): (Code, bool)| {
            let mut codes = (*toggled).clone();
            codes.insert(code, is_open);
            toggled.set(codes);
        })
    };
    let chosen_at = props.chosen.and_then(|chosen| row_of(&rows, &props.check, chosen));
    use_follow(&node, (props.chosen, props.filter.clone()), chosen_at, (rows.len(), row));
    let on_key = {
        let (rows, check) = (rows.clone(), props.check.clone());
        let (on_choose, toggle, page) = (props.on_choose.clone(), toggle.clone(), window.page());
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            let id = |at: usize| rows.get(at).and_then(|row| id_of(row, &check));
            let after = |from: usize| (from..rows.len()).find_map(id);
            let before = |to: usize| (0..to).rev().find_map(id);
            let at = chosen_at.unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowDown" | "j" if chosen_at.is_some() => after(at + 1),
                "ArrowDown" | "j" | "Home" => after(0),
                "ArrowUp" | "k" => before(at),
                "End" => before(rows.len()),
                "PageDown" => after(at + page).or_else(|| before(rows.len())),
                "PageUp" => before(at.saturating_sub(page)).or_else(|| after(0)),
                key @ ("ArrowLeft" | "ArrowRight") => {
                    if let Some(id) = id(at) {
                        event.prevent_default();
                        toggle.emit((id.code, key == "ArrowRight"));
                    }
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            if let Some(to) = to {
                on_choose.emit(to);
            }
        })
    };
    let shown = rows.get(window.range()).unwrap_or_default();
    let row = |(at, row): (usize, &ProblemRow)| {
        problem_row(props, &toggle, at, *row, chosen_at == Some(at))
    };
    let active =
        chosen_at.filter(|at| window.range().contains(at)).map(|at| format!("problem-{at}"));
    html! {
        <div class="problems" ref={node} tabindex="0" role={if rows.is_empty() { "region" } else { "tree" }} aria-label="Problems"
            aria-activedescendant={active} onscroll={on_scroll} onkeydown={on_key}>
            <div key="above" role="none" style={format!("height:{}px", window.above())} />
            { for (window.range().start..).zip(shown).map(row) }
            <div key="below" role="none" style={format!("height:{}px", window.below())} />
            if rows.is_empty() {
                <p class="problems__none">{ none(&props.check) }</p>
            }
        </div>
    }
}

fn none(check: &Check) -> &'static str {
    match (check.found.is_empty(), check.is_going()) {
        (true, true) => "Nothing found so far.",
        (true, false) => "Nothing found.",
        (false, _) => "No problem is like that.",
    }
}

/// The row of a problem: its own, or that of its code.
fn row_of(rows: &[ProblemRow], check: &Check, chosen: ProblemId) -> Option<usize> {
    let own = rows.iter().position(|row| *row == ProblemRow::Place(chosen));
    own.or_else(|| {
        rows.iter().position(|row| id_of(row, check).is_some_and(|id| id.code == chosen.code))
    })
}

/// The problem that a row leads to: a place, or the first one of a code that is closed.
fn id_of(row: &ProblemRow, check: &Check) -> Option<ProblemId> {
    match row {
        ProblemRow::Place(id) => Some(*id),
        ProblemRow::Code(at, false) => {
            check.found.get(*at).map(|found| ProblemId { code: found.count.code, at: 0 })
        }
        ProblemRow::Code(..) | ProblemRow::Pass(..) | ProblemRow::More(_) => None,
    }
}

fn problem_row(
    props: &ProblemListProps,
    toggle: &Callback<(Code, bool)>,
    at: usize,
    row: ProblemRow,
    is_chosen: bool,
) -> Html {
    let id = format!("problem-{at}");
    match row {
        ProblemRow::Pass(pass, count) => html! {
            <div key={at} {id} class="problems__pass" role="treeitem" aria-level="1" aria-expanded="true">
                { format!("Pass {}, {}", pass.name(), pass_title(pass)) }
                <small>{ number::count(count) }</small>
            </div>
        },
        ProblemRow::Code(index, is_open) => {
            let Some(found) = props.check.found.get(index) else { return Html::default() };
            let code = found.count.code;
            let onclick = {
                let (toggle, on_choose) = (toggle.clone(), props.on_choose.clone());
                Callback::from(move |_: MouseEvent| {
                    toggle.emit((code, !is_open));
                    if !is_open {
                        on_choose.emit(ProblemId { code, at: 0 });
                    }
                })
            };
            code_row(at, found, is_open, is_chosen, onclick)
        }
        ProblemRow::Place(problem_id) => {
            let Some(problem) = props.check.problem(problem_id) else { return Html::default() };
            html! {
                <div key={at} {id} class={classes!("problems__place", is_chosen.then_some("problems__chosen"))}
                    role="treeitem" aria-level="3" aria-selected={is_chosen.to_string()}
                    onclick={props.on_choose.reform(move |_: MouseEvent| problem_id)}>
                    <bdi>{ place(problem) }</bdi>
                    if problem.beyond_e2fsck {
                        <small>{ "beyond e2fsck" }</small>
                    }
                </div>
            }
        }
        ProblemRow::More(count) => html! {
            <div key={at} {id} class="problems__place problems__more" role="treeitem" aria-level="3">
                { format!("and {}, which are counted and not listed",
                    number::count_of(count, "more place", "more places")) }
            </div>
        },
    }
}

fn code_row(
    at: usize,
    found: &Found,
    is_open: bool,
    is_chosen: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let count = &found.count;
    let (tone, word) = weight(count.severity);
    let (class, icon) = match tone {
        Tone::Err => ("problems__icon problems__icon--err", Icon::Err),
        Tone::Warn => ("problems__icon problems__icon--warn", Icon::Warn),
        Tone::Ok | Tone::Neutral => ("problems__icon", Icon::Help),
    };
    html! {
        <div key={at} id={format!("problem-{at}")}
            class={classes!("problems__code", is_chosen.then_some("problems__chosen"))}
            role="treeitem" aria-level="2" aria-expanded={is_open.to_string()}
            aria-selected={is_chosen.to_string()} {onclick}>
            <span class={classes!("problems__toggle", is_open.then_some("problems__toggle--open"))}>
                { Icon::Right.view() }
            </span>
            <span {class} title={word}>{ icon.view() }</span>
            <span class="problems__title">{ count.title }</span>
            <small>{ number::count(count.count) }</small>
        </div>
    }
}
