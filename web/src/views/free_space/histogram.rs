//! Free extents by size: how many to the left, how much to the right.

use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::FreeDetail;
use crate::select::free_space::{FreeClass, free_classes};
use crate::text::{number, size};

/// What the histogram shows.
#[derive(Properties, PartialEq)]
pub(super) struct HistogramProps {
    /// The free space.
    pub detail: Address<FreeDetail>,
}

/// Free extents by size. A table: the bars say nothing that its numbers do not.
#[component]
pub(super) fn Histogram(props: &HistogramProps) -> Html {
    let block = u64::from(props.detail.report.block_size);
    let row = |class: FreeClass| {
        let bar = |share: f64| format!("--share:{share:.4}");
        let blocks = number::count_of(class.blocks, "block", "blocks");
        html! {
            <tr>
                <td class="num">
                    <span class="butterfly butterfly--left">
                        { number::count(class.extents) }<i style={bar(class.extents_share)} />
                    </span>
                </td>
                <th scope="row">{ class.range }</th>
                <td title={blocks}>
                    <span class="butterfly">
                        <i style={bar(class.blocks_share)} />
                        { size::bytes(class.blocks.saturating_mul(block)) }
                        <small>{ class.percent }</small>
                    </span>
                </td>
            </tr>
        }
    };
    html! {
        <table class="histogram-table">
            <thead>
                <tr>
                    <th scope="col" class="num">{ "free extents" }</th>
                    <th scope="col">{ "length" }</th>
                    <th scope="col">{ "free space" }</th>
                </tr>
            </thead>
            <tbody>{ for free_classes(&props.detail.report).into_iter().map(row) }</tbody>
        </table>
    }
}
