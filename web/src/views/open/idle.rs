//! Nothing is open: what the page is for, and where to drop an image.

use yew::prelude::*;

use super::super::shared::{Icon, use_media};
use crate::text::words;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct IdleProps {
    /// Whether a file is being dragged over the page.
    pub is_over: bool,
    /// Choose a file.
    pub on_pick: Callback<()>,
}

/// Nothing is open.
#[component]
pub(super) fn Idle(props: &IdleProps) -> Html {
    // A finger cannot drag a file.
    let is_touch = use_media("(hover: none) and (pointer: coarse)");
    let call = match (props.is_over, is_touch) {
        (true, _) => "Let go to open",
        (false, true) => "Open an image",
        (false, false) => "Drop an image here",
    };
    let class = classes!("drop-zone", props.is_over.then_some("drop-zone--over"));
    html! {
        <>
            <h1>{ "See every block group of an ext2, ext3 or ext4 image" }</h1>
            <p class="open__lead">
                { "A map of the whole disk, its descriptors and superblock, and the bitmaps down to \
                   single bits. Large images open at once: only what is looked at is read." }
            </p>
            <div {class}>
                { Icon::Disk.view() }
                <h2>{ call }</h2>
                <p>{ "A filesystem image of any size, damaged ones too." }</p>
                <button
                    type="button"
                    class="button button--primary button--big"
                    onclick={props.on_pick.reform(|_| ())}
                >
                    { "Choose a file…" }
                </button>
            </div>
            <p class="open__promise">
                { Icon::Lock.view() }
                <span>
                    <b>{ words::NOTHING_LEAVES }</b>
                    { " The file is read inside this tab, only where needed, and the image on your \
                       disk stays as it is." }
                </span>
            </p>
        </>
    }
}
