//! Where the smallest size comes from, term by term.

use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::{MinimumReport, TermReport};
use crate::text::{number, size, words};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct MinimumTermsProps {
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
}

/// The terms of the smallest size as a waterfall: a table whose bars say nothing that its numbers
/// do not.
#[component]
pub(super) fn MinimumTerms(props: &MinimumTermsProps) -> Html {
    let minimum = &props.minimum;
    let all = minimum.minimum_blocks.max(1) as f64;
    let bytes = |blocks: u64| size::bytes(blocks.saturating_mul(minimum.block_size.into()));
    let mut sum = 0_u64;
    let term = |term: &TermReport| {
        let from = sum;
        sum = sum.saturating_add(term.blocks);
        let style =
            format!("--from:{:.4};--share:{:.4}", from as f64 / all, term.blocks as f64 / all);
        // Room that holds nothing: groups that will not exist, or are counted twice.
        let is_slack = ["flex_after", "flex_before"].contains(&&*term.name);
        let class = classes!("waterfall__bar", is_slack.then_some("waterfall__bar--slack"));
        html! {
            <tr>
                <th scope="row"><span>{ words::sentence(&term.meaning) }</span><code>{ term.name.clone() }</code></th>
                <td class="waterfall__place"><i {class} {style} /></td>
                <td class="num" title={number::count_of(term.blocks, "block", "blocks")}>{ bytes(term.blocks) }</td>
            </tr>
        }
    };
    let terms: Vec<Html> = minimum.terms.iter().map(term).collect();
    let slack = minimum.minimum_blocks.saturating_sub(minimum.used_blocks);
    html! {
        <section class="shrink__pane" aria-labelledby="shrink-minimum">
            <h2 id="shrink-minimum">
                { "Where the smallest size comes from" }<small>{ "as resize2fs -P adds it up" }</small>
            </h2>
            <table class="waterfall">
                <tbody>{ terms }</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{ "Smallest, first run" }</th>
                        <td class="waterfall__place"><i class="waterfall__bar waterfall__bar--sum" style="--from:0;--share:1" /></td>
                        <td class="num" title={number::count_of(minimum.minimum_blocks, "block", "blocks")}>
                            { bytes(minimum.minimum_blocks) }
                        </td>
                    </tr>
                </tfoot>
            </table>
            <p class="shrink__reason">
                { words::sentence(&minimum.reason) }{ " " }
                { format!("{} are in use, so that {} of the smallest size {} free.", bytes(minimum.used_blocks),
                    bytes(slack), if slack == 1 { "is" } else { "are" }) }
            </p>
        </section>
    }
}
