//! What the person set for good.

pub use extscope_picture::Theme;

/// What the person set for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The colours of the page.
    pub theme: Theme,
    /// Whether the side bar shows names beside its icons.
    pub side_bar: bool,
    /// Whether the inspector is open.
    pub inspector: bool,
    /// Whether single letters are shortcuts. WCAG 2.1.4.
    pub single_keys: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { theme: Theme::default(), side_bar: true, inspector: true, single_keys: true }
    }
}
