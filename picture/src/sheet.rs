//! The whole disk as one picture.

use super::cells::Source;
use super::look::Look;
use super::paint::{Scale, TILE, TileAt, paint};
use super::pixels::Pixels;
use super::space::DevicePx;
use super::world::World;

/// How many times as high as wide a cell is, at most.
const STRETCH: f64 = 2.0;

/// The whole disk as one picture, drawn tile by tile.
#[derive(Clone, Debug)]
pub struct Sheet {
    scale: Scale,
    pixels: Pixels,
    columns: u32,
    tiles: u32,
    next: u32,
}

impl Sheet {
    /// Nothing is drawn yet of a picture at most `width` by `height` pixels; it is as large as the
    /// world needs.
    #[must_use]
    pub fn new(world: &World, look: &Look, width: DevicePx, height: DevicePx) -> Self {
        let (scale, stretch) = world.scale_to_fit(width.into(), height.into(), STRETCH);
        let scale = Scale { x: scale, y: scale * stretch, ratio: 1.0 };
        let (w, h) = world.size();
        let pixels = |cells: f64, scale: f64, most: DevicePx| {
            ((cells * scale).ceil().max(1.0) as DevicePx).min(most.max(1))
        };
        let (width, height) = (pixels(w, scale.x, width), pixels(h, scale.y, height));
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let pixels = Pixels::filled(width, height, look.palette().well);
        Self { scale, pixels, columns, tiles: columns.saturating_mul(rows), next: 0 }
    }

    /// Draws the next tile; `None` once all are drawn, and how many of how many otherwise.
    pub fn step(
        &mut self,
        world: &World,
        look: &Look,
        source: &mut impl Source,
    ) -> Option<(u32, u32)> {
        if self.next >= self.tiles {
            return None;
        }
        let at = TileAt { x: self.next % self.columns, y: self.next / self.columns };
        let tile = paint(world, look, self.scale, at, source);
        self.pixels.put(&tile, i64::from(at.x * TILE), i64::from(at.y * TILE));
        self.next += 1;
        Some((self.next, self.tiles))
    }

    /// How large a cell is drawn.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// What is drawn.
    #[must_use]
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }
}
