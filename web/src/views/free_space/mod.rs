//! How the free space is cut up: e2freefrag's histogram and figures, and the largest extents.
//!
//! *Belongs here:* the figures, the histogram, the table. *Does not:* the figures themselves; those come from
//! the engine.

mod groups;
mod histogram;
mod largest;

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use self::groups::FreeGroups;
use self::histogram::Histogram;
use self::largest::Largest;
use super::shared::{Address, Icon};
use crate::protocol::FreeDetail;
use crate::select::free_space::{differences, free_figures};
use crate::state::{OpenImage, Selection, Theme, Work};
use crate::text::{number, size};

/// Sizes of chunks in KiB that are offered.
const CHUNKS: [u64; 7] = [64, 256, 1024, 4096, 16_384, 65_536, 262_144];

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct FreeSpaceProps {
    /// The image.
    pub open: OpenImage,
    /// The person chose the size of chunks.
    pub on_chunk: Callback<Option<u64>>,
    /// The theme.
    pub theme: Theme,
    /// Show blocks on the map.
    pub on_show: Callback<Selection>,
}

/// How the free space is cut up.
#[component]
pub(crate) fn FreeSpace(props: &FreeSpaceProps) -> Html {
    let open = &props.open;
    let contents = match &open.free {
        Work::Idle => Html::default(),
        Work::Going(progress) => html! {
            <div class="free-space__wait" aria-busy="true">
                <p>{ "Going through the block bitmaps…" }</p>
                <div class="progress"><i style={format!("width:{}%",
                    (progress.cur * 100).checked_div(progress.max).unwrap_or(0))} /></div>
            </div>
        },
        Work::Failed(error) => html! {
            <div class="free-space__wait notice notice--err" role="alert">
                { Icon::Err.view() }<div><p><b>{ error.to_string() }</b></p></div>
            </div>
        },
        Work::Here(detail) => here(props, detail),
    };
    html! {
        <main id="main" class="view view--whole" tabindex="-1">
            <div class="free-space">
                <header class="toolbar">
                    <h1 class="toolbar__title">{ "Free space" }</h1>
                    <span class="toolbar__note">{ "By the block bitmaps" }</span>
                    <span class="grow" />
                    { chunk_field(open.chunk_kib, &props.on_chunk) }
                </header>
                { contents }
            </div>
        </main>
    }
}

fn chunk_field(chosen: Option<u64>, on_chunk: &Callback<Option<u64>>) -> Html {
    let on_change = on_chunk.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().value().parse().ok()
    });
    let option = |kib: u64| {
        html! {
            <option value={kib.to_string()} selected={chosen == Some(kib)}>
                { size::round(kib << 10) }
            </option>
        }
    };
    html! {
        <label class="free-space__chunk">
            { "Chunks of" }
            <select onchange={on_change}>
                <option value="" selected={chosen.is_none()}>{ "no size" }</option>
                { for CHUNKS.map(option) }
            </select>
        </label>
    }
}

fn here(props: &FreeSpaceProps, detail: &std::rc::Rc<FreeDetail>) -> Html {
    let geometry = &props.open.image.geometry;
    let figure = |(name, amount, more): (&'static str, String, String)| {
        html! { <div><dt>{ name }</dt><dd><b>{ amount }</b>{ " " }<small>{ more }</small></dd></div> }
    };
    let difference = |text: String| html! { <p>{ text }</p> };
    let differences = differences(&detail.report, geometry.blocks_per_cluster());
    html! {
        <>
            <dl class="figures">{ for free_figures(detail, &props.open.image.info).into_iter().map(figure) }</dl>
            <div class="free-space__panes">
                <section class="free-space__pane" tabindex="0" role="region" aria-labelledby="free-classes">
                    <h2 id="free-classes">{ "Free extents by size" }<small>{ "each row doubles, as in e2freefrag" }</small></h2>
                    <Histogram detail={Address::from(detail)} />
                    <div class={classes!("notice", (!differences.is_empty()).then_some("notice--warn"))}>
                        if differences.is_empty() {
                            { Icon::Ok.view() }
                            <div><p>{ "These are e2freefrag's figures, row by row." }</p></div>
                        } else {
                            { Icon::Warn.view() }
                            <div>
                                <p><b>{ "Not all of it is what e2freefrag says." }</b></p>
                                { for differences.into_iter().map(difference) }
                            </div>
                        }
                    </div>
                    if detail.failed > 0 {
                        <p class="fine">
                            { format!("{} cannot be had; their groups count as used.",
                                number::count_of(detail.failed, "bitmap", "bitmaps")) }
                        </p>
                    }
                </section>
                <div class="free-space__list">
                    <h2>
                        { "Largest free extents" }<small>{ "they may cross borders of groups" }</small>
                    </h2>
                    <Largest detail={Address::from(detail)} image={Address::from(&props.open.image)}
                        on_show={props.on_show.clone()} />
                </div>
                <div class="free-space__list">
                    <h2>
                        { "Groups" }
                        <small>{ "extents cut at the borders of each, so they are more and shorter than above" }</small>
                    </h2>
                    <FreeGroups open={props.open.clone()} theme={props.theme} on_show={props.on_show.clone()} />
                </div>
            </div>
        </>
    }
}
