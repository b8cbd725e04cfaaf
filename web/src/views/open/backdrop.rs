//! The faint map behind the opening page.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::super::shared::use_size;
use crate::canvas::{Frame, Surface, palette, pixel_ratio};
use crate::render::backdrop;
use crate::render::space::Density;
use crate::state::Theme;

/// What the picture depends on.
#[derive(Properties, PartialEq)]
pub(super) struct BackdropProps {
    /// The theme.
    pub theme: Theme,
}

/// The faint map behind the opening page; still, and nothing but an ornament.
#[component]
pub(super) fn Backdrop(props: &BackdropProps) -> Html {
    let (frame_node, canvas_node) = (use_node_ref(), use_node_ref());
    let size = use_state(|| (0.0, 0.0));
    let set_size = size.setter();
    use_size(frame_node.clone(), Callback::from(move |size| set_size.set(size)));
    let frame = use_memo((), |()| Frame::default());
    {
        let canvas_node = canvas_node.clone();
        let frame = Rc::clone(&frame);
        use_effect_with((*size, props.theme), move |&((width, height), _)| {
            let surface = canvas_node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some(surface) = surface.filter(|_| width >= 1.0 && height >= 1.0) {
                // The theme's colours hold from the next frame on.
                frame.request(move || {
                    let density = Density::for_canvas(width, height, pixel_ratio());
                    let pixels = backdrop::picture(width, height, density, &palette());
                    surface.resize(pixels.width(), pixels.height(), density);
                    surface.put(&pixels, 0, pixels.height());
                });
            }
        });
    }
    html! {
        <div class="open__backdrop" ref={frame_node} aria-hidden="true">
            <canvas ref={canvas_node} />
        </div>
    }
}
