//! The disk map on its two canvases: tiles below, numbers and rings above.
//!
//! Everything asked for between two frames is painted once, and only the tiles that changed.

use std::rc::Rc;

use super::{Surface, palette, pixel_ratio};
use crate::render::group_map::MapLayout;
use crate::render::group_values::GroupValues;
use crate::render::palette::Palette;
use crate::render::space::{DevicePx, ViewPx};
use crate::render::tile::Pixels;

/// The disk map on its canvases.
pub struct MapPainter {
    tiles: Surface,
    over: Surface,
    palette: Option<Rc<Palette>>,
    values: GroupValues,
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
    /// For each tile, [`GroupValues::version`] of what it shows.
    versions: Vec<u32>,
    /// The last tile that changed.
    front: Option<u32>,
    tiles_stale: bool,
    over_stale: bool,
}

impl MapPainter {
    /// A map on two canvases that lie on each other; nothing is painted yet.
    #[must_use]
    pub fn new(tiles: Surface, over: Surface, values: GroupValues) -> Self {
        let (marks, size) = (Marks::default(), (0.0, 0.0));
        Self { tiles, over, palette: None, values, size, marks, is_reading: false, painted: None }
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

    /// The image has these values; `is_reading` while more come.
    pub fn revalue(&mut self, values: GroupValues, is_reading: bool) {
        if !self.values.is_same_image(&values) {
            self.painted = None;
        }
        if let Some(painted) = &mut self.painted {
            painted.tiles_stale |= self.values != values;
            painted.over_stale |= self.is_reading != is_reading;
        }
        self.values = values;
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

    /// Paints what changed.
    pub fn paint(&mut self) {
        let (width, height) = self.size;
        if width < 1.0 || height < 1.0 {
            return;
        }
        let palette = Rc::clone(self.palette.get_or_insert_with(|| Rc::new(palette())));
        let mut painted =
            self.painted.take().unwrap_or_else(|| self.start(width, height, &palette));
        if painted.tiles_stale {
            self.paint_tiles(&mut painted, &palette);
        }
        if painted.over_stale {
            self.paint_over(&painted, &palette);
        }
        (painted.tiles_stale, painted.over_stale) = (false, false);
        self.painted = Some(painted);
    }

    fn start(&self, width: ViewPx, height: ViewPx, palette: &Palette) -> Painted {
        let (groups, flex_size) = (self.values.groups(), self.values.flex_size());
        let layout = MapLayout::new(groups, flex_size, width, height, pixel_ratio())
            .with_last_share(self.values.last_share());
        self.tiles.resize(layout.width, layout.height, layout.density);
        self.over.resize(layout.width, layout.height, layout.density);
        let pixels = layout.blank(palette);
        self.tiles.put(&pixels, 0, pixels.height());
        let versions = vec![0; layout.grid.tiles() as usize];
        Painted { layout, pixels, versions, front: None, tiles_stale: true, over_stale: true }
    }

    fn paint_tiles(&self, painted: &mut Painted, palette: &Palette) {
        let layout = painted.layout;
        let mut stale = Vec::new();
        for (tile, version) in (0..).zip(&mut painted.versions) {
            let (first, last) = layout.grid.groups_of(tile);
            let now = self.values.version(first, last);
            if *version != now {
                *version = now;
                stale.push(tile);
            }
        }
        let (Some(&first), Some(&last)) = (stale.first(), stale.last()) else { return };
        painted.front = (stale.len() < painted.versions.len()).then_some(last);
        let fill = |first, last| self.values.fill(first, last);
        layout.paint(&mut painted.pixels, palette, stale, fill);
        let (top, bottom): (DevicePx, DevicePx) =
            (layout.grid.rect(first).y, layout.grid.rect(last).bottom());
        self.tiles.put(&painted.pixels, top, bottom);
        painted.over_stale = true;
    }

    fn paint_over(&self, painted: &Painted, palette: &Palette) {
        let Painted { layout, front, .. } = painted;
        let mut draws = layout.labels(palette, |first, last| self.values.used(first, last));
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
