//! What the person set for good.

pub use extscope_picture::Theme;

/// What the person set for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The colours of the page.
    pub theme: Theme,
    /// Whether the person chose them; else they follow the system's.
    pub is_theme_chosen: bool,
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
            Setting::Theme => Self { theme: self.theme.other(), is_theme_chosen: true, ..self },
            Setting::SideBar => Self { side_bar: !self.side_bar, ..self },
            Setting::Inspector => Self { inspector: !self.inspector, ..self },
            Setting::SingleKeys => Self { single_keys: !self.single_keys, ..self },
        }
    }

    /// The settings once the system prefers other colours.
    #[must_use]
    pub fn with_system_theme(self, theme: Theme) -> Self {
        if self.is_theme_chosen { self } else { Self { theme, ..self } }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let theme = Theme::default();
        Self { theme, is_theme_chosen: false, side_bar: true, inspector: true, single_keys: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_follows_the_system_until_the_person_chooses() {
        let first = Settings::default();
        let followed = first.with_system_theme(Theme::Light);
        assert_eq!(followed.theme, Theme::Light);
        let chosen = followed.turned(Setting::Theme);
        assert_eq!(chosen.with_system_theme(Theme::Light).theme, Theme::Dark);
    }
}
