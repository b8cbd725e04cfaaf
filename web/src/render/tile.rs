//! Pixels of a canvas, and how a tile of the map is painted into them.

use super::palette::{Palette, Rgb};
use super::profile::{Cell, Folded};
use super::space::{DevicePx, Rect};

/// Side of the smallest patch of one colour inside a tile, in CSS pixels: finer would be noise.
const PATCH: f64 = 2.0;
/// Distance of hatching lines in CSS pixels.
const HATCH: f64 = 5.0;

/// The pixels of a canvas, RGBA, top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pixels {
    width: DevicePx,
    bytes: Vec<u8>,
}

impl Pixels {
    /// `width` by `height` pixels of one colour.
    #[must_use]
    pub fn filled(width: DevicePx, height: DevicePx, colour: Rgb) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, bytes: colour.rgba().repeat(pixels) }
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> DevicePx {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> DevicePx {
        let row = self.width as usize * 4;
        self.bytes.len().checked_div(row).map_or(0, |rows| rows as DevicePx)
    }

    /// The bytes of some rows; what lies below the last row is left out.
    #[must_use]
    pub fn rows(&self, from: DevicePx, to: DevicePx) -> &[u8] {
        let row = self.width as usize * 4;
        let end = (to as usize * row).min(self.bytes.len());
        self.bytes.get(from as usize * row..end).unwrap_or_default()
    }

    /// The colour of a pixel.
    #[must_use]
    pub fn at(&self, x: DevicePx, y: DevicePx) -> Option<Rgb> {
        let start = (y as usize * self.width as usize + x as usize) * 4;
        match self.bytes.get(start..start + 4) {
            Some(&[r, g, b, _]) if x < self.width => Some(Rgb(r, g, b)),
            _ => None,
        }
    }

    /// Paints a rectangle, as far as it lies inside, each pixel by itself.
    pub fn paint(&mut self, rect: Rect, colour: impl Fn(DevicePx, DevicePx) -> Rgb) {
        let right = rect.right().min(self.width);
        for y in rect.y..rect.bottom().min(self.height()) {
            let row = y as usize * self.width as usize;
            let (from, to) = (row + rect.x as usize, row + right as usize);
            let Some(row) = self.bytes.get_mut(from * 4..to * 4) else { continue };
            for (pixel, x) in row.chunks_exact_mut(4).zip(rect.x..) {
                pixel.copy_from_slice(&colour(x, y).rgba());
            }
        }
    }
}

/// What a tile shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TileFill<'a> {
    /// The share that the descriptor says is in use; the bitmap was not read.
    Hearsay(u8),
    /// The share in use by the bitmaps.
    Share(u8),
    /// How full each part is, by the bitmap.
    Profile(&'a [u8]),
    /// The bitmap could not be read.
    Failed,
}

/// Paints one tile.
pub fn paint_tile(
    pixels: &mut Pixels,
    rect: Rect,
    fill: TileFill<'_>,
    palette: &Palette,
    ratio: f64,
) {
    let hatch = (HATCH * ratio).round() as DevicePx;
    match fill {
        TileFill::Hearsay(share) => {
            pixels.paint(rect, |x, y| palette.unread(share, x, y, hatch));
        }
        TileFill::Share(share) => {
            let colour = palette.occupancy.at(share);
            pixels.paint(rect, |_, _| colour);
        }
        TileFill::Profile(parts) => paint_profile(pixels, rect, parts, palette, ratio),
        TileFill::Failed => pixels.paint(rect, |x, y| palette.failed(x, y, hatch)),
    }
}

fn paint_profile(pixels: &mut Pixels, rect: Rect, parts: &[u8], palette: &Palette, ratio: f64) {
    let patch = ((PATCH * ratio).round() as DevicePx).max(1);
    let folded = Folded::new(parts);
    for y in (0..rect.h).step_by(patch as usize) {
        for x in (0..rect.w).step_by(patch as usize) {
            let (w, h) = (patch.min(rect.w - x), patch.min(rect.h - y));
            let share = folded.share(Cell { x, y, w, h }, rect.w, rect.h);
            let colour = palette.occupancy.at(share);
            pixels.paint(Rect { x: rect.x + x, y: rect.y + y, w, h }, |_, _| colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette::tests::shipped;

    const TILE: Rect = Rect { x: 4, y: 3, w: 20, h: 16 };

    fn painted(fill: TileFill<'_>) -> Pixels {
        let palette = shipped("dark");
        let mut pixels = Pixels::filled(40, 30, palette.well);
        paint_tile(&mut pixels, TILE, fill, &palette, 1.0);
        pixels
    }

    #[test]
    fn nothing_outside_the_tile_is_touched() {
        let well = shipped("dark").well;
        let parts = vec![255; 4096];
        for fill in [TileFill::Profile(&parts), TileFill::Hearsay(9), TileFill::Failed] {
            let pixels = painted(fill);
            for (x, y) in (0..40).flat_map(|x| (0..30).map(move |y| (x, y))) {
                let inside = TILE.contains(x, y);
                assert_eq!(pixels.at(x, y) == Some(well), !inside, "{fill:?} at {x},{y}");
            }
        }
    }

    #[test]
    fn a_half_full_group_is_full_above_and_empty_below() {
        let palette = shipped("dark");
        let mut parts = vec![255; 2048];
        parts.resize(4096, 0);
        let pixels = painted(TileFill::Profile(&parts));
        assert_eq!(pixels.at(4, 3), Some(palette.occupancy.at(255)));
        assert_eq!(pixels.at(23, 18), Some(palette.occupancy.at(0)));
    }

    #[test]
    fn a_rectangle_past_the_edge_is_cut() {
        let mut pixels = Pixels::filled(4, 4, Rgb(0, 0, 0));
        pixels.paint(Rect { x: 2, y: 3, w: 9, h: 9 }, |_, _| Rgb(1, 1, 1));
        assert_eq!((pixels.at(3, 3), pixels.at(1, 3)), (Some(Rgb(1, 1, 1)), Some(Rgb(0, 0, 0))));
        pixels.paint(Rect { x: 7, y: 0, w: 2, h: 2 }, |_, _| Rgb(9, 9, 9));
        assert!((0..4).all(|x| pixels.at(x, 0) == Some(Rgb(0, 0, 0))));
    }

    #[test]
    fn rows_are_cut_out_of_the_whole() {
        let pixels = Pixels::filled(3, 4, Rgb(7, 7, 7));
        assert_eq!(pixels.height(), 4);
        assert_eq!(pixels.rows(1, 3).len(), 2 * 3 * 4);
        assert_eq!(pixels.rows(3, 99).len(), 3 * 4);
        assert_eq!(Pixels::default().height(), 0);
    }
}
