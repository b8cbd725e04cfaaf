//! The status bar: what the engine does, what it read, what the pointer is over.

use yew::prelude::*;

use super::super::shared::{Aside, Icon, use_aside, use_outside};
use super::Reads;
use crate::select::status::{Doing, Status};
use crate::text::{number, size, words};

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub(crate) struct StatusBarProps {
    /// The status.
    pub status: Status,
    /// Who tells what the pointer is over, where something does.
    pub pointed: Option<Aside<String>>,
    /// Stop reading bitmaps, or go on.
    pub on_pause: Callback<bool>,
}

/// The status bar.
#[component]
pub(crate) fn StatusBar(props: &StatusBarProps) -> Html {
    let status = &props.status;
    let shows_reads = use_state(|| false);
    let node = use_node_ref();
    use_outside(node.clone(), *shows_reads, {
        let shows_reads = shows_reads.clone();
        Callback::from(move |()| shows_reads.set(false))
    });
    let toggle = {
        let shows_reads = shows_reads.clone();
        Callback::from(move |_: MouseEvent| shows_reads.set(!*shows_reads))
    };
    let dot = match status.doing {
        Doing::Ready => "status-bar__dot",
        Doing::Reading => "status-bar__dot status-bar__dot--busy",
        Doing::Paused => "status-bar__dot status-bar__dot--idle",
        Doing::Stopped => "status-bar__dot status-bar__dot--err",
    };
    html! {
        <footer class="status-bar">
            <span title={status.reason.clone()}>
                <i class={dot} />
                <b>{ status.doing.word() }</b>
                { pause_button(status.doing, &props.on_pause) }
            </span>
            <span class="status-bar__bitmaps">
                { "Bitmaps " }<b>{ number::count(status.swept) }</b>
                { " of " }{ number::count(status.groups) }
            </span>
            <span class="status-bar__reads" ref={node}>
                <button
                    type="button"
                    aria-expanded={shows_reads.to_string()}
                    title="What was read"
                    onclick={toggle}
                >
                    { "Read " }<b>{ status.read_text() }</b>{ " of " }{ size::whole(status.image) }
                    <i class="status-bar__meter"><i style={width(status)} /></i>
                </button>
                if *shows_reads {
                    <div class="popover" role="dialog" aria-label="What was read">
                        <Reads status={status.clone()} />
                    </div>
                }
            </span>
            <span class="status-bar__memory">
                { "Workers' memory " }<b>{ size::bytes(status.memory) }</b>
            </span>
            <span class="grow" />
            if let Some(pointed) = &props.pointed { <Pointer pointed={pointed.clone()} /> }
            <span class="status-bar__lock">{ Icon::Lock.view() }{ words::LOCAL_ONLY }</span>
        </footer>
    }
}

/// What is shown of the pointer.
#[derive(Properties, PartialEq)]
struct PointerProps {
    /// Who tells what it is over.
    pointed: Aside<String>,
}

/// What the pointer is over.
#[component]
fn Pointer(props: &PointerProps) -> Html {
    use_aside(&props.pointed)
        .map(|over| html! { <span class="mono">{ over }</span> })
        .unwrap_or_default()
}

fn width(status: &Status) -> String {
    let permille = u128::from(status.read) * 1000;
    let permille = permille.checked_div(u128::from(status.image)).unwrap_or(0).min(1000);
    format!("width:{}.{}%", permille / 10, permille % 10)
}

fn pause_button(doing: Doing, on_pause: &Callback<bool>) -> Option<Html> {
    let (icon, name, paused) = match doing {
        Doing::Reading => (Icon::Pause, "Stop reading bitmaps", true),
        Doing::Paused => (Icon::Play, "Go on reading bitmaps", false),
        Doing::Ready | Doing::Stopped => return None,
    };
    let on_click = on_pause.reform(move |_: MouseEvent| paused);
    Some(html! {
        <button type="button" class="status-bar__pause" aria-label={name} title={name} onclick={on_click}>
            { icon.view() }
        </button>
    })
}
