//! The largest free extents as a table.

use extscope::units::{Fsblk, Group};
use yew::prelude::*;

use super::super::shared::{Address, Scroll, space, use_scroll};
use crate::protocol::FreeDetail;
use crate::state::Image;
use crate::text::{number, size};

/// Height of a row in CSS pixels, as the style sheet has it.
const ROW: f64 = 26.0;

/// What the table shows.
#[derive(Properties, PartialEq)]
pub(super) struct LargestProps {
    /// The free space.
    pub detail: Address<FreeDetail>,
    /// The image.
    pub image: Address<Image>,
    /// Show a group on the map.
    pub on_group: Callback<Group>,
}

/// The largest free extents.
#[component]
pub(super) fn Largest(props: &LargestProps) -> Html {
    let largest = &props.detail.largest;
    let Scroll { node, window, on_scroll } = use_scroll(largest.len(), ROW);
    let shown = largest.get(window.range()).unwrap_or_default();
    let geometry = &props.image.geometry;
    let group_of = |block| geometry.group_from_fsblk(Fsblk::new(block));
    let row = |(at, extent): (usize, &crate::protocol::BlockRange)| {
        let len = extent.last.saturating_sub(extent.first).saturating_add(1);
        let bytes = len.saturating_mul(geometry.block_size().into());
        let groups = group_of(extent.first).zip(group_of(extent.last));
        html! {
            <tr key={at} aria-rowindex={(at + 2).to_string()}>
                <td class="num dimmer">{ number::count(at as u64 + 1) }</td>
                <td class="num" title={size::exact(bytes)}>{ size::bytes(bytes) }</td>
                <td class="num">{ number::count(len) }</td>
                <td class="num mono">{ number::count(extent.first) }</td>
                <td>
                    if let Some((first, last)) = groups {
                        <button type="button" class="link" title="Show the group on the map"
                            onclick={props.on_group.reform(move |_: MouseEvent| first)}>
                            { number::range(first.get().into(), last.get().into()) }
                        </button>
                    }
                </td>
            </tr>
        }
    };
    html! {
        <div class="free-space__largest" ref={node} tabindex="0" role="region" aria-label="Largest free extents"
            onscroll={on_scroll}>
            <table class="table" aria-rowcount={(largest.len() + 1).to_string()}>
                <thead>
                    <tr>
                        <th scope="col" class="num">{ "#" }</th>
                        <th scope="col" class="num">{ "Length" }</th>
                        <th scope="col" class="num">{ "Blocks" }</th>
                        <th scope="col" class="num">{ "First block" }</th>
                        <th scope="col">{ "Groups" }</th>
                    </tr>
                </thead>
                <tbody>
                    { space("above", window.above()) }
                    { for (window.range().start..).zip(shown).map(row) }
                    { space("below", window.below()) }
                </tbody>
            </table>
        </div>
    }
}
