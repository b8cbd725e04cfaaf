//! What a canvas is told to draw over its pixels: lines and words, in CSS pixels.

use std::fmt::Write as _;

use extscope::report::Plain;

use super::palette::{Palette, Rgb};
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

/// The same as a part of an SVG.
#[must_use]
pub fn svg(draws: &[Draw], palette: &Palette) -> String {
    let mut svg = String::new();
    for draw in draws {
        // Writing to a String cannot fail.
        let _ = match draw {
            Draw::Fill { rect: ViewRect { x, y, w, h }, colour } => write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{}\"/>",
                colour.css()
            ),
            Draw::Outline { rect: ViewRect { x, y, w, h }, colour, width } => write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"none\" \
                 stroke=\"{}\" stroke-width=\"{width}\"/>",
                colour.css()
            ),
            Draw::Text { x, y, text, colour, face, size, align } => {
                let family = match face {
                    Face::Ui => &palette.font_ui,
                    Face::Mono => &palette.font_mono,
                };
                let anchor = match align {
                    Align::Start => "start",
                    Align::Middle => "middle",
                    Align::End => "end",
                };
                // The middle of small letters, where the baseline is given.
                let y = y + size * 0.36;
                write!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-family=\"{}\" \
                     fill=\"{}\" text-anchor=\"{anchor}\">{}</text>",
                    Plain(family),
                    colour.css(),
                    Plain(text)
                )
            }
        };
    }
    svg
}
