//! The disk map: all groups at once.
//!
//! *Belongs here:* the canvases' component, the legend, the lines beside the pointer. *Does not:* where tiles
//! lie and which colour they have; that is `render`.

mod legend;
mod map_canvas;
mod strip;
mod tooltip;

use extscope::units::Group;
use yew::prelude::*;

use self::legend::{Legend, LegendRow};
use self::map_canvas::MapCanvas;
use self::strip::Strip;
use super::inspector::Inspector;
use super::shared::use_media;
use crate::select::status::{Doing, Status};
use crate::state::{OpenImage, Settings};
use crate::text::number;

/// Where there is no room for a side panel.
const NO_SIDE_PANEL: &str = "(max-width: 1180px)";

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct DiskMapProps {
    /// The image.
    pub open: OpenImage,
    /// The theme, and what is folded away.
    pub settings: Settings,
    /// The person selected a group, or none.
    pub on_select: Callback<Option<Group>>,
    /// The pointer is over these groups, or over none.
    pub on_pointer: Callback<Option<(u32, u32)>>,
    /// Show the same as a table.
    pub on_table: Callback<()>,
    /// These groups are in view.
    pub on_in_view: Callback<(Group, u32)>,
}

/// The disk map.
#[component]
pub(crate) fn DiskMap(props: &DiskMapProps) -> Html {
    let selected = props.open.detail.group();
    let is_compact = use_media(NO_SIDE_PANEL);
    let has_panel = props.settings.side_bar && !is_compact;
    let sums = props.open.known.sums();
    let status = Status::of(&props.open);
    let is_reading = status.doing == Doing::Reading;
    html! {
        <>
            if has_panel {
                <aside class="side-panel" aria-label="Legend">
                    <Legend {sums} />
                </aside>
            }
            <main id="main" class="view view--inspected" tabindex="-1">
                <div class="disk-map">
                    <header class="toolbar">
                        <h1 class="toolbar__title">{ "Whole disk" }</h1>
                        <span class="toolbar__note">
                            { "Each tile is a block group, its colour the share of blocks in use" }
                        </span>
                        <span class="grow" />
                        <button
                            type="button"
                            class="button button--small"
                            title="The same as a table (T)"
                            onclick={props.on_table.reform(|_: MouseEvent| ())}
                        >
                            { "As a table" }
                        </button>
                    </header>
                    <Strip known={props.open.known.clone()} theme={props.settings.theme} {selected}
                        bytes={props.open.image.info.filesystem_bytes} on_select={props.on_select.clone()} />
                    { progress(&status) }
                    <MapCanvas
                        open={props.open.clone()}
                        {is_reading}
                        theme={props.settings.theme}
                        {selected}
                        on_select={props.on_select.clone()}
                        on_pointer={props.on_pointer.clone()}
                        on_table={props.on_table.clone()}
                        on_in_view={props.on_in_view.clone()}
                    />
                    if is_compact || !props.settings.side_bar {
                        <LegendRow {sums} />
                    }
                </div>
                if props.settings.inspector {
                    <Inspector
                        open={props.open.clone()}
                        theme={props.settings.theme}
                        on_select={props.on_select.clone()}
                    />
                }
            </main>
        </>
    }
}

/// How far the reading of bitmaps is; an empty line once it is done.
fn progress(status: &Status) -> Html {
    if status.doing == Doing::Ready {
        return html! { <div class="read-progress" /> };
    }
    let percent = (status.swept * 100).checked_div(status.groups).unwrap_or(100);
    html! {
        <div
            class="read-progress"
            role="progressbar"
            aria-label="Bitmaps read"
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow={percent.to_string()}
        >
            <i style={format!("width:{percent}%")} />
        </div>
    }
}

/// `1 group`, `2 groups`.
pub(super) fn groups(count: u32) -> String {
    number::count_of(count.into(), "group", "groups")
}
