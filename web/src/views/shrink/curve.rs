//! What each size comes to, as a curve: what is copied, how long it takes, what stays free.

use yew::prelude::*;

use super::super::shared::Address;
use crate::protocol::MinimumReport;
use crate::select::shrink_cost::{CurveOf, Speed};
use crate::select::shrink_estimate::Estimate;
use crate::select::shrink_unit::Unit;
use crate::state::Image;
use crate::text::time;

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
    /// In which unit sizes are shown.
    pub unit: Unit,
    /// What it is to run on.
    pub speed: Speed,
}

/// What each size comes to: about, from what each group holds.
#[component]
pub(super) fn Curve(props: &CurveProps) -> Html {
    let of = use_state(CurveOf::default);
    let all = props.minimum.blocks_count;
    let least = props.minimum.minimum_blocks;
    let deps = (*of, props.estimate.clone(), props.image.clone(), props.speed, least..all);
    let points = use_memo(deps, |(of, estimate, image, speed, range)| {
        of.curve(range, POINTS, estimate, image, *speed)
    });
    let text = |blocks: u64| props.unit.text(blocks, props.minimum.block_size);
    let value = |value: f64| match *of {
        CurveOf::Time => time::span(value * 1000.0),
        CurveOf::Copy | CurveOf::Free => text(value as u64),
    };
    let at = |size: u64| value(of.at(size, &props.estimate, &props.image, props.speed));
    let span = all.saturating_sub(least).max(1) as f64;
    let x = props.blocks.saturating_sub(least) as f64 * 1000.0 / span;
    let most = points.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let line = points.iter().enumerate().map(|(point, value)| {
        let y = 100.0 - value * 100.0 / most;
        format!("L{:.1} {y:.1}", point as f64 * 1000.0 / f64::from(POINTS))
    });
    let line: String = line.collect();
    let name = of.name();
    let spoken = format!(
        "{name}: {} at {}, {} at {}, {} at {}.",
        at(least),
        text(least),
        at(props.blocks),
        text(props.blocks),
        at(all),
        text(all)
    );
    let tab = |curve: CurveOf| {
        let of = of.clone();
        html! {
            <label>
                <input type="radio" name="shrink-curve" checked={*of == curve}
                    onchange={Callback::from(move |_: Event| of.set(curve))} />
                <span>{ curve.name() }</span>
            </label>
        }
    };
    html! {
        <section class="shrink__pane" aria-labelledby="shrink-curve">
            <h2>
                <span id="shrink-curve">{ "At each size" }</span>
                <span class="segmented" role="radiogroup" aria-label="Curve">{ for CurveOf::ALL.map(tab) }</span>
                <small>{ "about" }</small>
            </h2>
            <div class="curve">
                <p class="curve__labels"><span>{ value(most) }</span></p>
                <svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={spoken.clone()}>
                    <path class="curve__area" d={format!("M0 100{line}L1000 100Z")} />
                    <line class="curve__target" x1={x.to_string()} x2={x.to_string()} y2="100" />
                </svg>
                <p class="curve__labels"><span>{ text(least) }</span><span>{ text(all) }</span></p>
            </div>
            <p class="fine">{ spoken }</p>
        </section>
    }
}
