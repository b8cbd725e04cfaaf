//! What the person set for good.

/// The colours of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
}

impl Theme {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Dark,
        }
    }

    /// The theme's name, as the page's root element and the store have it.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }

    /// The theme of this name.
    #[must_use]
    pub fn parse(slug: &str) -> Option<Self> {
        [Self::Dark, Self::Light].into_iter().find(|theme| theme.slug() == slug)
    }
}

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
