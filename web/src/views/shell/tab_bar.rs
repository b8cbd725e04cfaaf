//! The list of views where there is little room: at the bottom, under the thumb.

use yew::prelude::*;

use super::side_bar::{icon, name};
use crate::state::{Route, View};

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub(crate) struct TabBarProps {
    /// What is looked at.
    pub route: Route,
}

/// The list of views at the bottom.
#[component]
pub(crate) fn TabBar(props: &TabBarProps) -> Html {
    let link = |view: View| {
        html! {
            <a
                href={props.route.with_view(view).to_string()}
                aria-current={(view == props.route.view).then_some("page")}
            >
                { icon(view).view() }
                { name(view) }
            </a>
        }
    };
    html! {
        <nav class="tab-bar" aria-label="Views">{ for View::ALL.into_iter().map(link) }</nav>
    }
}
