//! What is worth saying above everything else.

use yew::prelude::*;

use super::shared::Icon;
use crate::client::{Engine, load_newer};
use crate::state::{AppState, Transfer};

/// When a newer page than this one is kept.
const NEWER: &str =
    "A newer extscope is here. Load the page again to have it; what is open is closed.";

/// What is said.
#[derive(Properties, PartialEq)]
pub(super) struct BannersProps {
    /// The file on its way to the person's disk.
    pub transfer: Option<Transfer>,
    /// Whether a worker that has something to do says nothing.
    pub is_silent: bool,
    /// Whether a newer page than this one is kept.
    pub has_newer_build: bool,
    /// What keeps the page from working at all, when something does.
    pub notice: Option<String>,
    /// The engine.
    pub engine: Engine,
    /// The person read the notice.
    pub on_read: Callback<()>,
    /// The person knows of the newer page.
    pub on_known: Callback<()>,
}

impl BannersProps {
    /// What the state has to say.
    pub(super) fn of(
        state: &AppState,
        engine: &Engine,
        on_read: Callback<()>,
        on_known: Callback<()>,
    ) -> Self {
        Self {
            transfer: state.transfer.clone(),
            is_silent: state.is_silent,
            has_newer_build: state.has_newer_build,
            notice: state.notice.clone(),
            engine: engine.clone(),
            on_read,
            on_known,
        }
    }
}

/// What is worth saying above everything else.
#[component]
pub(super) fn Banners(props: &BannersProps) -> Html {
    html! {
        <div class="banners">
            { props.transfer.as_ref().map(|transfer| saving(transfer, &props.engine)) }
            if props.is_silent { { silence(&props.engine) } }
            // It is there before its words, or nobody is told of them.
            <p class="visually-hidden" role="status">{ props.has_newer_build.then_some(NEWER) }</p>
            if props.has_newer_build { { newer(&props.on_known) } }
            if let Some(notice) = &props.notice {
                <div class="banner">
                    <p role="alert">{ notice }</p>
                    { close(&props.on_read) }
                </div>
            }
        </div>
    }
}

fn saving(transfer: &Transfer, engine: &Engine) -> Html {
    html! {
        <div class="banner">
            <p>
                { "Saving " }<b><bdi>{ transfer.name.clone() }</bdi></b>
                { format!(", {}", transfer.words()) }
            </p>
            <p class="visually-hidden" role="status">{ transfer.announcement() }</p>
            { button("Stop", engine, Engine::stop_saving) }
        </div>
    }
}

fn silence(engine: &Engine) -> Html {
    html! {
        <div class="banner">
            <p role="alert">
                { "The engine has said nothing for a while. It may be at something long, or wait for \
                   the disk, and goes on by itself after that." }
            </p>
            { button("Open again", engine, Engine::reopen) }
            { button("Close", engine, Engine::close) }
        </div>
    }
}

fn newer(on_known: &Callback<()>) -> Html {
    let onclick = Callback::from(|_: MouseEvent| load_newer());
    html! {
        <div class="banner">
            <p>{ NEWER }</p>
            <button type="button" class="button button--small" {onclick}>{ "Load again" }</button>
            { close(on_known) }
        </div>
    }
}

fn close(on_read: &Callback<()>) -> Html {
    html! {
        <button
            type="button"
            class="icon-button icon-button--small"
            aria-label="Close the notice"
            onclick={on_read.reform(|_| ())}
        >
            { Icon::Close.view() }
        </button>
    }
}

fn button(label: &'static str, engine: &Engine, act: fn(&Engine)) -> Html {
    let engine = engine.clone();
    let onclick = Callback::from(move |_: MouseEvent| act(&engine));
    html! { <button type="button" class="button button--small" {onclick}>{ label }</button> }
}
