//! What a canvas is told to draw over its pixels: lines and words, in CSS pixels.

use super::palette::Rgb;
use super::space::{Density, Rect, ViewPx};

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewRect {
    /// Left edge.
    pub x: ViewPx,
    /// Upper edge.
    pub y: ViewPx,
    /// Width.
    pub w: ViewPx,
    /// Height.
    pub h: ViewPx,
}

impl ViewRect {
    /// The same place as `rect`.
    #[must_use]
    pub fn from_device(rect: Rect, density: Density) -> Self {
        Self {
            x: density.view_from_device(rect.x),
            y: density.view_from_device(rect.y),
            w: density.view_from_device(rect.w),
            h: density.view_from_device(rect.h),
        }
    }

    /// Larger by `by` at every side.
    #[must_use]
    pub fn grown(self, by: ViewPx) -> Self {
        Self { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A kind of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Amounts.
    Ui,
    /// Addresses.
    Mono,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// A filled rectangle.
    Fill {
        /// Where.
        rect: ViewRect,
        /// Its colour.
        colour: Rgb,
    },
    /// The edge of a rectangle; the line's middle runs along it.
    Outline {
        /// Where.
        rect: ViewRect,
        /// Its colour.
        colour: Rgb,
        /// Thickness in CSS pixels.
        width: ViewPx,
    },
    /// A line of text, its middle height at `y`.
    Text {
        /// Across.
        x: ViewPx,
        /// Down.
        y: ViewPx,
        /// What it says.
        text: String,
        /// Its colour.
        colour: Rgb,
        /// Its letters.
        face: Face,
        /// Height of the letters in CSS pixels.
        size: ViewPx,
        /// Which part of it is at `x`.
        align: Align,
    },
}
