//! The check: its passes, the problems that it finds, and one of them in detail.
//!
//! *Belongs here:* the passes, the list, the problem that is looked at, what is not checked.
//! *Does not:* finding anything; that is the engine's, once the person asks for it.

mod detail;
mod differences;
mod list;
mod panel;
mod passes;

use std::rc::Rc;

use extscope::units::{Fsblk, Group, Ino};
use yew::prelude::*;

use self::detail::ProblemDetail;
use self::list::ProblemList;
use self::panel::CheckPanel;
use self::passes::passes;
use super::shared::{Address, Icon, NO_SIDE_PANEL, save_made, use_media};
use crate::protocol::{CheckMode, Stretch};
use crate::select::check_words::{headline, report};
use crate::select::csv::csv;
use crate::select::header::Tone;
use crate::select::problem_rows::ProblemFilter;
use crate::state::{Check as CheckState, Course, OpenImage, ProblemId, Selection, Settings};

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct CheckProps {
    /// The image.
    pub open: OpenImage,
    /// The person's settings.
    pub settings: Settings,
    /// The problem that is looked at; it may not be found.
    pub chosen: Option<ProblemId>,
    /// The person wants the filesystem to be checked so far, or no longer.
    pub on_check: Callback<Option<CheckMode>>,
    /// The person wants the filesystem as after its journal is replayed, or as it lies there.
    pub on_replay: Callback<bool>,
    /// The person looks at a problem.
    pub on_choose: Callback<Option<ProblemId>>,
    /// Show the bytes of a block.
    pub on_block: Callback<Fsblk>,
    /// Show a group in the table of groups.
    pub on_group: Callback<Group>,
    /// Show something on the map.
    pub on_map: Callback<Selection>,
    /// Look at a file.
    pub on_inode: Callback<Ino>,
    /// These bytes are to be shown.
    pub on_want: Callback<Vec<Stretch>>,
}

/// The check.
#[component]
pub(crate) fn Check(props: &CheckProps) -> Html {
    let open = &props.open;
    let mode = use_state(CheckMode::default);
    let filter = use_state(ProblemFilter::default);
    let check = open.check.as_ref();
    let on_mode = {
        let mode = mode.clone();
        Callback::from(move |chosen| mode.set(chosen))
    };
    let on_filter = {
        let filter = filter.clone();
        Callback::from(move |chosen| filter.set(chosen))
    };
    let panel = html! {
        <CheckPanel check={check.map(Address::from)} image={Address::from(&open.image)} mode={*mode}
            filter={(*filter).clone()} {on_mode} on_replay={props.on_replay.clone()}
            on_filter={on_filter.clone()} />
    };
    let has_panel = props.settings.side_bar && !use_media(NO_SIDE_PANEL);
    let contents = check.map(|check| {
        let chosen = props.chosen.filter(|id| check.problem(*id).is_some());
        html! {
            <>
                { passes(check, &filter, &on_filter) }
                <div class="check__panes">
                    <ProblemList check={Address::from(check)} filter={(*filter).clone()} {chosen}
                        on_choose={props.on_choose.reform(Some)} />
                    <ProblemDetail check={Address::from(check)} image={Address::from(&open.image)} {chosen}
                        bytes={Address::from(&open.bytes)}
                        on_choose={props.on_choose.clone()} on_block={props.on_block.clone()}
                        on_group={props.on_group.clone()} on_map={props.on_map.clone()}
                        on_inode={props.on_inode.clone()} on_want={props.on_want.clone()} />
                </div>
            </>
        }
    });
    html! {
        <>
        if has_panel {
            <aside class="side-panel" aria-label="What is checked">{ panel.clone() }</aside>
        }
        <main id="main" class="view view--whole" tabindex="-1">
            <div class={classes!("check-view", check.is_none().then_some("check-view--idle"))}>
                { head(props, check, *mode) }
                if !has_panel {
                    <details class="check__panel">
                        <summary>{ "What is checked and shown" }</summary>
                        { panel }
                    </details>
                }
                { contents.unwrap_or_default() }
            </div>
        </main>
        </>
    }
}

fn head(props: &CheckProps, check: Option<&Rc<CheckState>>, mode: CheckMode) -> Html {
    let headline = headline(check.map(|check| &**check));
    let (class, icon) = match headline.tone {
        Tone::Neutral => ("check__verdict", Icon::Check),
        Tone::Ok => ("check__verdict check__verdict--ok", Icon::Ok),
        Tone::Warn => ("check__verdict check__verdict--warn", Icon::Warn),
        Tone::Err => ("check__verdict check__verdict--err", Icon::Err),
    };
    let is_going = check.is_some_and(|check| check.is_going());
    let (label, asked, button) = match check {
        None => ("Check", Some(mode), "button button--primary"),
        Some(_) if is_going => ("Stop", None, "button"),
        Some(_) => ("Check again", Some(mode), "button"),
    };
    let onclick = props.on_check.reform(move |_: MouseEvent| asked);
    html! {
        <header {class}>
            { icon.view() }
            <div>
                <h1>{ headline.title }</h1>
                <p role="status">{ headline.text }</p>
            </div>
            <div class="check__actions">
                { check.map(|check| exports(check, &props.open.image.name)).unwrap_or_default() }
                <button type="button" class={button} {onclick}>{ label }</button>
            </div>
        </header>
    }
}

/// Buttons that save what was found, once all is.
fn exports(check: &Rc<CheckState>, image: &str) -> Html {
    if !matches!(check.course, Course::Over(_)) {
        return Html::default();
    }
    let json = {
        let check = Rc::clone(check);
        move || {
            let report = report(&check);
            report.and_then(|it| serde_json::to_string_pretty(&it).ok()).unwrap_or_default()
        }
    };
    let page = {
        let (check, title) = (Rc::clone(check), format!("Check of {image}"));
        move || report(&check).map(|it| it.html(&title)).unwrap_or_default()
    };
    let table = {
        let check = Rc::clone(check);
        move || {
            let head = [
                "code",
                "pass",
                "severity",
                "group",
                "dir",
                "ino",
                "block",
                "lblk",
                "count",
                "found",
                "expected",
                "name",
                "beyond_e2fsck",
            ];
            csv(
                &head,
                check.found.iter().flat_map(|found| {
                    let severity = format!("{:?}", found.count.severity).to_lowercase();
                    found.problems.iter().map(move |problem| {
                        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
                        vec![
                            problem.code.name().to_owned(),
                            problem.pass.name().to_owned(),
                            severity.clone(),
                            number(problem.group.map(|it| it.get().into())),
                            number(problem.dir.map(|it| it.get().into())),
                            number(problem.ino.map(|it| it.get().into())),
                            number(problem.block.map(Fsblk::get)),
                            number(problem.lblk.map(|it| it.get().into())),
                            number(problem.count),
                            number(problem.found),
                            number(problem.expected),
                            problem.name.clone().unwrap_or_default(),
                            problem.beyond_e2fsck.to_string(),
                        ]
                    })
                }),
            )
        }
    };
    html! {
        <>
            { save_made("CSV", format!("{image}-check.csv"), table) }
            { save_made("JSON", format!("{image}-check.json"), json) }
            { save_made("HTML", format!("{image}-check.html"), page) }
        </>
    }
}
