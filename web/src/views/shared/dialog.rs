//! A dialog over the page. The browser keeps the focus inside and gives it back.

use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, Node};
use yew::prelude::*;

use super::Icon;

/// What a dialog shows.
#[derive(Properties, PartialEq)]
pub(crate) struct DialogProps {
    /// Its name.
    pub title: AttrValue,
    /// The person closed it.
    pub on_close: Callback<()>,
    /// Its contents.
    pub children: Html,
}

/// A dialog over the page, open for as long as it exists.
#[component]
pub(crate) fn Dialog(props: &DialogProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let dialog = node.cast::<HtmlDialogElement>();
            if let Some(dialog) = &dialog {
                // Refused only when it is open already.
                let _ = dialog.show_modal();
            }
            move || {
                if let Some(dialog) = dialog {
                    dialog.close();
                }
            }
        });
    }
    let on_close = props.on_close.reform(|_| ());
    let on_cancel = props.on_close.reform(|event: Event| event.prevent_default());
    // A click on the dialog itself is one beside its contents.
    let on_click = {
        let (node, on_close) = (node.clone(), props.on_close.clone());
        Callback::from(move |event: MouseEvent| {
            let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
            if target == node.get() {
                on_close.emit(());
            }
        })
    };
    html! {
        <dialog
            ref={node}
            class="dialog"
            aria-labelledby="dialog-title"
            oncancel={on_cancel}
            onclick={on_click}
        >
            <div class="dialog__box">
                <header class="dialog__header">
                    <h2 id="dialog-title">{ &props.title }</h2>
                    <button type="button" class="icon-button" aria-label="Close" onclick={on_close}>
                        { Icon::Close.view() }
                    </button>
                </header>
                <div class="dialog__body">{ props.children.clone() }</div>
            </div>
        </dialog>
    }
}
