//! Blocks to copy at each size, as a curve.

use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::MinimumReport;
use crate::select::shrink_estimate::Estimate;
use crate::state::Image;
use crate::text::size;

/// Sizes that are drawn.
const POINTS: u32 = 200;

/// What the curve shows.
#[derive(Properties, PartialEq)]
pub(super) struct CurveProps {
    /// What each size comes to, about.
    pub estimate: Address<Estimate>,
    /// The image.
    pub image: Address<Image>,
    /// The smallest size.
    pub minimum: Address<MinimumReport>,
    /// Blocks to come to.
    pub blocks: u64,
}

/// Blocks to copy at each size: about, from what each group holds.
#[component]
pub(super) fn Curve(props: &CurveProps) -> Html {
    let all = props.minimum.blocks_count;
    let points = use_memo((props.estimate.clone(), props.image.clone()), |(estimate, image)| {
        estimate.curve(POINTS, image)
    });
    let bytes = |blocks: u64| size::bytes(blocks.saturating_mul(props.minimum.block_size.into()));
    let x = |blocks: u64| blocks as f64 * 1000.0 / all.max(1) as f64;
    let at = |size: u64| props.estimate.at(size, &props.image).to_copy;
    let least = props.minimum.minimum_blocks;
    // Sizes below the smallest would stretch the rest.
    let most = at(least).max(1) as f64;
    let y = |copied: u64| 100.0 - (copied as f64 / most).min(1.0) * 100.0;
    let line = points.iter().enumerate().map(|(point, copied)| {
        format!("L{:.1} {:.1}", point as f64 * 1000.0 / f64::from(POINTS), y(*copied))
    });
    let line: String = line.collect();
    let spoken = format!(
        "{} to copy at {}, {} at {}.",
        bytes(at(least)),
        bytes(least),
        bytes(at(props.blocks)),
        bytes(props.blocks)
    );
    html! {
        <section class="shrink__pane" aria-labelledby="shrink-curve">
            <h2 id="shrink-curve">{ "To copy at each size" }<small>{ "about, from what each group holds" }</small></h2>
            <div class="curve">
                <svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={spoken}>
                    <path class="curve__area" d={format!("M0 100{line}L1000 100Z")} />
                    <line class="curve__least" x1={x(least).to_string()} x2={x(least).to_string()} y2="100" />
                    <line class="curve__target" x1={x(props.blocks).to_string()} x2={x(props.blocks).to_string()} y2="100" />
                </svg>
                <p class="curve__labels"><span>{ "0" }</span><span>{ bytes(all) }</span></p>
            </div>
            <p class="fine">
                { format!("{} at the smallest size; {} at the line.", bytes(at(least)), bytes(at(props.blocks))) }
            </p>
        </section>
    }
}
