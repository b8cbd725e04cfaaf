//! What is worth saying above everything else.

use yew::prelude::*;

use super::shared::Icon;
use crate::client::{Engine, reload};
use crate::state::{AppState, Transfer};

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
}

impl BannersProps {
    /// What the state has to say.
    pub(super) fn of(state: &AppState, engine: &Engine, on_read: Callback<()>) -> Self {
        Self {
            transfer: state.transfer.clone(),
            is_silent: state.is_silent,
            has_newer_build: state.has_newer_build,
            notice: state.notice.clone(),
            engine: engine.clone(),
            on_read,
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
            if props.has_newer_build { { newer() } }
            if let Some(notice) = &props.notice {
                <div class="banner">
                    <p role="alert">{ notice }</p>
                    <button
                        type="button"
                        class="icon-button icon-button--small"
                        aria-label="Close the notice"
                        onclick={props.on_read.reform(|_| ())}
                    >
                        { Icon::Close.view() }
                    </button>
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

fn newer() -> Html {
    let onclick = Callback::from(|_: MouseEvent| reload());
    html! {
        <div class="banner">
            <p role="status">
                { "A newer extscope is here. Load the page again to have it; what is open is closed." }
            </p>
            <button type="button" class="button button--small" {onclick}>{ "Load again" }</button>
        </div>
    }
}

fn button(label: &'static str, engine: &Engine, act: fn(&Engine)) -> Html {
    let engine = engine.clone();
    let onclick = Callback::from(move |_: MouseEvent| act(&engine));
    html! { <button type="button" class="button button--small" {onclick}>{ label }</button> }
}
