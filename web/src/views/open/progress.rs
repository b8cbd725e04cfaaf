//! An image is being opened.

use yew::prelude::*;

use super::super::shared::Icon;
use crate::protocol::OpenStep;
use crate::state::Opening;
use crate::text::{number, size};

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct OpeningCardProps {
    /// What is being opened.
    pub opening: Opening,
    /// Give up.
    pub on_cancel: Callback<()>,
}

/// How a step stands.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    Done,
    Now,
    Waits,
}

/// An image is being opened.
#[component]
pub(super) fn OpeningCard(props: &OpeningCardProps) -> Html {
    let opening = &props.opening;
    let known = opening.progress.max > 0;
    let share = opening.progress.cur * 100 / opening.progress.max.max(1);
    let read = size::bytes(opening.activity.bytes_read());
    let of = opening.bytes.map(|bytes| format!(" of {}", size::whole(bytes)));
    html! {
        <section class="card" aria-labelledby="opening-title">
            <header>
                <h1 id="opening-title" class="card__title">{ format!("Opening {}", opening.name) }</h1>
                <p>{ "The map appears as soon as the group descriptors are there." }</p>
            </header>
            <div
                class={classes!("progress", (!known).then_some("progress--unknown"))}
                role="progressbar"
                aria-label="Opening"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow={known.then(|| share.to_string())}
            >
                <i style={known.then(|| format!("width:{share}%"))} />
            </div>
            <p class="progress__figures">{ read }{ of }{ " read" }</p>
            <ol class="steps">{ for steps(opening).into_iter().map(step) }</ol>
            <footer>
                <button type="button" class="button" onclick={props.on_cancel.reform(|_| ())}>
                    { "Cancel" }
                </button>
            </footer>
        </section>
    }
}

fn steps(opening: &Opening) -> Vec<(Standing, &'static str, String)> {
    let now = opening.step;
    let standing = |step: OpenStep| match now {
        Some(now) if now == step => Standing::Now,
        Some(now) if now > step => Standing::Done,
        _ => Standing::Waits,
    };
    let mut steps = Vec::new();
    if opening.bytes.is_none() {
        let fetched = if now.is_some() { Standing::Done } else { Standing::Now };
        steps.push((fetched, "Fetching the sample", String::new()));
    }
    let figure = |step: OpenStep| {
        let progress = opening.progress;
        if now == Some(step) && progress.max > 0 {
            format!("{} of {}", number::count(progress.cur), number::count(progress.max))
        } else {
            String::new()
        }
    };
    for (step, name) in [
        (OpenStep::Superblock, "Superblock"),
        (OpenStep::Partitions, "Partitions of a disk"),
        (OpenStep::Backups, "Backups of the superblock"),
        (OpenStep::GroupDescriptors, "Group descriptors"),
        (OpenStep::Journal, "Replay of the journal"),
    ] {
        // Partitions and backups are looked for only where there is need, as is the journal.
        let is_rare = matches!(step, OpenStep::Partitions | OpenStep::Backups | OpenStep::Journal);
        if !is_rare || now == Some(step) {
            steps.push((standing(step), name, figure(step)));
        }
    }
    steps
}

fn step((standing, name, figure): (Standing, &'static str, String)) -> Html {
    let (class, mark) = match standing {
        Standing::Done => ("steps__done", Icon::Ok.view()),
        Standing::Now => ("steps__now", html! { <i class="spinner" /> }),
        Standing::Waits => ("", html! { <i /> }),
    };
    html! {
        <li {class} aria-current={(standing == Standing::Now).then_some("step")}>
            { mark }<span>{ name }</span><small>{ figure }</small>
        </li>
    }
}
