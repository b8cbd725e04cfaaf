//! The commands that do it.

use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::select::shrink_commands::{Aim, Line, Subject, commands};

/// What the commands are for.
#[derive(Properties, PartialEq)]
pub(super) struct RecipeProps {
    /// What is to be made smaller.
    pub subject: Subject,
    /// Blocks that resize2fs is asked for.
    pub blocks: u64,
    /// Blocks that the filesystem has then, where that is known.
    pub final_blocks: Option<u64>,
    /// Whether `-f` is needed.
    pub force: bool,
    /// Whether resize2fs comes to that size, as far as is known.
    pub is_possible: bool,
}

/// The commands, to be copied.
#[component]
pub(super) fn Recipe(props: &RecipeProps) -> Html {
    let is_qcow2 = use_state(|| false);
    let RecipeProps { blocks, final_blocks, force, .. } = *props;
    let aim = Aim { blocks, final_blocks, force, is_qcow2: *is_qcow2 };
    let lines = commands(&props.subject, aim);
    let is_copied = use_state(|| None::<bool>);
    {
        let is_copied = is_copied.clone();
        use_effect_with((props.subject.clone(), aim), move |_| is_copied.set(None));
    }
    let form = |(name, of): (&'static str, bool)| {
        let is_qcow2 = is_qcow2.clone();
        html! {
            <label>
                <input type="radio" name="shrink-form" checked={*is_qcow2 == of}
                    onchange={Callback::from(move |_: Event| is_qcow2.set(of))} />
                <span>{ name }</span>
            </label>
        }
    };
    let text: String = lines.iter().map(|line| line.text() + "\n").collect();
    let copy = {
        let is_copied = is_copied.clone();
        Callback::from(move |_: MouseEvent| {
            let (text, is_copied) = (text.clone(), is_copied.setter());
            spawn_local(async move {
                let navigator = web_sys::window().map(|window| window.navigator());
                let done = match navigator {
                    Some(navigator) => {
                        JsFuture::from(navigator.clipboard().write_text(&text)).await.is_ok()
                    }
                    None => false,
                };
                is_copied.set(Some(done));
            });
        })
    };
    let line = |line: &Line| match line {
        Line::Comment(comment) => {
            html! { <span class="code__comment">{ format!("# {comment}\n") }</span> }
        }
        Line::Command(command) => html! { <b>{ format!("{command}\n") }</b> },
    };
    if !props.is_possible {
        return html! {
            <section class="recipe" aria-labelledby="shrink-recipe">
                <h2 id="shrink-recipe">{ "Commands" }</h2>
                <p class="fine">{ "There are none: resize2fs would not come to this size." }</p>
            </section>
        };
    }
    html! {
        <section class="recipe" aria-labelledby="shrink-recipe">
            <h2>
                <span id="shrink-recipe">{ "Commands" }</span>
                <span class="segmented" role="radiogroup" aria-label="Image to come to">
                    { for [("Raw", false), ("qcow2", true)].map(form) }
                </span>
                <button type="button" class="button button--small" onclick={copy}>{ "Copy" }</button>
                <small role="status">
                    { match *is_copied {
                        None => "",
                        Some(true) => "copied",
                        Some(false) => "the browser did not allow it",
                    } }
                </small>
            </h2>
            <pre class="code" tabindex="0">{ for lines.iter().map(line) }</pre>
            <p class="fine">
                { "They work on a copy, and end where one of them fails. With anything but e2fsprogs 1.47 the numbers may differ." }
            </p>
        </section>
    }
}
