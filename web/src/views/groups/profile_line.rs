//! The contents of a group in one line.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::canvas::{Surface, palette, pixel_ratio};
use crate::protocol::BlockStats;
use crate::render::space::Density;
use crate::render::strip;
use crate::state::{Known, Theme};

/// Size of the line in CSS pixels.
const SIZE: (f64, f64) = (128.0, 12.0);

/// What the line shows.
#[derive(Properties)]
pub(crate) struct ProfileLineProps {
    /// How full the groups are.
    pub known: Known,
    /// The group.
    pub group: u32,
    /// What its bitmap says; the contents change with it.
    pub stats: BlockStats,
    /// The theme.
    pub theme: Theme,
}

/// Not what is known of other groups.
impl PartialEq for ProfileLineProps {
    fn eq(&self, other: &Self) -> bool {
        (self.group, self.stats, self.theme) == (other.group, other.stats, other.theme)
    }
}

/// The contents of a group in one line.
#[component]
pub(crate) fn ProfileLine(props: &ProfileLineProps) -> Html {
    let node = use_node_ref();
    {
        let (node, known) = (node.clone(), props.known.clone());
        let shown = (props.group, props.stats, props.theme);
        use_effect_with(shown, move |&(group, ..)| {
            let surface = node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some(surface) = surface {
                let (width, height) = SIZE;
                let density = Density::for_canvas(width, height, pixel_ratio());
                let pixels = strip::line(&known, group, width, height, density, &palette());
                // A size that is given anew costs as much as a new canvas.
                if surface.size() != (pixels.width(), pixels.height()) {
                    surface.resize(pixels.width(), pixels.height(), density);
                }
                surface.put(&pixels, 0, pixels.height());
            }
        });
    }
    html! { <canvas class="profile-line" ref={node} aria-hidden="true" /> }
}
