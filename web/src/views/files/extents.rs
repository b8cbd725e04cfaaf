//! The extents of a file as a table.

use extscope::units::Fsblk;
use yew::prelude::*;

use super::super::shared::{Address, Chip, Column, Icon, LongTable, plain_heads};
use crate::protocol::{CsumState, ExtentRow, FileDetail, MapReport};
use crate::select::header::Tone;
use crate::state::{Image, Selection};
use crate::text::{number, size};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 24.0;

/// The columns.
const COLUMNS: [Column<()>; 8] = [
    Column::amounts("#"),
    Column::amounts("Logical"),
    Column::amounts("Physical"),
    Column::amounts("Blocks"),
    Column::amounts("Size"),
    Column::amounts("Jump").meaning("From the end of the extent before it"),
    Column::words("Group"),
    Column::words("Flags"),
];

/// What the table shows.
#[derive(Properties, Clone, PartialEq)]
pub(super) struct ExtentsProps {
    /// The file.
    pub detail: Address<FileDetail>,
    /// The image.
    pub image: Address<Image>,
    /// Show blocks on the map.
    pub on_show: Callback<Selection>,
    /// Show the bytes of a block.
    pub on_block: Callback<Fsblk>,
}

/// The extents of a file as a table, and the blocks that map them.
#[component]
pub(super) fn Extents(props: &ExtentsProps) -> Html {
    let detail = &props.detail;
    if detail.extents.is_empty() && detail.nodes.is_empty() {
        return html! { <p class="file-detail__none">{ "It has no blocks of its own." }</p> };
    }
    let row = {
        let props = props.clone();
        Callback::from(move |at: usize| {
            let before = at.checked_sub(1).and_then(|before| props.detail.extents.row(before));
            let extent = props.detail.extents.row(at);
            extent.map(|extent| row(&props, at, extent, before)).unwrap_or_default()
        })
    };
    let below = html! {
        if detail.is_cut {
            <p class="file-detail__none">{ "There are more than are shown." }</p>
        }
    };
    html! {
        <div class="extents">
            <LongTable label="Extents" table_class="extents__table" row_height={ROW}
                heads={plain_heads(&COLUMNS)} count={detail.extents.len()} {row} {below} />
            if !detail.nodes.is_empty() {
                <div class="extents__nodes" tabindex="0" role="region" aria-label="Blocks of the map">
                    <h3>
                        { "Blocks of the map" }
                        <small>{ number::count(detail.nodes.len() as u64) }</small>
                    </h3>
                    <ul>{ for detail.nodes.iter().map(|node| map_block(node, &props.on_block)) }</ul>
                </div>
            }
        </div>
    }
}

fn row(props: &ExtentsProps, at: usize, extent: ExtentRow, before: Option<ExtentRow>) -> Html {
    let geometry = &props.image.geometry;
    let len = u64::from(extent.len);
    let last = move |first: u64| first.saturating_add(len.saturating_sub(1));
    let jump = before.map(|before| {
        let end = before.fsblk.saturating_add(before.len.into());
        i128::from(extent.fsblk) - i128::from(end)
    });
    let group = geometry.group_from_fsblk(Fsblk::new(extent.fsblk));
    let bytes = len.saturating_mul(geometry.block_size().into());
    html! {
        <tr key={at} aria-rowindex={(at + 2).to_string()}>
            <td class="num dimmer">{ number::count(at as u64) }</td>
            <td class="num mono">{ number::range(extent.lblk.into(), last(extent.lblk.into())) }</td>
            <td class="num mono">
                <button type="button" class="link" title="Show the bytes"
                    onclick={props.on_block.reform(move |_: MouseEvent| Fsblk::new(extent.fsblk))}>
                    { number::range(extent.fsblk, last(extent.fsblk)) }
                </button>
            </td>
            <td class="num">{ number::count(len) }</td>
            <td class="num">{ size::bytes(bytes) }</td>
            <td class="num">{ jump.map(jump_text) }</td>
            <td>
                if let Some(group) = group {
                    <button
                        type="button"
                        class="link"
                        title="Show the extent on the map"
                        onclick={props.on_show.reform(move |_: MouseEvent| Selection::blocks(extent.fsblk, last(extent.fsblk)))}
                    >
                        { number::count(group.get().into()) }
                    </button>
                } else {
                    <Chip tone={Tone::Err}>{ "outside" }</Chip>
                }
            </td>
            <td>{ if extent.unwritten { "unwritten" } else { "" } }</td>
        </tr>
    }
}

/// `+86`, `−2,010`, nothing where the disk just goes on.
fn jump_text(jump: i128) -> String {
    let amount = number::count(u64::try_from(jump.unsigned_abs()).unwrap_or(u64::MAX));
    match jump {
        0 => String::new(),
        1.. => format!("+{amount}"),
        _ => format!("−{amount}"),
    }
}

fn map_block(node: &MapReport, on_block: &Callback<Fsblk>) -> Html {
    match node {
        &MapReport::Node { ref node, fsblk, csum, .. } => html! {
            <li>
                { node.clone() }
                <button type="button" class="link mono"
                    onclick={on_block.reform(move |_: MouseEvent| Fsblk::new(fsblk))}>
                    { number::count(fsblk) }
                </button>
                if csum == CsumState::Bad { <Chip tone={Tone::Err}>{ "wrong checksum" }</Chip> }
            </li>
        },
        MapReport::Error { error } => html! {
            <li class="verdict verdict--err">{ Icon::Err.view() }{ error.to_string() }</li>
        },
        MapReport::Extent { .. } => Html::default(),
    }
}
