//! The list of views.

use yew::prelude::*;

use super::super::shared::Icon;
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
    }
}

/// What the list shows.
#[derive(Properties, PartialEq)]
pub(crate) struct SideBarProps {
    /// What is looked at.
    pub route: Route,
    /// The number of groups.
    pub groups: AttrValue,
}

/// The list of views.
#[component]
pub(crate) fn SideBar(props: &SideBarProps) -> Html {
    let link = |view: View| {
        let figure = (view == View::Groups).then(|| html! { <small>{ &props.groups }</small> });
        html! {
            <a
                href={props.route.with_view(view).to_string()}
                aria-current={(view == props.route.view).then_some("page")}
                title={name(view)}
            >
                { icon(view).view() }
                <span>{ name(view) }</span>
                { figure }
            </a>
        }
    };
    html! {
        <nav class="side-bar" aria-label="Views">{ for View::ALL.into_iter().map(link) }</nav>
    }
}
