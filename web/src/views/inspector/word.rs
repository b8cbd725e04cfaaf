//! A word of a bitmap, bit by bit.

use yew::prelude::*;

use super::super::shared::{Icon, step_button};
use crate::render::bits::Word;
use crate::text::number;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct WordBitsProps {
    /// The word.
    pub word: Word,
    /// The last word of the bitmap.
    pub last: u32,
    /// Another word.
    pub on_word: Callback<u32>,
}

/// A word of a bitmap, bit 0 first.
#[component]
pub(super) fn WordBits(props: &WordBitsProps) -> Html {
    let word = props.word;
    let bit = |n: u32| {
        let (class, text) = match word.test(n) {
            Some(true) => ("word__bit word__bit--set", "1"),
            Some(false) => ("word__bit", "0"),
            None => ("word__bit word__bit--none", ""),
        };
        let title = format!("Bit {}", number::count((word.first() + n).into()));
        html! { <i {class} {title}>{ text }</i> }
    };
    let step = |icon: Icon, name: &'static str, to: Option<u32>| {
        let to = to.filter(|&to| to <= props.last);
        let on_word = |to| props.on_word.reform(move |_: MouseEvent| to);
        step_button(icon, name, to.map(on_word))
    };
    let last_bit = word.first() + word.bits - 1;
    html! {
        <div class="word">
            <div class="word__labels">
                <span>
                    { format!("Word {}, bits {}", number::count(word.index.into()),
                        number::range(word.first().into(), last_bit.into())) }
                </span>
                <span>{ format!("{} set", word.set()) }</span>
            </div>
            <div class="word__bits" role="img" aria-label={spoken(word)}>{ for (0..64).map(bit) }</div>
            <div class="word__labels">
                <span class="mono">{ number::hex_word(word.value) }</span>
                <span>{ "bit 0 first" }</span>
                <span class="word__steps">
                    { step(Icon::Left, "Previous word", word.index.checked_sub(1)) }
                    { step(Icon::Right, "Next word", word.index.checked_add(1)) }
                </span>
            </div>
        </div>
    }
}

/// The word for those who hear it: its runs, not 64 digits.
fn spoken(word: Word) -> String {
    let mut runs: Vec<(bool, u32)> = Vec::new();
    for bit in (0..word.bits).filter_map(|n| word.test(n)) {
        match runs.last_mut() {
            Some((set, length)) if *set == bit => *length += 1,
            _ => runs.push((bit, 1)),
        }
    }
    let runs = runs
        .into_iter()
        .map(|(set, length)| format!("{length} {}", if set { "set" } else { "clear" }));
    format!("From bit 0: {}.", runs.collect::<Vec<_>>().join(", "))
}
