//! The menu of what is pressed at with the right button, or for long.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::super::shared::use_outside;
use crate::render::space::ViewPx;

/// Something that the menu offers.
#[derive(Clone, PartialEq)]
pub(super) struct MenuItem {
    /// What it is called.
    pub text: String,
    /// What it does.
    pub act: Callback<()>,
}

/// What the menu shows and where.
#[derive(Properties, PartialEq)]
pub(super) struct MenuProps {
    /// What it is of.
    pub title: String,
    /// What it offers.
    pub items: Vec<MenuItem>,
    /// The pointer, from the map's corner.
    pub at: (ViewPx, ViewPx),
    /// Width and height of the map.
    pub room: (ViewPx, ViewPx),
    /// What has the focus again once it is closed.
    pub well: NodeRef,
    /// The person turned away from it.
    pub on_close: Callback<()>,
}

/// The menu: the arrow keys lead through it, Escape out of it.
#[component]
pub(super) fn Menu(props: &MenuProps) -> Html {
    let node = use_node_ref();
    use_outside(node.clone(), true, props.on_close.clone());
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let first = node.cast::<Element>().and_then(|it| it.query_selector("button").ok()?);
            focus(first);
        });
    }
    let leave = {
        let (well, on_close) = (props.well.clone(), props.on_close.clone());
        Callback::from(move |()| {
            on_close.emit(());
            focus(well.cast::<Element>());
        })
    };
    let on_key = {
        let leave = leave.clone();
        Callback::from(move |event: KeyboardEvent| {
            event.stop_propagation();
            let here = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let next = match event.key().as_str() {
                "ArrowDown" => here.and_then(|it| it.next_element_sibling()),
                "ArrowUp" => here.and_then(|it| it.previous_element_sibling()),
                "Escape" | "Tab" => return leave.emit(()),
                _ => return,
            };
            event.prevent_default();
            focus(next);
        })
    };
    let item = |item: &MenuItem| {
        let (act, leave) = (item.act.clone(), leave.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            leave.emit(());
            act.emit(());
        });
        html! { <button type="button" role="menuitem" {onclick}>{ &item.text }</button> }
    };
    let ((x, y), (width, height)) = (props.at, props.room);
    let across = if x > width / 2.0 {
        format!("right:{:.0}px", (width - x).max(4.0))
    } else {
        format!("left:{x:.0}px")
    };
    let down = if y > height / 2.0 {
        format!("bottom:{:.0}px", (height - y).max(4.0))
    } else {
        format!("top:{y:.0}px")
    };
    // What is pressed here is not pressed on the map.
    let keep = Callback::from(|event: PointerEvent| event.stop_propagation());
    html! {
        <div
            ref={node}
            class="map-menu"
            role="menu"
            aria-label={props.title.clone()}
            style={format!("{across};{down}")}
            onkeydown={on_key}
            onpointerdown={keep.clone()}
            onpointerup={keep.clone()}
            onpointermove={keep}
            ondblclick={Callback::from(|event: MouseEvent| event.stop_propagation())}
        >
            { for props.items.iter().map(item) }
        </div>
    }
}

fn focus(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Fails only for an element that is gone.
        let _ = element.focus();
    }
}
