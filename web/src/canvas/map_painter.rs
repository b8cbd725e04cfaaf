//! The disk map on its two canvases: tiles below, numbers and rings above.
//!
//! Tiles are made by the engine. What is here puts those at hand where they belong; while some of
//! another size are all there is, they stand in, stretched. Another look is shown once all its
//! tiles are there, so that no colour ever means what the legend does not say.

use std::collections::BTreeMap;

use extscope::units::Group;
use extscope_picture::{Look, TILE, TileAt, paint};
use web_sys::HtmlCanvasElement;

use super::Surface;
use crate::protocol::{MapLook, MapOrder, MapTile};
use crate::render::draw::Draw;
use crate::render::map_marks::Margins;
use crate::render::map_view::MapView;
use crate::render::palette::Palette;
use crate::render::sketch::Sketch;
use crate::render::space::Density;
use crate::state::{Known, Zoom};

/// Bytes of tiles that are kept.
const KEPT: usize = 96 << 20;
/// Bytes of a tile.
const TILE_BYTES: usize = (TILE * TILE * 4) as usize;
/// Tiles around what is seen that are made in advance.
const RING: u32 = 1;

/// What a tile is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// Where the look stands among those that were shown.
    look: usize,
    zoom: Zoom,
    x: u32,
    y: u32,
}

struct Tile {
    canvas: HtmlCanvasElement,
    /// When it was last seen.
    seen: u64,
    /// Whether more is known by now than it shows.
    is_stale: bool,
}

/// Tiles that were asked for.
struct Asked {
    number: u32,
    /// What they are of, but for the place.
    of: Key,
    tiles: Vec<(u32, u32)>,
}

/// The disk map on its canvases.
pub struct MapPainter {
    below: Surface,
    over: Surface,
    tiles: BTreeMap<Key, Tile>,
    looks: Vec<MapLook>,
    /// What is wanted, and what is shown until that is there.
    wanted: Option<(MapView, usize)>,
    shown: Option<(MapView, usize)>,
    /// What was asked for last.
    asked: Option<Asked>,
    frame: u64,
    size: (u32, u32),
    margins: Margins,
    /// What the canvas below shows, and tiles of it that came since.
    below_shows: Option<(MapView, usize)>,
    fresh: Vec<Key>,
    /// What the canvas above shows.
    over_shows: Vec<Draw>,
}

impl MapPainter {
    /// A map on two canvases that lie on each other; nothing is painted yet.
    #[must_use]
    pub fn new(below: Surface, over: Surface) -> Self {
        Self {
            below,
            over,
            tiles: BTreeMap::new(),
            looks: Vec::new(),
            wanted: None,
            shown: None,
            asked: None,
            frame: 0,
            size: (0, 0),
            margins: Margins::default(),
            below_shows: None,
            fresh: Vec::new(),
            over_shows: Vec::new(),
        }
    }

    /// This is to be seen.
    pub fn show(&mut self, view: MapView, look: MapLook, margins: Margins) {
        self.margins = margins;
        let at = self.looks.iter().position(|known| *known == look).unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        });
        let has_other_size = self.wanted.is_some_and(|(was, _)| was.ratio() != view.ratio());
        if has_other_size {
            self.tiles.clear();
            self.shown = None;
        }
        self.wanted = Some((view, at));
    }

    /// Nothing that was painted is true any more.
    pub fn forget(&mut self) {
        self.tiles.clear();
        (self.asked, self.shown) = (None, None);
        self.looks.clear();
        (self.wanted, self.below_shows) = (None, None);
    }

    /// More is known of everything.
    pub fn learn_all(&mut self) {
        self.tiles.values_mut().for_each(|tile| tile.is_stale = true);
        self.asked = None;
    }

    /// More is known of these groups.
    pub fn learn(&mut self, groups: impl Iterator<Item = u32>) {
        let Some((view, at)) = self.wanted else { return };
        let world = view.world();
        let places: Vec<(u32, u32)> =
            groups.map(|group| world.group_place(Group::new(group))).collect();
        let layout = |look: &MapLook| (look.layout, look.columns);
        let wanted = self.looks.get(at).map(layout);
        let side = f64::from(TILE);
        for (key, tile) in &mut self.tiles {
            let scale = view.scale_at(key.zoom);
            let (left, top) =
                (f64::from(key.x) * side / scale.x, f64::from(key.y) * side / scale.y);
            let (right, bottom) = (left + side / scale.x, top + side / scale.y);
            let (columns, rows) = world.groups_in((left, top), (right, bottom));
            let is_here = |(x, y): &(u32, u32)| columns.contains(x) && rows.contains(y);
            // Where groups lie in another layout is not worked out; all of it may be old.
            let is_elsewhere = self.looks.get(key.look).map(layout) != wanted;
            tile.is_stale |= is_elsewhere || places.iter().any(is_here);
        }
        self.asked = None;
    }

    /// Takes in a tile; true where there was none, and false where it only knows more.
    pub fn take(&mut self, tile: &MapTile) -> bool {
        let asked = self.asked.as_ref().filter(|asked| asked.number == tile.order);
        let Some(asked) = asked else { return false };
        let key = Key { x: tile.at.0, y: tile.at.1, ..asked.of };
        let Some(canvas) = super::surface::picture(TILE, &tile.pixels) else { return false };
        let tile = Tile { canvas, seen: self.frame, is_stale: false };
        let was_there = self.tiles.insert(key, tile).is_some();
        self.fresh.push(key);
        while self.tiles.len() * TILE_BYTES > KEPT {
            let oldest = self.tiles.iter().min_by_key(|(_, tile)| tile.seen).map(|(key, _)| *key);
            let Some(oldest) = oldest else { break };
            self.tiles.remove(&oldest);
        }
        !was_there
    }

    /// Draws the next tile in sight from what the page knows, where the engine made none of this
    /// look yet. False when there is nothing left to draw.
    pub fn sketch(&mut self, known: &Known) -> bool {
        let Some((view, at)) = self.wanted else { return false };
        let Some(look) = self.looks.get(at).filter(|look| Sketch::has(look.layer)) else {
            return false;
        };
        let of_look = self.tiles.iter().filter(|(key, _)| key.look == at);
        let has_tiles =
            of_look.into_iter().any(|(key, tile)| !tile.is_stale || key.zoom != view.zoom());
        let (columns, rows) = view.tiles(0);
        let in_sight = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let key = |(x, y)| Key { look: at, zoom: view.zoom(), x, y };
        let next = in_sight.map(key).find(|key| !self.tiles.contains_key(key));
        let Some(key) = next.filter(|_| !has_tiles) else { return false };
        let colours = Look::new(Palette::of(look.theme), look.layer, look.hidden);
        let place = TileAt { x: key.x, y: key.y };
        let pixels = paint(view.world(), &colours, view.scale(), place, &mut Sketch(known));
        if let Some(canvas) = super::surface::picture(TILE, pixels.bytes()) {
            self.tiles.insert(key, Tile { canvas, seen: self.frame, is_stale: true });
            self.fresh.push(key);
        }
        true
    }

    /// The tiles to ask for, unless they were asked for already. `number` is the order's own.
    pub fn order(&mut self, number: u32) -> Option<MapOrder> {
        let (view, look) = self.wanted?;
        let key = Key { look, zoom: view.zoom(), x: 0, y: 0 };
        let lacks =
            |x: u32, y: u32| self.tiles.get(&Key { x, y, ..key }).is_none_or(|tile| tile.is_stale);
        let (columns, rows) = view.tiles(RING);
        let (seen_columns, seen_rows) = view.tiles(0);
        let middle = |seen: &core::ops::Range<u32>| (seen.start + seen.end) / 2;
        let (x0, y0) = (middle(&seen_columns), middle(&seen_rows));
        let mut tiles: Vec<(u32, u32)> = rows
            .flat_map(|y| columns.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| lacks(x, y))
            .collect();
        tiles.sort_by_key(|&(x, y)| {
            let is_seen = seen_columns.contains(&x) && seen_rows.contains(&y);
            (!is_seen, x.abs_diff(x0) + y.abs_diff(y0))
        });
        let is_asked = self.asked.as_ref().is_some_and(|asked| {
            asked.of == key && tiles.iter().all(|tile| asked.tiles.contains(tile))
        });
        if tiles.is_empty() || is_asked {
            return None;
        }
        self.asked = Some(Asked { number, of: key, tiles: tiles.clone() });
        let scale = view.scale();
        let look = *self.looks.get(look)?;
        Some(MapOrder { number, look, scale: (scale.x, scale.y, scale.ratio), tiles })
    }

    /// Puts the tiles at hand onto the canvas, and `draws` over them.
    pub fn paint(&mut self, palette: &Palette, draws: impl FnOnce(&MapView) -> Vec<Draw>) {
        let Some((wanted, look)) = self.wanted else { return };
        self.frame += 1;
        let (width, height) = wanted.size();
        let density = Density::exactly(wanted.ratio());
        let size = (density.device_from_view(width), density.device_from_view(height));
        if self.size != size {
            self.size = size;
            self.below.resize(size.0, size.1, density);
            let Margins { top, right, bottom, left } = self.margins;
            let device = |view| density.device_from_view(view);
            self.over.resize(device(left + width + right), device(top + height + bottom), density);
            self.below.place(left, top);
            self.below_shows = None;
            self.over_shows.clear();
        }
        // What is wanted is shown at once where it is only another part of what is seen.
        let is_ready = || {
            let (columns, rows) = wanted.tiles(0);
            let has = |x, y| self.tiles.contains_key(&Key { look, zoom: wanted.zoom(), x, y });
            rows.into_iter().all(|y| columns.clone().all(|x| has(x, y)))
        };
        let is_same = self.shown.is_none_or(|(_, shown)| shown == look);
        if is_same || is_ready() {
            self.shown = Some((wanted, look));
        }
        let Some((view, look)) = self.shown else { return };
        let fresh = core::mem::take(&mut self.fresh);
        if self.below_shows == Some((view, look)) {
            for key in fresh.iter().filter(|key| (key.look, key.zoom) == (look, view.zoom())) {
                self.paint_tile(*key, &view);
            }
        } else {
            self.below.fill(palette.well);
            self.paint_tiles(&view, look);
            self.below_shows = Some((view, look));
        }
        let draws = draws(&view);
        if self.over_shows != draws {
            self.over.clear();
            self.over.draw(&draws, density, palette);
            self.over_shows = draws;
        }
    }

    /// Puts a tile where it belongs.
    fn paint_tile(&mut self, key: Key, view: &MapView) {
        let Some(tile) = self.tiles.get_mut(&key) else { return };
        tile.seen = self.frame;
        let (side, corner) = (f64::from(TILE), view.corner());
        let at = (f64::from(key.x) * side - corner.0, f64::from(key.y) * side - corner.1);
        self.below.put_canvas(&tile.canvas, at, (side, side));
    }

    fn paint_tiles(&mut self, view: &MapView, look: usize) {
        let zoom = view.zoom();
        let (columns, rows) = view.tiles(0);
        let mut lacks = false;
        for (x, y) in rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y))) {
            lacks |= !self.tiles.contains_key(&Key { look, zoom, x, y });
        }
        if lacks {
            self.paint_stand_ins(view, look);
        }
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            self.paint_tile(Key { look, zoom, x, y }, view);
        }
    }

    /// Tiles of other sizes, from the smallest zoom to the nearest.
    fn paint_stand_ins(&mut self, view: &MapView, look: usize) {
        let (zoom, corner) = (view.zoom(), view.corner());
        let mut zooms: Vec<Zoom> =
            self.tiles.keys().filter(|key| key.look == look).map(|key| key.zoom).collect();
        zooms.dedup();
        zooms.retain(|other| *other != zoom);
        zooms.sort_by(|a, b| zoom.octaves_to(*b).total_cmp(&zoom.octaves_to(*a)));
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        // The smallest covers everything; beside it the two nearest are enough.
        let first = zooms.len().saturating_sub(2);
        let nearest = zooms.split_off(first);
        let smallest = zooms.iter().min().copied();
        for other in smallest.into_iter().chain(nearest) {
            let factor = zoom.pixels() / other.pixels();
            let side = f64::from(TILE) * factor;
            for (key, tile) in &mut self.tiles {
                if (key.look, key.zoom) != (look, other) {
                    continue;
                }
                let at = (f64::from(key.x) * side - corner.0, f64::from(key.y) * side - corner.1);
                if at.0 < width && at.1 < height && at.0 + side > 0.0 && at.1 + side > 0.0 {
                    tile.seen = self.frame;
                    self.below.put_canvas(&tile.canvas, at, (side, side));
                }
            }
        }
    }
}
