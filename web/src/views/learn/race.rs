//! The lesson of the race.

use yew::prelude::*;

use super::frame::{Frame, framed};
use super::no_bits;
use crate::protocol::{RaceOrder, RaceResult};
use crate::select::lesson::bits::{name, race as race_order};
use crate::select::lesson::race::{LaneRow, axis, lane_rows, said};
use crate::state::{Detail, LessonBits, LessonPlace, Work};
use crate::text::number;

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct RaceLessonProps {
    /// The place.
    pub place: LessonPlace,
    /// The selected group, whose bitmaps may be used.
    pub detail: Detail,
    /// The last race.
    pub race: Option<(LessonBits, Work<RaceResult>)>,
    /// The person wants a race.
    pub on_race: Callback<(LessonBits, Box<RaceOrder>)>,
    /// The person wants no race any more.
    pub on_stop: Callback<()>,
}

/// The lesson of the race.
#[component]
pub(super) fn RaceLesson(props: &RaceLessonProps) -> Html {
    let bits = props.place.bits;
    let work = props.race.as_ref().filter(|(on, _)| *on == bits).map(|(_, work)| work);
    let result = work.and_then(Work::here);
    let order = use_memo((bits, props.detail.clone()), |(bits, detail)| race_order(*bits, detail));
    let button = match (&*order, work) {
        (_, Some(Work::Going(progress))) => html! {
            <>
                <progress max={progress.max.to_string()} value={progress.cur.to_string()} aria-label="Race" />
                <button type="button" class="button" onclick={props.on_stop.reform(|_: MouseEvent| ())}>{ "Stop" }</button>
            </>
        },
        (Ok(order), work) => {
            let order = order.clone();
            let onclick =
                props.on_race.reform(move |_: MouseEvent| (bits, Box::new(order.clone())));
            let label = if work.is_some() { "Measure again" } else { "Measure" };
            html! { <button type="button" class="button button--primary" {onclick}>{ label }</button> }
        }
        (Err(_), _) => Html::default(),
    };
    let fastest = result.and_then(|result| lane_rows(result).pop());
    let failed = work.and_then(|work| match work {
        Work::Failed(error) => Some(error.to_string()),
        _ => None,
    });
    let stage = html! {
        <>
                <h2 class="race__title">{ format!("On: {}", name(bits)) }</h2>
                if let Err(why) = &*order {
                    { no_bits(why) }
                }
                if let Some(failed) = failed {
                    <p class="notice" role="alert">{ failed }</p>
                }
                if let Some(result) = result {
                    <p class="race__said" role="status">{ said(result) }</p>
                    { bars(result) }
                    { table(&lane_rows(result)) }
                } else if order.is_ok() && work.is_none() {
                    <p class="learn__none">
                        { "Seven lanes run the same functions that the lesson before shows a step at a time. \
                           They take turns in this page's worker, and must all find the same inodes." }
                    </p>
                }
        </>
    };
    let side = html! {
        <>
                <h2>{ "Why the gap is so large" }</h2>
                <p>{ "A test for each bit pays the same everywhere: calls, branches, and once even a division. A word \
                      pays once for 64 of them. Where nearly everything is in use, nearly all of that is saved." }</p>
                <h3>{ "What the report measured" }</h3>
                <p>{ "A filesystem of 100 GB, half full of copied documents, shrunk to 75 GB on a Core i7 with a disk of \
                      5400 turns a minute. The seconds are CPU time of the whole run, of which the search was the most at \
                      first and nearly nothing in the end; here only the search is timed. So compare the order and the \
                      rough ratios, not the seconds. The whole run went from 96 to 40 minutes." }</p>
            <p>{ "The first three lanes differ by a division and a call, which today's processors and compilers hide, each \
                  in its own way: here they may change places." }</p>
                <h3>{ "And the cursor" }</h3>
                <p>{ "Each search begins at the start and goes over all that is in use before it finds the next free \
                      inode. Where the last search ended, all before is in use: who goes on from there looks at every \
                      word once, whatever the number of inodes." }</p>
                <h3>{ "Fair play" }</h3>
                <p>{ "All lanes are of one build. Each round begins with another lane. What each lane finds is compared \
                      with the first one's before any time counts." }</p>
                <p class="fine">{ "Source: Debian bug 663237, March 2012." }</p>
        </>
    };
    let figures =
        fastest.map(|fastest| (fastest.faster, "first to last lane")).into_iter().collect();
    framed(props.place.lesson, Frame { figures, actions: button, stage, side, ..Frame::default() })
}

fn bars(result: &RaceResult) -> Html {
    let bar = |row: LaneRow| {
        let style = format!("--len: {:.1}%", row.bar * 100.0);
        html! {
            <>
                <span>{ row.name }<small>{ row.origin }</small></span>
                <div class="bars__bar" {style}><i></i><span><b>{ row.time }</b><small>{ row.faster }</small></span></div>
            </>
        }
    };
    let tick = |(name, at): (String, f64)| html! { <span style={format!("left: {:.1}%", at * 100.0)}>{ name }</span> };
    html! {
        <figure class="bars" aria-label="Median times, on a scale of logarithms">
            { for lane_rows(result).into_iter().map(bar) }
            <span></span><div class="bars__axis" aria-hidden="true">{ for axis(result).into_iter().map(tick) }</div>
        </figure>
    }
}

fn table(rows: &[LaneRow]) -> Html {
    let row = |row: &LaneRow| {
        let count = |count: &u64| html! { <td class="num">{ number::count(*count) }</td> };
        let reported = row.reported.map(|seconds| format!("{} s", number::count(seconds.into())));
        html! {
            <tr>
                <th scope="row">{ row.name }</th>
                { for row.counts.iter().map(count) }
                <td class="num">{ &row.time }</td>
                <td class="num">{ &row.faster }</td>
                <td class="num">{ reported.unwrap_or_default() }</td>
                <td class="num">{ row.reported_faster.clone().unwrap_or_default() }</td>
            </tr>
        }
    };
    html! {
        <div class="race__table" tabindex="0" role="region" aria-label="Work and times">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{ "Lane" }</th>
                        <th scope="col" class="num">{ "Bit tests" }</th>
                        <th scope="col" class="num">{ "Loads" }</th>
                        <th scope="col" class="num">{ "Divisions" }</th>
                        <th scope="col" class="num">{ "Calls" }</th>
                        <th scope="col" class="num">{ "Here" }</th>
                        <th scope="col" class="num">{ "Faster" }</th>
                        <th scope="col" class="num">{ "In 2012" }</th>
                        <th scope="col" class="num">{ "Faster" }</th>
                    </tr>
                </thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}
