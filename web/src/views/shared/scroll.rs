//! Long lists of which only the rows that can be seen exist.

use web_sys::Element;
use yew::prelude::*;

use super::media::use_text_scale;
use super::use_size;
use crate::select::virtual_rows;
use crate::select::virtual_rows::{Follow, Window};

/// A list that scrolls.
pub(crate) struct Scroll {
    /// What scrolls.
    pub node: NodeRef,
    /// The rows that can be seen.
    pub window: Window,
    /// Height of a row in CSS pixels.
    pub row: f64,
    /// To be told of each scroll.
    pub on_scroll: Callback<Event>,
}

/// A list of `count` rows, each of `row` CSS pixels where letters have their first size.
#[hook]
pub(crate) fn use_scroll(count: usize, row: f64) -> Scroll {
    let row = row * use_text_scale();
    let node = use_node_ref();
    let height = use_state(|| 0.0);
    let top = use_state(|| 0.0);
    let set_height = height.setter();
    use_size(node.clone(), Callback::from(move |(_, height)| set_height.set(height)));
    let on_scroll = {
        let top = top.clone();
        Callback::from(move |event: Event| {
            top.set(f64::from(event.target_unchecked_into::<Element>().scroll_top()));
        })
    };
    let window = virtual_rows::Scroll { count, row, height: *height }.window(*top);
    Scroll { node, window, row, on_scroll }
}

/// Brings what is `wanted` into view once, when it has a row among `count` of `height` pixels.
#[hook]
pub(crate) fn use_follow<T: Clone + PartialEq + 'static>(
    node: &NodeRef,
    wanted: T,
    at: Option<usize>,
    rows: (usize, f64),
) {
    let follow = use_mut_ref(Follow::default);
    let node = node.clone();
    use_effect_with((wanted, at), move |(wanted, at)| {
        let row = follow.borrow_mut().row(wanted.clone(), *at);
        if let (Some(row), Some(element)) = (row, node.cast::<Element>()) {
            let (count, height) = rows;
            scroll_to(&element, row, count, height);
        }
    });
}

/// Brings one of `count` rows of `row` CSS pixels into view below the head.
fn scroll_to(element: &Element, at: usize, count: usize, row: f64) {
    let scroll = virtual_rows::Scroll { count, row, height: element.client_height().into() };
    if let Some(top) = scroll.top_to_see(at, element.scroll_top().into()) {
        element.set_scroll_top(top.ceil() as i32);
    }
}

/// The height of the rows of a table that do not exist.
pub(crate) fn space(key: &'static str, height: f64) -> Html {
    html! { <tr {key} class="table__space" aria-hidden="true" style={format!("height:{height}px")} /> }
}
