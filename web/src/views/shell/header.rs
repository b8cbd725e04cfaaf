//! The header: which image, and what holds everywhere.

use yew::prelude::*;

use super::super::shared::{Chip, Icon, logo};
use crate::select::header::{Heading, Part};
use crate::state::Theme;

/// What the header shows.
#[derive(Properties, PartialEq)]
pub(crate) struct HeaderProps {
    /// The open image.
    pub heading: Option<Heading>,
    /// The theme.
    pub theme: Theme,
    /// Back to the opening page.
    pub on_home: Callback<()>,
    /// Another image.
    pub on_open: Callback<()>,
    /// Another partition of the same disk.
    pub on_partitions: Callback<()>,
    /// The filesystem as after its journal is replayed (true), or as it lies on the disk.
    pub on_replay: Callback<bool>,
    /// To the features.
    pub on_features: Callback<()>,
    /// The other theme.
    pub on_theme: Callback<()>,
    /// The box to go anywhere.
    pub on_jump: Callback<()>,
    /// The dialog that saves things.
    pub on_export: Callback<()>,
    /// The sheet of shortcuts.
    pub on_help: Callback<()>,
}

/// The header.
#[component]
pub(crate) fn Header(props: &HeaderProps) -> Html {
    let theme = match props.theme {
        Theme::Dark => "Light colours",
        Theme::Light => "Dark colours",
    };
    html! {
        <header class="header">
            <button
                type="button"
                class="header__brand"
                aria-label={if props.heading.is_some() { "extscope, close this image" } else { "extscope" }}
                onclick={props.on_home.reform(|_| ())}
            >
                { logo() }
                <span class="header__name">{ "ext" }<i>{ "scope" }</i></span>
            </button>
            { props.heading.as_ref().map(|heading| image(heading, props)) }
            <span class="grow" />
            <div class="header__tools">
                if props.heading.is_some() {
                    <button
                        type="button"
                        class="header__jump"
                        aria-label="Go to a path, name, inode or block"
                        onclick={props.on_jump.reform(|_| ())}
                    >
                        { Icon::Search.view() }
                        <span>{ "Path, name, inode, block" }</span>
                        <kbd>{ "Ctrl K" }</kbd>
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        title="Export tables, charts, a report (E)"
                        aria-label="Export"
                        onclick={props.on_export.reform(|_| ())}
                    >
                        { Icon::Save.view() }
                    </button>
                }
                <button
                    type="button"
                    class="icon-button"
                    title={theme}
                    aria-label={theme}
                    onclick={props.on_theme.reform(|_| ())}
                >
                    { Icon::Theme.view() }
                </button>
                <button
                    type="button"
                    class="icon-button"
                    title="Keyboard shortcuts"
                    aria-label="Keyboard shortcuts"
                    onclick={props.on_help.reform(|_| ())}
                >
                    { Icon::Help.view() }
                </button>
            </div>
        </header>
    }
}

fn image(heading: &Heading, props: &HeaderProps) -> Html {
    let fact = |fact: &String| html! { <span>{ fact }</span> };
    html! {
        <>
            <button
                type="button"
                class="header__image"
                title="Open another image"
                onclick={props.on_open.reform(|_| ())}
            >
                { Icon::Disk.view() }
                <b>{ &heading.title }</b>
                if let Some(file) = &heading.file {
                    <span class="header__file">{ file }</span>
                }
                { Icon::Down.view() }
            </button>
            { heading.part.as_ref().map(|part| part_chip(part, props)) }
            <div class="header__facts">{ for heading.facts.iter().map(fact) }</div>
            <span class="header__state">{ state(heading, props) }</span>
            <button
                type="button"
                class="chip header__features"
                onclick={props.on_features.reform(|_| ())}
            >
                { &heading.features }
            </button>
        </>
    }
}

/// The state of the filesystem; a button where there is another view of it.
fn state(heading: &Heading, props: &HeaderProps) -> Html {
    let chip = html! {
        <Chip tone={heading.state.tone} title={heading.state.why}>{ heading.state.word }</Chip>
    };
    let Some(replayed) = heading.other else { return chip };
    let to = if replayed { "Show it as after replay" } else { "Show it as it lies on the disk" };
    html! {
        <button
            type="button"
            class="header__other"
            title={format!("{} {to}.", heading.state.why)}
            aria-label={format!("{}. {to}", heading.state.word)}
            onclick={props.on_replay.reform(move |_| replayed)}
        >
            { chip }
        </button>
    }
}

/// Which part of the file is open; a button where there are others to choose from.
fn part_chip(part: &Part, props: &HeaderProps) -> Html {
    if !part.has_others {
        return html! { <span class="chip header__part">{ &part.name }</span> };
    }
    html! {
        <button
            type="button"
            class="chip header__part"
            title="Choose another partition"
            onclick={props.on_partitions.reform(|_| ())}
        >
            { &part.name }{ Icon::Down.view() }
        </button>
    }
}
