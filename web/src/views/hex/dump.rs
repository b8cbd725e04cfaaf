//! The bytes: sixteen a line, eight where there is less room; fields in turns of tints.

use web_sys::Element;
use yew::prelude::*;

use super::super::shared::{Address, Scroll, scroll_to, use_media, use_scroll};
use crate::protocol::BlockDetail;
use crate::select::hex::{ByteMarks, TINTS};
use crate::text::dump::{LINE, letter};

/// Height of a line in CSS pixels, as the style sheet has it.
const ROW: f64 = 21.0;

/// Where there is room for half a line.
const NARROW: &str = "(max-width: 720px)";

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct DumpProps {
    /// The block.
    pub detail: Address<BlockDetail>,
    /// What is known of each byte.
    pub marks: Address<ByteMarks>,
    /// The byte that is looked at, counted from the first one.
    pub byte: Option<usize>,
    /// The chosen field.
    pub chosen: Option<usize>,
    /// Whether bytes that a checksum covers are marked.
    pub shows_covered: bool,
    /// The person chose a field, or none.
    pub on_choose: Callback<Option<usize>>,
}

/// The bytes of a block.
#[component]
pub(super) fn Dump(props: &DumpProps) -> Html {
    let len = if use_media(NARROW) { LINE / 2 } else { LINE };
    let lines = props.detail.bytes.len().div_ceil(len);
    let Scroll { node, window, on_scroll } = use_scroll(lines, ROW);
    let field = props.chosen.and_then(|at| props.detail.structure.fields.get(at));
    let chosen_line = props.byte.or(field.map(|field| field.at as usize)).map(|at| at / len);
    {
        let node = node.clone();
        use_effect_with((props.chosen, chosen_line), move |(_, at)| {
            if let (Some(at), Some(element)) = (*at, node.cast::<Element>()) {
                scroll_to(&element, at, lines, ROW);
            }
        });
    }
    html! {
        <div class={classes!("hex__dump", (len < LINE).then_some("hex__dump--narrow"))} ref={node} tabindex="0"
            role="region" aria-label="Bytes" onscroll={on_scroll}>
            <div class="hex__head" aria-hidden="true">
                <span>{ "offset" }</span>
                <span class="hex__bytes">
                    { for (0..len).map(|at| html! { <i>{ format!("{at:02x}") }</i> }) }
                </span>
                <span>{ "text" }</span>
            </div>
            <div style={format!("height:{}px", window.above())} />
            { for window.range().map(|line| dump_line(props, line, len)) }
            <div style={format!("height:{}px", window.below())} />
        </div>
    }
}

fn dump_line(props: &DumpProps, line: usize, len: usize) -> Html {
    let first = line * len;
    let bytes = &props.detail.bytes;
    let of_line = bytes.get(first..(first + len).min(bytes.len())).unwrap_or_default();
    let offset = props.detail.structure.offset.saturating_add(first as u64);
    let class = |at: usize, byte: u8| {
        let field = props.marks.field.get(at).copied().flatten();
        let is_covered = props.shows_covered && props.marks.is_covered.get(at) == Some(&true);
        let tint = field.map(|field| format!("hex__byte--{}", field % TINTS));
        let is_chosen = field.is_some() && field == props.chosen;
        classes!(
            tint,
            (byte == 0).then_some("hex__byte--zero"),
            is_covered.then_some("hex__byte--covered"),
            is_chosen.then_some("hex__byte--chosen"),
            (props.byte == Some(at)).then_some("hex__byte--at"),
        )
    };
    let cell = |at: usize, byte: u8, text: String| {
        let field = props.marks.field.get(at).copied().flatten();
        let onclick = props.on_choose.reform(move |_: MouseEvent| field);
        html! { <i class={class(at, byte)} {onclick}>{ text }</i> }
    };
    let places = || (first..).zip(of_line.iter().copied());
    html! {
        <div class="hex__line" key={line}>
            <span class="hex__offset">{ format!("{offset:08x}") }</span>
            <span class="hex__bytes">
                { for places().map(|(at, byte)| cell(at, byte, format!("{byte:02x}"))) }
            </span>
            <span class="hex__text" aria-hidden="true">
                { for places().map(|(at, byte)| cell(at, byte, letter(byte).to_string())) }
            </span>
        </div>
    }
}
