//! The disk before, during and after a shrink, and what differs, as small maps.

use super::Pixels;
use super::palette::Palette;
use super::space::{DevicePx, Rect};
use extscope_picture::Kind;

/// Parts of the disk in a row.
pub const COLUMNS: u32 = 96;

/// A map of how full parts are, in 255ths: from left to right, row by row.
#[must_use]
pub fn fill_map(fill: &[u8], palette: &Palette) -> Pixels {
    map(fill.len(), palette, |part| fill.get(part).map(|share| palette.occupancy.at(*share)))
}

/// A map of what is filled and what leaves; of `fill.0` before and `fill.1` after.
#[must_use]
pub fn difference_map((before, after): (&[u8], &[u8]), palette: &Palette) -> Pixels {
    map(before.len().min(after.len()), palette, |part| {
        let (before, after) = (*before.get(part)?, *after.get(part)?);
        let stays = palette.free.mix(palette.text, f32::from(before.min(after)) / 255.0 * STAYS);
        let changed = f32::from(before.abs_diff(after)) / 255.0;
        let kind = if after > before { Kind::Itable } else { Kind::Gdt };
        // What changes little is seen, too.
        let share = if before == after { 0.0 } else { LEAST + (1.0 - LEAST) * changed };
        Some(stays.mix(palette.kind(kind), share))
    })
}

/// How strong what stays is.
const STAYS: f32 = 0.24;

/// How strong the least change is.
const LEAST: f32 = 0.35;

fn map(
    parts: usize,
    palette: &Palette,
    colour: impl Fn(usize) -> Option<super::palette::Rgb>,
) -> Pixels {
    let rows = DevicePx::try_from(parts).unwrap_or(0).div_ceil(COLUMNS).max(1);
    let mut pixels = Pixels::filled(COLUMNS, rows, palette.well);
    pixels.paint(Rect { x: 0, y: 0, w: COLUMNS, h: rows }, |x, y| {
        colour((y * COLUMNS + x) as usize).unwrap_or(palette.well)
    });
    pixels
}

#[cfg(test)]
mod tests {
    use super::super::palette::{Palette, Theme};
    use super::*;

    #[test]
    fn parts_lie_row_by_row_and_the_last_row_may_be_short() {
        let palette = Palette::of(Theme::Dark);
        let mut fill = vec![0; 100];
        fill[97] = 255;
        let map = fill_map(&fill, &palette);
        assert_eq!((map.width(), map.height()), (96, 2));
        assert_eq!(map.at(1, 1), Some(palette.occupancy.at(255)));
        assert_eq!(map.at(0, 0), Some(palette.occupancy.at(0)));
        assert_eq!(map.at(4, 1), Some(palette.well));
    }

    #[test]
    fn what_is_filled_and_what_leaves_have_their_own_colours() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::of(theme);
            let map = difference_map((&[0, 255, 0, 255], &[255, 0, 0, 255]), &palette);
            assert_eq!(map.at(0, 0), Some(palette.kind(Kind::Itable)));
            assert_eq!(map.at(1, 0), Some(palette.kind(Kind::Gdt)));
            assert_eq!(map.at(2, 0), Some(palette.free));
            assert_ne!(map.at(3, 0), map.at(2, 0));
        }
    }
}
