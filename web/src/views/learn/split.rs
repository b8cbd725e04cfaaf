//! The lesson of sharing groups out to workers.

use yew::prelude::*;

use super::code::code;
use super::frame::{Frame, framed, narrated};
use super::player::{Controls, use_deck};
use crate::protocol::Course;
use crate::select::lesson::split::{
    self as words, GroupState, Scene, WorkerRow, about, is_event, line, said, scene, verdicts,
};
use crate::state::{LessonPlace, Settings};
use crate::text::number;

/// Colours of workers, one after another.
const COLOURS: u32 = 6;

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct SplitLessonProps {
    /// The place in it.
    pub place: LessonPlace,
    /// Groups of the image, and of one of its flex groups.
    pub groups: (u32, u32),
    /// The person's settings.
    pub settings: Settings,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
}

/// The lesson of sharing groups out to workers.
#[component]
pub(super) fn SplitLesson(props: &SplitLessonProps) -> Html {
    let place = props.place;
    let split = words::split(place, props.groups.0, props.groups.1);
    let course = use_memo(split, |split| {
        Course::record(|watch| {
            split.run(watch);
        })
    });
    let on_step = props.on_place.reform(move |step| LessonPlace { step, ..place });
    let deck = use_deck(split, course.len(), place.step, on_step);
    let step = deck.player.step.min(course.len());
    let act = course.at(step);
    let said = said(act, split);
    let scene = scene(split, &course, step);
    let verdicts = verdicts(split);
    let longest = verdicts.iter().map(|(_, longest, _)| *longest).max().unwrap_or(1).max(1);
    let worker = |(number, row): (u32, &WorkerRow)| worker_row(number, row, longest);
    let verdict = |(name, longest, missed): &(&'static str, u32, u32)| {
        html! {
            <tr>
                <th scope="row">{ *name }</th>
                <td>{ number::count((*longest).into()) }</td>
                <td class={(*missed > 0).then_some("lesson__bad")}>{ number::count((*missed).into()) }</td>
            </tr>
        }
    };
    let stage = html! {
        <>
            <div class="split__workers" role="img" aria-label={format!("Groups read by each worker. {said}")}>
                { for (0..).zip(&scene.workers).map(worker) }
            </div>
            { grid(&scene) }
        </>
    };
    let side = html! {
        <>
            <h2>{ words::name(split.sharing) }</h2>
            <p class="lesson__said">{ &said }</p>
            { code(words::code(split.sharing), act.map(|act| line(split.sharing, act))) }
            <p>{ about(split) }</p>
            <h3>{ "The three, with these numbers" }</h3>
            <table class="lesson__counts">
                <thead><tr><td></td><th scope="col">{ "busiest reads" }</th><th scope="col">{ "missed" }</th></tr></thead>
                <tbody>{ for verdicts.iter().map(verdict) }</tbody>
            </table>
            <details class="lesson__question">
                <summary>{ "Predict: which numbers of groups do four workers divide without missing any?" }</summary>
                <p>{ "The multiples of four, and no others. Try 64, then 67." }</p>
            </details>
            <h3>{ "Why it matters" }</h3>
            <p>{ "Pass 5 of e2fsck took 10,446 s of a filesystem of a PiB, 99.5 % of that to read bitmaps; with 64 threads \
                  883 s. The review of the first patch asked what happens with more threads than groups, and with \
                  numbers that do not divide." }</p>
            <p class="fine">{ "Source: linux-ext4, \u{201c}ext2fs: parallel bitmap loading\u{201d}, 4 to 17 September 2020." }</p>
            { narrated(&deck, &said) }
        </>
    };
    let figures = vec![
        (number::count(course.tally(step).loads), "bitmaps read"),
        (number::count(scene.told()), "groups told of"),
        (number::count(split.groups.into()), "groups"),
    ];
    let controls = html! {
        <Controls deck={deck.clone()} next_event={course.next_event(step, is_event)} single_keys={props.settings.single_keys} />
    };
    framed(place.lesson, Frame { figures, stage, controls, side, ..Frame::default() })
}

fn worker_row(number: u32, row: &WorkerRow, longest: u32) -> Html {
    let taken = row
        .taken
        .last()
        .map(|(first, end)| number::range((*first).into(), u64::from(end.saturating_sub(1))));
    let state = match (row.has_failed, taken) {
        (true, _) => "failed".to_owned(),
        (false, Some(range)) => format!("groups {range}"),
        (false, None) => "nothing to read".to_owned(),
    };
    let style = format!("--len: {:.1}%", f64::from(row.read) * 100.0 / f64::from(longest));
    let class = classes!("split__bar", row.has_failed.then_some("split__bar--failed"));
    html! {
        <>
            <span>{ format!("Worker {}", number + 1) }</span>
            <div {class} {style}><i class={format!("split__colour--{}", number % COLOURS)}></i><span>{ state }</span></div>
            <span class="num">{ number::count(row.read.into()) }</span>
        </>
    }
}

fn grid(scene: &Scene) -> Html {
    let cell = |(group, state): (u32, &GroupState)| {
        let (colour, is_told) = match state {
            GroupState::Read(worker) => (Some(worker % COLOURS), false),
            GroupState::Told(worker) => (Some(worker % COLOURS), true),
            GroupState::Unread | GroupState::Lost => (None, false),
        };
        let class = classes!(
            colour.map(|colour| format!("split__colour--{colour}")),
            is_told.then_some("split__told"),
            (*state == GroupState::Lost).then_some("split__lost"),
            (scene.here == Some(group)).then_some("split__here"),
        );
        html! { <i {class}>{ group }</i> }
    };
    html! {
        <figure class="split">
            <figcaption>
                { "Groups" }
                <span class="split__key"><i class="split__colour--0"></i>{ "read" }</span>
                <span class="split__key"><i class="split__colour--0 split__told"></i>{ "told of" }</span>
                <span class="split__key"><i class="split__lost">{ "×" }</i>{ "lost" }</span>
            </figcaption>
            <div class="split__grid" aria-hidden="true">{ for (0..).zip(&scene.groups).map(cell) }</div>
        </figure>
    }
}
