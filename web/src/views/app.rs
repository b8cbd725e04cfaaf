//! The page.

use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::client::use_engine;

/// The page.
#[component]
pub fn App() -> Html {
    let (state, engine) = use_engine();
    let on_change = {
        let engine = engine.clone();
        Callback::from(move |event: Event| {
            let input =
                event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0))
            {
                engine.open_file(&file);
            }
        })
    };
    html! {
        <main>
            <h1>{ "extscope" }</h1>
            <input type="file" aria-label="Image" onchange={on_change} />
            <pre data-testid="phase">{ format!("{:#?}", state.phase).chars().take(4000).collect::<String>() }</pre>
        </main>
    }
}
