//! What a lesson is run with, as choices and numbers.

use core::ops::RangeInclusive;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::state::LessonPlace;
use crate::text::number;

/// The place of a lesson, and where the person goes from it.
#[derive(Clone, PartialEq)]
pub(super) struct Going {
    /// The place.
    pub place: LessonPlace,
    /// The person goes elsewhere.
    pub on_place: Callback<LessonPlace>,
}

impl Going {
    /// Goes to the first step of a place when something is chosen.
    fn to<E>(&self, to: LessonPlace) -> Callback<E> {
        self.on_place.reform(move |_: E| LessonPlace { step: 0, ..to })
    }

    /// Choices under a heading, of which one is made.
    pub(super) fn choices<T: PartialEq + Copy>(
        &self,
        heading: &'static str,
        choices: impl IntoIterator<Item = (T, &'static str)>,
        chosen: T,
        to: impl Fn(T) -> LessonPlace,
    ) -> Html {
        let choice = |(choice, text): (T, &'static str)| {
            html! {
                <label class="option">
                    <input type="radio" name={heading} checked={choice == chosen} onchange={self.to(to(choice))} />
                    <span>{ text }</span>
                </label>
            }
        };
        html! {
            <>
                <h2 class="panel-heading">{ heading }</h2>
                <div role="radiogroup" aria-label={heading}>{ for choices.into_iter().map(choice) }</div>
            </>
        }
    }

    /// Something that is so or not.
    pub(super) fn checkbox(&self, text: &'static str, checked: bool, to: LessonPlace) -> Html {
        html! {
            <label class="option">
                <input type="checkbox" {checked} onchange={self.to(to)} />
                <span>{ text }</span>
            </label>
        }
    }

    /// A number. What is outside its range changes nothing.
    pub(super) fn number(
        &self,
        name: &'static str,
        unit: &'static str,
        value: u32,
        range: RangeInclusive<u32>,
        to: impl Fn(u32) -> LessonPlace + 'static,
    ) -> Html {
        let (least, most) = (*range.start(), *range.end());
        let on_place = self.on_place.clone();
        let onchange = Callback::from(move |event: Event| {
            let typed = event.target_unchecked_into::<HtmlInputElement>().value();
            let typed = number::parse(&typed).and_then(|typed| u32::try_from(typed).ok());
            if let Some(typed) = typed.filter(|typed| range.contains(typed)) {
                on_place.emit(LessonPlace { step: 0, ..to(typed) });
            }
        });
        html! {
            <label class="field learn-panel__group">
                { name }
                <input type="number" min={least.to_string()} max={most.to_string()} value={value.to_string()} {onchange} />
                { unit }
            </label>
        }
    }
}
