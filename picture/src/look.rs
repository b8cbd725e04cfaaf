//! Which colour an ink has.

use super::ink::{Ink, Meaning, SHADE_COUNT};
use super::kind::{Kind, Kinds};
use super::layer::Layer;
use super::palette::{Palette, Rgb};

/// How far the darkest shade of file data is on its way to free.
const LAST_SHADE: f32 = 0.22;
/// How much is left of a kind that is filtered out.
const HIDDEN: f32 = 0.09;
/// How much is left of what is not the owner's that is looked for.
const OTHER_OWNER: f32 = 0.24;

/// How much counts what there is little of and what is looked for.
const FEW: f32 = 6.0;

/// The colours of a layer in a theme, with some kinds filtered out.
#[derive(Clone, Debug)]
pub struct Look {
    palette: Palette,
    layer: Layer,
    has_bits: bool,
    swatches: Vec<Swatch>,
}

/// The colour of an ink.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Swatch {
    pub(crate) colour: Rgb,
    /// In linear light; on a ramp, the place on it instead.
    pub(crate) light: [f32; 3],
    /// How much it counts beside others in a pixel.
    pub(crate) weight: f32,
    /// Letters on it.
    pub(crate) ink: Rgb,
}

impl Look {
    /// The colours of a layer; the kinds in `hidden` are hardly seen.
    #[must_use]
    pub fn new(palette: Palette, layer: Layer, hidden: Kinds) -> Self {
        let swatch = |ink| {
            let (mut colour, weight) = colour(&palette, layer, ink);
            let kind = match ink.meaning() {
                Meaning::Kind(kind) => Some(kind),
                Meaning::Shade(_) => Some(Kind::Data),
                Meaning::Share(_) | Meaning::Other(_) => None,
            };
            let is_hidden = layer == Layer::Kind && kind.is_some_and(|kind| hidden.has(kind));
            if is_hidden {
                colour = palette.free.mix(colour, HIDDEN);
            }
            let light = match ink.meaning() {
                Meaning::Share(share) if layer.is_ramp() => [f32::from(share), 0.0, 0.0],
                _ => colour.linear(),
            };
            let weight = if is_hidden { 1.0 } else { weight };
            Swatch { colour, light, weight, ink: palette.ink_on(colour) }
        };
        let swatches = (0..Ink::COUNT).map(|ink| swatch(Ink(ink))).collect();
        Self { swatches, palette, layer, has_bits: false }
    }

    /// With the bits of bitmaps in cells that have room, or with letters.
    #[must_use]
    pub fn with_bits(self, has_bits: bool) -> Self {
        Self { has_bits, ..self }
    }

    /// Whether cells that have room show the bits of bitmaps.
    pub(crate) fn has_bits(&self) -> bool {
        self.has_bits
    }

    /// The theme's colours.
    #[must_use]
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The colour of an ink.
    #[must_use]
    pub fn colour(&self, ink: Ink) -> Rgb {
        self.swatch(ink).colour
    }

    pub(crate) fn swatch(&self, ink: Ink) -> Swatch {
        self.swatches.get(usize::from(ink.0)).copied().unwrap_or_default()
    }

    /// The colour of a mean of swatches: the sum of their light, and of their weights.
    pub(crate) fn mean(&self, light: [f32; 3], weight: f32) -> Rgb {
        let weight = weight.max(f32::MIN_POSITIVE);
        if self.layer.is_ramp() {
            let [share, ..] = light;
            // Only nothing is free, and only everything is full.
            let mean = share / weight;
            let share = if mean <= 0.0 {
                0.0
            } else if mean >= 255.0 {
                255.0
            } else {
                mean.round().clamp(1.0, 254.0)
            };
            return self.palette.occupancy.at(share as u8);
        }
        Rgb::from_linear(light.map(|channel| channel / weight))
    }
}

impl Layer {
    /// Whether means are taken along the ramp and not of its colours.
    pub(crate) fn is_ramp(self) -> bool {
        matches!(self, Self::Occupancy | Self::Inodes)
    }
}

/// The colour of an ink that is not filtered out, and its weight.
fn colour(palette: &Palette, layer: Layer, ink: Ink) -> (Rgb, f32) {
    match ink.meaning() {
        Meaning::Share(share) => match layer {
            Layer::FreeRuns | Layer::FileRuns => (palette.fragments.at(share), 1.0),
            Layer::Age => (palette.age.at(share), 1.0),
            Layer::Occupancy | Layer::Inodes => (palette.occupancy.at(share), 1.0),
            _ => {
                let (free, used) = (palette.free.linear(), palette.kind(Kind::Used).linear());
                let part = f32::from(share) / 255.0;
                let light = [0, 1, 2].map(|i| free[i] + (used[i] - free[i]) * part);
                (Rgb::from_linear(light), 1.0)
            }
        },
        Meaning::Kind(kind) => (palette.kind(kind), kind.weight()),
        Meaning::Shade(shade) => {
            let share = f32::from(shade) / f32::from(SHADE_COUNT - 1) * LAST_SHADE;
            (palette.kind(Kind::Data).mix(palette.free, share), Kind::Data.weight())
        }
        Meaning::Other(Ink::UNINIT) => (palette.uninit, 1.0),
        Meaning::Other(Ink::OTHER_OWNER) => (palette.free.mix(palette.text, OTHER_OWNER), 1.0),
        Meaning::Other(Ink::OWNER) => (palette.found, 5.0),
        Meaning::Other(Ink::GOOD) => (palette.used, 1.0),
        Meaning::Other(Ink::BAD) => (palette.problem, FEW),
        Meaning::Other(Ink::NO_CSUM) => (palette.free.mix(palette.text, 0.4), 1.0),
        Meaning::Other(Ink::NOT_FREE) => (palette.free.mix(palette.well, 0.5), 1.0),
        Meaning::Other(Ink::MISSING) => (palette.well.mix(palette.problem, 0.5), 1.0),
        Meaning::Other(Ink::UNOWNED) => (palette.kind(Kind::Gdt), FEW),
        Meaning::Other(Ink::FREE_BUT_OWNED) => (palette.kind(Kind::Dir), FEW),
        Meaning::Other(Ink::CONTESTED) => (palette.kind(Kind::Journal), FEW),
        Meaning::Other(Ink::FAULTY) => (palette.problem, FEW),
        Meaning::Other(Ink::WRITTEN) => (palette.used, 1.0),
        Meaning::Other(Ink::NOT_ZEROED) => (palette.kind(Kind::BlockBitmap), 1.0),
        Meaning::Other(Ink::LEAVES) => (palette.kind(Kind::Gdt), 2.0),
        Meaning::Other(Ink::ARRIVES) => (palette.kind(Kind::Itable), 2.0),
        Meaning::Other(Ink::GONE) => {
            // A little towards yellow: apart from what stays for every eye.
            (palette.kind(Kind::ReservedGdt).mix(palette.kind(Kind::BlockBitmap), 0.2), 1.0)
        }
        Meaning::Other(Ink::READ) => (palette.found, FEW),
        Meaning::Other(Ink::NOT_READ) => (palette.free, 1.0),
        Meaning::Other(_) => (palette.well.mix(palette.line, 0.5), 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Theme;

    #[test]
    fn a_mean_of_one_colour_is_that_colour() {
        for layer in Layer::ALL {
            let look = Look::new(Palette::of(Theme::Dark), layer, Kinds::default());
            for ink in [Ink::share(0), Ink::share(90), Ink::share(255)] {
                let swatch = look.swatch(ink);
                let light = swatch.light.map(|channel| channel * 3.0);
                assert_eq!(look.mean(light, 3.0), look.colour(ink), "{layer:?} {ink:?}");
            }
        }
    }

    #[test]
    fn what_is_filtered_out_is_hardly_seen_and_the_rest_as_before() {
        let palette = Palette::of(Theme::Light);
        let all = Look::new(palette.clone(), Layer::Kind, Kinds::default());
        let look = Look::new(palette.clone(), Layer::Kind, Kinds::all_but(Kind::Itable));
        let itable = Ink::kind(Kind::Itable);
        assert_eq!(look.colour(itable), all.colour(itable));
        let gone = look.colour(Ink::kind(Kind::Super)).luminance();
        let (free, was) = (palette.free.luminance(), palette.kind(Kind::Super).luminance());
        assert!((gone - free).abs() < 0.2 * (was - free).abs());
    }
}
