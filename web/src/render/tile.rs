//! How a tile that stands for a group is painted.

use super::Pixels;
use super::palette::Palette;
use super::profile::{Cell, Folded};
use super::space::{DevicePx, Rect};

/// Side of the smallest patch of one colour inside a tile, in CSS pixels: finer would be noise.
const PATCH: f64 = 2.0;
/// Distance of hatching lines in CSS pixels.
const HATCH: f64 = 5.0;

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
    use crate::render::palette::Theme;

    const TILE: Rect = Rect { x: 4, y: 3, w: 20, h: 16 };

    fn painted(fill: TileFill<'_>) -> Pixels {
        let palette = Palette::of(Theme::Dark);
        let mut pixels = Pixels::filled(40, 30, palette.well);
        paint_tile(&mut pixels, TILE, fill, &palette, 1.0);
        pixels
    }

    #[test]
    fn nothing_outside_the_tile_is_touched() {
        let well = Palette::of(Theme::Dark).well;
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
        let palette = Palette::of(Theme::Dark);
        let mut parts = vec![255; 2048];
        parts.resize(4096, 0);
        let pixels = painted(TileFill::Profile(&parts));
        assert_eq!(pixels.at(4, 3), Some(palette.occupancy.at(255)));
        assert_eq!(pixels.at(23, 18), Some(palette.occupancy.at(0)));
    }
}
