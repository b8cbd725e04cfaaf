//! The list of views.

use yew::prelude::*;

use super::super::shared::{Icon, NO_SIDE_PANEL, use_media};
use crate::select::figures::Figure;
use crate::select::header::Tone;
use crate::state::{Route, View};

/// The icon of a view.
pub(super) const fn icon(view: View) -> Icon {
    match view {
        View::Map => Icon::Map,
        View::Files => Icon::Folder,
        View::Groups => Icon::Groups,
        View::Superblock => Icon::Superblock,
        View::Hex => Icon::Hex,
        View::Free => Icon::Free,
        View::Shrink => Icon::Shrink,
        View::Check => Icon::Check,
        View::Learn => Icon::Learn,
    }
}

/// The name of a view.
pub(super) const fn name(view: View) -> &'static str {
    match view {
        View::Map => "Map",
        View::Files => "Files",
        View::Groups => "Groups",
        View::Superblock => "Superblock",
        View::Hex => "Hex",
        View::Free => "Free space",
        View::Shrink => "Shrink",
        View::Check => "Check",
        View::Learn => "Learn",
    }
}

/// The figure of a view, where one is known.
pub(super) fn figure(figures: &[Figure], view: View) -> Html {
    let figure = figures.iter().find(|figure| figure.view == view);
    let class = |tone: Tone| (tone == Tone::Err).then_some("side-bar__badge");
    let small = |figure: &Figure| {
        html! { <small class={class(figure.tone)} title={figure.title.clone()}>{ &figure.text }</small> }
    };
    figure.map(small).unwrap_or_default()
}

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(crate) struct SideBarProps {
    /// What is looked at.
    pub route: Route,
    /// What is known of each view in a word.
    pub figures: Vec<Figure>,
    /// Whether there are names beside the icons, where there is room.
    pub has_names: bool,
    /// The person wants names.
    pub on_names: Callback<()>,
}

/// The list of views; a rail of icons where there is little room, or where the person wants it so.
#[component]
pub(crate) fn SideBar(props: &SideBarProps) -> Html {
    let link = |view: View| {
        html! {
            <a
                href={props.route.with_view(view).to_string()}
                aria-current={(view == props.route.view).then_some("page")}
                title={name(view)}
            >
                { icon(view).view() }
                <span>{ name(view) }</span>
                { figure(&props.figures, view) }
            </a>
        }
    };
    let has_room = !use_media(NO_SIDE_PANEL);
    let is_rail = !has_room || !props.has_names;
    html! {
        <nav class={classes!("side-bar", is_rail.then_some("side-bar--rail"))} aria-label="Views">
            { for View::ALL.into_iter().map(link) }
            if is_rail && has_room {
                <button
                    type="button"
                    class="icon-button side-bar__unfold"
                    aria-label="Show names and panel"
                    title="Show names and panel ([)"
                    onclick={props.on_names.reform(|_| ())}
                >
                    { Icon::Right.view() }
                </button>
            }
        </nav>
    }
}
