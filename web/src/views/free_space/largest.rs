//! The largest free extents as a table.

use extscope::units::Fsblk;
use yew::prelude::*;

use super::super::shared::{Address, Column, LongTable, plain_heads};
use crate::protocol::{BlockRange, FreeDetail, Geometry};
use crate::state::{Image, Selection};
use crate::text::{number, size};

/// The columns.
const COLUMNS: [Column<()>; 5] = [
    Column::amounts("#"),
    Column::amounts("Length"),
    Column::amounts("Blocks"),
    Column::amounts("First block"),
    Column::words("Groups").meaning("An extent may cross borders of groups"),
];

/// What the table shows.
#[derive(Properties, PartialEq)]
pub(super) struct LargestProps {
    /// The free space.
    pub detail: Address<FreeDetail>,
    /// The image.
    pub image: Address<Image>,
    /// Show blocks on the map.
    pub on_show: Callback<Selection>,
}

/// The largest free extents.
#[component]
pub(super) fn Largest(props: &LargestProps) -> Html {
    let row = {
        let (detail, image) = (props.detail.clone(), props.image.clone());
        let on_show = props.on_show.clone();
        Callback::from(move |at: usize| {
            let extent = detail.largest.get(at);
            extent.map(|extent| row(at, *extent, &image.geometry, &on_show)).unwrap_or_default()
        })
    };
    html! {
        <LongTable
            label="Largest free extents"
            class="free-space__table"
            heads={plain_heads(&COLUMNS)}
            count={props.detail.largest.len()}
            {row}
        />
    }
}

fn row(at: usize, extent: BlockRange, geometry: &Geometry, on_show: &Callback<Selection>) -> Html {
    let BlockRange { first, last } = extent;
    let len = last.saturating_sub(first).saturating_add(1);
    let bytes = len.saturating_mul(geometry.block_size().into());
    let group = |block| geometry.group_from_fsblk(Fsblk::new(block)).map(|group| group.get());
    let groups = group(first).zip(group(last));
    let onclick = on_show.reform(move |_: MouseEvent| Selection::blocks(first, last));
    html! {
        <tr key={at} aria-rowindex={(at + 2).to_string()}>
            <td class="num dimmer">{ number::count(at as u64 + 1) }</td>
            <td class="num" title={size::exact(bytes)}>{ size::bytes(bytes) }</td>
            <td class="num">{ number::count(len) }</td>
            <td class="num mono">
                <button type="button" class="link" title="Show the extent on the map" {onclick}>
                    { number::count(first) }
                </button>
            </td>
            <td>{ groups.map(|(first, last)| number::range(first.into(), last.into())) }</td>
        </tr>
    }
}
