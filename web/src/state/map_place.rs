//! Where the map stands, and what it shows: as the address has both.

use core::fmt;
use core::str::FromStr;

use extscope::units::Fsblk;
use extscope_picture::{Kinds, Layer, Layout};

/// Where the map stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapPlace {
    /// The block in the middle, where the map does not show the whole disk. Key `at`.
    pub at: Option<Fsblk>,
    /// How large a block is. With a block in the middle and no zoom, what is selected fills the
    /// map. Key `s`.
    pub zoom: Option<Zoom>,
}

/// What the map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapStyle {
    /// What the colours say. Key `color`.
    pub layer: Layer,
    /// How blocks follow one another. Key `layout`.
    pub layout: Layout,
    /// Kinds that are filtered out. Key `off`.
    pub hidden: Kinds,
    /// Whether blocks that have room show their bits and not letters. Key `bits`.
    pub bits: bool,
}

/// How large a block is, in steps of a 256th of an octave, so that places can be compared and
/// pictures of the same size be kept. Step 0 is one CSS pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zoom(i32);

/// Steps of an octave.
const OCTAVE: f64 = 256.0;
/// Octaves beyond which nothing is larger or smaller.
const MOST: f64 = 48.0;

impl Zoom {
    /// The step nearest to a block `pixels` wide.
    #[must_use]
    pub fn from_pixels(pixels: f64) -> Self {
        let octaves = pixels.max(f64::MIN_POSITIVE).log2().clamp(-MOST, MOST);
        Self((octaves * OCTAVE).round() as i32)
    }

    /// How many octaves another zoom is away.
    #[must_use]
    pub fn octaves_to(self, other: Self) -> f64 {
        f64::from(self.0.abs_diff(other.0)) / OCTAVE
    }

    /// The zoom a share of the way to another one.
    #[must_use]
    pub fn on_the_way(self, to: Self, share: f64) -> Self {
        let steps = f64::from(to.0.saturating_sub(self.0)) * share;
        Self(self.0.saturating_add(steps.round() as i32))
    }

    /// Width of a block in CSS pixels.
    #[must_use]
    pub fn pixels(self) -> f64 {
        (f64::from(self.0) / OCTAVE).exp2()
    }
}

impl fmt::Display for Zoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pixels = self.pixels();
        // Four digits tell neighbouring steps apart.
        let digits = 3 - pixels.log10().floor().min(3.0) as i32;
        write!(f, "{pixels:.*}", usize::try_from(digits).unwrap_or_default())
    }
}

/// The text is no zoom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoZoom;

impl FromStr for Zoom {
    type Err = NoZoom;

    fn from_str(text: &str) -> Result<Self, NoZoom> {
        let pixels: f64 = text.parse().map_err(|_| NoZoom)?;
        if pixels.is_finite() && pixels > 0.0 { Ok(Self::from_pixels(pixels)) } else { Err(NoZoom) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_zoom_survives_the_address_bar() {
        let most = (MOST * OCTAVE) as i32;
        for step in (-most..=most).step_by(7) {
            let zoom = Zoom(step);
            assert_eq!(zoom.to_string().parse(), Ok(zoom), "{zoom}");
            assert_eq!(Zoom::from_pixels(zoom.pixels()), zoom);
        }
        assert_eq!(Zoom::from_pixels(12.2).to_string(), "12.20");
    }

    #[test]
    fn what_is_no_size_is_no_zoom() {
        for text in ["", "0", "-1", "inf", "NaN", "x"] {
            assert_eq!(text.parse::<Zoom>(), Err(NoZoom), "{text}");
        }
        assert_eq!(Zoom::from_pixels(f64::INFINITY), Zoom((MOST * OCTAVE) as i32));
        assert_eq!(Zoom::from_pixels(0.0), Zoom(-(MOST * OCTAVE) as i32));
    }
}
