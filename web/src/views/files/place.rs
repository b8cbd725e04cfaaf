//! Where a file lies on the whole disk.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::super::shared::{Address, use_size};
use crate::canvas::{Frame, Surface, palette, pixel_ratio};
use crate::protocol::FileDetail;
use crate::render::file_strip;
use crate::render::space::Density;
use crate::state::{OpenImage, Theme};

/// Height of the line in CSS pixels.
const HEIGHT: f64 = 18.0;

/// What the line shows.
#[derive(Properties, PartialEq)]
pub(super) struct PlaceProps {
    /// The image.
    pub open: OpenImage,
    /// The file.
    pub detail: Address<FileDetail>,
    /// The theme.
    pub theme: Theme,
}

/// Where a file lies on the whole disk, in one line.
#[component]
pub(super) fn Place(props: &PlaceProps) -> Html {
    let (frame_node, canvas_node) = (use_node_ref(), use_node_ref());
    let width = use_state(|| 0.0);
    let set_width = width.setter();
    use_size(frame_node.clone(), Callback::from(move |(width, _)| set_width.set(width)));
    let frame = use_memo((), |()| Frame::default());
    {
        let (canvas_node, frame) = (canvas_node.clone(), Rc::clone(&frame));
        let known = props.open.known.clone();
        let geometry = props.open.image.geometry;
        let shown = (known, props.detail.clone(), props.theme, *width);
        use_effect_with(shown, move |(known, detail, _, width)| {
            let (known, detail, width) = (known.clone(), detail.clone(), *width);
            let surface = canvas_node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some(surface) = surface.filter(|_| width >= 1.0) {
                frame.request(move || {
                    let density = Density::for_canvas(width, HEIGHT, pixel_ratio());
                    let extents = detail.extents.rows();
                    let blocks = extents.map(|it| it.fsblk..it.fsblk.saturating_add(it.len.into()));
                    let size = (width, HEIGHT);
                    let pixels =
                        file_strip::picture(known, &geometry, blocks, size, density, &palette());
                    surface.resize(pixels.width(), pixels.height(), density);
                    surface.put(&pixels, 0, pixels.height());
                });
            }
        });
    }
    if props.detail.extents.is_empty() {
        return Html::default();
    }
    html! {
        <div class="file-detail__place" ref={frame_node} role="img"
            aria-label="Where the file's blocks lie between the first block of the disk and the last">
            <canvas ref={canvas_node} />
        </div>
    }
}
