//! The part of the world that the map shows, and how large.
//!
//! Device pixels of the world begin at its left upper corner; the view's own corner lies at a whole
//! one of them, so that tiles are never drawn between pixels and what is hit is what is drawn.

use extscope::units::{Fsblk, Group};
use extscope_picture::{Layout, Place, Scale, TILE, World};

use super::draw::ViewRect;
use super::space::ViewPx;
use crate::protocol::Geometry;
use crate::state::{MapPlace, Selection, Zoom};

/// Width of a cell in CSS pixels, at most, unless the whole disk at once has larger ones.
const LARGEST: f64 = 34.0;
/// How many times as high as wide a cell is, at most.
const STRETCH: f64 = 2.0;
/// Width of a cell from which on cells are looked at and not groups, and at which a letter is read.
const CELLS: f64 = 2.4;
/// Width of a cell at which a letter is read.
const LETTERS: f64 = 12.2;

/// How much is seen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// All groups.
    Disk,
    /// Some groups.
    Flex,
    /// The cells of a group.
    Group,
    /// Cells with letters.
    Block,
}

/// What lies under a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A group, where cells are too small to be meant.
    Group(Group),
    /// A cell.
    Cell(Place),
}

impl Hit {
    /// The group that it is, or is of.
    #[must_use]
    pub fn group(self) -> Group {
        match self {
            Self::Group(group) | Self::Cell(Place { group, .. }) => group,
        }
    }
}

/// The part of the world that the map shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapView {
    world: World,
    size: (ViewPx, ViewPx),
    /// Device pixels of a CSS pixel.
    ratio: f64,
    /// How many times as high as wide a cell is.
    stretch: f64,
    /// The zoom that shows the whole disk.
    fit: Zoom,
    zoom: Zoom,
    /// The device pixel of the world at the view's corner.
    corner: (f64, f64),
}

impl MapView {
    /// The whole disk in a view of some CSS pixels.
    #[must_use]
    pub fn new(geometry: &Geometry, layout: Layout, size: (ViewPx, ViewPx), ratio: f64) -> Self {
        let world = World::fit(geometry, layout, size, STRETCH);
        let (scale, stretch) = world.scale_to_fit(size.0, size.1, STRETCH);
        // A step smaller, so that rounding cuts nothing off.
        let fit = Zoom::from_pixels(scale.min(LARGEST) * 0.998);
        let mut view = Self { world, size, ratio, stretch, fit, zoom: fit, corner: (0.0, 0.0) };
        view.keep_in_sight();
        view
    }

    /// Where all blocks lie.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Width and height in CSS pixels.
    #[must_use]
    pub fn size(&self) -> (ViewPx, ViewPx) {
        self.size
    }

    /// Device pixels of a CSS pixel.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// How large cells are.
    #[must_use]
    pub fn zoom(&self) -> Zoom {
        self.zoom
    }

    /// The zoom that shows the whole disk.
    #[must_use]
    pub fn fit(&self) -> Zoom {
        self.fit
    }

    /// Width and height of a cell in device pixels.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale_at(self.zoom)
    }

    /// The same at another zoom.
    #[must_use]
    pub fn scale_at(&self, zoom: Zoom) -> Scale {
        let x = zoom.pixels() * self.ratio;
        Scale { x, y: x * self.stretch, ratio: self.ratio }
    }

    /// The device pixel of the world at the view's corner.
    #[must_use]
    pub fn corner(&self) -> (f64, f64) {
        self.corner
    }

    /// How much is seen at once.
    #[must_use]
    pub fn level(&self) -> Level {
        let pixels = self.zoom.pixels();
        if self.zoom <= self.fit && self.world.groups() > 1 {
            Level::Disk
        } else if pixels >= 9.0 {
            Level::Block
        } else if pixels >= CELLS {
            Level::Group
        } else {
            Level::Flex
        }
    }

    /// The world's cell at a point of the view, with its fraction.
    fn cell_at(&self, x: ViewPx, y: ViewPx) -> (f64, f64) {
        let scale = self.scale();
        let device = |at: f64, corner: f64| corner + (at * self.ratio).floor() + 0.5;
        (device(x, self.corner.0) / scale.x, device(y, self.corner.1) / scale.y)
    }

    /// What lies under a point.
    #[must_use]
    pub fn hit(&self, x: ViewPx, y: ViewPx) -> Option<Hit> {
        let (x, y) = self.cell_at(x, y);
        if self.level() >= Level::Group {
            self.world.hit(x, y).map(Hit::Cell)
        } else {
            self.world.group_hit(x, y).map(Hit::Group)
        }
    }

    /// The cell that lies nearest to a point.
    #[must_use]
    pub fn nearest(&self, x: ViewPx, y: ViewPx) -> Place {
        let (x, y) = self.cell_at(x, y);
        self.world.nearest(x, y)
    }

    /// Moves what is seen with the pointer.
    pub fn pan(&mut self, x: ViewPx, y: ViewPx) {
        self.corner.0 -= x * self.ratio;
        self.corner.1 -= y * self.ratio;
        self.keep_in_sight();
    }

    /// Changes the size of cells by a factor; what is at the point stays there.
    pub fn zoom_by(&mut self, factor: f64, at: (ViewPx, ViewPx)) {
        self.zoom_to(Zoom::from_pixels(self.zoom.pixels() * factor), at);
    }

    /// Gives cells a size; what is at the point stays there.
    pub fn zoom_to(&mut self, zoom: Zoom, at: (ViewPx, ViewPx)) {
        let (x, y) = self.cell_at(at.0, at.1);
        self.zoom = zoom.clamp(self.fit, Zoom::from_pixels(LARGEST).max(self.fit));
        self.put(x, y, at);
    }

    /// The zoom one level further in, or out.
    #[must_use]
    pub fn next_level(&self, inward: bool) -> Zoom {
        let (width, height) = self.world.group_size();
        let fit = self.fit.pixels();
        let whole_group = (self.size.0 / f64::from(width))
            .min(self.size.1 / (f64::from(height) * self.stretch))
            .min(LARGEST);
        let mut stops = [fit, fit * 2.7, whole_group * 0.94, LETTERS].map(Zoom::from_pixels);
        stops.sort();
        let next = if inward {
            stops.iter().find(|stop| **stop > self.zoom)
        } else {
            stops.iter().rev().find(|stop| **stop < self.zoom)
        };
        next.copied().unwrap_or(if inward { self.zoom } else { self.fit }).max(self.fit)
    }

    /// What is seen on the way to another view of the same world: there where `share` is 1. One
    /// place of the world stays where it is meanwhile, as between two fingers.
    #[must_use]
    pub fn on_the_way(&self, to: &Self, share: f64) -> Self {
        if share >= 1.0 || self.world != to.world {
            return *to;
        }
        let zoom = self.zoom.on_the_way(to.zoom, share);
        let (from, until, now) = (self.zoom.pixels(), to.zoom.pixels(), zoom.pixels());
        // How far it is in pixels, which is how corners move.
        let way = if self.zoom == to.zoom { share } else { (now - from) / (until - from) };
        let corner = |from: f64, to: f64| from + (to - from) * way;
        let corner = (corner(self.corner.0, to.corner.0), corner(self.corner.1, to.corner.1));
        let mut view = Self { zoom, corner, ..*to };
        view.keep_in_sight();
        view
    }

    /// Puts a place of the world at a point of the view.
    fn put(&mut self, x: f64, y: f64, at: (ViewPx, ViewPx)) {
        let scale = self.scale();
        self.corner = (x * scale.x - at.0 * self.ratio, y * scale.y - at.1 * self.ratio);
        self.keep_in_sight();
    }

    /// Puts a block into the middle.
    pub fn centre(&mut self, fsblk: Fsblk) {
        if let Some(place) = self.world.place(fsblk) {
            let (x, y) = self.world.origin(place);
            self.put(x + 0.5, y + 0.5, (self.size.0 / 2.0, self.size.1 / 2.0));
        }
    }

    /// Puts the middle of a group into the middle.
    pub fn centre_group(&mut self, group: Group) {
        if let Some(middle) = self.middle(&Selection::Group(group)) {
            self.centre(middle);
        }
    }

    /// Shows about as many groups as from the first to the last, those in the middle.
    pub fn show_groups(&mut self, first: Group, last: Group) {
        let (columns, rows) = self.groups();
        let seen = (columns.len() * rows.len()).max(1) as f64;
        let wanted = f64::from(last.get().saturating_sub(first.get()).saturating_add(1));
        let middle = (self.size.0 / 2.0, self.size.1 / 2.0);
        self.zoom_by((seen / wanted).sqrt(), middle);
        self.centre_group(Group::new(first.get().midpoint(last.get())));
    }

    /// The world's middle and edges stay where they can be seen; the corner is a whole pixel.
    fn keep_in_sight(&mut self) {
        let (scale, size) = (self.scale(), self.world.size());
        let along = |corner: f64, world: f64, view: f64| {
            let corner = if world <= view {
                // Small worlds begin at the corner, as text does.
                0.0
            } else {
                corner.clamp(-view / 2.0, world - view / 2.0)
            };
            corner.round()
        };
        self.corner = (
            along(self.corner.0, size.0 * scale.x, self.size.0 * self.ratio),
            along(self.corner.1, size.1 * scale.y, self.size.1 * self.ratio),
        );
    }

    /// Where the map stands, as the address has it.
    #[must_use]
    pub fn place(&self) -> MapPlace {
        if self.zoom == self.fit {
            return MapPlace::default();
        }
        let middle = self.nearest(self.size.0 / 2.0, self.size.1 / 2.0);
        MapPlace { at: Some(self.world.fsblk(middle)), zoom: Some(self.zoom) }
    }

    /// Goes where the address says. With a block and no zoom, what is selected fills the view as
    /// far as letters can be read.
    pub fn go(&mut self, place: &MapPlace, selection: Option<&Selection>) {
        let Some(at) = place.at else {
            self.zoom = self.fit;
            return self.keep_in_sight();
        };
        let largest = Zoom::from_pixels(LARGEST).max(self.fit);
        let zoom = place.zoom.unwrap_or_else(|| self.zoom_for(selection));
        self.zoom = zoom.clamp(self.fit, largest);
        let middle = match (place.zoom, selection) {
            (None, Some(selection)) => self.middle(selection).unwrap_or(at),
            _ => at,
        };
        self.centre(middle);
    }

    /// The zoom at which a selection fills most of the view.
    fn zoom_for(&self, selection: Option<&Selection>) -> Zoom {
        let (width, height) = self.world.group_size();
        let blocks = match selection {
            Some(Selection::Group(_) | Selection::Inode(_)) | None => {
                return Zoom::from_pixels(
                    (self.size.0 / f64::from(width))
                        .min(self.size.1 / (f64::from(height) * self.stretch))
                        .min(LETTERS)
                        * 0.94,
                );
            }
            Some(Selection::Block(_)) => 1,
            Some(Selection::Blocks(blocks)) => blocks.end().saturating_sub(*blocks.start()) + 1,
        };
        let geometry = self.world.geometry();
        let cells = (blocks / u64::from(geometry.blocks_per_cluster().max(1))).max(1) as f64;
        let rows = (cells / f64::from(width)).ceil();
        let wide = cells.min(f64::from(width));
        let fits = (self.size.0 / wide).min(self.size.1 / (rows * self.stretch)) * 0.8;
        Zoom::from_pixels(fits.min(LETTERS))
    }

    /// The block in the middle of a selection.
    fn middle(&self, selection: &Selection) -> Option<Fsblk> {
        let geometry = self.world.geometry();
        match selection {
            Selection::Block(fsblk) => Some(*fsblk),
            Selection::Blocks(blocks) => Some(Fsblk::new(blocks.start().midpoint(*blocks.end()))),
            Selection::Group(group) => {
                let (width, height) = self.world.group_size();
                let (x, y) = self.world.group_origin(*group);
                let middle =
                    self.world.nearest(x + f64::from(width) / 2.0, y + f64::from(height) / 2.0);
                Some(self.world.fsblk(middle)).filter(|fsblk| geometry.contains(*fsblk))
            }
            Selection::Inode(_) => None,
        }
    }

    /// Columns and rows of the tiles that are seen, with `ring` more at each side.
    #[must_use]
    pub fn tiles(&self, ring: u32) -> (core::ops::Range<u32>, core::ops::Range<u32>) {
        let (scale, size) = (self.scale(), self.world.size());
        let tile = f64::from(TILE);
        let along = |corner: f64, view: f64, world: f64| {
            let most = (world / tile).ceil() as u32;
            // Saturates at both ends.
            let from = ((corner / tile).floor() as u32).saturating_sub(ring);
            let to = (((corner + view * self.ratio) / tile).ceil() as u32).saturating_add(ring);
            from.min(most)..to.min(most)
        };
        (
            along(self.corner.0, self.size.0, size.0 * scale.x),
            along(self.corner.1, self.size.1, size.1 * scale.y),
        )
    }

    /// Groups in sight: columns and rows.
    #[must_use]
    pub fn groups(&self) -> (core::ops::Range<u32>, core::ops::Range<u32>) {
        let (scale, (x, y)) = (self.scale(), self.corner);
        let (w, h) = (self.size.0 * self.ratio, self.size.1 * self.ratio);
        self.world.groups_in((x / scale.x, y / scale.y), ((x + w) / scale.x, (y + h) / scale.y))
    }

    /// A rectangle of cells as it lies in the view.
    #[must_use]
    pub fn rect(&self, (x, y): (f64, f64), (w, h): (f64, f64)) -> ViewRect {
        let scale = self.scale();
        // Edges lie where the painting has them: at the first pixel whose middle is inside.
        let edge = |cell: f64, scale: f64, corner: f64| {
            ((cell * scale - 0.5).ceil() - corner) / self.ratio
        };
        let (left, top) = (edge(x, scale.x, self.corner.0), edge(y, scale.y, self.corner.1));
        ViewRect {
            x: left,
            y: top,
            w: edge(x + w, scale.x, self.corner.0) - left,
            h: edge(y + h, scale.y, self.corner.1) - top,
        }
    }

    /// Where a group lies in the view.
    #[must_use]
    pub fn group_rect(&self, group: Group) -> ViewRect {
        let (width, height) = self.world.group_size();
        self.rect(self.world.group_origin(group), (width.into(), height.into()))
    }

    /// Where a cell lies in the view.
    #[must_use]
    pub fn place_rect(&self, place: Place) -> ViewRect {
        self.rect(self.world.origin(place), (1.0, 1.0))
    }

    /// Where what is hit lies in the view.
    #[must_use]
    pub fn hit_rect(&self, hit: Hit) -> ViewRect {
        match hit {
            Hit::Group(group) => self.group_rect(group),
            Hit::Cell(place) => self.place_rect(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::testing;

    fn view(groups: u32, layout: usize, ratio: f64) -> MapView {
        let geometry = testing::opened(groups).geometry;
        MapView::new(&geometry, Layout::ALL[layout], (830.0, 700.0), ratio)
    }

    #[test]
    fn on_the_way_in_the_place_that_stays_is_never_left() {
        let from = view(16, 0, 1.0);
        let mut to = from;
        to.zoom_by(30.0, (400.0, 300.0));
        assert_eq!((from.on_the_way(&to, 0.0), from.on_the_way(&to, 1.0)), (from, to));
        let place = from.cell_at(400.0, 300.0);
        let mut last = from.zoom();
        for step in 1..10 {
            let view = from.on_the_way(&to, f64::from(step) / 10.0);
            let now = view.cell_at(400.0, 300.0);
            let apart =
                ((place.0 - now.0) * view.scale().x).hypot((place.1 - now.1) * view.scale().y);
            assert!(apart < 3.0 && view.zoom() > last, "step {step}: {apart} pixels apart");
            last = view.zoom();
        }
    }

    proptest! {
        #[test]
        fn what_is_under_the_pointer_stays_there_when_zooming(
            groups in 1_u32..30, layout in 0_usize..3, ratio in 1_u32..4, x in 0.0_f64..1.0,
            y in 0.0_f64..1.0, factors in prop::collection::vec(0.6_f64..1.7, 1..14),
        ) {
            let mut view = view(groups, layout, ratio.into());
            view.zoom_by(9.0, (300.0, 300.0));
            let at = (x * 830.0, y * 700.0);
            for factor in factors {
                let before = view.cell_at(at.0, at.1);
                view.zoom_by(factor, at);
                let after = view.cell_at(at.0, at.1);
                // At the world's edges what is seen is kept in sight instead.
                let scale = view.scale();
                let corner = (before.0 * scale.x - at.0 * view.ratio, before.1 * scale.y - at.1 * view.ratio);
                if (view.corner.0 - corner.0).abs() <= 1.0 && (view.corner.1 - corner.1).abs() <= 1.0 {
                    prop_assert!((before.0 - after.0).abs() * scale.x <= 2.0);
                    prop_assert!((before.1 - after.1).abs() * scale.y <= 2.0);
                } else {
                    let (w, h) = view.world.size();
                    let inside = |at: f64, size: f64, scale: f64, view: f64| {
                        size * scale > view && at * scale > view && (size - at) * scale > view
                    };
                    prop_assert!(!inside(before.0, w, scale.x, 830.0 * view.ratio)
                        || !inside(before.1, h, scale.y, 700.0 * view.ratio));
                }
            }
        }

        #[test]
        fn what_is_hit_has_the_point_in_its_rectangle(
            groups in 1_u32..200, layout in 0_usize..3, zoom in 0.0_f64..8.0,
            x in 0.0_f64..830.0, y in 0.0_f64..700.0, ratio in 1_u32..4,
        ) {
            let mut view = view(groups, layout, ratio.into());
            view.zoom_by(zoom.exp2(), (x, y));
            if let Some(hit) = view.hit(x, y) {
                let rect = view.hit_rect(hit);
                prop_assert!((rect.x..rect.x + rect.w).contains(&((x * view.ratio).floor() / view.ratio)));
                prop_assert!((rect.y..rect.y + rect.h).contains(&((y * view.ratio).floor() / view.ratio)));
            }
        }

        #[test]
        fn a_place_leads_back_to_itself(groups in 2_u32..30, block in 1_u64..16_000, zoom in 1.0_f64..30.0) {
            let mut view = view(groups, 0, 1.0);
            view.go(&MapPlace { at: Some(Fsblk::new(block)), zoom: Some(Zoom::from_pixels(zoom)) }, None);
            let place = view.place();
            let mut again = view;
            again.go(&place, None);
            prop_assert_eq!(again.place(), place);
        }
    }

    #[test]
    fn the_whole_disk_is_the_smallest_and_levels_lead_in_and_out() {
        let mut view = view(200, 0, 1.0);
        assert_eq!((view.level(), view.place()), (Level::Disk, MapPlace::default()));
        let mut levels = vec![view.level()];
        while view.next_level(true) > view.zoom() {
            view.zoom_to(view.next_level(true), (400.0, 300.0));
            levels.push(view.level());
        }
        assert_eq!(levels, [Level::Disk, Level::Flex, Level::Group, Level::Block]);
        view.zoom_by(1e-9, (0.0, 0.0));
        assert_eq!(view.zoom(), view.fit());
    }
}
