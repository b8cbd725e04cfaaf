//! The list of views where there is little room: at the bottom, under the thumb.

use yew::prelude::*;

use super::super::shared::{Icon, use_outside};
use super::side_bar::{figure, icon, name};
use crate::select::figures::Figure;
use crate::state::{Route, View};

/// The views that are always there; the others are one step away.
const FIRST: [View; 4] = [View::Map, View::Files, View::Shrink, View::Check];

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub(crate) struct TabBarProps {
    /// What is looked at.
    pub route: Route,
    /// What is known of each view in a word.
    pub figures: Vec<Figure>,
}

/// The list of views at the bottom.
#[component]
pub(crate) fn TabBar(props: &TabBarProps) -> Html {
    let shows_more = use_state(|| false);
    let node = use_node_ref();
    let hide = {
        let shows_more = shows_more.clone();
        Callback::from(move |()| shows_more.set(false))
    };
    use_outside(node.clone(), *shows_more, hide.clone());
    let toggle = {
        let shows_more = shows_more.clone();
        Callback::from(move |_: MouseEvent| shows_more.set(!*shows_more))
    };
    let link = |view: View| {
        html! {
            <a
                href={props.route.with_view(view).to_string()}
                aria-current={(view == props.route.view).then_some("page")}
                onclick={hide.reform(|_: MouseEvent| ())}
            >
                { icon(view).view() }
                <span>{ name(view) }</span>
                { figure(&props.figures, view) }
            </a>
        }
    };
    let is_first = |view: &View| FIRST.contains(view);
    let others = View::ALL.into_iter().filter(|view| !is_first(view));
    let is_other = !is_first(&props.route.view);
    html! {
        <nav class="tab-bar" aria-label="Views" ref={node}>
            { for FIRST.map(link) }
            <button type="button" class={is_other.then_some("tab-bar__current")}
                aria-expanded={shows_more.to_string()} onclick={toggle}>
                { Icon::More.view() }
                <span>{ if is_other { name(props.route.view) } else { "More" } }</span>
            </button>
            if *shows_more {
                <div class="tab-bar__more">{ for others.map(link) }</div>
            }
        </nav>
    }
}
