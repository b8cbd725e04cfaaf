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

/// A setting that is turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The colours of the page.
    Theme,
    /// Names beside the icons of the side bar.
    SideBar,
    /// The inspector.
    Inspector,
    /// Single letters as shortcuts.
    SingleKeys,
}

impl Settings {
    /// The settings with one of them turned over.
    #[must_use]
    pub fn turned(self, setting: Setting) -> Self {
        match setting {
            Setting::Theme => Self { theme: self.theme.other(), ..self },
            Setting::SideBar => Self { side_bar: !self.side_bar, ..self },
            Setting::Inspector => Self { inspector: !self.inspector, ..self },
            Setting::SingleKeys => Self { single_keys: !self.single_keys, ..self },
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { theme: Theme::default(), side_bar: true, inspector: true, single_keys: true }
    }
}
