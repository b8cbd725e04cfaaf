//! The disk map: from the whole disk to a single bit.
//!
//! *Belongs here:* the canvases' component, its toolbar and legend, the lines beside the pointer. *Does
//! not:* where blocks lie and which colour they have; that is `extscope_picture` and `render`.

mod cursor;
mod legend;
mod map_canvas;
mod menu;
mod stage;
mod strip;
mod toolbar;
mod tooltip;
mod whose;

use extscope::units::{Fsblk, Group, Ino};
use extscope_picture::{Layer, Layout};
use yew::prelude::*;

use self::legend::{Legend, LegendProps, LegendRow};
use self::map_canvas::MapCanvas;
use self::strip::{Drag, Strip};
use self::toolbar::Toolbar;
use super::inspector::Inspector;
use super::shared::{NO_SIDE_PANEL, use_media};
use crate::client::Engine;
use crate::render::map_view::MapView;
use crate::select::map_legend;
use crate::select::map_look::map_look;
use crate::select::status::{Doing, Status};
use crate::state::{MapPlace, MapStyle, OpenImage, Selection, Settings};
use crate::text::number;

/// What the view shows.
#[derive(Properties, PartialEq)]
pub(crate) struct DiskMapProps {
    /// The image.
    pub open: OpenImage,
    /// The engine, which draws the tiles.
    pub engine: Engine,
    /// The theme, and what is folded away.
    pub settings: Settings,
    /// Where the map stands.
    pub place: MapPlace,
    /// What it shows.
    pub style: MapStyle,
    /// The person selected something, or nothing.
    pub on_select: Callback<Option<Selection>>,
    /// The map stands elsewhere.
    pub on_place: Callback<MapPlace>,
    /// The person wants other colours, another layout, or other kinds.
    pub on_style: Callback<MapStyle>,
    /// The person wants to know whose every block is.
    pub on_survey: Callback<bool>,
    /// The person wants to see the bytes of a block.
    pub on_block: Callback<Fsblk>,
    /// The person wants to see a file.
    pub on_inode: Callback<Ino>,
    /// The pointer is over this, or over nothing.
    pub on_pointer: Callback<Option<String>>,
    /// Show the same as a table.
    pub on_table: Callback<()>,
    /// These groups are in view.
    pub on_in_view: Callback<(Group, u32)>,
}

/// The disk map.
#[component]
pub(crate) fn DiskMap(props: &DiskMapProps) -> Html {
    let open = &props.open;
    let selected = open.detail.group();
    let is_compact = use_media(NO_SIDE_PANEL);
    let has_panel = props.settings.side_bar && !is_compact;
    let status = Status::of(open);
    let seen = use_state(|| None::<MapView>);
    use_effect_with(open.known.groups(), {
        let on_in_view = props.on_in_view.clone();
        move |&groups| on_in_view.emit((Group::new(0), groups))
    });
    let style = props.style;
    let on_seen = {
        let (seen, on_place, on_in_view) =
            (seen.setter(), props.on_place.clone(), props.on_in_view.clone());
        let known = props.place.clone();
        Callback::from(move |view: MapView| {
            seen.set(Some(view));
            let (first, last) = groups_in(&view);
            on_in_view.emit((Group::new(first), last.saturating_sub(first).saturating_add(1)));
            if view.place() != known {
                on_place.emit(view.place());
            }
        })
    };
    let go = {
        let (seen, on_place) = (*seen, props.on_place.clone());
        move |change: &dyn Fn(&mut MapView)| {
            if let Some(mut view) = seen {
                change(&mut view);
                on_place.emit(view.place());
            }
        }
    };
    let on_zoom = {
        let go = go.clone();
        Callback::from(move |is_in: bool| {
            go(&|view| {
                let (width, height) = view.size();
                view.zoom_by(if is_in { 2.0 } else { 0.5 }, (width / 2.0, height / 2.0));
            });
        })
    };
    let on_strip = {
        let (go, on_select) = (go.clone(), props.on_select.clone());
        Callback::from(move |group: Option<Group>| {
            on_select.emit(group.map(Selection::Group));
            if let Some(group) = group {
                go(&|view| view.centre_group(group));
            }
        })
    };
    let on_drag = {
        let go = go.clone();
        Callback::from(move |drag: Drag| {
            go(&|view| match drag {
                Drag::Middle(group) => view.centre_group(group),
                Drag::Edges(first, last) => view.show_groups(first, last),
            });
        })
    };
    let on_owner = {
        let (on_select, on_style) = (props.on_select.clone(), props.on_style.clone());
        Callback::from(move |ino: Ino| {
            on_select.emit(Some(Selection::Inode(ino)));
            on_style.emit(MapStyle { layer: Layer::Owner, ..style });
        })
    };
    let on_key = {
        let (on_style, on_table) = (props.on_style.clone(), props.on_table.clone());
        let single_keys = props.settings.single_keys;
        Callback::from(move |event: KeyboardEvent| {
            if !single_keys || event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let key = event.key();
            let layer = key.parse::<usize>().ok().and_then(|n| Layer::ALL.get(n.checked_sub(1)?));
            match (key.as_str(), layer) {
                ("t", _) => on_table.emit(()),
                ("b", _) => on_style.emit(MapStyle { bits: !style.bits, ..style }),
                ("r", _) => {
                    let at = Layout::ALL.iter().position(|layout| *layout == style.layout);
                    let next = at.map_or(0, |at| (at + 1) % Layout::ALL.len());
                    let layout = Layout::ALL.get(next).copied().unwrap_or_default();
                    on_style.emit(MapStyle { layout, ..style });
                }
                (_, Some(&layer)) => on_style.emit(MapStyle { layer, ..style }),
                _ => return,
            }
            event.prevent_default();
        })
    };
    let look = map_look(open, style);
    let bytes_read = match style.layer {
        Layer::Reads => open.workers.bytes_read(),
        _ => 0,
    };
    let legend = LegendProps {
        sums: open.known.sums(),
        survey: open.survey.clone(),
        block_size: open.image.geometry.block_size(),
        theme: props.settings.theme,
        style,
        owner: open.owner.as_ref().map(|owner| owner.0),
        checked: open.checked(),
        planned: open.planned(),
        amounts: map_legend::amounts(open, style.layer),
        missing_bytes: map_legend::missing_bytes(&open.image.info),
        on_style: props.on_style.clone(),
        on_survey: props.on_survey.clone(),
    };
    html! {
        <>
            if has_panel {
                <aside class="side-panel" aria-label="Legend">
                    <Legend ..legend.clone() />
                </aside>
            }
            <main id="main" class="view view--inspected" tabindex="-1">
                <div class="disk-map">
                    <Toolbar
                        view={*seen}
                        {style}
                        on_style={props.on_style.clone()}
                        {on_zoom}
                        on_whole={props.on_place.reform(|()| MapPlace::default())}
                        on_table={props.on_table.clone()}
                    />
                    <Strip known={open.known.clone()} theme={props.settings.theme} {selected}
                        window={seen.filter(|view| view.zoom() > view.fit()).map(|view| groups_in(&view))}
                        bytes={open.image.info.filesystem_bytes} on_select={on_strip} {on_drag} />
                    { progress(&status) }
                    <MapCanvas
                        open={open.clone()}
                        engine={props.engine.clone()}
                        theme={props.settings.theme}
                        place={props.place.clone()}
                        {style}
                        {look}
                        {bytes_read}
                        on_select={props.on_select.clone()}
                        on_place={on_seen}
                        on_pointer={props.on_pointer.clone()}
                        on_block={props.on_block.clone()}
                        on_inode={props.on_inode.clone()}
                        {on_owner}
                        single_keys={props.settings.single_keys}
                        {on_key}
                    />
                    if is_compact || !props.settings.side_bar {
                        <LegendRow ..legend />
                    }
                </div>
                if props.settings.inspector {
                    <Inspector
                        open={open.clone()}
                        theme={props.settings.theme}
                        on_select={props.on_select.clone()}
                        on_block={props.on_block.clone()}
                        on_inode={props.on_inode.clone()}
                    />
                }
            </main>
        </>
    }
}

/// The first and the last group in sight.
fn groups_in(view: &MapView) -> (u32, u32) {
    let (columns, rows) = view.groups();
    let in_sight = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
    let groups = in_sight.filter_map(|(column, row)| view.world().group_at(column, row));
    let numbers = groups.map(Group::get);
    numbers.fold((u32::MAX, 0), |(first, last), group| (first.min(group), last.max(group)))
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
