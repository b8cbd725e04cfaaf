//! Pixels.

use super::palette::Rgb;
use super::space::{DevicePx, Rect};

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

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Copies other pixels, as far as they lie inside, to a place, which may lie outside.
    pub fn put(&mut self, other: &Self, left: i64, top: i64) {
        let inside = |at: i64, size: DevicePx| usize::try_from(at.clamp(0, i64::from(size)));
        let right = left.saturating_add(other.width.into());
        let (Ok(from_x), Ok(to_x)) = (inside(left, self.width), inside(right, self.width)) else {
            return;
        };
        // As far as the left edge lies outside.
        let skipped = usize::try_from(-left.min(0)).unwrap_or(usize::MAX);
        for row in 0..other.height() {
            let Ok(y) = usize::try_from(top.saturating_add(row.into())) else { continue };
            let at = y.saturating_mul(self.width as usize);
            let to = at.saturating_add(from_x) * 4..at.saturating_add(to_x) * 4;
            let from = (row as usize * other.width as usize).saturating_add(skipped) * 4;
            if let (Some(to), Some(from)) =
                (self.bytes.get_mut(to.clone()), other.bytes.get(from..from + to.len()))
            {
                to.copy_from_slice(from);
            }
        }
    }

    /// Gives a pixel its colour, if it lies inside.
    pub fn set(&mut self, x: DevicePx, y: DevicePx, colour: Rgb) {
        let start = (y as usize * self.width as usize + x as usize) * 4;
        if x < self.width
            && let Some(pixel) = self.bytes.get_mut(start..start + 4)
        {
            pixel.copy_from_slice(&colour.rgba());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_past_the_edge_is_cut() {
        let mut pixels = Pixels::filled(4, 4, Rgb(0, 0, 0));
        pixels.paint(Rect { x: 2, y: 3, w: 9, h: 9 }, |_, _| Rgb(1, 1, 1));
        assert_eq!((pixels.at(3, 3), pixels.at(1, 3)), (Some(Rgb(1, 1, 1)), Some(Rgb(0, 0, 0))));
        pixels.paint(Rect { x: 7, y: 0, w: 2, h: 2 }, |_, _| Rgb(9, 9, 9));
        assert!((0..4).all(|x| pixels.at(x, 0) == Some(Rgb(0, 0, 0))));
    }

    #[test]
    fn what_is_put_past_the_edge_is_cut() {
        let mut pixels = Pixels::filled(4, 4, Rgb(0, 0, 0));
        pixels.put(&Pixels::filled(3, 3, Rgb(1, 1, 1)), 2, 3);
        let white = |pixels: &Pixels, x, y| pixels.at(x, y) == Some(Rgb(1, 1, 1));
        assert!(white(&pixels, 2, 3) && white(&pixels, 3, 3));
        assert!(!white(&pixels, 1, 3) && !white(&pixels, 2, 2));
        for (left, top) in [(9, 9), (-9, -9), (-2, -1)] {
            pixels.put(&Pixels::filled(3, 3, Rgb(1, 1, 1)), left, top);
        }
        assert!(white(&pixels, 0, 1) && !white(&pixels, 1, 0) && !white(&pixels, 0, 2));
        assert_eq!(pixels.bytes().len(), 64);
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
