//! What all lessons have around them.

use yew::prelude::*;

use super::no_bits;
use super::player::Deck;
use crate::protocol::Tally;
use crate::select::lesson::scan::counts;
use crate::select::lesson::words::title;
use crate::state::Lesson;
use crate::text::number;

/// The parts of a lesson.
#[derive(Default)]
pub(super) struct Frame {
    /// Figures beside the title, as values and names.
    pub figures: Vec<(String, &'static str)>,
    /// Buttons beside the title.
    pub actions: Html,
    /// What is looked at.
    pub stage: Html,
    /// The player.
    pub controls: Html,
    /// What is said beside it.
    pub side: Html,
}

/// A lesson in its frame.
pub(super) fn framed(lesson: Lesson, frame: Frame) -> Html {
    let title = title(lesson);
    let Frame { figures, actions, stage, controls, side } = frame;
    let figure = |(value, name): (String, &'static str)| html! { <div><b>{ value }</b><span>{ name }</span></div> };
    html! {
        <div class="lesson">
            <header class="lesson__head">
                <div>
                    <h1>{ title.name }</h1>
                    <p>{ title.about }</p>
                </div>
                <div class="lesson__figures">{ for figures.into_iter().map(figure) }</div>
                <div class="lesson__actions">{ actions }</div>
            </header>
            <div class="lesson__stage">{ stage }</div>
            { controls }
            <aside class="lesson__side" aria-label="What happens">{ side }</aside>
        </div>
    }
}

/// A lesson without a bitmap, and why.
pub(super) fn without_bits(lesson: Lesson, why: &str) -> Html {
    framed(lesson, Frame { stage: no_bits(why), ..Frame::default() })
}

/// What was counted so far, and what it comes to.
pub(super) fn counted(so_far: &Tally, whole: &Tally) -> Html {
    let row = |((name, so_far), (_, all)): ((&'static str, u64), (&'static str, u64))| {
        html! {
            <tr><th scope="row">{ name }</th><td>{ number::count(so_far) }</td><td>{ number::count(all) }</td></tr>
        }
    };
    html! {
        <>
            <h3>{ "Counted" }</h3>
            <table class="lesson__counts">
                <thead><tr><td></td><th scope="col">{ "so far" }</th><th scope="col">{ "in all" }</th></tr></thead>
                <tbody>{ for counts(so_far).into_iter().zip(counts(whole)).map(row) }</tbody>
            </table>
        </>
    }
}

/// What happens, for screen readers: while it plays there would be more to read out than anybody
/// can hear.
pub(super) fn narrated(deck: &Deck, said: &str) -> Html {
    html! { <p class="visually-hidden" role="status">{ if deck.player.is_playing { "" } else { said } }</p> }
}
