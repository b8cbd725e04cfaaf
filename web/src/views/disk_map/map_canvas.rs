//! The map on its canvases: pointer and keyboard to places and selections.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use extscope::units::{Fsblk, Ino};
use web_sys::{Element, HtmlCanvasElement};
use yew::prelude::*;

use super::super::shared::use_size;
use super::cursor::{Step, at_level, cursor, moved, reveal, step};
use super::menu::{Menu, MenuItem};
use super::stage::{Scene, Stage};
use super::tooltip::TooltipBox;
use super::whose::use_whose;
use crate::canvas::{MapPainter, Surface};
use crate::client::{Engine, copy};
use crate::protocol::{BlockReport, MapLook, NextRun, Reply, Request, Sought};
use crate::render::map_marks::Marks;
use crate::render::map_view::{Hit, MapView};
use crate::render::space::ViewPx;
use crate::select::tooltip::Tooltip;
use crate::state::{Look, MapPlace, MapStyle, OpenImage, Selection, Theme, Zoom};
use crate::text::number;

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
    /// The person wants to see the bytes of a block.
    pub on_block: Callback<Fsblk>,
    /// The person wants to see a file.
    pub on_inode: Callback<Ino>,
    /// The person wants to see all blocks of a file.
    pub on_owner: Callback<Ino>,
    /// Whether single letters are shortcuts.
    pub single_keys: bool,
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
    let menu = use_state(|| None::<Pointed>);
    let last_wheel = use_memo((), |()| Cell::new(0.0));
    let stopped = use_memo((), |()| Cell::new(None::<Stopped>));
    let view = stage.borrow().as_ref().and_then(Stage::view);
    let block_at = |pointed: Pointed| match (pointed.hit, view) {
        (Hit::Cell(place), Some(view)) => Some(view.world().fsblk(place)),
        _ => None,
    };
    // The inodes were gone through, so that a look-up takes no reading.
    let has_owners = props.open.survey.here().is_some();
    let asked = menu.or(*pointed).and_then(block_at).filter(|_| has_owners);
    let whose = use_whose(&props.engine, asked);
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
        let (on_select, seek) = (props.on_select.clone(), Seek::new(props, &stage, &stopped));
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
                let hit = view.hit(x, y);
                match hit.map(|hit| selected(hit, &view)) {
                    Some(Selection::Block(fsblk)) if event.alt_key() => {
                        seek.owner(fsblk, seek.on_owner.clone());
                    }
                    selection => on_select.emit(selection),
                }
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
    let on_menu = {
        let (stage, gesture) = (Rc::clone(&stage), Rc::clone(&gesture));
        let (menu, pointed) = (menu.setter(), pointed.setter());
        Callback::from(move |event: MouseEvent| {
            event.prevent_default();
            // A long press is no click.
            *gesture.borrow_mut() = Gesture::default();
            let at = point(event.offset_x(), event.offset_y());
            let stage = stage.borrow();
            let hit = stage.as_ref().and_then(|stage| {
                let (x, y) = stage.inside(at);
                stage.view()?.hit(x, y)
            });
            pointed.set(None);
            menu.set(hit.map(|hit| Pointed { hit, at }));
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
                stage.glide(|view| view.zoom_to(view.next_level(true), inside));
            });
        })
    };
    let on_key = {
        let (stage, selection) = (Rc::clone(&stage), selection.clone());
        let (on_select, on_key) = (props.on_select.clone(), props.on_key.clone());
        let (seek, menu) = (Seek::new(props, &stage, &stopped), menu.setter());
        let single_keys = props.single_keys;
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
            if event.key() == "ContextMenu" {
                event.prevent_default();
                return menu.set(cursor.map(|hit| Pointed { hit, at: stage.outside(at) }));
            }
            let is_plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
            if single_keys && is_plain && seek.key(&event.key(), selection.as_ref()) {
                return event.prevent_default();
            }
            let zoom = match event.key().as_str() {
                "Enter" => view.next_level(true),
                "Backspace" => view.next_level(false),
                "+" | "=" => Zoom::from_pixels(view.zoom().pixels() * 2.0),
                "-" => Zoom::from_pixels(view.zoom().pixels() / 2.0),
                "0" => view.fit(),
                _ => return on_key.emit(event),
            };
            event.prevent_default();
            stage.glide(|view| {
                view.zoom_to(zoom, at);
                if let Some(hit) = cursor {
                    let rect = view.hit_rect(hit);
                    reveal(view, rect);
                }
            });
        })
    };

    let said = selection.as_ref().zip(view).and_then(|(selection, view)| {
        let hit = match selection {
            Selection::Group(group) => Hit::Group(*group),
            Selection::Block(fsblk) => Hit::Cell(view.world().place(*fsblk)?),
            Selection::Blocks(_) | Selection::Inode(_) => return None,
        };
        tooltip(&props.open, hit, &view, None)
    });
    let menu = menu.zip(view).map(|(Pointed { hit, at }, view)| {
        let items = items(props, hit, &view, whose.as_deref(), &Seek::new(props, &stage, &stopped));
        let close = menu.setter();
        let (well, on_close) = (well.clone(), Callback::from(move |()| close.set(None)));
        let title = selected(hit, &view);
        html! { <Menu title={named(hit, &view)} {items} {at} room={*size} {well} {on_close} key={title.to_string()} /> }
    });
    let tooltip = pointed.zip(view).and_then(|(Pointed { hit, at }, view)| {
        let tooltip = tooltip(&props.open, hit, &view, whose.as_deref())?;
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
            oncontextmenu={on_menu}
            onkeydown={on_key}
        >
            <canvas ref={below} class="disk-map__tiles" />
            <canvas ref={over} class="disk-map__over" />
            <div id="disk-map-cursor" class="visually-hidden" role="img" aria-live="polite"
                aria-label={said.map_or_else(|| "Nothing is selected".into(), |said| said.sentence())}
            />
            // An empty node rather than none: the canvases must stay what they are.
            { tooltip.unwrap_or_default() }
            { menu.unwrap_or_default() }
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
fn tooltip(
    open: &OpenImage,
    hit: Hit,
    view: &MapView,
    whose: Option<&BlockReport>,
) -> Option<Tooltip> {
    match hit {
        Hit::Group(group) => {
            let group = group.get();
            Tooltip::of(open, group, group, open.known.used(group, group))
        }
        Hit::Cell(place) => Some(Tooltip::of_cell(open, place, view.world().fsblk(place), whose)),
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

/// A search that was long, and where it stopped.
#[derive(Clone, Copy)]
struct Stopped {
    of: (Sought, Fsblk, bool),
    at: Fsblk,
}

/// What leads from a block to others and to what they are of.
#[derive(Clone)]
struct Seek {
    open: OpenImage,
    engine: Engine,
    stage: Rc<RefCell<Option<Stage>>>,
    stopped: Rc<Cell<Option<Stopped>>>,
    on_select: Callback<Option<Selection>>,
    on_pointer: Callback<Option<String>>,
    on_block: Callback<Fsblk>,
    on_inode: Callback<Ino>,
    on_owner: Callback<Ino>,
}

impl Seek {
    fn new(
        props: &MapCanvasProps,
        stage: &Rc<RefCell<Option<Stage>>>,
        stopped: &Rc<Cell<Option<Stopped>>>,
    ) -> Self {
        Self {
            stopped: Rc::clone(stopped),
            open: props.open.clone(),
            engine: props.engine.clone(),
            stage: Rc::clone(stage),
            on_select: props.on_select.clone(),
            on_pointer: props.on_pointer.clone(),
            on_block: props.on_block.clone(),
            on_inode: props.on_inode.clone(),
            on_owner: props.on_owner.clone(),
        }
    }

    /// Does what a key asks for; false where it asks for nothing here.
    fn key(&self, key: &str, selection: Option<&Selection>) -> bool {
        let from = selection.and_then(|selection| self.first(selection));
        match (key, from, selection) {
            ("n", Some(from), _) => self.run(Sought::SameOwner, from, true),
            ("p", Some(from), _) => self.run(Sought::SameOwner, from, false),
            ("f", from, _) => self.run(Sought::Free, from.unwrap_or_default(), true),
            ("F", Some(from), _) => self.run(Sought::Free, from, false),
            ("x", Some(from), _) => self.on_block.emit(from),
            ("o", _, Some(Selection::Inode(ino))) => self.on_inode.emit(*ino),
            ("o", Some(from), _) => self.owner(from, self.on_inode.clone()),
            _ => return false,
        }
        true
    }

    /// The block that a selection begins with.
    fn first(&self, selection: &Selection) -> Option<Fsblk> {
        match (selection, self.open.owner.as_deref()) {
            (Selection::Inode(ino), Some((known, Look::Here(detail)))) if ino == known => {
                detail.extents.rows().map(|row| Fsblk::new(row.fsblk)).next()
            }
            (selection, _) => selection.first_block(&self.open.image.geometry),
        }
    }

    /// Selects the next run of blocks, and shows it; goes on where the same search stopped before.
    fn run(&self, what: Sought, from: Fsblk, forward: bool) {
        let seek = self.clone();
        let of = (what, from, forward);
        let stopped = self.stopped.take().filter(|it| it.of == of).map(|it| it.at);
        let then = Callback::from(move |reply: Reply| {
            let (first, last) = match reply {
                Reply::Sought(NextRun::Found(first, last)) => (first, last),
                Reply::Sought(NextRun::Stopped(at)) => {
                    seek.stopped.set(Some(Stopped { of, at }));
                    let at = number::count(at.get());
                    let words = format!("nothing as far as block {at}; the same again goes on");
                    return seek.on_pointer.emit(Some(words));
                }
                _ => return seek.on_pointer.emit(Some("nothing more of that".to_owned())),
            };
            seek.on_select.emit(Some(Selection::blocks(first, last)));
            if let Some(stage) = &*seek.stage.borrow() {
                stage.change(|view| {
                    if let Some(place) = view.world().place(Fsblk::new(first)) {
                        let rect = view.place_rect(place);
                        reveal(view, rect);
                    }
                });
            }
        });
        self.engine.ask_then(Request::Seek { what, from, stopped, forward }, then);
    }

    /// Hands over whose a block is.
    fn owner(&self, fsblk: Fsblk, then: Callback<Ino>) {
        let on_pointer = self.on_pointer.clone();
        let then = Callback::from(move |reply: Reply| match reply {
            Reply::Whose(Some(report)) => match report.owner.ino {
                Some(ino) => then.emit(Ino::new(ino)),
                None => on_pointer.emit(Some(format!("no file\u{2019}s: {}", report.owner.name))),
            },
            _ => on_pointer.emit(Some("go through all inodes first".to_owned())),
        });
        self.engine.ask_then(Request::Whose { fsblk }, then);
    }
}

/// What the menu offers for what is hit.
fn items(
    props: &MapCanvasProps,
    hit: Hit,
    view: &MapView,
    whose: Option<&BlockReport>,
    seek: &Seek,
) -> Vec<MenuItem> {
    let item = |text: &str, act: Callback<()>| MenuItem { text: text.to_owned(), act };
    let on_select = props.on_select.reform({
        let selection = selected(hit, view);
        move |()| Some(selection.clone())
    });
    let Hit::Cell(place) = hit else {
        let number = hit.group().to_string();
        return vec![
            item("Select the group", on_select),
            item("Copy its number", Callback::from(move |()| copy(number.clone()))),
        ];
    };
    let fsblk = view.world().fsblk(place);
    let run = |what: Sought| {
        let seek = seek.clone();
        Callback::from(move |()| seek.run(what, fsblk, true))
    };
    let mut items = vec![
        item("Select the block", on_select),
        item("Copy its number", Callback::from(move |()| copy(fsblk.to_string()))),
        item("Show its bytes", props.on_block.reform(move |()| fsblk)),
    ];
    if let Some(ino) = whose.and_then(|report| report.owner.ino).map(Ino::new) {
        items.extend([
            item("Open its file", props.on_inode.reform(move |()| ino)),
            item("All blocks of the file", props.on_owner.reform(move |()| ino)),
            item("Next extent of the file", run(Sought::SameOwner)),
        ]);
    }
    items.push(item("Next free extent", run(Sought::Free)));
    items
}
