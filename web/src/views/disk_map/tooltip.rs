//! The lines beside the pointer.

use yew::prelude::*;

use crate::render::space::ViewPx;
use crate::select::tooltip::Tooltip;

/// What the lines are and where.
#[derive(Properties, PartialEq)]
pub(super) struct TooltipBoxProps {
    /// The lines.
    pub tooltip: Tooltip,
    /// The pointer, from the map's corner.
    pub at: (ViewPx, ViewPx),
    /// Width and height of the map.
    pub room: (ViewPx, ViewPx),
}

/// The lines beside the pointer: on the side where there is more room.
#[component]
pub(super) fn TooltipBox(props: &TooltipBoxProps) -> Html {
    let ((x, y), (width, height)) = (props.at, props.room);
    let across = if x > width / 2.0 {
        format!("right:{:.0}px", width - x + 16.0)
    } else {
        format!("left:{:.0}px", x + 18.0)
    };
    let down = if y > height / 2.0 {
        format!("bottom:{:.0}px", (height - y - 10.0).max(6.0))
    } else {
        format!("top:{:.0}px", (y - 10.0).max(6.0))
    };
    let line = |(name, value): &(&'static str, String)| {
        html! { <div class="key-values__row"><dt>{ *name }</dt><dd>{ value }</dd></div> }
    };
    html! {
        <div class="tooltip" style={format!("{across};{down}")} aria-hidden="true">
            <p class="tooltip__title">
                { &props.tooltip.title }
                if props.tooltip.is_hearsay {
                    <small>{ "by the descriptor" }</small>
                }
            </p>
            <dl class="key-values">{ for props.tooltip.lines.iter().map(line) }</dl>
        </div>
    }
}
