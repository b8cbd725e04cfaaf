//! The disk map on its two canvases: tiles below, numbers and rings above.
//!
//! Everything asked for between two frames is painted once, and only the tiles that changed. A
//! first painting of many tiles is spread over some frames.

use std::rc::Rc;

use super::{Surface, palette, pixel_ratio};
use crate::render::group_fill::{fill, last_share};
use crate::render::group_map::MapLayout;
use crate::render::palette::Palette;
use crate::render::space::{DevicePx, ViewPx};
use crate::render::tile::Pixels;
use crate::state::Known;

/// Tiles that are painted for the first time in one frame, at most.
const FIRST_TIME: u32 = 32_768;

/// The disk map on its canvases.
pub struct MapPainter {
    tiles: Surface,
    over: Surface,
    palette: Option<Rc<Palette>>,
    known: Known,
    size: (ViewPx, ViewPx),
    marks: Marks,
    is_reading: bool,
    painted: Option<Painted>,
}

/// What is marked on the map, each a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    hovered: Option<u32>,
    selected: Option<u32>,
}

/// What the canvases show.
struct Painted {
    layout: MapLayout,
    pixels: Pixels,
    /// What the painted tiles show.
    shown: Known,
    /// Tiles from here on were never painted.
    next: u32,
    /// The last tile that changed.
    front: Option<u32>,
    over_stale: bool,
}

impl MapPainter {
    /// A map on two canvases that lie on each other; nothing is painted yet.
    #[must_use]
    pub fn new(tiles: Surface, over: Surface, known: Known) -> Self {
        let (marks, size) = (Marks::default(), (0.0, 0.0));
        Self { tiles, over, palette: None, known, size, marks, is_reading: false, painted: None }
    }

    /// The layout, once there is something to see.
    #[must_use]
    pub fn layout(&self) -> Option<&MapLayout> {
        self.painted.as_ref().map(|painted| &painted.layout)
    }

    /// The canvases have this size in CSS pixels.
    pub fn resize(&mut self, width: ViewPx, height: ViewPx) {
        self.size = (width, height);
        self.painted = None;
    }

    /// The theme is another; its colours are looked up when the next frame is painted, for only
    /// then do they hold.
    pub fn recolour(&mut self) {
        self.palette = None;
        self.painted = None;
    }

    /// This is known of the image; `is_reading` while more comes.
    pub fn revalue(&mut self, known: Known, is_reading: bool) {
        if !self.known.is_same_image(&known) {
            self.painted = None;
        }
        if let Some(painted) = &mut self.painted {
            painted.over_stale |= self.is_reading != is_reading;
        }
        self.known = known;
        self.is_reading = is_reading;
    }

    /// These groups are marked.
    pub fn mark(&mut self, hovered: Option<u32>, selected: Option<u32>) {
        let marks = Marks { hovered, selected };
        if let Some(painted) = self.painted.as_mut().filter(|_| self.marks != marks) {
            painted.over_stale = true;
        }
        self.marks = marks;
    }

    /// Paints what changed. False while there is more to paint, in the next frame.
    pub fn paint(&mut self) -> bool {
        let (width, height) = self.size;
        if width < 1.0 || height < 1.0 {
            return true;
        }
        let palette = Rc::clone(self.palette.get_or_insert_with(palette));
        let mut painted =
            self.painted.take().unwrap_or_else(|| self.start(width, height, &palette));
        self.paint_tiles(&mut painted, &palette);
        if core::mem::take(&mut painted.over_stale) {
            self.paint_over(&painted, &palette);
        }
        let is_done = painted.next == painted.layout.grid.tiles();
        self.painted = Some(painted);
        is_done
    }

    fn start(&self, width: ViewPx, height: ViewPx, palette: &Palette) -> Painted {
        let flex_size = self.known.image().geometry.groups_per_flex();
        let layout = MapLayout::new(self.known.groups(), flex_size, width, height, pixel_ratio())
            .with_last_share(last_share(&self.known));
        self.tiles.resize(layout.width, layout.height, layout.density);
        self.over.resize(layout.width, layout.height, layout.density);
        let pixels = layout.blank(palette);
        self.tiles.put(&pixels, 0, pixels.height());
        Painted {
            layout,
            pixels,
            shown: self.known.clone(),
            next: 0,
            front: None,
            over_stale: true,
        }
    }

    fn paint_tiles(&self, painted: &mut Painted, palette: &Palette) {
        let Painted { layout, pixels, shown, next, .. } = painted;
        let earlier = core::mem::replace(shown, self.known.clone());
        let mut stale: Vec<u32> = shown
            .changes(&earlier)
            .map(|group| layout.grid.tile_of(group))
            .take_while(|tile| tile < next)
            .collect();
        stale.dedup();
        if let Some(&last) = stale.last() {
            painted.front = Some(last);
        }
        let fresh = *next..next.saturating_add(FIRST_TIME).min(layout.grid.tiles());
        *next = fresh.end;
        stale.extend(fresh);
        if stale.is_empty() {
            return;
        }
        layout
            .paint(pixels, palette, stale.iter().copied(), |first, last| fill(shown, first, last));
        // Rows of tiles without a break are handed over together.
        let row = |tile: &u32| layout.grid.place(*tile).1;
        for run in stale.chunk_by(|one, other| row(other) <= row(one) + 1) {
            if let (Some(&first), Some(&last)) = (run.first(), run.last()) {
                let (top, bottom): (DevicePx, DevicePx) =
                    (layout.grid.rect(first).y, layout.grid.rect(last).bottom());
                self.tiles.put(pixels, top, bottom);
            }
        }
        painted.over_stale = true;
    }

    fn paint_over(&self, painted: &Painted, palette: &Palette) {
        let Painted { layout, front, .. } = painted;
        let mut draws = layout.labels(palette, |first, last| self.known.used(first, last));
        let tile = |group| layout.grid.tile_of(group);
        if let Some(front) = front.filter(|_| self.is_reading && layout.shows_single_tiles()) {
            draws.push(layout.reading(front, palette));
        }
        if let Some(group) = self.marks.hovered {
            draws.push(layout.hover(tile(group), palette));
        }
        if let Some(group) = self.marks.selected {
            draws.extend(layout.selection(tile(group), palette));
        }
        self.over.clear();
        self.over.draw(&draws, layout.density, palette);
    }
}
