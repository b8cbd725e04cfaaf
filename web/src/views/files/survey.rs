//! All files together: how they lie, and where the space went.

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Icon, Scroll, space, use_scroll};
use super::Shown;
use crate::protocol::{ClassReport, FragReport, SurveyDetail, UserReport};
use crate::state::Work;
use crate::text::{number, size};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 26.0;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub(super) struct SurveyPanelProps {
    /// The survey.
    pub survey: Work<SurveyDetail>,
    /// Bytes of a block.
    pub block_size: u32,
    /// Which list is shown.
    pub shown: Shown,
    /// The person wants another list.
    pub on_show: Callback<Shown>,
    /// The person wants all inodes to be gone through, or no longer.
    pub on_survey: Callback<bool>,
}

/// All files together. Nothing is read before the person asks for it.
#[component]
pub(super) fn SurveyPanel(props: &SurveyPanelProps) -> Html {
    let button = |is_wanted: bool, label: &'static str| {
        let onclick = props.on_survey.reform(move |_: MouseEvent| is_wanted);
        html! { <button type="button" class="button button--small" {onclick}>{ label }</button> }
    };
    match &props.survey {
        Work::Idle => html! {
            <div class="survey">
                <h2 class="panel-heading">{ "All files" }</h2>
                <p class="fine">
                    { "Whose each block is, which files lie in pieces, where the space went: that takes \
                       reading every inode table, every directory and every bitmap." }
                </p>
                { button(true, "Read all inodes") }
            </div>
        },
        Work::Going(progress) => {
            let percent = (progress.cur * 100).checked_div(progress.max).unwrap_or(0);
            html! {
                <div class="survey" aria-busy="true">
                    <h2 class="panel-heading">{ "Reading all inodes" }</h2>
                    <div class="progress" role="progressbar" aria-label="Inodes read" aria-valuemin="0"
                        aria-valuemax="100" aria-valuenow={percent.to_string()}>
                        <i style={format!("width:{percent}%")} />
                    </div>
                    { button(false, "Stop") }
                </div>
            }
        }
        Work::Failed(error) => html! {
            <div class="survey">
                <div class="notice notice--err" role="alert">
                    { Icon::Err.view() }<div><p>{ error.to_string() }</p></div>
                </div>
                { button(true, "Read all inodes again") }
            </div>
        },
        Work::Here(detail) => html! {
            <>
                <h2 class="panel-heading">{ "Show" }</h2>
                <div class="options" role="radiogroup" aria-label="Which files are shown">
                    { for Shown::ALL.into_iter().map(|shown| choice(props, shown)) }
                </div>
                { summary(detail, props.block_size) }
            </>
        },
    }
}

fn choice(props: &SurveyPanelProps, shown: Shown) -> Html {
    html! {
        <label class="option">
            <input type="radio" name="files-shown" checked={props.shown == shown}
                onchange={props.on_show.reform(move |_: Event| shown)} />
            <span>{ shown.name() }</span>
        </label>
    }
}

fn summary(detail: &SurveyDetail, block_size: u32) -> Html {
    let totals = &detail.totals;
    let line = |name: &'static str, value: String| {
        html! {
            <div class="key-values__row"><dt>{ name }</dt><dd>{ value }</dd></div>
        }
    };
    let amount = |blocks: u64| size::bytes(blocks.saturating_mul(block_size.into()));
    let class = |class: &ClassReport| {
        html! {
            <div class="key-values__row" title={number::count_of(class.blocks, "block", "blocks")}>
                <dt>{ class.name.clone() }</dt><dd>{ amount(class.blocks) }</dd>
            </div>
        }
    };
    let user = |user: &UserReport| {
        html! {
            <div class="key-values__row" title={number::count_of(user.share.inodes, "inode", "inodes")}>
                <dt>{ format!("uid {}", user.uid) }</dt><dd>{ amount(user.share.blocks) }</dd>
            </div>
        }
    };
    html! {
        <div class="survey__summary">
            <h2 class="panel-heading">{ "As e2fsck sums up" }</h2>
            <dl class="key-values">
                { line("Files", number::count(totals.files)) }
                { line("non-contiguous", number::count(totals.noncontiguous_files)) }
                { line("Directories", number::count(totals.dirs)) }
                { line("non-contiguous", number::count(totals.noncontiguous_dirs)) }
                { line("Extents", number::count(totals.extents)) }
                if detail.faults > 0 { { line("Not to be followed", number::count(detail.faults)) } }
                if detail.conflicts > 0 { { line("Claimed twice", number::count(detail.conflicts)) } }
                if detail.free_but_owned > 0 { { line("Owned, yet free", number::count(detail.free_but_owned)) } }
            </dl>
            <h2 class="panel-heading">{ "Where the space went" }</h2>
            <dl class="key-values">{ for detail.classes.iter().map(class) }</dl>
            <h2 class="panel-heading">{ "By owner" }</h2>
            <dl class="key-values">{ for detail.usage.users.iter().take(12).map(user) }</dl>
        </div>
    }
}

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(super) struct SurveyListProps {
    /// The survey.
    pub detail: Address<SurveyDetail>,
    /// Which list.
    pub shown: Shown,
    /// The person looks at a file.
    pub on_inode: Callback<Ino>,
}

/// The files at the top of a list.
#[component]
pub(super) fn SurveyList(props: &SurveyListProps) -> Html {
    let files = match props.shown {
        Shown::Largest => &props.detail.largest,
        Shown::Tree | Shown::Scattered => &props.detail.scattered,
    };
    let Scroll { node, window, on_scroll } = use_scroll(files.len(), ROW);
    let row = |file: &FragReport| {
        let ino = file.ino;
        let path = file.path.clone().unwrap_or_else(|| "no name leads to it".to_owned());
        html! {
            <tr key={ino} onclick={props.on_inode.reform(move |_| Ino::new(ino))}>
                <th scope="row">
                    <button type="button" class="link link--path"><bdi title={path.clone()}>{ path.clone() }</bdi></button>
                </th>
                <td class="num" title={size::exact(file.size)}>{ size::bytes(file.size) }</td>
                <td class="num">{ number::count(file.extents) }</td>
                <td class="num">{ number::count(file.best_extents) }</td>
                <td class="num">{ format!("{:.1}", file.seeks_per_mib) }</td>
                <td class="num">{ number::times(file.slowdown) }</td>
                <td class="num">{ format!("{:.0}", file.e4defrag_score) }</td>
                <td class="num mono">{ number::count(ino.into()) }</td>
            </tr>
        }
    };
    html! {
        <div class="files__scroll" ref={node} tabindex="0" role="region" aria-label={props.shown.name()}
            onscroll={on_scroll}>
            <table class="table files__table">
                <thead>
                    <tr>
                        <th scope="col">{ "Path" }</th>
                        <th scope="col" class="num">{ "Size" }</th>
                        <th scope="col" class="num" title="As FIEMAP and filefrag -v list them">{ "Extents" }</th>
                        <th scope="col" class="num" title="Fewest extents that e4defrag thinks it could have">{ "Best" }</th>
                        <th scope="col" class="num">{ "Seeks/MiB" }</th>
                        <th scope="col" class="num" title="(seek × (1 + seeks) + read) ÷ (seek + read), at 12 ms a seek and 160 MiB a second">{ "Slowdown" }</th>
                        <th scope="col" class="num" title="e4defrag's score; over 55 it advises to defragment">{ "e4defrag" }</th>
                        <th scope="col" class="num">{ "Inode" }</th>
                    </tr>
                </thead>
                <tbody>
                    { space("above", window.above()) }
                    { for files.get(window.range()).unwrap_or_default().iter().map(row) }
                    { space("below", window.below()) }
                </tbody>
            </table>
            if files.is_empty() { <p class="file-detail__none">{ "No file is like that." }</p> }
        </div>
    }
}
