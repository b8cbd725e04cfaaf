//! A sheet to print, with room for what is predicted, and its key.

use yew::prelude::*;

use super::frame::{Frame, framed};
use super::no_bits;
use crate::select::lesson::sheet::{Table, sheet};
use crate::state::{LessonBits, LessonPlace};

/// What the sheet shows.
#[derive(Properties, PartialEq)]
pub(super) struct SheetProps {
    /// The place: its bitmap, and whether the answers are shown.
    pub place: LessonPlace,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
}

/// A sheet to print.
#[component]
pub(super) fn Sheet(props: &SheetProps) -> Html {
    let place = props.place;
    let pattern = match place.bits {
        LessonBits::Made(pattern) => pattern,
        LessonBits::Inodes | LessonBits::Blocks => Default::default(),
    };
    let tables = use_memo(pattern, |pattern| sheet(*pattern));
    let key = LessonPlace { has_key: !place.has_key, ..place };
    let on_print = Callback::from(|_: MouseEvent| {
        // A window that cannot print leaves the page as it is.
        let _ = web_sys::window().map(|window| window.print());
    });
    let actions = html! {
        <>
            <label class="option">
                <input type="checkbox" checked={place.has_key} onchange={props.on_place.reform(move |_: Event| key)} />
                <span>{ "With the answers" }</span>
            </label>
            <button type="button" class="button button--primary" onclick={on_print}>{ "Print" }</button>
        </>
    };
    let stage = match &*tables {
        Ok(tables) => html! {
            <div class="sheet" tabindex="0" role="region" aria-label="Sheet">
                if place.has_key {
                    <p>{ "The answers, as counted." }</p>
                } else {
                    <p class="sheet__name"><span>{ "Name" }</span><span>{ "Date" }</span></p>
                }
                { for tables.iter().map(|it| table(it, place.has_key)) }
            </div>
        },
        Err(why) => no_bits(why),
    };
    let side = html! {
        <>
            <h2>{ "How to use it" }</h2>
            <p>{ "Print the sheet without the answers. Everybody writes down what they expect, then plays the lessons and writes \
                  beside it what was counted. The answers are of the same functions, run just now on the same bitmap." }</p>
            <p class="fine">{ "The work of vectors depends on the machine: it is that of the one that printed the sheet." }</p>
        </>
    };
    framed(place.lesson, Frame { actions, stage, side, ..Frame::default() })
}

fn table(table: &Table, has_key: bool) -> Html {
    let row = |(name, counts): &(&'static str, Vec<String>)| {
        let count = |count: &String| html! { <td class="num">{ if has_key { count.as_str() } else { "" } }</td> };
        html! { <tr><th scope="row">{ *name }</th>{ for counts.iter().map(count) }</tr> }
    };
    let column = |name: &&'static str| html! { <th scope="col" class="num">{ *name }</th> };
    html! {
        <section class="sheet__table">
            <h2>{ table.title }</h2>
            <p>{ &table.task }</p>
            <table>
                <thead><tr><td></td>{ for table.columns.iter().map(column) }</tr></thead>
                <tbody>{ for table.rows.iter().map(row) }</tbody>
            </table>
        </section>
    }
}
