//! The bytes: sixteen a line, eight where there is less room; fields in turns of tints.

use yew::prelude::*;

use super::super::shared::{Address, NARROW, Scroll, use_follow, use_media, use_scroll};
use crate::protocol::BlockDetail;
use crate::select::hex::{ByteMarks, TINTS};
use crate::text::dump::{LINE, letter};

/// Height of a line in CSS pixels, as the style sheet has it.
const ROW: f64 = 21.0;

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
    /// The person looks at a byte.
    pub on_byte: Callback<usize>,
}

/// The bytes of a block.
#[component]
pub(super) fn Dump(props: &DumpProps) -> Html {
    let len = if use_media(NARROW) { LINE / 2 } else { LINE };
    let lines = props.detail.bytes.len().div_ceil(len);
    let Scroll { node, window, row, on_scroll } = use_scroll(lines, ROW);
    let field = props.chosen.and_then(|at| props.detail.structure.fields.get(at));
    let at = props.byte.or(field.map(|field| field.at as usize));
    let line = at.map(|at| at / len);
    use_follow(&node, (props.chosen, props.byte, len), line, (lines, row));
    let on_key = {
        let (on_byte, count, page) =
            (props.on_byte.clone(), props.detail.bytes.len(), window.page());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(to) = moved(&event, at, count, len, page) {
                event.prevent_default();
                on_byte.emit(to);
            }
        })
    };
    let is_seen = line.is_some_and(|line| window.range().contains(&line));
    let active = at.filter(|_| is_seen).map(byte_id);
    html! {
        <div class={classes!("hex__dump", (len < LINE).then_some("hex__dump--narrow"))} ref={node} tabindex="0"
            role="grid" aria-label="Bytes" aria-rowcount={lines.to_string()} aria-activedescendant={active}
            onscroll={on_scroll} onkeydown={on_key}>
            <div class="hex__head" aria-hidden="true">
                <span>{ "offset" }</span>
                <span class="hex__bytes">
                    { for (0..len).map(|at| html! { <i>{ format!("{at:02x}") }</i> }) }
                </span>
                <span>{ "text" }</span>
            </div>
            <div role="none" style={format!("height:{}px", window.above())} />
            { for window.range().map(|line| dump_line(props, line, len, at)) }
            <div role="none" style={format!("height:{}px", window.below())} />
        </div>
    }
}

fn byte_id(at: usize) -> String {
    format!("byte-{at}")
}

/// The byte, of `count` in lines of `len`, to which a key leads from the byte `at`.
fn moved(
    event: &KeyboardEvent,
    at: Option<usize>,
    count: usize,
    len: usize,
    page: usize,
) -> Option<usize> {
    if event.alt_key() || event.meta_key() {
        return None;
    }
    let last = count.checked_sub(1)?;
    let here = at.unwrap_or(0);
    let to = match (event.key().as_str(), event.ctrl_key()) {
        ("Home", true) => 0,
        ("End", true) => last,
        (_, true) => return None,
        ("ArrowRight" | "ArrowDown", false) if at.is_none() => 0,
        ("ArrowLeft", false) => here.saturating_sub(1),
        ("ArrowRight", false) => here + 1,
        ("ArrowUp", false) => here.checked_sub(len)?,
        ("ArrowDown", false) => here + len,
        ("PageUp", false) => here.saturating_sub(len * page),
        ("PageDown", false) => here + len * page,
        ("Home", false) => here - here % len,
        ("End", false) => here - here % len + len - 1,
        _ => return None,
    };
    Some(to.min(last))
}

fn dump_line(props: &DumpProps, line: usize, len: usize, active: Option<usize>) -> Html {
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
        let onclick = props.on_byte.reform(move |_: MouseEvent| at);
        html! { <i class={class(at, byte)} {onclick}>{ text }</i> }
    };
    let byte_cell = |at: usize, byte: u8| {
        let onclick = props.on_byte.reform(move |_: MouseEvent| at);
        let is_active = active == Some(at);
        let field = props.marks.field.get(at).copied().flatten();
        let field = field.and_then(|field| props.detail.structure.fields.get(field));
        let said = || match field {
            Some(field) => format!("{at:x}: {byte:02x}, {}", field.name),
            None => format!("{at:x}: {byte:02x}"),
        };
        html! {
            <i class={class(at, byte)} role="gridcell" id={is_active.then(|| byte_id(at))}
                aria-label={is_active.then(said)} {onclick}>{ format!("{byte:02x}") }</i>
        }
    };
    let places = || (first..).zip(of_line.iter().copied());
    html! {
        <div class="hex__line" key={line} role="row" aria-rowindex={(line + 1).to_string()}>
            <span class="hex__offset" role="rowheader">{ format!("{offset:08x}") }</span>
            <span class="hex__bytes" role="none">
                { for places().map(|(at, byte)| byte_cell(at, byte)) }
            </span>
            <span class="hex__text" aria-hidden="true">
                { for places().map(|(at, byte)| cell(at, byte, letter(byte).to_string())) }
            </span>
        </div>
    }
}
