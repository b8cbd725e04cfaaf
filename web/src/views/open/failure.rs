//! The image could not be opened, or the program broke.

use extscope::{Error, ErrorKind};
use yew::prelude::*;

use super::super::shared::{Icon, KeyValue, KeyValues};
use super::from_byte::FromByte;
use crate::client;
use crate::select::partitions::part_name;
use crate::state::{DiskPart, Failure, Reason};
use crate::text::{number, words};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct FailureCardProps {
    /// What failed.
    pub failure: Failure,
    /// Choose another file.
    pub on_pick: Callback<()>,
    /// Open a part of the same file, or all of it.
    pub on_part: Callback<Option<DiskPart>>,
    /// Open the same file again.
    pub on_reopen: Callback<()>,
    /// Back.
    pub on_cancel: Callback<()>,
}

/// The image could not be opened, or the program broke.
#[component]
pub(super) fn FailureCard(props: &FailureCardProps) -> Html {
    let Failure { name, part, reason } = &props.failure;
    let (title, again_first) = match reason {
        Reason::Image(error) => (image_title(error.kind()), error.kind() == ErrorKind::Io),
        Reason::Scenario { .. } => ("There is no such scenario", false),
        Reason::Program(_) => ("Something in extscope broke", true),
        Reason::Renewed => ("There is a newer extscope", false),
        Reason::Sample(_) => ("The sample could not be fetched", true),
    };
    let details = match reason {
        Reason::Image(error) => {
            image_details(KeyValue::amount("File", name.to_string()), *part, error)
        }
        Reason::Scenario { recipe, error } => {
            image_details(KeyValue::amount("Recipe", recipe.to_string()), None, error)
        }
        Reason::Program(report) => html! {
            <>
                <p class="card__text">{ words::CRASHED }{ " Opening the file again starts afresh." }</p>
                <details class="card__details">
                    <summary>{ "What the program said" }</summary>
                    <pre class="code">{ report }</pre>
                </details>
            </>
        },
        Reason::Renewed => html! {
            <p class="card__text">{ words::RENEWED }{ " Then open the file again." }</p>
        },
        Reason::Sample(text) => html! {
            <p class="card__text">
                <b>{ &**name }</b>{ ": " }{ text }{ ". The samples lie beside the page; a page that was \
                saved alone does not have them. Files of your own open all the same." }
            </p>
        },
    };
    let is_scenario = matches!(reason, Reason::Scenario { .. });
    let is_not_ext = matches!(reason, Reason::Image(error) if error.kind() == ErrorKind::NotExt);
    let reload = Callback::from(|_: MouseEvent| client::reload());
    let again = html! {
        <button
            type="button"
            class={classes!("button", again_first.then_some("button--primary"))}
            onclick={props.on_reopen.reform(|_| ())}
        >
            { "Open it again" }
        </button>
    };
    let other = html! {
        <button
            type="button"
            class={classes!("button", (!again_first).then_some("button--primary"))}
            onclick={props.on_pick.reform(|_| ())}
        >
            { "Choose another file…" }
        </button>
    };
    html! {
        <section class="card" role="alert" aria-labelledby="failure-title">
            <header>
                <h1 id="failure-title" class="card__title card__title--err">
                    { Icon::Err.view() }{ title }
                </h1>
            </header>
            { details }
            if is_not_ext {
                <FromByte on_part={props.on_part.clone()} />
            }
            <footer>
                if *reason == Reason::Renewed {
                    <button type="button" class="button button--primary" onclick={reload}>
                        { "Load the page again" }
                    </button>
                } else if again_first {
                    { again }{ other }
                } else if !is_scenario {
                    { other }{ again }
                }
                <button
                    type="button"
                    class={classes!("button", if is_scenario { "button--primary" } else { "button--quiet" })}
                    onclick={props.on_cancel.reform(|_| ())}
                >
                    { "Back" }
                </button>
            </footer>
        </section>
    }
}

const fn image_title(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotExt => "This is not an ext filesystem",
        ErrorKind::Io => "The file could not be read",
        ErrorKind::Unsupported => "extscope does not know this kind of image",
        ErrorKind::Limit => "The image asks for more than extscope allows",
        ErrorKind::Cancelled => "Opening was cancelled",
        _ => "The superblock makes no sense",
    }
}

fn image_details(of: KeyValue, part: Option<DiskPart>, error: &Error) -> Html {
    let at = error.at();
    let mut rows = vec![of];
    if let Some(part) = part {
        rows.push(KeyValue::amount("Opened", part_name(part)));
    }
    if let Some(offset) = at.offset {
        rows.push(KeyValue::address("At byte", number::hex(offset.get(), 7)));
    }
    if let Some(offset) = part.and_then(|part| part.in_file(error)) {
        rows.push(KeyValue::address("Byte of the file", number::hex(offset, 7)));
    }
    if let Some(fsblk) = at.fsblk {
        rows.push(KeyValue::address("At block", number::count(fsblk.get())));
    }
    if let Some(group) = at.group {
        rows.push(KeyValue::address("At group", number::count(group.get().into())));
    }
    if let Some(cause) = error.cause() {
        rows.push(KeyValue::amount("The browser says", cause.to_owned()));
    }
    let hint = error.hint().map(|hint| html! { <p class="card__text">{ hint }</p> });
    html! {
        <>
            <p class="card__text">{ words::sentence(error.what()) }</p>
            <div class="card__rows"><KeyValues {rows} /></div>
            { hint }
        </>
    }
}
