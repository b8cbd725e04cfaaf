//! The lesson of comparing two bitmaps.

use yew::prelude::*;

use super::super::shared::Address;
use super::code::code;
use super::frame::{Frame, counted, framed, narrated, without_bits};
use super::player::{Controls, use_deck};
use crate::protocol::{Compare, CompareAct, Course};
use crate::select::lesson::bits::wide_stage;
use crate::select::lesson::compare::{
    self as words, GroupState, Scene, compared, is_event, line, said, scene,
};
use crate::state::{Detail, LessonPlace, Settings};
use crate::text::number;

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct CompareLessonProps {
    /// The place in it.
    pub place: LessonPlace,
    /// The selected group, whose bitmaps may be used.
    pub detail: Detail,
    /// The person's settings.
    pub settings: Settings,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
}

type Stage = Result<(Compare, Course<CompareAct>), String>;

/// The lesson of comparing two bitmaps.
#[component]
pub(super) fn CompareLesson(props: &CompareLessonProps) -> Html {
    let place = props.place;
    let way = place.compare;
    let detail = if place.bits.is_of_image() { props.detail.clone() } else { Detail::None };
    let stage = use_memo((way, place.bits, detail), |(way, bits, detail)| -> Stage {
        let compare = compared(wide_stage(*bits, detail)?);
        let course = Course::record(|watch| {
            compare.run(*way, watch);
        });
        Ok((compare, course))
    });
    let len = stage.as_ref().as_ref().map_or(0, |(_, course)| course.len());
    let on_step = props.on_place.reform(move |step| LessonPlace { step, ..place });
    let deck = use_deck(Address::from(&stage), len, place.step, on_step);
    let (compare, course) = match &*stage {
        Ok(stage) => (&stage.0, &stage.1),
        Err(why) => return without_bits(place.lesson, why),
    };
    let step = deck.player.step.min(course.len());
    let act = course.at(step);
    let said = said(act);
    let scene = scene(compare, course, step);
    let (tally, whole) = (course.tally(step), course.tally(usize::MAX));
    let stage = html! {
        <>
            { groups(&scene) }
            { word(&scene) }
            <div class="compare__told">
                <h2>{ "Told of" }</h2>
                <p class="mono">{ if scene.told.is_empty() { "nothing yet".to_owned() } else { scene.told.join(" ") } }</p>
            </div>
        </>
    };
    let side = html! {
        <>
            <h2>{ words::name(way) }</h2>
            <p class="lesson__said">{ &said }</p>
            { code(words::code(way), act.map(|act| line(way, act))) }
            <details class="lesson__question">
                <summary>{ "Predict: how many bit tests will it take in all?" }</summary>
                <p>{ format!("{}. The way of all bits has two for each, whatever differs.", number::count_of(whole.tests, "bit test", "bit tests")) }</p>
            </details>
            { counted(&tally, &whole) }
            <h3>{ "Who does it this way" }</h3>
            <p>{ words::origin(way) }{ "." }</p>
            <p>{ "Checking a filesystem of 4 TB, mostly full, took e2fsck 349 s of CPU, and 20 s after the change: pass 1 \
                  from 179 to 2.8 s, where whole extents are marked at once, and pass 5, which is this, from 161 to \
                  10.5 s." }</p>
            <p class="fine">{ "Source: linux-ext4, series of patches for e2fsck and large filesystems, November 2012." }</p>
            { narrated(&deck, &said) }
        </>
    };
    let figures = vec![
        (number::count(tally.tests), "bit tests"),
        (number::count(tally.loads), "loads"),
        (number::count(tally.calls), "calls"),
        (number::count(scene.told.len() as u64), "differences"),
    ];
    let controls = html! {
        <Controls deck={deck.clone()} next_event={course.next_event(step, is_event)} single_keys={props.settings.single_keys} />
    };
    framed(place.lesson, Frame { figures, stage, controls, side, ..Frame::default() })
}

fn groups(scene: &Scene) -> Html {
    let cell = |(group, state): (usize, &GroupState)| {
        let class = match state {
            GroupState::Ahead => None,
            GroupState::Here => Some("split__here"),
            GroupState::Equal => Some("compare__equal"),
            GroupState::Differs => Some("compare__differs"),
        };
        html! { <i {class}>{ group }</i> }
    };
    html! {
        <figure class="split">
            <figcaption>
                { "Groups, in the order of the comparison" }
                <span class="split__key"><i class="compare__equal"></i>{ "equal" }</span>
                <span class="split__key"><i class="compare__differs"></i>{ "differs" }</span>
            </figcaption>
            <div class="split__grid" aria-hidden="true">{ for scene.groups.iter().enumerate().map(cell) }</div>
        </figure>
    }
}

fn word(scene: &Scene) -> Html {
    let [found, disk] = scene.values;
    let row = |name: &'static str, value: u64, class: &'static str| {
        let bit = |bit: u32| {
            let class = classes!(
                (value >> bit & 1 == 1).then_some(class),
                (scene.looked_at.len() == 1 && scene.looked_at.contains(&bit))
                    .then_some("compare__at"),
            );
            html! { <i {class}></i> }
        };
        html! { <><span>{ name }</span><div class="bits">{ for (0..scene.len).map(bit) }</div></> }
    };
    html! {
        <div class="word compare__word" role="img" aria-label={format!("Word {} in both bitmaps", number::count(scene.word.into()))}>
            <p class="word__title">{ format!("Word {}, bit 0 first", number::count(scene.word.into())) }</p>
            { row("found", found, "bits__set") }
            { row("on disk", disk, "bits__set") }
            { row("differ", found ^ disk, "bits__differ") }
        </div>
    }
}
