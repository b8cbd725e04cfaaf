//! The disk map: all groups at once.
//!
//! *Belongs here:* the canvases' component, the legend, the lines beside the pointer. *Does not:* where tiles
//! lie and which colour they have; that is `render`.

mod legend;
mod map_canvas;
mod strip;
mod tooltip;

use std::rc::Rc;

use extscope::units::Group;
use yew::prelude::*;

use self::legend::{Legend, LegendRow};
use self::map_canvas::MapCanvas;
use self::strip::Strip;
use super::inspector::Inspector;
use super::shared::use_media;
use crate::protocol::BitmapState;
use crate::render::group_values::{Fullness, GroupValues};
use crate::select::legend::histogram;
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
    let values = GroupValues::from(&props.open);
    let selected = props.open.detail.group();
    let is_compact = use_media(NO_SIDE_PANEL);
    let has_panel = props.settings.side_bar && !is_compact;
    let counts = use_memo(values.clone(), counts);
    let status = Status::of(&props.open);
    let is_reading = status.doing == Doing::Reading;
    html! {
        <>
            if has_panel {
                <aside class="side-panel" aria-label="Legend">
                    <Legend counts={Rc::clone(&counts)} />
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
                    <Strip values={values.clone()} theme={props.settings.theme} {selected}
                        bytes={props.open.image.info.filesystem_bytes} on_select={props.on_select.clone()} />
                    { progress(&status) }
                    <MapCanvas
                        open={props.open.clone()}
                        {values}
                        {is_reading}
                        theme={props.settings.theme}
                        {selected}
                        on_select={props.on_select.clone()}
                        on_pointer={props.on_pointer.clone()}
                        on_table={props.on_table.clone()}
                        on_in_view={props.on_in_view.clone()}
                    />
                    if is_compact || !props.settings.side_bar {
                        <LegendRow counts={Rc::clone(&counts)} />
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

/// Groups by how full they are, and by what is known of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts {
    /// By tenths of fullness.
    pub classes: [u32; crate::select::legend::CLASSES],
    /// Groups of which only the descriptor is known.
    pub unread: u32,
    /// Groups that could not be read.
    pub failed: u32,
}

fn counts(values: &GroupValues) -> Counts {
    let (mut unread, mut failed) = (0, 0);
    let classes = histogram((0..values.groups()).map(|group| {
        let Fullness { state, used, of } = values.fullness(group);
        unread += u32::from(state == BitmapState::Unread);
        failed += u32::from(state == BitmapState::Failed);
        (used, of)
    }));
    Counts { classes, unread, failed }
}

/// `1 group`, `2 groups`.
pub(super) fn groups(count: u32) -> String {
    number::count_of(count.into(), "group", "groups")
}
