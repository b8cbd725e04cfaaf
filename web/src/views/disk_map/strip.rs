//! The whole disk in one line, from the first block to the last.

use std::rc::Rc;

use extscope::units::Group;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::super::shared::use_size;
use crate::canvas::{Frame, Surface, palette, pixel_ratio};
use crate::render::space::Density;
use crate::render::strip;
use crate::state::{Known, Theme};
use crate::text::size;

/// Height of the line in CSS pixels.
const HEIGHT: f64 = 16.0;

/// What the line shows.
#[derive(Properties, PartialEq)]
pub(super) struct StripProps {
    /// How full the groups are.
    pub known: Known,
    /// Bytes of the filesystem.
    pub bytes: u64,
    /// The theme.
    pub theme: Theme,
    /// The first and the last group that the map shows, where it does not show all.
    pub window: Option<(u32, u32)>,
    /// The selected group.
    pub selected: Option<Group>,
    /// The person selected a group.
    pub on_select: Callback<Option<Group>>,
    /// The person drags the window.
    pub on_drag: Callback<Drag>,
}

/// Where the window is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drag {
    /// Its middle comes to this group.
    Middle(Group),
    /// It shows the groups from the first to the last one.
    Edges(Group, Group),
}

/// What a press on the line takes hold of: where it began, and the window then.
#[derive(Clone, Copy)]
enum Hold {
    /// The window, its middle so many groups from the pointer.
    Window(i64),
    /// An edge; the other one is this group.
    Edge(u32),
}

/// How near in CSS pixels an edge of the window is taken hold of.
const NEAR: f64 = 6.0;

/// The line on the canvas, if any, and what it was made for.
type Painted = Option<(Theme, f64, strip::Strip)>;

/// The whole disk in one line.
#[component]
pub(super) fn Strip(props: &StripProps) -> Html {
    let (frame_node, canvas_node) = (use_node_ref(), use_node_ref());
    let width = use_state(|| 0.0);
    let set_width = width.setter();
    use_size(frame_node.clone(), Callback::from(move |(width, _)| set_width.set(width)));
    let frame = use_memo((), |()| Frame::default());
    let painted = use_mut_ref(Painted::default);
    {
        let canvas_node = canvas_node.clone();
        let frame = Rc::clone(&frame);
        let shown = (props.known.clone(), props.theme, *width);
        use_effect_with(shown, move |(known, theme, width)| {
            let (known, theme, width) = (known.clone(), *theme, *width);
            let surface = canvas_node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some(surface) = surface.filter(|_| width >= 1.0) {
                frame.request(move || {
                    paint(&surface, &mut painted.borrow_mut(), known, theme, width);
                });
            }
        });
    }
    let groups = props.known.groups();
    let hold = use_mut_ref(|| None::<Hold>);
    let on_down = {
        let (hold, frame_node, on_select) =
            (Rc::clone(&hold), frame_node.clone(), props.on_select.clone());
        let (width, window) = (*width, props.window);
        Callback::from(move |event: PointerEvent| {
            let x = f64::from(event.offset_x());
            let at = strip::group_at(x, width, groups);
            let edge = |group: u32| f64::from(group) * width / f64::from(groups.max(1));
            let taken = window.and_then(|(first, last)| {
                let middle = i64::from(first.midpoint(last));
                let (left, right) = (edge(first), edge(last.saturating_add(1)));
                if (x - left).abs() <= NEAR && right - left > 2.0 * NEAR {
                    Some(Hold::Edge(last))
                } else if (x - right).abs() <= NEAR && right - left > 2.0 * NEAR {
                    Some(Hold::Edge(first))
                } else {
                    let is_inside = (left - NEAR..=right + NEAR).contains(&x);
                    is_inside.then_some(Hold::Window(middle - i64::from(at)))
                }
            });
            *hold.borrow_mut() = taken;
            match (taken, frame_node.cast::<web_sys::Element>()) {
                // Refused only for a pointer that is gone.
                (Some(_), Some(element)) => drop(element.set_pointer_capture(event.pointer_id())),
                _ => on_select.emit(Some(Group::new(at))),
            }
        })
    };
    let on_move = {
        let (hold, on_drag, width) = (Rc::clone(&hold), props.on_drag.clone(), *width);
        Callback::from(move |event: PointerEvent| {
            let at = strip::group_at(f64::from(event.offset_x()), width, groups);
            match *hold.borrow() {
                Some(Hold::Window(from_pointer)) => {
                    let middle = (i64::from(at) + from_pointer).clamp(0, i64::from(groups) - 1);
                    let middle = u32::try_from(middle).unwrap_or_default();
                    on_drag.emit(Drag::Middle(Group::new(middle)));
                }
                Some(Hold::Edge(other)) => {
                    let (first, last) = (at.min(other), at.max(other));
                    on_drag.emit(Drag::Edges(Group::new(first), Group::new(last)));
                }
                None => {}
            }
        })
    };
    let on_up = Callback::from(move |_: PointerEvent| *hold.borrow_mut() = None);
    let tick = |(share, text): (f64, String)| {
        html! { <span style={format!("left:{:.2}%", share * 100.0)}>{ text }</span> }
    };
    let place = |group: Group| {
        let left = f64::from(group.get()) * 100.0 / f64::from(groups.max(1));
        let wide = 100.0 / f64::from(groups.max(1));
        html! { <i class="strip__selected" style={format!("left:{left:.3}%;width:{wide:.3}%")} /> }
    };
    let window = |(first, last): (u32, u32)| {
        let share = |group: u32| f64::from(group) * 100.0 / f64::from(groups.max(1));
        let (left, wide) = (share(first), share(last.saturating_add(1).saturating_sub(first)));
        html! { <i class="strip__window" style={format!("left:{left:.3}%;width:{wide:.3}%")} /> }
    };
    html! {
        <div class="strip">
            <div
                class="strip__line"
                ref={frame_node}
                onpointerdown={on_down}
                onpointermove={on_move}
                onpointerup={on_up.clone()}
                onpointercancel={on_up}
                aria-hidden="true"
            >
                <canvas ref={canvas_node} />
                { props.window.map(window).unwrap_or_default() }
                { props.selected.map(place).unwrap_or_default() }
            </div>
            <div class="strip__ticks" aria-hidden="true">
                { for strip::ticks(props.bytes, size::whole).into_iter().map(tick) }
            </div>
        </div>
    }
}

/// Paints what changed, or all where the line is for another theme, width or image.
fn paint(surface: &Surface, painted: &mut Painted, known: Known, theme: Theme, width: f64) {
    let palette = palette();
    match painted {
        Some((of_theme, of_width, strip))
            if (*of_theme, *of_width) == (theme, width) && strip.is_of(&known) =>
        {
            strip.update(known, &palette);
            surface.put(strip.pixels(), 0, strip.pixels().height());
        }
        _ => {
            let density = Density::for_canvas(width, HEIGHT, pixel_ratio());
            let strip = strip::Strip::new(known, width, HEIGHT, density, &palette);
            surface.resize(strip.pixels().width(), strip.pixels().height(), density);
            surface.put(strip.pixels(), 0, strip.pixels().height());
            *painted = Some((theme, width, strip));
        }
    }
}
