//! Opening a filesystem that begins further into the file.

use web_sys::{HtmlInputElement, SubmitEvent};
use yew::prelude::*;

use crate::state::DiskPart;
use crate::text::number;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct FromByteProps {
    /// Open this part of the file.
    pub on_part: Callback<Option<DiskPart>>,
}

/// A field for the byte at which the filesystem begins.
#[component]
pub(super) fn FromByte(props: &FromByteProps) -> Html {
    let byte = use_state(|| None::<u64>);
    let on_input = {
        let byte = byte.clone();
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            byte.set(number::parse(&text).filter(|byte| *byte > 0));
        })
    };
    let on_submit = {
        let (byte, on_part) = (*byte, props.on_part.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(byte) = byte {
                on_part.emit(Some(DiskPart::from_byte(byte)));
            }
        })
    };
    html! {
        <form class="card__form" onsubmit={on_submit}>
            <label for="from-byte">{ "If the filesystem begins further in, at byte" }</label>
            <span class="field">
                <input
                    id="from-byte"
                    inputmode="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="1048576"
                    oninput={on_input}
                />
            </span>
            <button type="submit" class="button" disabled={byte.is_none()}>{ "Open from there" }</button>
        </form>
    }
}
