//! What all lessons have around them.

use yew::prelude::*;

use crate::select::lesson::words::title;
use crate::state::Lesson;

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
