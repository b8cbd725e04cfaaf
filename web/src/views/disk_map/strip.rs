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
}

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
    let on_click = {
        let (on_select, width) = (props.on_select.clone(), *width);
        Callback::from(move |event: MouseEvent| {
            let group = strip::group_at(f64::from(event.offset_x()), width, groups);
            on_select.emit(Some(Group::new(group)));
        })
    };
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
            <div class="strip__line" ref={frame_node} onclick={on_click} aria-hidden="true">
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
