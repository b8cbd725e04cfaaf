//! The sheet of keyboard shortcuts.

use yew::prelude::*;

use super::super::shared::Dialog;

/// A shortcut: what it does, and the keys that do it.
type Shortcut = (&'static str, &'static [&'static str]);

const SECTIONS: [(&str, &[Shortcut]); 9] = [
    (
        "Anywhere",
        &[
            ("This sheet", &["?"]),
            ("Open another image", &["Ctrl O"]),
            ("Go to a path, name, inode, block", &["Ctrl K", "/"]),
            ("Export", &["E"]),
            ("Light or dark", &["Shift D"]),
            ("Side bar", &["["]),
            ("Inspector", &["]"]),
            ("Close, deselect", &["Esc"]),
        ],
    ),
    (
        "Go to a view: G, then",
        &[
            ("Map", &["M"]),
            ("Files", &["F"]),
            ("Groups", &["G"]),
            ("Superblock", &["U"]),
            ("Hex", &["X"]),
            ("Free space", &["E"]),
            ("Shrink", &["S"]),
            ("Check", &["C"]),
            ("Learn", &["L"]),
        ],
    ),
    (
        "Map",
        &[
            ("Move the cursor", &["←", "↑", "→", "↓"]),
            ("Ends of the row", &["Home", "End"]),
            ("Ends of the disk", &["Ctrl Home", "Ctrl End"]),
            ("By several rows, by groups", &["PgUp", "PgDn"]),
            ("Zoom in, out by a level", &["Enter", "Backspace"]),
            ("Larger, smaller, whole disk", &["+", "-", "0"]),
            ("What the colours say", &["1", "to", "9"]),
            ("Order of blocks", &["R"]),
            ("Bits in blocks, or letters", &["B"]),
            ("Next, previous extent of the file", &["N", "P"]),
            ("Next, previous free extent", &["F", "Shift F"]),
            ("Bytes of the block", &["X"]),
            ("Its file in Files", &["O"]),
            ("All blocks of a file", &["Alt click"]),
            ("Select blocks", &["Shift drag"]),
            ("As a table", &["T"]),
        ],
    ),
    (
        "Files",
        &[
            ("Row down, up", &["J", "K"]),
            ("Open, close a directory", &["→", "←"]),
            ("First, last row", &["Home", "End"]),
        ],
    ),
    (
        "Groups",
        &[
            ("Row down, up", &["J", "K"]),
            ("By a page", &["PgUp", "PgDn"]),
            ("First, last row", &["Home", "End"]),
            ("Show on the map", &["M"]),
        ],
    ),
    (
        "Hex",
        &[
            ("To another byte", &["←", "↑", "→", "↓"]),
            ("Field down, up", &["J", "K"]),
            ("Where the field leads", &["Enter"]),
        ],
    ),
    (
        "Shrink, on the line",
        &[
            ("A MiB less, more", &["←", "→"]),
            ("64 MiB less, more", &["Shift ←", "Shift →"]),
            ("A GiB less, more", &["PgDn", "PgUp"]),
            ("The smallest size", &["Home"]),
        ],
    ),
    (
        "Check",
        &[
            ("Problem down, up", &["J", "K"]),
            ("Open, close a kind of problem", &["→", "←"]),
            ("First, last problem", &["Home", "End"]),
        ],
    ),
    (
        "Learn",
        &[
            ("Play, pause", &["Space"]),
            ("A step back, on", &["←", "→"]),
            ("The next event", &["Shift →"]),
            ("To the start, the end", &["Home", "End"]),
            ("Slower, faster", &[",", "."]),
        ],
    ),
];

/// What the sheet shows.
#[derive(Properties, PartialEq)]
pub(crate) struct ShortcutsProps {
    /// Whether single keys are shortcuts.
    pub single_keys: bool,
    /// Single keys shall be shortcuts, or no longer.
    pub on_single_keys: Callback<()>,
    /// The person closed it.
    pub on_close: Callback<()>,
}

/// The sheet of keyboard shortcuts.
#[component]
pub(crate) fn Shortcuts(props: &ShortcutsProps) -> Html {
    let key = |key: &&'static str| html! { <kbd>{ *key }</kbd> };
    let shortcut = |(what, keys): &Shortcut| {
        html! { <li>{ *what }<span>{ for keys.iter().map(key) }</span></li> }
    };
    let section = |(title, shortcuts): &(&'static str, &[Shortcut])| {
        html! {
            <section>
                <h3>{ *title }</h3>
                <ul>{ for shortcuts.iter().map(shortcut) }</ul>
            </section>
        }
    };
    html! {
        <Dialog title="Keyboard shortcuts" on_close={props.on_close.clone()}>
            <div class="shortcuts">{ for SECTIONS.iter().map(section) }</div>
            <label class="check">
                <input
                    type="checkbox"
                    checked={props.single_keys}
                    onchange={props.on_single_keys.reform(|_| ())}
                />
                { "Single keys without Ctrl are shortcuts" }
            </label>
        </Dialog>
    }
}
