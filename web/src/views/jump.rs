//! The box to go anywhere: a path, an inode, a block, a group, a byte.

use std::rc::Rc;

use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::shared::{Address, Dialog};
use crate::select::jump::{Jump, jumps};
use crate::state::Image;

/// What the box shows.
#[derive(Properties, PartialEq)]
pub(crate) struct JumpBoxProps {
    /// The image.
    pub image: Address<Image>,
    /// The person goes there.
    pub on_jump: Callback<Jump>,
    /// The person closed it.
    pub on_close: Callback<()>,
}

/// The box to go anywhere.
#[component]
pub(crate) fn JumpBox(props: &JumpBoxProps) -> Html {
    let text = use_state(String::new);
    let at = use_state(|| 0_usize);
    let field = use_node_ref();
    {
        let field = field.clone();
        // The dialog takes the focus when it opens; the field wants it.
        use_effect_with((), move |()| {
            if let Some(field) = field.cast::<HtmlElement>() {
                let _ = field.focus();
            }
        });
    }
    let found = Rc::new(jumps(&text, &props.image));
    let on_input = {
        let (text, at) = (text.clone(), at.clone());
        Callback::from(move |event: InputEvent| {
            text.set(event.target_unchecked_into::<HtmlInputElement>().value());
            at.set(0);
        })
    };
    let on_key = {
        let (found, at, on_jump) = (Rc::clone(&found), at.clone(), props.on_jump.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = found.len().saturating_sub(1);
            match event.key().as_str() {
                "ArrowDown" => at.set((*at + 1).min(last)),
                "ArrowUp" => at.set(at.saturating_sub(1)),
                "Enter" => match found.get(*at) {
                    Some(jump) => on_jump.emit(jump.clone()),
                    None => return,
                },
                _ => return,
            }
            event.prevent_default();
        })
    };
    let option = |(index, jump): (usize, &Jump)| {
        let (name, what) = jump.words(&props.image);
        let to = jump.clone();
        html! {
            <li
                id={format!("jump-{index}")}
                role="option"
                aria-selected={(index == *at).to_string()}
                onclick={props.on_jump.reform(move |_: MouseEvent| to.clone())}
            >
                <bdi>{ name }</bdi><small>{ what }</small>
            </li>
        }
    };
    let active = (!found.is_empty()).then(|| format!("jump-{}", *at));
    html! {
        <Dialog title="Go to" on_close={props.on_close.clone()}>
            <label class="field jump__field">
                { super::shared::Icon::Search.view() }
                <input
                    ref={field}
                    type="text"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    aria-label="Where to go"
                    aria-expanded={(!found.is_empty()).to_string()}
                    aria-controls="jump-list"
                    aria-autocomplete="list"
                    aria-activedescendant={active}
                    placeholder="/path, inode 12, block 34816, group 7, 0x8800"
                    oninput={on_input}
                    onkeydown={on_key}
                />
            </label>
            <ul id="jump-list" class="jump__list" role="listbox" aria-label="Places">
                { for found.iter().enumerate().map(option) }
            </ul>
            if found.is_empty() && !text.trim().is_empty() {
                <p class="fine" role="status">{ "There is no such place. A path starts with a slash." }</p>
            }
        </Dialog>
    }
}
