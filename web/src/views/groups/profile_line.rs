//! The contents of a group in one line.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::canvas::{Surface, palette, pixel_ratio};
use crate::render::group_values::GroupValues;
use crate::render::space::Density;
use crate::render::strip;
use crate::state::Theme;

/// Size of the line in CSS pixels.
const SIZE: (f64, f64) = (150.0, 12.0);

/// What the line shows.
#[derive(Properties, PartialEq)]
pub(super) struct ProfileLineProps {
    /// How full the groups are.
    pub values: GroupValues,
    /// The group.
    pub group: u32,
    /// The number that changes with what is known of it.
    pub version: u32,
    /// The theme.
    pub theme: Theme,
}

/// The contents of a group in one line.
#[component]
pub(super) fn ProfileLine(props: &ProfileLineProps) -> Html {
    let node = use_node_ref();
    {
        let (node, values) = (node.clone(), props.values.clone());
        let shown = (props.group, props.version, props.theme);
        use_effect_with(shown, move |&(group, ..)| {
            let surface = node.cast::<HtmlCanvasElement>().and_then(Surface::new);
            if let Some(surface) = surface {
                let (width, height) = SIZE;
                let density = Density::for_canvas(width, height, pixel_ratio());
                let pixels = strip::line(&values, group, width, height, density, &palette());
                surface.resize(pixels.width(), pixels.height(), density);
                surface.put(&pixels, 0, pixels.height());
            }
        });
    }
    html! { <canvas class="profile-line" ref={node} aria-hidden="true" /> }
}
