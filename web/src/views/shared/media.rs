//! What the browser says of its window and of the size of things.

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use crate::render::space::ViewPx;

/// Where there is no room for a side panel, nor for the names of the views.
pub(crate) const NO_SIDE_PANEL: &str = "(max-width: 73.75em)";

/// Where there is room for one thing beside no other, as on a telephone.
pub(crate) const NARROW: &str = "(max-width: 45em)";

/// How many times as large letters are as a browser has them at first: a size in a style sheet is in
/// `rem`, and follows what the person set.
#[hook]
pub(crate) fn use_text_scale() -> f64 {
    *use_memo((), |()| {
        let size = || {
            let window = web_sys::window()?;
            let root = window.document()?.document_element()?;
            let style = window.get_computed_style(&root).ok()??;
            let size = style.get_property_value("font-size").ok()?;
            size.strip_suffix("px")?.parse::<f64>().ok()
        };
        size().unwrap_or(16.0) / 16.0
    })
}

/// Whether a media query holds.
#[hook]
pub(crate) fn use_media(query: &'static str) -> bool {
    let list = use_memo(query, |query| web_sys::window()?.match_media(query).ok()?);
    let holds = use_state(|| (*list).as_ref().is_some_and(|list| list.matches()));
    {
        let holds = holds.clone();
        use_effect_with(query, move |_| {
            let listener = (*list).clone().map(|list| {
                let target = list.clone();
                EventListener::new(&target, "change", move |_| holds.set(list.matches()))
            });
            move || drop(listener)
        });
    }
    *holds
}

/// Calls `on_size` with the width and height of the element in CSS pixels, now and whenever they
/// or the density of the screen change.
#[hook]
pub(crate) fn use_size(node: NodeRef, on_size: Callback<(ViewPx, ViewPx)>) {
    use_effect_with(node, move |node| {
        let watch = node.cast::<Element>().and_then(|element| SizeWatch::new(element, on_size));
        move || drop(watch)
    });
}

/// Stops watching when dropped.
struct SizeWatch {
    observer: ResizeObserver,
    _on_resize: Closure<dyn FnMut()>,
    _on_zoom: EventListener,
}

impl SizeWatch {
    fn new(element: Element, on_size: Callback<(ViewPx, ViewPx)>) -> Option<Self> {
        let window = web_sys::window()?;
        let measure = {
            let element = element.clone();
            move || {
                let rect = element.get_bounding_client_rect();
                on_size.emit((rect.width(), rect.height()));
            }
        };
        // The density changes without the element's size when the page is zoomed or moves to
        // another screen.
        let on_zoom = {
            let measure = measure.clone();
            EventListener::new(&window, "resize", move |_| measure())
        };
        let on_resize = Closure::<dyn FnMut()>::new(measure);
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok()?;
        observer.observe(&element);
        Some(Self { observer, _on_resize: on_resize, _on_zoom: on_zoom })
    }
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
