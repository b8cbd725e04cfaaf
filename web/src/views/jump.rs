//! The box to go anywhere: a path, a part of a name, an inode, a block, a group, a byte.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::shared::{Address, Dialog, Icon};
use crate::protocol::FoundNames;
use crate::select::jump::{Jump, all_jumps, name_part};
use crate::state::{Image, Work};
use crate::text::number;

/// Milliseconds without a key before names are looked through.
const PAUSE: u32 = 120;

/// What the box shows.
#[derive(Properties, PartialEq)]
pub(crate) struct JumpBoxProps {
    /// The image.
    pub image: Address<Image>,
    /// The last search for names, and what came of it.
    pub search: Option<(Rc<str>, Work<FoundNames>)>,
    /// Whether a search takes no reading.
    pub has_names: bool,
    /// The person looks for names that have this in them.
    pub on_find: Callback<String>,
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
    use_search(props, &text);
    let found = searched(props, &text).and_then(|work| work.here().cloned());
    let places = Rc::new(all_jumps(&text, &props.image, found.as_deref(), props.has_names));
    let on_input = {
        let (text, at) = (text.clone(), at.clone());
        Callback::from(move |event: InputEvent| {
            text.set(event.target_unchecked_into::<HtmlInputElement>().value());
            at.set(0);
        })
    };
    let on_key = {
        let (places, at, on_jump) = (Rc::clone(&places), at.clone(), props.on_jump.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = places.len().saturating_sub(1);
            match event.key().as_str() {
                "ArrowDown" => at.set((*at + 1).min(last)),
                "ArrowUp" => at.set(at.saturating_sub(1)),
                "Enter" => match places.get(*at) {
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
                <bdi title={name.clone()}>{ name.clone() }</bdi><small>{ what }</small>
            </li>
        }
    };
    let active = (!places.is_empty()).then(|| format!("jump-{}", *at));
    html! {
        <Dialog title="Go to" on_close={props.on_close.clone()}>
            <label class="field jump__field">
                { Icon::Search.view() }
                <input
                    ref={field}
                    type="text"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    aria-label="Where to go"
                    aria-expanded={(!places.is_empty()).to_string()}
                    aria-controls="jump-list"
                    aria-autocomplete="list"
                    aria-activedescendant={active}
                    placeholder="/path, part of a name, inode 12, block 34816, group 7, 0x8800"
                    oninput={on_input}
                    onkeydown={on_key}
                />
            </label>
            <ul id="jump-list" class="jump__list" role="listbox" aria-label="Places">
                { for places.iter().enumerate().map(option) }
            </ul>
            <p class="fine" aria-hidden="true">{ said(props, &text, places.is_empty(), number::percent) }</p>
            <p class="visually-hidden" role="status">
                { said(props, &text, places.is_empty(), |cur, max| format!("{} percent", number::quarter(cur, max))) }
            </p>
        </Dialog>
    }
}

/// Looks for names a moment after the last key, once that takes no reading.
#[hook]
fn use_search(props: &JumpBoxProps, text: &str) {
    let part = name_part(text, &props.image).filter(|_| props.has_names).map(str::to_owned);
    let is_new = part.as_deref().is_some_and(|part| searched(props, part).is_none());
    let on_find = props.on_find.clone();
    use_effect_with((part, is_new), move |(part, is_new)| {
        let part = part.clone().filter(|_| *is_new);
        let timer = part.map(|part| Timeout::new(PAUSE, move || on_find.emit(part)));
        move || drop(timer)
    });
}

/// What came of the search for this text.
fn searched<'a>(props: &'a JumpBoxProps, text: &str) -> Option<&'a Work<FoundNames>> {
    let search = props.search.as_ref();
    search.filter(|(of, _)| **of == *text.trim()).map(|(_, work)| work)
}

/// How the search stands, in words; `share` writes how far it is.
fn said(props: &JumpBoxProps, text: &str, is_empty: bool, share: fn(u64, u64) -> String) -> String {
    match searched(props, text) {
        Some(Work::Going(progress)) => {
            format!("Reading all names, {}", share(progress.cur, progress.max))
        }
        Some(Work::Failed(error)) => error.to_string(),
        Some(Work::Here(found)) => {
            let count = number::count_of(found.count, "name has", "names have");
            match found.count > found.files.len() as u64 {
                true => format!("{count} that in them; these are the likeliest"),
                false => format!("{count} that in them"),
            }
        }
        _ if is_empty && !text.trim().is_empty() => "There is no such place".to_owned(),
        _ => String::new(),
    }
}
