//! The map on its canvases: pointer and keyboard to places and selections.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use extscope::units::{Fsblk, Group, Grpblk};
use extscope_picture::Place;
use web_sys::{Element, HtmlCanvasElement};
use yew::prelude::*;

use super::super::shared::use_size;
use super::stage::{Scene, Stage};
use super::tooltip::TooltipBox;
use crate::canvas::{MapPainter, Surface};
use crate::client::Engine;
use crate::protocol::MapLook;
use crate::render::map_marks::Marks;
use crate::render::map_view::{Hit, Level, MapView};
use crate::render::space::ViewPx;
use crate::select::tooltip::Tooltip;
use crate::state::{MapPlace, MapStyle, OpenImage, Selection, Theme, Zoom};

/// CSS pixels that a pointer moves before a press is a drag and no click.
const DRAG: f64 = 3.0;
/// How much a pixel of the wheel zooms.
const WHEEL: f64 = 0.0016;

/// What the map shows.
#[derive(Properties, PartialEq)]
pub(super) struct MapCanvasProps {
    /// The image.
    pub open: OpenImage,
    /// The engine, which draws the tiles.
    pub engine: Engine,
    /// The theme.
    pub theme: Theme,
    /// Where the map stands.
    pub place: MapPlace,
    /// What it shows.
    pub style: MapStyle,
    /// Whether the kind of every block is known, and whose blocks are looked for.
    pub look: MapLook,
    /// Bytes that were read so far, where that is what the map shows.
    pub bytes_read: u64,
    /// The person selected something, or nothing.
    pub on_select: Callback<Option<Selection>>,
    /// The map stands here now.
    pub on_place: Callback<MapView>,
    /// The pointer is over this, or over nothing.
    pub on_pointer: Callback<Option<String>>,
    /// A key that is not the map's own was pressed on it.
    pub on_key: Callback<KeyboardEvent>,
}

/// What is pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pointed {
    hit: Hit,
    at: (ViewPx, ViewPx),
}

/// Pointers that are down.
#[derive(Default)]
struct Gesture {
    down: Vec<(i32, (ViewPx, ViewPx))>,
    start: (ViewPx, ViewPx),
    is_drag: bool,
    /// Where a range begins.
    range_from: Option<Fsblk>,
    /// The range that is selected once the pointer is up.
    range: Option<Selection>,
}

/// The map on its canvases.
#[component]
pub(super) fn MapCanvas(props: &MapCanvasProps) -> Html {
    let (well, below, over) = (use_node_ref(), use_node_ref(), use_node_ref());
    let stage: Rc<RefCell<Option<Stage>>> = use_mut_ref(|| None);
    let size = use_state(|| (0.0, 0.0));
    let pointed = use_state(|| None::<Pointed>);
    let gesture = use_mut_ref(Gesture::default);
    let last_wheel = use_memo((), |()| Cell::new(0.0));
    {
        let (stage, below, over) = (Rc::clone(&stage), below.clone(), over.clone());
        let engine = props.engine.clone();
        use_effect_with((), move |()| {
            let surface = |node: &NodeRef| node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some((below, over)) = surface(&below).zip(surface(&over)) {
                *stage.borrow_mut() = Some(Stage::new(engine, MapPainter::new(below, over)));
            }
        });
    }
    {
        let size = size.setter();
        use_size(well.clone(), Callback::from(move |now| size.set(now)));
    }
    let selection = props.open.selection.clone();
    {
        let stage = Rc::clone(&stage);
        let marks = Marks { hovered: pointed.map(|it| it.hit), selection: selection.clone() };
        use_effect_with(marks, move |marks| {
            if let Some(stage) = &*stage.borrow() {
                stage.mark(marks.clone());
            }
        });
    }
    {
        let stage = Rc::clone(&stage);
        let selection = selection.clone();
        use_effect_with(props.place.clone(), move |place| {
            if let Some(stage) = &*stage.borrow() {
                stage.go(place, selection.as_ref());
            }
        });
    }
    {
        let stage = Rc::clone(&stage);
        let scene = Scene {
            known: props.open.known.clone(),
            theme: props.theme,
            style: props.style,
            look: props.look,
            bytes_read: props.bytes_read,
            size: *size,
        };
        use_effect_with(scene, move |scene| {
            if let Some(stage) = &*stage.borrow() {
                stage.show(scene.clone());
            }
        });
    }
    if let Some(stage) = &*stage.borrow() {
        stage.set_on_place(props.on_place.clone());
    }
    {
        // What was under the pointer is elsewhere by now.
        let pointed = pointed.setter();
        use_effect_with((props.place.clone(), props.style.layout), move |_| pointed.set(None));
    }

    let with_stage = {
        let stage = Rc::clone(&stage);
        move |act: &dyn Fn(&Stage)| {
            if let Some(stage) = &*stage.borrow() {
                act(stage);
            }
        }
    };
    let point = |x: i32, y: i32| (f64::from(x), f64::from(y));
    let on_down = {
        let (gesture, stage, well) = (Rc::clone(&gesture), Rc::clone(&stage), well.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 {
                return;
            }
            if let Some(element) = well.cast::<Element>() {
                // Refused only for a pointer that is gone.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            let at = point(event.offset_x(), event.offset_y());
            let mut gesture = gesture.borrow_mut();
            gesture.down.retain(|(id, _)| *id != event.pointer_id());
            gesture.down.push((event.pointer_id(), at));
            (gesture.start, gesture.is_drag) = (at, gesture.down.len() > 1);
            gesture.range_from = None;
            if event.shift_key()
                && let Some(stage) = &*stage.borrow()
                && let Some(view) = stage.view()
            {
                let (x, y) = stage.inside(at);
                gesture.range_from = Some(view.world().fsblk(view.nearest(x, y)));
            }
        })
    };
    let on_move = {
        let (gesture, stage, pointed) = (Rc::clone(&gesture), Rc::clone(&stage), pointed.clone());
        let on_pointer = props.on_pointer.clone();
        Callback::from(move |event: PointerEvent| {
            let at = point(event.offset_x(), event.offset_y());
            let stage = stage.borrow();
            let Some(stage) = &*stage else { return };
            let mut gesture = gesture.borrow_mut();
            if !gesture.down.is_empty() {
                return gesture.moved(event.pointer_id(), at, stage);
            }
            // A finger selects; what it covers is said in the inspector.
            if event.pointer_type() == "touch" {
                return;
            }
            let (x, y) = stage.inside(at);
            let view = stage.view();
            let is_inside = view.is_some_and(|view| {
                (0.0..view.size().0).contains(&x) && (0.0..view.size().1).contains(&y)
            });
            let hit = view.filter(|_| is_inside).and_then(|view| view.hit(x, y));
            if hit != pointed.map(|pointed| pointed.hit) {
                on_pointer.emit(hit.zip(view).map(|(hit, view)| named(hit, &view)));
                pointed.set(hit.map(|hit| Pointed { hit, at }));
            }
        })
    };
    let on_up = {
        let (gesture, stage) = (Rc::clone(&gesture), Rc::clone(&stage));
        let on_select = props.on_select.clone();
        Callback::from(move |event: PointerEvent| {
            let at = point(event.offset_x(), event.offset_y());
            let mut gesture = gesture.borrow_mut();
            let was_down = gesture.down.iter().any(|(id, _)| *id == event.pointer_id());
            gesture.down.retain(|(id, _)| *id != event.pointer_id());
            if let Some(range) = gesture.range.take() {
                on_select.emit(Some(range));
            }
            if !was_down || gesture.is_drag {
                gesture.is_drag &= !gesture.down.is_empty();
                return;
            }
            if let Some(stage) = &*stage.borrow()
                && let Some(view) = stage.view()
            {
                let (x, y) = stage.inside(at);
                on_select.emit(view.hit(x, y).map(|hit| selected(hit, &view)));
            }
        })
    };
    let on_cancel = {
        let gesture = Rc::clone(&gesture);
        Callback::from(move |_: PointerEvent| *gesture.borrow_mut() = Gesture::default())
    };
    let on_leave = {
        let (pointed, on_pointer) = (pointed.clone(), props.on_pointer.clone());
        Callback::from(move |_: PointerEvent| {
            on_pointer.emit(None);
            pointed.set(None);
        })
    };
    let on_wheel = {
        let (with_stage, pointed) = (with_stage.clone(), pointed.clone());
        let last_wheel = Rc::clone(&last_wheel);
        Callback::from(move |event: WheelEvent| {
            event.prevent_default();
            last_wheel.set(event.time_stamp());
            let at = point(event.offset_x(), event.offset_y());
            let unit = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
            let (x, y) = (event.delta_x() * unit, event.delta_y() * unit);
            let is_pan = event.shift_key();
            with_stage(&|stage| {
                let inside = stage.inside(at);
                stage.change(|view| {
                    if is_pan {
                        view.pan(-x - y, 0.0);
                    } else {
                        view.zoom_by((-y * WHEEL).exp(), inside);
                    }
                });
            });
            pointed.set(None);
        })
    };
    let on_double = {
        let with_stage = with_stage.clone();
        Callback::from(move |event: MouseEvent| {
            let at = point(event.offset_x(), event.offset_y());
            with_stage(&|stage| {
                let inside = stage.inside(at);
                stage.change(|view| view.zoom_to(view.next_level(true), inside));
            });
        })
    };
    let on_key = {
        let (stage, selection) = (Rc::clone(&stage), selection.clone());
        let (on_select, on_key) = (props.on_select.clone(), props.on_key.clone());
        Callback::from(move |event: KeyboardEvent| {
            let stage = stage.borrow();
            let Some((stage, view)) = stage.as_ref().and_then(|it| Some((it, it.view()?))) else {
                return;
            };
            let middle = (view.size().0 / 2.0, view.size().1 / 2.0);
            let cursor = selection.as_ref().and_then(|selection| cursor(selection, &view));
            if let Some(step) = step(&event) {
                event.prevent_default();
                let cursor = cursor.unwrap_or_else(|| at_level(view.nearest(0.0, 0.0), &view));
                let is_step = selection.is_some() || matches!(step, Step::DiskEnd(_));
                let next = if is_step { moved(cursor, step, &view) } else { cursor };
                on_select.emit(Some(selected(next, &view)));
                let rect = view.hit_rect(next);
                stage.change(|view| reveal(view, rect));
                return;
            }
            let at = cursor.map_or(middle, |hit| {
                let rect = view.hit_rect(hit);
                (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0)
            });
            let zoom = match event.key().as_str() {
                "Enter" => view.next_level(true),
                "Backspace" => view.next_level(false),
                "+" | "=" => Zoom::from_pixels(view.zoom().pixels() * 2.0),
                "-" => Zoom::from_pixels(view.zoom().pixels() / 2.0),
                "0" => view.fit(),
                _ => return on_key.emit(event),
            };
            event.prevent_default();
            stage.change(|view| {
                view.zoom_to(zoom, at);
                if let Some(hit) = cursor {
                    let rect = view.hit_rect(hit);
                    reveal(view, rect);
                }
            });
        })
    };

    let view = stage.borrow().as_ref().and_then(Stage::view);
    let said = selection.as_ref().zip(view).and_then(|(selection, view)| {
        let hit = match selection {
            Selection::Group(group) => Hit::Group(*group),
            Selection::Block(fsblk) => Hit::Cell(view.world().place(*fsblk)?),
            Selection::Blocks(_) | Selection::Inode(_) => return None,
        };
        tooltip(&props.open, hit, &view)
    });
    let tooltip = pointed.zip(view).and_then(|(Pointed { hit, at }, view)| {
        let tooltip = tooltip(&props.open, hit, &view)?;
        Some(html! { <TooltipBox {tooltip} {at} room={*size} /> })
    });
    html! {
        <div
            class="disk-map__well"
            ref={well}
            role="application"
            aria-roledescription="disk map"
            aria-label="Disk map. Arrow keys move from group to group, Enter and Backspace go in and out. The view Groups has the same as a table."
            aria-activedescendant="disk-map-cursor"
            tabindex="0"
            onpointerdown={on_down}
            onpointermove={on_move}
            onpointerup={on_up}
            onpointercancel={on_cancel}
            onpointerleave={on_leave}
            onwheel={on_wheel}
            ondblclick={on_double}
            onkeydown={on_key}
        >
            <canvas ref={below} class="disk-map__tiles" />
            <canvas ref={over} class="disk-map__over" />
            <div id="disk-map-cursor" class="visually-hidden" role="img" aria-live="polite"
                aria-label={said.map_or_else(|| "Nothing is selected".into(), |said| said.sentence())}
            />
            // An empty node rather than none: the canvases must stay what they are.
            { tooltip.unwrap_or_default() }
        </div>
    }
}

impl Gesture {
    /// A pointer that is down moved: one drags or selects a range, two pinch.
    fn moved(&mut self, id: i32, at: (ViewPx, ViewPx), stage: &Stage) {
        let Some(index) = self.down.iter().position(|(known, _)| *known == id) else { return };
        let before: Vec<_> = self.down.iter().map(|(_, at)| *at).collect();
        if let Some((_, place)) = self.down.get_mut(index) {
            *place = at;
        }
        if let (&[a, b], &[(_, c), (_, d)]) = (&before[..], &self.down[..]) {
            let apart = |(x, y): (f64, f64), (v, w): (f64, f64)| (x - v).hypot(y - w).max(1.0);
            let middle = |(x, y): (f64, f64), (v, w): (f64, f64)| (x.midpoint(v), y.midpoint(w));
            let (from, to) = (middle(a, b), middle(c, d));
            let factor = apart(c, d) / apart(a, b);
            let to_view = stage.inside(to);
            return stage.change(|view| {
                view.pan(to.0 - from.0, to.1 - from.1);
                view.zoom_by(factor, to_view);
            });
        }
        let Some(&last) = before.get(index) else { return };
        let far = (at.0 - self.start.0).hypot(at.1 - self.start.1);
        if !self.is_drag && far < DRAG {
            return;
        }
        let begins = !core::mem::replace(&mut self.is_drag, true);
        if let (Some(from), Some(view)) = (self.range_from, stage.view()) {
            let (x, y) = stage.inside(at);
            let to = view.world().fsblk(view.nearest(x, y));
            let range = Some(Selection::blocks(from.get(), to.get()));
            self.range.clone_from(&range);
            return stage.mark(Marks { hovered: None, selection: range });
        }
        let from = if begins { self.start } else { last };
        stage.change(|view| view.pan(at.0 - from.0, at.1 - from.1));
    }
}

/// What is said of what is hit.
fn tooltip(open: &OpenImage, hit: Hit, view: &MapView) -> Option<Tooltip> {
    match hit {
        Hit::Group(group) => {
            let group = group.get();
            Tooltip::of(open, group, group, open.known.used(group, group))
        }
        Hit::Cell(place) => Some(Tooltip::of_cell(open, place, view.world().fsblk(place))),
    }
}

/// The short name of what is hit, for the status bar.
fn named(hit: Hit, view: &MapView) -> String {
    match hit {
        Hit::Group(group) => format!("group {group}"),
        Hit::Cell(place) => format!("block {}", view.world().fsblk(place)),
    }
}

/// The selection of what is hit.
fn selected(hit: Hit, view: &MapView) -> Selection {
    match hit {
        Hit::Group(group) => Selection::Group(group),
        Hit::Cell(place) => Selection::Block(view.world().fsblk(place)),
    }
}

/// A cell, or its group where cells are too small.
fn at_level(place: Place, view: &MapView) -> Hit {
    if view.level() >= Level::Group { Hit::Cell(place) } else { Hit::Group(place.group) }
}

/// Where the keyboard's cursor is: the beginning of the selection, at the level that is seen.
fn cursor(selection: &Selection, view: &MapView) -> Option<Hit> {
    let first = match selection {
        Selection::Group(group) => Place { group: *group, grpblk: Grpblk::new(0) },
        Selection::Block(fsblk) => view.world().place(*fsblk)?,
        Selection::Blocks(blocks) => view.world().place(Fsblk::new(*blocks.start()))?,
        Selection::Inode(_) => return None,
    };
    Some(at_level(first, view))
}

/// A step of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// By columns and rows of what is seen.
    By(i64, i64),
    /// To the first or the last one of the group, or of the row of groups.
    End(bool),
    /// To the first or the last one of the disk.
    DiskEnd(bool),
    /// By groups.
    Groups(i64),
}

/// The step that a key stands for.
fn step(event: &KeyboardEvent) -> Option<Step> {
    if event.alt_key() || event.meta_key() {
        return None;
    }
    let word = if event.shift_key() { 64 } else { 1 };
    Some(match (event.key().as_str(), event.ctrl_key()) {
        ("ArrowLeft", false) => Step::By(-word, 0),
        ("ArrowRight", false) => Step::By(word, 0),
        ("ArrowUp", false) => Step::By(0, -1),
        ("ArrowDown", false) => Step::By(0, 1),
        ("Home", is_disk) => {
            if is_disk {
                Step::DiskEnd(false)
            } else {
                Step::End(false)
            }
        }
        ("End", is_disk) => {
            if is_disk {
                Step::DiskEnd(true)
            } else {
                Step::End(true)
            }
        }
        ("PageUp", false) => Step::Groups(-1),
        ("PageDown", false) => Step::Groups(1),
        _ => return None,
    })
}

/// Where a step leads; at an edge the cursor stays.
fn moved(cursor: Hit, step: Step, view: &MapView) -> Hit {
    let world = view.world();
    let last_group = world.groups().saturating_sub(1);
    let by = |at: u32, by: i64, last: u32| {
        let to = i64::from(at).saturating_add(by).clamp(0, i64::from(last));
        u32::try_from(to).unwrap_or(last)
    };
    let cells = |group| world.geometry().group_clusters(group).saturating_sub(1);
    match (cursor, step) {
        (Hit::Group(group), Step::By(x, y)) => {
            let (column, row) = world.group_place(group);
            let (columns, rows) = (world.columns() - 1, world.rows() - 1);
            let there = if y == 0 {
                let next = Group::new(by(group.get(), x.signum(), last_group));
                Some(next).filter(|_| column <= columns)
            } else {
                world.group_at(column, by(row, y, rows))
            };
            Hit::Group(there.unwrap_or(group))
        }
        (Hit::Group(group), Step::End(is_last)) => {
            let (_, row) = world.group_place(group);
            let mut columns = 0..world.columns();
            let in_row = |column| world.group_at(column, row);
            let end =
                if is_last { columns.rev().find_map(in_row) } else { columns.find_map(in_row) };
            Hit::Group(end.unwrap_or(group))
        }
        (Hit::Group(_), Step::DiskEnd(is_last)) => {
            Hit::Group(Group::new(if is_last { last_group } else { 0 }))
        }
        (Hit::Group(group), Step::Groups(groups)) => {
            let rows = i64::from((world.rows() / 8).max(1)) * groups;
            moved(Hit::Group(group), Step::By(0, rows), view)
        }
        (Hit::Cell(place), Step::By(x, y)) => {
            let Place { group, grpblk } = place;
            let width = i64::from(world.group_size().0);
            let to = by(grpblk.get(), x.saturating_add(y.saturating_mul(width)), cells(group));
            Hit::Cell(Place { group, grpblk: Grpblk::new(to) })
        }
        (Hit::Cell(Place { group, .. }), Step::End(is_last)) => {
            let to = if is_last { cells(group) } else { 0 };
            Hit::Cell(Place { group, grpblk: Grpblk::new(to) })
        }
        (Hit::Cell(_), Step::DiskEnd(is_last)) => {
            let group = Group::new(if is_last { last_group } else { 0 });
            moved(Hit::Cell(Place { group, grpblk: Grpblk::new(0) }), Step::End(is_last), view)
        }
        (Hit::Cell(Place { group, grpblk }), Step::Groups(groups)) => {
            let group = Group::new(by(group.get(), groups, last_group));
            Hit::Cell(Place { group, grpblk: Grpblk::new(grpblk.get().min(cells(group))) })
        }
    }
}

/// Moves the map so that a rectangle is in sight.
fn reveal(view: &mut MapView, rect: crate::render::draw::ViewRect) {
    let (width, height) = view.size();
    let along = |at: f64, size: f64, room: f64| {
        if at < 0.0 {
            -at + room / 4.0
        } else if at + size > room && size < room {
            room * 0.75 - at - size
        } else {
            0.0
        }
    };
    let (x, y) = (along(rect.x, rect.w, width), along(rect.y, rect.h, height));
    if x != 0.0 || y != 0.0 {
        view.pan(x, y);
    }
}
