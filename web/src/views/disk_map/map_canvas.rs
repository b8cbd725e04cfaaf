//! The map on its canvases: pointer and keyboard to groups.

use std::cell::RefCell;
use std::rc::Rc;

use extscope::units::Group;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::super::shared::use_size;
use super::tooltip::TooltipBox;
use crate::canvas::{Frame, MapPainter, Surface};
use crate::render::grid::Step;
use crate::render::space::ViewPx;
use crate::select::tooltip::Tooltip;
use crate::state::{OpenImage, Theme};

/// What the map shows.
#[derive(Properties, PartialEq)]
pub(super) struct MapCanvasProps {
    /// The image.
    pub open: OpenImage,
    /// Whether bitmaps are being read.
    pub is_reading: bool,
    /// The theme.
    pub theme: Theme,
    /// The selected group.
    pub selected: Option<Group>,
    /// The person selected a group, or none.
    pub on_select: Callback<Option<Group>>,
    /// The pointer is over these groups, or over none.
    pub on_pointer: Callback<Option<(u32, u32)>>,
    /// Show the same as a table.
    pub on_table: Callback<()>,
    /// These groups are in view.
    pub on_in_view: Callback<(Group, u32)>,
}

/// The tile that is pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pointed {
    first: u32,
    last: u32,
    at: (ViewPx, ViewPx),
}

type Painter = Rc<RefCell<Option<MapPainter>>>;

/// The map on its canvases.
#[component]
pub(super) fn MapCanvas(props: &MapCanvasProps) -> Html {
    let (well, tiles, over) = (use_node_ref(), use_node_ref(), use_node_ref());
    let painter: Rc<Painter> = use_memo((), |()| Painter::default());
    let frame = use_memo((), |()| Frame::default());
    let size = use_state(|| (0.0, 0.0));
    let pointed = use_state(|| None::<Pointed>);

    let repaint = {
        let (painter, frame) = (Rc::clone(&painter), Rc::clone(&frame));
        Callback::from(move |()| repaint(&painter, &frame))
    };
    {
        let (painter, tiles, over) = (Rc::clone(&painter), tiles.clone(), over.clone());
        let known = props.open.known.clone();
        use_effect_with((), move |()| {
            let surface = |node: &NodeRef| node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some((tiles, over)) = surface(&tiles).zip(surface(&over)) {
                *painter.borrow_mut() = Some(MapPainter::new(tiles, over, known));
            }
        });
    }
    {
        let (size, painter, repaint) = (size.setter(), Rc::clone(&painter), repaint.clone());
        let on_size = Callback::from(move |(width, height)| {
            size.set((width, height));
            if let Some(painter) = painter.borrow_mut().as_mut() {
                painter.resize(width, height);
            }
            repaint.emit(());
        });
        use_size(well.clone(), on_size);
    }
    {
        let (painter, repaint) = (Rc::clone(&painter), repaint.clone());
        use_effect_with(props.theme, move |_| {
            if let Some(painter) = painter.borrow_mut().as_mut() {
                painter.recolour();
            }
            repaint.emit(());
        });
    }
    {
        let (painter, repaint) = (Rc::clone(&painter), repaint.clone());
        let marks = (pointed.map(|pointed| pointed.first), props.selected.map(Group::get));
        let shown = (props.open.known.clone(), props.is_reading, marks);
        use_effect_with(shown, move |(known, is_reading, (hovered, selected))| {
            if let Some(painter) = painter.borrow_mut().as_mut() {
                painter.revalue(known.clone(), *is_reading);
                painter.mark(*hovered, *selected);
            }
            repaint.emit(());
        });
    }
    use_effect_with(props.open.known.groups(), {
        let on_in_view = props.on_in_view.clone();
        move |&groups| on_in_view.emit((Group::new(0), groups))
    });

    let groups_at = {
        let painter = Rc::clone(&painter);
        move |x: i32, y: i32| {
            let painter = painter.borrow();
            let layout = painter.as_ref()?.layout()?;
            Some(layout.grid.groups_of(layout.tile_at(x.into(), y.into())?))
        }
    };
    let on_move = {
        let (groups_at, pointed) = (groups_at.clone(), pointed.clone());
        let on_pointer = props.on_pointer.clone();
        Callback::from(move |event: PointerEvent| {
            // A finger selects; what it covers is said in the inspector.
            if event.pointer_type() == "touch" {
                return;
            }
            let (x, y) = (event.offset_x(), event.offset_y());
            let next = groups_at(x, y).map(|(first, last)| Pointed {
                first,
                last,
                at: (x.into(), y.into()),
            });
            if next.map(|next| next.first) != pointed.map(|pointed| pointed.first) {
                on_pointer.emit(next.map(|next| (next.first, next.last)));
                pointed.set(next);
            }
        })
    };
    let on_leave = {
        let (pointed, on_pointer) = (pointed.clone(), props.on_pointer.clone());
        Callback::from(move |_: PointerEvent| {
            on_pointer.emit(None);
            pointed.set(None);
        })
    };
    let on_click = {
        let on_select = props.on_select.clone();
        Callback::from(move |event: MouseEvent| {
            let groups = groups_at(event.offset_x(), event.offset_y());
            on_select.emit(groups.map(|(first, _)| Group::new(first)));
        })
    };
    let on_key = {
        let (painter, selected) = (Rc::clone(&painter), props.selected);
        let under_pointer = pointed.map(|pointed| Group::new(pointed.first));
        let (on_select, on_table) = (props.on_select.clone(), props.on_table.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "t" && !event.ctrl_key() && !event.meta_key() {
                return on_table.emit(());
            }
            let painter = painter.borrow();
            let Some(layout) = painter.as_ref().and_then(MapPainter::layout) else { return };
            let at = selected.or(under_pointer).map_or(0, |group| layout.grid.tile_of(group.get()));
            let tile = match step(&event) {
                Some(step) if selected.is_some() => layout.grid.step(at, step),
                Some(Step::Last) => layout.grid.tiles() - 1,
                Some(_) => at,
                None if matches!(event.key().as_str(), "Enter" | " ") => at,
                None => return,
            };
            event.prevent_default();
            on_select.emit(Some(Group::new(layout.grid.groups_of(tile).0)));
        })
    };

    let said = props.selected.and_then(|group| {
        let group = group.get();
        Tooltip::of(&props.open, group, group, props.open.known.used(group, group))
    });
    let tooltip = pointed.and_then(|Pointed { first, last, at }| {
        let tooltip = Tooltip::of(&props.open, first, last, props.open.known.used(first, last))?;
        Some(html! { <TooltipBox {tooltip} {at} room={*size} /> })
    });
    html! {
        <div
            class="disk-map__well"
            ref={well}
            role="application"
            aria-roledescription="disk map"
            aria-label="Disk map. Arrow keys move from group to group. The view Groups has the same as a table."
            aria-activedescendant="disk-map-cursor"
            tabindex="0"
            onpointermove={on_move}
            onpointerleave={on_leave}
            onclick={on_click}
            onkeydown={on_key}
        >
            <canvas ref={tiles} class="disk-map__tiles" />
            <canvas ref={over} class="disk-map__over" />
            <div id="disk-map-cursor" class="visually-hidden" role="img" aria-live="polite"
                aria-label={said.map_or_else(|| "No group is selected".into(), |said| said.sentence())}
            />
            // An empty node rather than none: the canvases must stay what they are.
            { tooltip.unwrap_or_default() }
        </div>
    }
}

/// Paints before the next frame, and before those after it until all is painted.
fn repaint(painter: &Rc<Painter>, frame: &Rc<Frame>) {
    let (painter, again) = (Rc::clone(painter), Rc::downgrade(frame));
    frame.request(move || {
        let is_done = painter.borrow_mut().as_mut().is_none_or(MapPainter::paint);
        if let Some(frame) = again.upgrade().filter(|_| !is_done) {
            repaint(&painter, &frame);
        }
    });
}

/// The step that a key stands for.
fn step(event: &KeyboardEvent) -> Option<Step> {
    if event.alt_key() || event.meta_key() {
        return None;
    }
    Some(match (event.key().as_str(), event.ctrl_key()) {
        ("ArrowLeft", false) => Step::Left,
        ("ArrowRight", false) => Step::Right,
        ("ArrowUp", false) => Step::Up,
        ("ArrowDown", false) => Step::Down,
        ("Home", false) => Step::RowStart,
        ("End", false) => Step::RowEnd,
        ("Home", true) => Step::First,
        ("End", true) => Step::Last,
        ("PageUp", false) => Step::PageUp,
        ("PageDown", false) => Step::PageDown,
        _ => return None,
    })
}
