//! The colours of the map, read from the style sheet's tokens so that each is written once.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::gamma::{linear, value};
use super::kind::Kind;
use super::space::DevicePx;

/// The style sheet's tokens.
const TOKENS: &str = include_str!("../../web/css/tokens.css");

/// The colours of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

    /// The theme's name, as the page's root element, the store and options have it.
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

/// Red, green, blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// Reads `#rrggbb`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('#').filter(|d| d.len() == 6)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        let [_, r, g, b] = value.to_be_bytes();
        Some(Self(r, g, b))
    }

    /// `share` of the way from here to `other`, in sRGB.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let blend = |a: u8, b: u8| {
            let (a, b) = (f32::from(a), f32::from(b));
            (a + (b - a) * share).round() as u8
        };
        Self(blend(self.0, other.0), blend(self.1, other.1), blend(self.2, other.2))
    }

    /// Relative luminance. Ref: WCAG 2.2.
    #[must_use]
    pub fn luminance(self) -> f32 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// In linear light, each from 0 to 1. Ref: IEC 61966-2-1.
    #[must_use]
    pub fn linear(self) -> [f32; 3] {
        [self.0, self.1, self.2].map(linear)
    }

    /// From linear light.
    #[must_use]
    pub fn from_linear(light: [f32; 3]) -> Self {
        let [r, g, b] = light.map(value);
        Self(r, g, b)
    }

    /// As an opaque pixel.
    #[must_use]
    pub fn rgba(self) -> [u8; 4] {
        [self.0, self.1, self.2, 255]
    }

    /// As a style sheet writes it.
    #[must_use]
    pub fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// A colour for each share of blocks in use, from none (0) to all (255).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ramp(Box<[Rgb; 256]>);

impl Ramp {
    /// Interpolates between stops that lie evenly from 0 to 255.
    ///
    /// Fewer than two stops give one colour throughout.
    #[must_use]
    pub fn between(stops: &[Rgb]) -> Self {
        let last = stops.len().saturating_sub(1);
        let mut colours = Box::new([stops.first().copied().unwrap_or_default(); 256]);
        for (i, colour) in colours.iter_mut().enumerate() {
            let place = i as f32 / 255.0 * last as f32;
            let from = (place as usize).min(last.saturating_sub(1));
            if let (Some(&a), Some(&b)) = (stops.get(from), stops.get(from + 1)) {
                *colour = a.mix(b, place - from as f32);
            }
        }
        Self(colours)
    }

    /// The ramp of each colour's image.
    #[must_use]
    fn map(&self, image: impl Fn(Rgb) -> Rgb) -> Self {
        Self(Box::new(self.0.map(image)))
    }

    /// The colour of a share.
    #[must_use]
    pub fn at(&self, share: u8) -> Rgb {
        self.0[usize::from(share)]
    }
}

/// Everything the canvases need of one theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything.
    pub app: Rgb,
    /// Behind the map.
    pub well: Rgb,
    /// Free blocks.
    pub free: Rgb,
    /// A group whose bitmap was never written (`BLOCK_UNINIT`).
    pub uninit: Rgb,
    /// A group that could not be read, or contradicts its descriptor.
    pub problem: Rgb,
    /// Blocks in use, where only free or in use is told apart.
    pub used: Rgb,
    /// Share of blocks in use.
    pub occupancy: Ramp,
    /// How short an extent is.
    pub fragments: Ramp,
    /// How recent a change is.
    pub age: Ramp,
    /// Each kind of block, in the order of [`Kind::ALL`].
    kinds: [Rgb; Kind::ALL.len()],
    /// Letters on light colours, and on dark ones.
    pub inks: (Rgb, Rgb),
    /// The same where only the descriptor says so.
    pub hearsay: Ramp,
    /// The lines that hatch it.
    pub hatch: Ramp,
    /// Row and column numbers.
    pub label: Rgb,
    /// Secondary text.
    pub text: Rgb,
    /// Tracks of small bars.
    pub line: Rgb,
    /// Selection ring, inner.
    pub selection_in: Rgb,
    /// Selection ring, outer.
    pub selection_out: Rgb,
    /// What is being read now.
    pub accent: Rgb,
    /// What was looked for.
    pub found: Rgb,
    /// Font family of amounts.
    pub font_ui: String,
    /// Font family of addresses.
    pub font_mono: String,
}

impl Palette {
    /// Reads the tokens through `token`, which gives the value of a custom property.
    #[must_use]
    pub fn from_tokens(token: impl Fn(&str) -> String) -> Self {
        let rgb = |name: &str| Rgb::parse(&token(name)).unwrap_or_default();
        let ramp = |name: &str| {
            let stops: Vec<Rgb> = token(name).split_whitespace().filter_map(Rgb::parse).collect();
            Ramp::between(&stops)
        };
        let (well, line) = (rgb("--bg-well"), rgb("--line-strong"));
        let occupancy = ramp("--r-occ");
        let hearsay = occupancy.map(|colour| well.mix(colour, 0.4));
        Self {
            app: rgb("--bg-app"),
            well,
            free: rgb("--k-free"),
            uninit: rgb("--k-uninit"),
            problem: rgb("--k-problem"),
            used: rgb("--used"),
            hatch: hearsay.map(|colour| colour.mix(line, 0.55)),
            hearsay,
            occupancy,
            fragments: ramp("--r-frag"),
            age: ramp("--r-age"),
            kinds: Kind::ALL.map(|kind| rgb(kind.token())),
            inks: (rgb("--map-ink-dark"), rgb("--map-ink-light")),
            label: rgb("--map-label"),
            text: rgb("--text-2"),
            line,
            selection_in: rgb("--map-sel-in"),
            selection_out: rgb("--map-sel-out"),
            accent: rgb("--accent"),
            found: rgb("--accent-text"),
            font_ui: token("--font-ui"),
            font_mono: token("--font-mono"),
        }
    }

    /// The palette of a theme as it ships.
    #[must_use]
    pub fn of(theme: Theme) -> Self {
        static DARK: LazyLock<Palette> = LazyLock::new(|| Palette::read(Theme::Dark));
        static LIGHT: LazyLock<Palette> = LazyLock::new(|| Palette::read(Theme::Light));
        match theme {
            Theme::Dark => DARK.clone(),
            Theme::Light => LIGHT.clone(),
        }
    }

    /// Reads a theme's colours from the style sheet.
    fn read(theme: Theme) -> Self {
        let start = TOKENS.find(&format!("[data-theme=\"{}\"]", theme.slug())).unwrap_or(0);
        let block = TOKENS.get(start..).unwrap_or_default();
        let block = block.split_once("\n  }").map_or(block, |(block, _)| block);
        Self::from_tokens(|name| {
            let value = |text: &str| {
                let value = text.split_once(&format!("{name}:"))?.1.split(';').next()?;
                Some(value.trim().to_owned())
            };
            value(block).or_else(|| value(TOKENS)).unwrap_or_default()
        })
    }

    /// The colour of a kind of block.
    #[must_use]
    pub fn kind(&self, kind: Kind) -> Rgb {
        self.kinds[kind as usize]
    }

    /// The ink that is read on a colour.
    #[must_use]
    pub fn ink_on(&self, colour: Rgb) -> Rgb {
        let (dark, light) = self.inks;
        let on = colour.luminance();
        let contrast = |ink: Rgb| {
            let ink = ink.luminance();
            (on.max(ink) + 0.05) / (on.min(ink) + 0.05)
        };
        if contrast(dark) >= contrast(light) { dark } else { light }
    }

    /// The colour of one pixel of a group whose bitmap was not read, by its descriptor's share in
    /// use. Diagonal lines say that this is hearsay.
    #[must_use]
    pub fn unread(&self, share: u8, x: DevicePx, y: DevicePx, spacing: DevicePx) -> Rgb {
        if is_on_line(x, y, spacing) { self.hatch.at(share) } else { self.hearsay.at(share) }
    }

    /// A colour as one pixel of a group of which only its descriptor was read.
    #[must_use]
    pub fn hatched(&self, colour: Rgb, x: DevicePx, y: DevicePx, spacing: DevicePx) -> Rgb {
        let ground = self.well.mix(colour, 0.4);
        if is_on_line(x, y, spacing) { ground.mix(self.line, 0.55) } else { ground }
    }

    /// The colour of one pixel of a group that could not be read.
    #[must_use]
    pub fn failed(&self, x: DevicePx, y: DevicePx, spacing: DevicePx) -> Rgb {
        let spacing = spacing.max(3);
        let on_line = (x.wrapping_add(spacing - y % spacing)) % spacing < spacing.div_ceil(4);
        self.well.mix(self.problem, if on_line { 0.85 } else { 0.22 })
    }
}

/// Whether a pixel is on one of the diagonals that say that something is hearsay.
fn is_on_line(x: DevicePx, y: DevicePx, spacing: DevicePx) -> bool {
    (x.wrapping_add(y)) % spacing.max(3) < spacing.div_ceil(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(c: Rgb) -> f32 {
        0.2126 * f32::from(c.0) + 0.7152 * f32::from(c.1) + 0.0722 * f32::from(c.2)
    }

    #[test]
    fn every_token_the_canvas_reads_is_in_the_style_sheet() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::of(theme);
            let black = Rgb(0, 0, 0);
            for colour in [palette.free, palette.uninit, palette.problem, palette.used] {
                assert_ne!(colour, black, "{theme:?}");
            }
            for colour in [palette.label, palette.text, palette.line, palette.accent] {
                assert_ne!(colour, black, "{theme:?}");
            }
            assert!(palette.font_ui.contains("system-ui"));
            assert!(palette.font_mono.contains("monospace"));
            assert_eq!(palette.occupancy.at(0), palette.free, "{theme:?}: empty looks free");
        }
    }

    #[test]
    fn more_in_use_is_further_from_free_in_lightness() {
        for theme in [Theme::Dark, Theme::Light] {
            let ramp = Palette::of(theme).occupancy;
            let sign = if theme == Theme::Dark { 1.0 } else { -1.0 };
            for share in 1..=255 {
                let step = (lightness(ramp.at(share)) - lightness(ramp.at(share - 1))) * sign;
                assert!(step >= -0.5, "{theme:?} at {share}: {step}");
            }
        }
    }

    #[test]
    fn unread_differs_from_every_exact_colour_of_its_share() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::of(theme);
            for share in 0..=255 {
                let exact = palette.occupancy.at(share);
                let hearsay: Vec<Rgb> = (0..6).map(|x| palette.unread(share, x, 0, 6)).collect();
                assert!(hearsay.iter().all(|&c| c != exact), "{theme:?} at {share}");
                assert!(hearsay.iter().any(|&c| c != hearsay[0]), "{theme:?} at {share}: no hatch");
            }
        }
    }

    #[test]
    fn colours_are_read_and_written() {
        assert_eq!(Rgb::parse(" #0a0C0c"), Some(Rgb(10, 12, 12)));
        assert_eq!(Rgb::parse("red"), None);
        assert_eq!(Rgb(10, 12, 12).css(), "#0a0c0c");
        assert_eq!(Rgb(0, 0, 0).mix(Rgb(255, 255, 255), 0.5), Rgb(128, 128, 128));
    }

    #[test]
    fn light_and_back_is_the_same_colour() {
        for value in 0..=255 {
            let colour = Rgb(value, 255 - value, value / 2);
            assert_eq!(Rgb::from_linear(colour.linear()), colour);
        }
    }
}
