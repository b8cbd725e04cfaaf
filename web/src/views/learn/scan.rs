//! The lesson of finding a free inode.

use yew::prelude::*;

use super::super::shared::Address;
use super::code::code;
use super::frame::{Frame, counted, framed, narrated, without_bits};
use super::player::{Controls, use_deck};
use super::word::{WordRow, large_word};
use crate::protocol::{Act, Course, Take};
use crate::select::lesson::bits::{LessonMap, stage};
use crate::select::lesson::scan::{
    Place, WANTED, counts, is_event, line, question, registers, rows, said,
};
use crate::select::lesson::{scan, words};
use crate::state::{Detail, LessonPlace, Settings};
use crate::text::number;

/// What the lesson shows.
#[derive(Properties, PartialEq)]
pub(super) struct ScanLessonProps {
    /// The place in it.
    pub place: LessonPlace,
    /// The selected group, whose bitmaps may be used.
    pub detail: Detail,
    /// The person's settings.
    pub settings: Settings,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
}

/// A bitmap and the course over it.
struct Stage {
    map: LessonMap,
    course: Course<Act>,
}

/// The lesson of finding a free inode.
#[component]
pub(super) fn ScanLesson(props: &ScanLessonProps) -> Html {
    let place = props.place;
    let take = Take { way: place.way, has_cursor: place.has_cursor, wanted: WANTED };
    let detail = if place.bits.is_of_image() { props.detail.clone() } else { Detail::None };
    let stage =
        use_memo((take, place.bits, detail), |(take, bits, detail)| -> Result<Stage, String> {
            let map = stage(*bits, detail)?;
            let course = Course::record(|watch| {
                take.run(&mut map.bits.clone(), map.per_group, watch);
            });
            Ok(Stage { map, course })
        });
    let len = stage.as_ref().as_ref().map_or(0, |stage| stage.course.len());
    let on_step = props.on_place.reform(move |step| LessonPlace { step, ..place });
    let deck = use_deck(Address::from(&stage), len, place.step, on_step);
    let Stage { map, course } = match &*stage {
        Ok(stage) => stage,
        Err(why) => return without_bits(place.lesson, why),
    };
    let step = deck.player.step.min(course.len());
    let act = course.at(step);
    let rows = rows(course, step, &map.bits);
    let here = rows.iter().find(|row| row.place == Place::Here);
    let tally = course.tally(step);
    let whole = course.tally(usize::MAX);
    let said = said(act, &map.bits);
    let (asked, answer) = question(place.way, course);
    let stage = html! {
        <>
                <div class="words" role="img" aria-label={format!("Words of the bitmap around the pointer. {said}")}>
                    <div class="words__row words__row--head" aria-hidden="true">
                        <span></span>
                        <span class="words__scale"><span>{ "bit 0" }</span><span>{ "16" }</span><span>{ "32" }</span><span>{ "48" }</span><span>{ "63" }</span></span>
                        <span class="words__hex">{ "as a number" }</span>
                        <span class="words__done">{ "this search looked at" }</span>
                    </div>
                    { for rows.iter().map(|row| html! { <WordRow key={row.word} row={row.clone()} /> }) }
                </div>
                { here.map(|row| large_word(row, &registers(act, row))).unwrap_or_default() }
        </>
    };
    let side = html! {
        <>
                <h2>{ words::way_name(place.way) }</h2>
                <p class="lesson__said">{ &said }</p>
                { code(scan::code(place.way), act.map(|act| line(place.way, act))) }
                if course.is_cut() {
                    <p class="fine">{ format!("Only the first {} steps are kept.", number::count(len as u64)) }</p>
                }
                <details class="lesson__question">
                    <summary>{ "Predict: " }{ asked }</summary>
                    <p>{ answer }</p>
                </details>
                { counted(&tally, &whole) }
                <p class="fine">
                    { format!("{} free inodes are wanted, one after another. ", WANTED) }
                    { if place.has_cursor {
                        "Each search goes on where the last one ended."
                    } else {
                        "Each search begins at the start again, as resize2fs had it: with many inodes to move, that is what made it slow."
                    } }
                </p>
                <h3>{ "Who did it this way" }</h3>
                <p>{ words::way_origin(place.way) }{ ". The figures are in lesson 2, " }{ "The race." }</p>
                <p class="fine">{ "Source: Debian bug 663237, March 2012." }</p>
            { narrated(&deck, &said) }
        </>
    };
    let figures = counts(&tally).into_iter().take(4);
    let figures = figures.map(|(name, count)| (number::count(count), name)).collect();
    let controls = html! {
        <Controls deck={deck.clone()} next_event={course.next_event(step, is_event)}
            single_keys={props.settings.single_keys} />
    };
    framed(place.lesson, Frame { figures, stage, controls, side, ..Frame::default() })
}
