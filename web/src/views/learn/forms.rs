//! The lesson of arrays and runs.

use yew::prelude::*;

use super::frame::{Frame, framed};
use crate::protocol::FormResult;
use crate::select::lesson::forms::{Pair, Row, rows, said};
use crate::state::{LessonPlace, Work};

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct FormsLessonProps {
    /// The place: how many bits are set.
    pub place: LessonPlace,
    /// What was measured last, and of how many set bits.
    pub forms: Option<(u8, Work<FormResult>)>,
    /// The person wants both forms to be measured, or no longer.
    pub on_weigh: Callback<Option<u8>>,
}

/// The lesson of arrays and runs.
#[component]
pub(super) fn FormsLesson(props: &FormsLessonProps) -> Html {
    let percent = props.place.fill;
    let work = props.forms.as_ref().filter(|(of, _)| *of == percent).map(|(_, work)| work);
    let actions = match work {
        Some(Work::Going(progress)) => html! {
            <>
                <progress max={progress.max.to_string()} value={progress.cur.to_string()} aria-label="Measuring" />
                <button type="button" class="button" onclick={props.on_weigh.reform(|_: MouseEvent| None)}>{ "Stop" }</button>
            </>
        },
        _ => html! {
            <button type="button" class="button button--primary" onclick={props.on_weigh.reform(move |_: MouseEvent| Some(percent))}>
                { if work.is_some() { "Measure again" } else { "Measure" } }
            </button>
        },
    };
    let stage = match work {
        Some(Work::Here(result)) => html! {
            <>
                <p class="race__said" role="status">{ said(result) }</p>
                { table(&rows(result)) }
            </>
        },
        Some(Work::Failed(error)) => {
            html! { <p class="notice" role="alert">{ error.to_string() }</p> }
        }
        _ => html! {
            <p class="learn__none">
                { "The same extents are marked in both forms, and every gap between them is found again, for extents of 1 to 8,192 \
                   bits. Both forms must find the same." }
            </p>
        },
    };
    let side = html! {
        <>
            <h2>{ "Bits, or runs of them" }</h2>
            <p>{ "An array has a bit for every block, whatever it says. A tree has a node for every run of set bits, and none for what \
                  lies between: its size follows from how the disk is cut up, not from how large it is." }</p>
            <details class="lesson__question">
                <summary>{ "Predict: a run takes 48 bytes. From what length on are runs smaller than the array?" }</summary>
                <p>{ "48 bytes hold 384 bits: where an extent and the gap behind it have more bits than that, runs are smaller." }</p>
            </details>
            <h3>{ "What e2fsck gained" }</h3>
            <p>{ "Pass 1 of a filesystem of 4 TB, mostly full, went from 179 to 2.8 s of CPU when whole extents were marked in its tree \
                  of runs, and no longer each block." }</p>
            <p class="fine">{ "Source: linux-ext4, series of patches for e2fsck and large filesystems, November 2012." }</p>
            <h3>{ "What is measured" }</h3>
            <p>{ "Marking is marking every extent at once, in an empty bitmap. Finding is going from gap to gap. Both are extscope's own \
                  forms: words of 64 bits, and a B-tree of runs. The memory of runs is that of libext2fs: a node of its red-black tree, \
                  with what comes with its allocation." }</p>
        </>
    };
    framed(props.place.lesson, Frame { actions, stage, side, ..Frame::default() })
}

fn table(rows: &[Row]) -> Html {
    let pair = |pair: &Pair| {
        let better = |is_so: bool| classes!("num", is_so.then_some("forms__better"));
        html! {
            <>
                <td class={better(!pair.is_tree_better)}>{ &pair.array }</td>
                <td class={better(pair.is_tree_better)}>{ &pair.tree }</td>
            </>
        }
    };
    let row = |row: &Row| {
        html! {
            <tr>
                <th scope="row" class="num">{ &row.extent }</th>
                <td class="num">{ &row.runs }</td>
                { for row.costs.iter().map(pair) }
            </tr>
        }
    };
    let head = |name: &'static str| html! { <th scope="col" class="num">{ name }</th> };
    html! {
        <div class="race__table" tabindex="0" role="region" aria-label="Array and runs">
            <table class="table">
                <thead>
                    <tr>
                        { for ["Extent", "Runs", "Memory, array", "runs", "Marking, array", "runs", "Finding, array", "runs"].map(head) }
                    </tr>
                </thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}
