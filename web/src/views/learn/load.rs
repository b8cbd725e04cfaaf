//! The lesson of loading bitmaps.

use yew::prelude::*;

use super::super::shared::Address;
use super::code::code;
use super::frame::{Frame, framed, narrated, without_bits};
use super::player::{Controls, use_deck};
use crate::protocol::{BitmapPlaces, Course, LoadAct, LoadWay};
use crate::select::lesson::load::{
    self as words, BitmapState, RequestRow, Scene, Verdict, about, is_event, line, load, places,
    said, scene, verdicts,
};
use crate::select::lesson::race::nanos;
use crate::state::{Image, LessonPlace, Settings};
use crate::text::{number, size};

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct LoadLessonProps {
    /// The place in it.
    pub place: LessonPlace,
    /// The image, whose bitmaps may be the ones.
    pub image: Address<Image>,
    /// The person's settings.
    pub settings: Settings,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
}

type Stage = Result<(BitmapPlaces, Course<LoadAct>), String>;

/// The lesson of loading bitmaps.
#[component]
pub(super) fn LoadLesson(props: &LoadLessonProps) -> Html {
    let place = props.place;
    let load = load(place);
    let disk = LessonPlace { step: 0, ..place };
    let stage = use_memo((disk, props.image.clone()), |(place, image)| -> Stage {
        let places = places(*place, image)?;
        let course = Course::record(|watch| {
            load.run(&places, watch);
        });
        Ok((places, course))
    });
    let len = stage.as_ref().as_ref().map_or(0, |(_, course)| course.len());
    let on_step = props.on_place.reform(move |step| LessonPlace { step, ..place });
    let deck = use_deck(Address::from(&stage), len, place.step, on_step);
    let (places, course) = match &*stage {
        Ok(stage) => (&stage.0, &stage.1),
        Err(why) => return without_bits(place.lesson, why),
    };
    let step = deck.player.step.min(course.len());
    let act = course.at(step);
    let said = said(act, load, places);
    let scene = scene(places, course, step);
    let verdicts = verdicts(load, places);
    let stage = html! {
        <>
            { head(&scene) }
            { groups(&scene) }
            { requests(&scene.requests) }
        </>
    };
    let of = |way: LoadWay| verdicts.iter().find(|it| it.way == way);
    let asked = of(LoadWay::All).zip(of(LoadWay::AllJoined));
    let side = html! {
        <>
            <h2>{ words::name(load.way) }</h2>
            <p class="lesson__said">{ &said }</p>
            { code(words::code(load.way), act.map(|act| line(load.way, act))) }
            <p>{ about(load, places) }</p>
            <h3>{ "The five, with this question and disk" }</h3>
            { table(&verdicts, load.way) }
            if let Some((one_by_one, joined)) = asked {
                <details class="lesson__question">
                    <summary>
                        { format!("Predict: {} groups, flex groups of {}. How many requests does loading all take, one by one and \
                                   with neighbours together?",
                            number::count(places.len().into()), number::count(places.groups_per_flex.into())) }
                    </summary>
                    <p>{ format!("{} and {}: groups that were never written are not read.", one_by_one.requests, joined.requests) }</p>
                </details>
            }
            <h3>{ "Who does it this way" }</h3>
            <p>{ words::origin(load.way) }{ "." }</p>
            <h3>{ "Why it matters" }</h3>
            <p>{ "A filesystem of 120 TB, 85 % full, was made up on a slow device: mounting it would have taken 10 to 11 \
                  hours, because the allocator waited for bitmaps group by group. It took 20 s once it skipped what was not \
                  loaded and read flex groups ahead." }</p>
            <p class="fine">{ "Sources: Linux, commits cfd732377221 and c1d2c7d47e15, in Linux 5.9 of 2020; e2fsprogs, \
                               ext4_fc_replay in e2fsck/journal.c." }</p>
            <p class="fine">{ "Times are those of a simple disk: a seek wherever a request does not begin where the last one ended, \
                               a fixed time for each request, and its bytes at the given speed. Block bitmaps only; inode bitmaps \
                               cost as much again." }</p>
            { narrated(&deck, &said) }
        </>
    };
    let figures = vec![
        (number::count(scene.loaded.requests), "requests"),
        (number::count(scene.loaded.seeks), "seeks"),
        (size::bytes(scene.loaded.bytes), "read"),
        (nanos(scene.loaded.nanos as f64), "disk time"),
    ];
    let controls = html! {
        <Controls deck={deck.clone()} next_event={course.next_event(step, is_event)} single_keys={props.settings.single_keys} />
    };
    framed(place.lesson, Frame { figures, stage, controls, side, ..Frame::default() })
}

/// The disk from its first block to its last, and where its head went.
fn head(scene: &Scene) -> Html {
    let last = scene.marks.len().saturating_sub(1);
    let mark = |(number, at): (usize, &f64)| {
        html! { <i class={(number == last).then_some("load__head")} style={format!("--at: {:.2}%", at * 100.0)}></i> }
    };
    html! {
        <figure class="load__disk">
            <figcaption>{ "Where the disk was read, from its first block to its last" }</figcaption>
            <div aria-hidden="true">{ for scene.marks.iter().enumerate().map(mark) }</div>
        </figure>
    }
}

fn groups(scene: &Scene) -> Html {
    let cell = |(group, state): (u32, &BitmapState)| {
        let class = classes!(
            match state {
                BitmapState::Unread => None,
                BitmapState::Kept => Some("load__kept"),
                BitmapState::Answered => Some("load__answered"),
                BitmapState::Computed => Some("load__computed"),
                BitmapState::Nowhere => Some("split__lost"),
            },
            (scene.here == Some(group)).then_some("split__here"),
        );
        html! { <i {class}>{ group }</i> }
    };
    html! {
        <figure class="split">
            <figcaption>
                { "Block bitmaps, by group" }
                <span class="split__key"><i class="load__kept"></i>{ "in memory" }</span>
                <span class="split__key"><i class="load__answered"></i>{ "asked for" }</span>
                <span class="split__key"><i class="load__computed"></i>{ "asked for, never written" }</span>
            </figcaption>
            <div class="split__grid" aria-hidden="true">{ for (0..).zip(&scene.groups).map(cell) }</div>
        </figure>
    }
}

fn requests(rows: &[RequestRow]) -> Html {
    let row = |row: &RequestRow| {
        html! {
            <tr key={row.number}>
                <th scope="row" class="num">{ number::count(row.number) }</th>
                <td class="num">{ &row.blocks }</td>
                <td class="num">{ &row.bitmaps }</td>
                <td>{ if row.seeks { "yes" } else { "no" } }</td>
                <td class="num">{ &row.time }</td>
            </tr>
        }
    };
    html! {
        <div class="race__table" tabindex="0" role="region" aria-label="Last requests">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col" class="num">{ "Request" }</th>
                        <th scope="col" class="num">{ "Blocks" }</th>
                        <th scope="col" class="num">{ "Bitmaps" }</th>
                        <th scope="col">{ "Seek" }</th>
                        <th scope="col" class="num">{ "Time" }</th>
                    </tr>
                </thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn table(verdicts: &[Verdict], way: LoadWay) -> Html {
    let row = |it: &Verdict| {
        html! {
            <tr aria-current={(it.way == way).then_some("true")}>
                <th scope="row">{ it.name }</th>
                <td>{ &it.requests }</td>
                <td>{ &it.bytes }</td>
                <td>{ &it.time }</td>
            </tr>
        }
    };
    html! {
        <table class="lesson__counts">
            <thead>
                <tr><td></td><th scope="col">{ "requests" }</th><th scope="col">{ "read" }</th><th scope="col">{ "time" }</th></tr>
            </thead>
            <tbody>{ for verdicts.iter().map(row) }</tbody>
        </table>
    }
}
