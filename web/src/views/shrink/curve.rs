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
    let least = props.minimum.minimum_blocks;
    let range = least..all;
    let deps = (props.estimate.clone(), props.image.clone(), range);
    let points =
        use_memo(deps, |(estimate, image, range)| estimate.curve(range.clone(), POINTS, image));
    let bytes = |blocks: u64| size::bytes(blocks.saturating_mul(props.minimum.block_size.into()));
    let at = |size: u64| props.estimate.at(size, &props.image).to_copy;
    let of = all.saturating_sub(least).max(1) as f64;
    let x = props.blocks.saturating_sub(least) as f64 * 1000.0 / of;
    let most = points.iter().copied().max().unwrap_or(0).max(1) as f64;
    let line = points.iter().enumerate().map(|(point, copied)| {
        let y = 100.0 - *copied as f64 * 100.0 / most;
        format!("L{:.1} {y:.1}", point as f64 * 1000.0 / f64::from(POINTS))
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
                    <line class="curve__target" x1={x.to_string()} x2={x.to_string()} y2="100" />
                </svg>
                <p class="curve__labels"><span>{ bytes(least) }</span><span>{ bytes(all) }</span></p>
            </div>
            <p class="fine">
                { format!("{} at the smallest size; {} at the line.", bytes(at(least)), bytes(at(props.blocks))) }
            </p>
        </section>
    }
}
