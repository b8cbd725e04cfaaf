//! The icons: strokes on a grid of 16.

use yew::prelude::*;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// An SD card.
    Disk,
    /// Tiles.
    Map,
    /// A folder.
    Folder,
    /// A sheet of paper.
    File,
    /// A chain's links.
    Link,
    /// A plug.
    Device,
    /// An arrow into a tray.
    Save,
    /// A table.
    Groups,
    /// A page of fields.
    Superblock,
    /// A number sign.
    Hex,
    /// Bars of many heights.
    Free,
    /// Two arrows towards each other, between bars.
    Shrink,
    /// A shield with a tick.
    Check,
    /// A mortarboard.
    Learn,
    /// Three lines.
    More,
    /// A magnifier.
    Search,
    /// Half light, half dark.
    Theme,
    /// A question mark.
    Help,
    /// A padlock.
    Lock,
    /// A triangle.
    Warn,
    /// A crossed circle.
    Err,
    /// A tick.
    Ok,
    /// A cross.
    Close,
    /// An arrow head to the left.
    Left,
    /// An arrow head to the right.
    Right,
    /// An arrow head up.
    Up,
    /// An arrow head down.
    Down,
    /// Two bars.
    Pause,
    /// A triangle to the right.
    Play,
    /// An arrow to a bar on the right.
    StepOn,
    /// An arrow to a bar on the left.
    StepBack,
    /// An arrow in a circle.
    Again,
}

impl Icon {
    /// The icon's paths.
    const fn path(self) -> &'static str {
        match self {
            Self::Disk => {
                "M4 1.8h6L13 5v8.2c0 .6-.4 1-1 1H4c-.6 0-1-.4-1-1V2.8c0-.6.4-1 1-1zM5.5 4v2M7.5 4v2M9.5 4.5V6"
            }
            Self::Map => "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h2v2H9zM12 12h2v2h-2z",
            Self::Folder => {
                "M2 4.5c0-.6.4-1 1-1h3l1.5 1.7H13c.6 0 1 .4 1 1v5.8c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1z"
            }
            Self::File => "M4 2h5l3 3v9H4zM9 2v3h3",
            Self::Link => {
                "M6.5 9.5 9.5 6.5M7 4.8l1.6-1.6a2.4 2.4 0 0 1 3.4 3.4L10.4 8.2M9 11.2l-1.6 1.6a2.4 2.4 0 0 1-3.4-3.4L5.6 7.8"
            }
            Self::Device => "M3 5h10v6H3zM6 5V3M10 5V3M8 11v2.5",
            Self::Save => "M8 2.5v7M5 6.8l3 3 3-3M2.5 10.5v3h11v-3",
            Self::Groups => "M2 4h12M2 8h12M2 12h12M5.5 2.5v11",
            Self::Superblock => {
                "M4.5 2.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM5 6h6M5 8.5h6M5 11h3.5"
            }
            Self::Hex => "M6 2.5 4.5 13.5M11.5 2.5 10 13.5M2.5 5.5h11.5M2 10.5h11.5",
            Self::Free => "M2.5 13.5V9M6 13.5v-7M9.5 13.5v-11M13 13.5V7",
            Self::Shrink => "M2 3v10M14 3v10M3.5 8h3.7M5.5 6l2 2-2 2M12.5 8H8.8M10.5 6l-2 2 2 2",
            Self::Check => {
                "M8 1.8 13 3.6v4.1c0 3.1-2 5.4-5 6.5-3-1.1-5-3.4-5-6.5V3.6zM5.7 7.9l1.7 1.7 3-3.2"
            }
            Self::Learn => {
                "M1.5 6 8 3l6.5 3L8 9zM4 7.2v3.6c1.2 1 2.6 1.5 4 1.5s2.8-.5 4-1.5V7.2M14.5 6v3.5"
            }
            Self::More => "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
            Self::Search => "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5l3 3",
            Self::Theme => {
                "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 2.5v11M9.5 3v10M11 4v8M12.5 5.5v5"
            }
            Self::Help => {
                "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.2 6.2a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.9.7-.9 1.2M8 11.3v.1"
            }
            Self::Lock => {
                "M4.5 7h7c.8 0 1.5.7 1.5 1.5V12c0 .8-.7 1.5-1.5 1.5h-7c-.8 0-1.5-.7-1.5-1.5V8.5c0-.8.7-1.5 1.5-1.5zM5.2 7V5a2.8 2.8 0 0 1 5.6 0v2"
            }
            Self::Warn => "M8 2.3 14.3 13.3H1.7zM8 6.5v3.2M8 11.5v.1",
            Self::Err => "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6 6l4 4M10 6l-4 4",
            Self::Ok => "m3 8.5 3.2 3.2L13 5",
            Self::Close => "m4 4 8 8M12 4l-8 8",
            Self::Left => "M9.5 4.5 6 8l3.5 3.5",
            Self::Right => "m6.5 4.5 3.5 3.5-3.5 3.5",
            Self::Up => "m5 9.5 3-3 3 3",
            Self::Down => "m5 6.5 3 3 3-3",
            Self::Pause => "M5.5 3.5v9M10.5 3.5v9",
            Self::Play => "M5 3.2v9.6L12.5 8z",
            Self::StepOn => "M4.5 3.8v8.4L10.5 8zM12 3.8v8.4",
            Self::StepBack => "M11.5 3.8v8.4L5.5 8zM4 3.8v8.4",
            Self::Again => "M12.8 8a4.8 4.8 0 1 1-1.4-3.4L13 6.2M13 3v3.2H9.8",
        }
    }

    /// The icon, for the eye alone: what it stands for is said beside it.
    pub(crate) fn view(self) -> Html {
        html! {
            <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                <path d={self.path()} />
            </svg>
        }
    }
}

/// The project's mark: a Hilbert curve of the second order.
pub(crate) fn logo() -> Html {
    html! {
        <svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <rect class="logo__frame" x="1.25" y="1.25" width="21.5" height="21.5" rx="5.5" />
            <path
                class="logo__curve"
                d="M6 18V14.5h3.5V18H14.5v-3.5H11V10H6V6h4.5v3.5M14.5 6h3.5v4h-3.5V6ZM18 14.5V18"
            />
        </svg>
    }
}
