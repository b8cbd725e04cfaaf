//! A word of a bitmap: a row of the stage, and large.

use yew::prelude::*;

use crate::select::lesson::scan::{Place, Row};
use crate::text::number;

/// What a row shows.
#[derive(Properties, PartialEq)]
pub(super) struct WordRowProps {
    /// The word.
    pub row: Row,
}

/// A row of the stage. Rows that stay as they are are not drawn anew.
#[component]
pub(super) fn WordRow(props: &WordRowProps) -> Html {
    let row = &props.row;
    let class = match row.place {
        Place::Past => "words__row words__row--past",
        Place::Here => "words__row words__row--here",
        Place::Ahead => "words__row",
    };
    html! {
        <div {class}>
            <span class="words__index">{ number::count(row.word.into()) }</span>
            <span class="words__cells">{ for (0..row.len).map(|bit| cell(row, bit, false)) }</span>
            <span class="words__hex">{ number::hex_word(row.value) }</span>
            <span class="words__done">{ &row.done }</span>
        </div>
    }
}

/// A bit as a cell, with its digit where there is room for it. A whole word needs no frame.
fn cell(row: &Row, bit: u32, has_digit: bool) -> Html {
    let is_set = row.value >> bit & 1 == 1;
    let class = classes!(
        is_set.then_some("words__set"),
        (row.taken >> bit & 1 == 1).then_some("words__taken"),
        (row.looked_at.len() <= 8 && row.looked_at.contains(&bit)).then_some("words__at"),
    );
    html! { <i {class}>{ if has_digit { if is_set { "1" } else { "0" } } else { "" } }</i> }
}

/// The word that is looked at, large, and what the processor holds of it.
pub(super) fn large_word(row: &Row, registers: &[(&'static str, String)]) -> Html {
    let register = |(name, value): &(&'static str, String)| html! { <span>{ *name }{ " = " }<b>{ value }</b></span> };
    html! {
        <div class="word">
            <p class="word__title">{ format!("Word {}, bit 0 first", number::count(row.word.into())) }</p>
            <div class="word__cells" aria-hidden="true">{ for (0..row.len).map(|bit| cell(row, bit, true)) }</div>
            <div class="word__registers">{ for registers.iter().map(register) }</div>
        </div>
    }
}
