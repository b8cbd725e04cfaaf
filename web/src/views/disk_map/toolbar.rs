//! Above the map: what is seen, how blocks lie, how large they are.

use extscope::units::Group;
use extscope_picture::Layout;
use yew::prelude::*;

use crate::render::map_view::{Level, MapView};
use crate::state::MapStyle;
use crate::text::number;

/// What the toolbar shows.
#[derive(Properties, PartialEq)]
pub(super) struct ToolbarProps {
    /// The part of the world that is seen; `None` before the first painting.
    pub view: Option<MapView>,
    /// How blocks lie.
    pub style: MapStyle,
    /// The person wants another layout.
    pub on_style: Callback<MapStyle>,
    /// The person wants to see less of the disk and that larger (true), or more.
    pub on_zoom: Callback<bool>,
    /// The person wants to see the whole disk.
    pub on_whole: Callback<()>,
    /// Show the same as a table.
    pub on_table: Callback<()>,
}

/// The bar above the map.
#[component]
pub(super) fn Toolbar(props: &ToolbarProps) -> Html {
    let style = props.style;
    let layout = |(layout, name): (Layout, &'static str)| {
        let on_style = props.on_style.reform(move |_: Event| MapStyle { layout, ..style });
        html! {
            <label>
                <input type="radio" name="map-layout" checked={style.layout == layout} onchange={on_style} />
                { name }
            </label>
        }
    };
    let layouts = [(Layout::Rows, "Rows"), (Layout::Snake, "Snake"), (Layout::Hilbert, "Hilbert")];
    let button = |text: &'static str, name: &'static str, onclick: Callback<MouseEvent>| {
        html! {
            <button type="button" class="icon-button icon-button--small" aria-label={name} title={name} {onclick}>
                { text }
            </button>
        }
    };
    html! {
        <header class="toolbar map-toolbar">
            <h1 class="toolbar__title">{ props.view.map_or("Whole disk".into(), title) }</h1>
            <span class="grow" />
            <fieldset class="segmented">
                <legend class="visually-hidden">{ "Order of blocks" }</legend>
                { for layouts.into_iter().map(layout) }
            </fieldset>
            { button("\u{2212}", "Smaller (-)", props.on_zoom.reform(|_| false)) }
            <span class="map-toolbar__scale">{ props.view.map(readout) }</span>
            { button("+", "Larger (+)", props.on_zoom.reform(|_| true)) }
            <button
                type="button"
                class="button button--small"
                title="The whole disk (0)"
                onclick={props.on_whole.reform(|_: MouseEvent| ())}
            >
                { "All" }
            </button>
            <button
                type="button"
                class="button button--small"
                title="The same as a table (T)"
                onclick={props.on_table.reform(|_: MouseEvent| ())}
            >
                { "As a table" }
            </button>
        </header>
    }
}

/// What lies in the middle, at the level that is seen.
fn title(view: MapView) -> String {
    let (width, height) = view.size();
    let place = view.nearest(width / 2.0, height / 2.0);
    let per_flex = view.world().geometry().groups_per_flex().max(1);
    let count = |group: Group, by: u32| number::count((group.get() / by).into());
    match view.level() {
        _ if view.zoom() <= view.fit() => "Whole disk".into(),
        Level::Flex if per_flex > 1 => format!("Flex group {}", count(place.group, per_flex)),
        Level::Disk | Level::Flex | Level::Group => format!("Group {}", count(place.group, 1)),
        Level::Block => {
            format!("Group {}, word {}", count(place.group, 1), place.grpblk.get() / 64)
        }
    }
}

/// How large blocks are.
fn readout(view: MapView) -> String {
    let pixels = view.zoom().pixels();
    let unit = if view.world().geometry().blocks_per_cluster() > 1 { "cluster" } else { "block" };
    if pixels >= 1.0 {
        format!("{pixels:.1}\u{202f}px/{unit}")
    } else {
        let of = view.scale();
        let per_pixel = of.ratio * of.ratio / (of.x * of.y);
        let per_pixel = if per_pixel < 10.0 {
            format!("{per_pixel:.1}")
        } else {
            number::count(per_pixel as u64)
        };
        format!("{per_pixel} {unit}s/px")
    }
}
