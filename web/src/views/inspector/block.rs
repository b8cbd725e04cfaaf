//! All about a block, about a range of them, and about whose blocks are looked for.

use core::ops::RangeInclusive;

use extscope::units::{Fsblk, Group, Ino};
use yew::prelude::*;

use super::super::shared::{Icon, KeyValue, KeyValues, step_button};
use crate::protocol::{BlockReport, OwnerReport};
use crate::state::{Detail, Look, OpenImage, Selection, Work};
use crate::text::{number, size};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct BlockInspectorProps {
    /// The image.
    pub open: OpenImage,
    /// The block.
    pub fsblk: Fsblk,
    /// Its group.
    pub group: Group,
    /// The person selected something else.
    pub on_select: Callback<Option<Selection>>,
    /// The person wants to see its bytes.
    pub on_block: Callback<Fsblk>,
    /// The person wants to see a file.
    pub on_inode: Callback<Ino>,
}

/// All about a block.
#[component]
pub(super) fn BlockInspector(props: &BlockInspectorProps) -> Html {
    let BlockInspectorProps { open, fsblk, group, .. } = props;
    let geometry = &open.image.geometry;
    let Some((_, grpblk)) = geometry.grpblk_from_fsblk(*fsblk) else { return Html::default() };
    let bit = grpblk.get();
    let bitmap = match &open.detail {
        Detail::Here(detail) if detail.group == *group => Some(detail),
        _ => None,
    };
    let value = bitmap.map(|detail| match &detail.block_bitmap {
        Ok(bitmap) => match bitmap.test(bit) {
            Some(true) => "1, in use",
            Some(false) => "0, free",
            None => "past the end",
        },
        Err(_) => "unreadable",
    });
    let mut rows = Vec::new();
    rows.extend(value.map(|value| KeyValue::amount("Value", value.to_owned())));
    rows.extend([
        KeyValue::amount("Bit", format!("{} of group {}", count(bit), count(group.get()))),
        KeyValue::amount("Word", format!("{}, bit {}", count(bit / 64), bit % 64)),
        KeyValue::address(
            "Byte and mask",
            format!("{}, {}", number::hex(bit / 8, 3), number::hex(1 << (bit % 8), 2)),
        ),
    ]);
    let offset = geometry.byte_from_fsblk(*fsblk).map(|byte| format!("0x{:x}", byte.get()));
    let places: Vec<KeyValue> =
        offset.into_iter().map(|offset| KeyValue::address("Byte offset", offset)).collect();
    let (block, here) = (*fsblk, &open.block);
    let detail = match here {
        Some((of, Work::Here(detail))) if *of == block => Some(detail),
        _ => None,
    };
    let step = |icon: Icon, name: &'static str, to: Option<u64>| {
        let to = to.map(Fsblk::new).filter(|&to| geometry.contains(to));
        let on_select =
            |to| props.on_select.reform(move |_: MouseEvent| Some(Selection::Block(to)));
        step_button(icon, name, to.map(on_select))
    };
    html! {
        <>
            <section class="inspector__section">
                <h3>{ "Owner" }</h3>
                { whose(detail.and_then(|detail| detail.owner.as_ref()), &props.on_inode) }
            </section>
            <section class="inspector__section">
                <h3>
                    { "Bit in the bitmap" }
                    <span class="inspector__steps">
                        { step(Icon::Left, "Previous block", block.get().checked_sub(1)) }
                        { step(Icon::Right, "Next block", block.get().checked_add(1)) }
                    </span>
                </h3>
                <KeyValues {rows} />
            </section>
            <section class="inspector__section">
                <h3>{ "Where" }</h3>
                <KeyValues rows={places} />
                <p class="inspector__actions">
                    { action("Show bytes", props.on_block.reform(move |_| block)) }
                    { action("Show group", props.on_select.reform({
                        let group = *group;
                        move |_| Some(Selection::Group(group))
                    })) }
                </p>
            </section>
        </>
    }
}

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct RangeInspectorProps {
    /// The image.
    pub open: OpenImage,
    /// The blocks, both ends among them.
    pub blocks: RangeInclusive<u64>,
    /// The person selected something else.
    pub on_select: Callback<Option<Selection>>,
    /// The person wants to see the bytes of a block.
    pub on_block: Callback<Fsblk>,
}

/// All about a range of blocks.
#[component]
pub(super) fn RangeInspector(props: &RangeInspectorProps) -> Html {
    let geometry = &props.open.image.geometry;
    let (first, last) = (*props.blocks.start(), *props.blocks.end());
    let blocks = last.saturating_sub(first).saturating_add(1);
    let bytes = blocks.saturating_mul(geometry.block_size().into());
    let group = |block| geometry.group_from_fsblk(Fsblk::new(block)).map(|group| group.get());
    let mut rows = vec![
        KeyValue::amount("Blocks", number::count(blocks)),
        KeyValue::amount("Size", size::bytes(bytes)),
    ];
    if let (Some(from), Some(to)) = (group(first), group(last)) {
        let name = if from == to { "Group" } else { "Groups" };
        let groups = if from == to { count(from) } else { number::range(from.into(), to.into()) };
        rows.push(KeyValue::amount(name, groups));
    }
    html! {
        <section class="inspector__section">
            <h3>{ "Range" }</h3>
            <KeyValues {rows} />
            <p class="inspector__actions">
                { action("Show bytes", props.on_block.reform(move |_| Fsblk::new(first))) }
                { action("First block", props.on_select.reform(move |_| {
                    Some(Selection::Block(Fsblk::new(first)))
                })) }
            </p>
        </section>
    }
}

/// The inode whose blocks are looked for.
pub(super) fn owner(open: &OpenImage, ino: Ino, on_inode: &Callback<Ino>) -> Html {
    let rows = match open.owner.as_deref().filter(|(known, _)| *known == ino) {
        Some((_, Look::Here(detail))) => vec![
            KeyValue::amount("Extents", number::count(detail.extents.len() as u64)),
            KeyValue::amount(
                "Blocks",
                number::count(detail.extents.rows().map(|row| u64::from(row.len)).sum()),
            ),
        ],
        Some((_, Look::Failed(error))) => vec![KeyValue::amount("Unreadable", error.to_string())],
        Some((_, Look::Asked)) | None => Vec::new(),
    };
    html! {
        <section class="inspector__section">
            <KeyValues {rows} />
            <p class="inspector__actions">{ action("Show in Files", on_inode.reform(move |_| ino)) }</p>
        </section>
    }
}

/// Whose a block is.
fn whose(report: Option<&BlockReport>, on_inode: &Callback<Ino>) -> Html {
    let Some(report) = report else {
        return html! {
            <p class="inspector__hint">{ "Whose blocks are is known once all inodes were read." }</p>
        };
    };
    let OwnerReport { name, path, ino, blocks, .. } = &report.owner;
    let link = ino.map(|ino| {
        let text = path.clone().unwrap_or_else(|| format!("inode {}", count(ino)));
        let ino = Ino::new(ino);
        html! { <p>{ action(text, on_inode.reform(move |_| ino)) }</p> }
    });
    let mut rows = vec![
        KeyValue::amount("Kind", name.clone()),
        KeyValue::address("Run", number::range(blocks.first, blocks.last)),
    ];
    if report.free_but_owned {
        rows.push(KeyValue::amount("Bitmap", "says that it is free".to_owned()));
    }
    html! { <>{ link }<KeyValues {rows} /></> }
}

fn action(text: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    html! { <button type="button" class="button button--small" {onclick}>{ text.into() }</button> }
}

fn count(n: u32) -> String {
    number::count(n.into())
}
