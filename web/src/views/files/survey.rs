//! All files together: how they lie, and where the space went.

use extscope::units::Ino;
use yew::prelude::*;

use super::super::shared::{Address, Column, Icon, LongTable, plain_heads};
use crate::protocol::{ClassReport, FragReport, SurveyDetail};
use crate::state::{FileList, Work};
use crate::text::{number, size};

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub(super) struct SurveyPanelProps {
    /// The survey.
    pub survey: Work<SurveyDetail>,
    /// Bytes of a block.
    pub block_size: u32,
    /// Which list is shown.
    pub list: FileList,
    /// The person wants another list.
    pub on_list: Callback<FileList>,
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
                    { for FileList::ALL.into_iter().map(|list| choice(props, list)) }
                </div>
                { summary(detail, props.block_size) }
            </>
        },
    }
}

fn choice(props: &SurveyPanelProps, list: FileList) -> Html {
    html! {
        <label class="option">
            <input type="radio" name="files-shown" checked={props.list == list}
                onchange={props.on_list.reform(move |_: Event| list)} />
            <span>{ list.name() }</span>
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
    html! {
        <div class="survey__summary">
            <h2 class="panel-heading">{ "As e2fsck sums up" }</h2>
            <dl class="key-values">
                { line("Files", number::count(totals.files)) }
                { line("Non-contiguous files", number::count(totals.noncontiguous_files)) }
                { line("Directories", number::count(totals.dirs)) }
                { line("Non-contiguous directories", number::count(totals.noncontiguous_dirs)) }
                { line("Extents", number::count(totals.extents)) }
                if detail.faults > 0 { { line("Not to be followed", number::count(detail.faults)) } }
                if detail.conflicts > 0 { { line("Claimed twice", number::count(detail.conflicts)) } }
                if detail.free_but_owned > 0 { { line("Owned, yet free", number::count(detail.free_but_owned)) } }
            </dl>
            <h2 class="panel-heading">{ "Where the space went" }</h2>
            <dl class="key-values">{ for detail.classes.iter().map(class) }</dl>
        </div>
    }
}

/// What is shown in place of a list.
#[derive(Properties, PartialEq)]
pub(super) struct SurveyWantedProps {
    /// The survey.
    pub survey: Work<SurveyDetail>,
    /// The list.
    pub list: FileList,
    /// The person wants all inodes to be gone through, or no longer.
    pub on_survey: Callback<bool>,
    /// The person wants another list.
    pub on_list: Callback<FileList>,
}

/// What stands in place of a list for which all inodes are read first.
#[component]
pub(super) fn SurveyWanted(props: &SurveyWantedProps) -> Html {
    let is_going = matches!(props.survey, Work::Going(_));
    html! {
        <div class="files__wanted">
            <p><b>{ props.list.name() }</b></p>
            if is_going {
                <p role="status">{ "All inodes are being read; the list comes with the last of them." }</p>
            } else {
                <p>{ "There is a list once all inodes are read." }</p>
                <button type="button" class="button button--primary" onclick={props.on_survey.reform(|_| true)}>
                    { "Read all inodes" }
                </button>
            }
            <button type="button" class="link" onclick={props.on_list.reform(|_| FileList::Tree)}>
                { "Back to the directories" }
            </button>
        </div>
    }
}

/// The columns of a list of files.
const COLUMNS: [Column<()>; 8] = [
    Column::words("Path"),
    Column::amounts("Size"),
    Column::amounts("Extents").meaning("As FIEMAP and filefrag -v list them"),
    Column::amounts("Best").meaning("Fewest extents that e4defrag thinks it could have"),
    Column::amounts("Seeks/MiB"),
    Column::amounts("Slowdown").meaning(
        "(seek × (1 + seeks) + read) ÷ (seek + read), at 12 ms a seek and 160 MiB a second",
    ),
    Column::amounts("e4defrag").meaning("e4defrag's score; over 55 it advises to defragment"),
    Column::amounts("Inode"),
];

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(super) struct SurveyListProps {
    /// The survey.
    pub detail: Address<SurveyDetail>,
    /// Which list.
    pub list: FileList,
    /// The person looks at a file.
    pub on_inode: Callback<Ino>,
}

/// The files at the top of a list.
#[component]
pub(super) fn SurveyList(props: &SurveyListProps) -> Html {
    let files = files(&props.detail, props.list);
    let row = {
        let (detail, list, on_inode) = (props.detail.clone(), props.list, props.on_inode.clone());
        Callback::from(move |at: usize| {
            let file = self::files(&detail, list).get(at);
            file.map(|file| file_row(at, file, &on_inode)).unwrap_or_default()
        })
    };
    let below = html! {
        if files.is_empty() { <p class="file-detail__none">{ "No file is like that." }</p> }
    };
    html! {
        <LongTable label={props.list.name()} table_class="files__table"
            heads={plain_heads(&COLUMNS)} count={files.len()} {row} {below} />
    }
}

fn files(detail: &SurveyDetail, list: FileList) -> &[FragReport] {
    match list {
        FileList::Largest => &detail.largest,
        _ => &detail.scattered,
    }
}

fn file_row(at: usize, file: &FragReport, on_inode: &Callback<Ino>) -> Html {
    let ino = file.ino;
    let path = file.path.clone().unwrap_or_else(|| "no name leads to it".to_owned());
    html! {
        <tr key={ino} aria-rowindex={(at + 2).to_string()} onclick={on_inode.reform(move |_| Ino::new(ino))}>
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
}
