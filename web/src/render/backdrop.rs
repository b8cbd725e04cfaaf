//! The ornament behind the opening page: a made-up disk along a Hilbert curve, faint where text is.

use super::Pixels;
use super::palette::{Palette, Rgb};
use super::space::{Density, DevicePx, Rect, ViewPx};

/// Side of a cell and the gap after it, in CSS pixels.
const CELL: ViewPx = 13.0;
const GAP: ViewPx = 2.0;
/// Order of the curve: it fills a square of 2 to the power of this, which then repeats.
const ORDER: u32 = 7;

/// The picture for a canvas of `width` by `height` CSS pixels.
#[must_use]
pub fn picture(width: ViewPx, height: ViewPx, density: Density, palette: &Palette) -> Pixels {
    let device = |view| density.device_from_view(view);
    let ground = palette.app;
    let mut pixels = Pixels::filled(device(width), device(height), ground);
    let side = device(CELL - GAP).max(1);
    let columns = (width / CELL).ceil() as u32;
    let rows = (height / CELL).ceil() as u32;
    for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
        let (x, y) = (device(f64::from(column) * CELL), device(f64::from(row) * CELL));
        let across = f64::from(column) / f64::from(columns.max(1));
        let down = f64::from(row) / f64::from(rows.max(1));
        let Some(colour) = cell(column, row, across, down, ground, palette) else { continue };
        pixels.paint(Rect { x, y, w: side, h: side }, |_, _| colour);
    }
    pixels
}

fn cell(
    column: u32,
    row: u32,
    across: f64,
    down: f64,
    ground: Rgb,
    palette: &Palette,
) -> Option<Rgb> {
    let side = 1 << ORDER;
    let at = hilbert_index(column % side, row % side);
    let fullness = fullness(at)?;
    // Clear in the middle, where the words are.
    let edge = ((across - 0.42).abs() * 1.5 + (down - 0.5).abs() * 0.5).min(1.0);
    let strength = 0.38 * (0.1 + 0.9 * edge * edge);
    Some(ground.mix(palette.occupancy.at(fullness), strength as f32))
}

/// How full the made-up disk is at a place of the curve: runs of used and free blocks whose
/// lengths are hashes of where they begin.
fn fullness(at: DevicePx) -> Option<u8> {
    let stretch = at / 96;
    let in_stretch = at % 96;
    let used = hash(stretch) % 120;
    if in_stretch >= used {
        return None;
    }
    Some(120 + (hash(at ^ 0x5bd1) % 136) as u8)
}

/// Mixes the bits of a number.
fn hash(n: u32) -> u32 {
    let n = (n ^ (n >> 16)).wrapping_mul(0x045d_9f3b);
    let n = (n ^ (n >> 16)).wrapping_mul(0x045d_9f3b);
    n ^ (n >> 16)
}

/// The place along the Hilbert curve of a cell.
fn hilbert_index(mut x: u32, mut y: u32) -> u32 {
    let mut index = 0;
    let mut side = 1 << (ORDER - 1);
    while side > 0 {
        let (right, low) = (u32::from(x & side > 0), u32::from(y & side > 0));
        index += side * side * ((3 * right) ^ low);
        if low == 0 {
            if right == 1 {
                (x, y) = ((1 << ORDER) - 1 - x, (1 << ORDER) - 1 - y);
            }
            (x, y) = (y, x);
        }
        side /= 2;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette::Theme;

    #[test]
    fn the_curve_visits_every_cell_once_and_goes_on_to_a_neighbour() {
        let side = 1 << ORDER;
        let mut places = vec![None; (side * side) as usize];
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            let place = &mut places[hilbert_index(x, y) as usize];
            assert_eq!(place.replace((x, y)), None);
        }
        for pair in places.windows(2) {
            let ((ax, ay), (bx, by)) = pair[0].zip(pair[1]).expect("every cell is visited");
            assert_eq!(ax.abs_diff(bx) + ay.abs_diff(by), 1);
        }
    }

    #[test]
    fn the_ornament_is_faint() {
        let palette = Palette::of(Theme::Dark);
        let density = Density::for_canvas(400.0, 300.0, 1.0);
        let pixels = picture(400.0, 300.0, density, &palette);
        assert_eq!((pixels.width(), pixels.height()), (400, 300));
        let loud = (0..400).filter(|&x| pixels.at(x, 150).is_some_and(|c| c.1 > 160)).count();
        assert_eq!(loud, 0);
    }
}
