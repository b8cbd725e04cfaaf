//! A tile of the map as pixels, at any scale.

use extscope::units::Group;

use super::cells::{Cells, Fineness, Source, Truth};
use super::curve::Layout;
use super::glyph;
use super::ink::Ink;
use super::look::Look;
use super::palette::Rgb;
use super::pixels::Pixels;
use super::raster::{Raster, Span};
use super::space::DevicePx;
use super::world::World;

/// Width and height of a tile in pixels.
pub const TILE: DevicePx = 256;
/// Distance of hatching lines, in CSS pixels.
const HATCH: f64 = 5.0;
/// Groups of at least this pitch, in pixels, are rectangles; smaller ones flow together.
const SINGLE: f64 = 3.0;
/// Cells of at least this width, in CSS pixels, have an edge; from the second on, a letter.
const EDGED: (f64, f64) = (5.0, 9.0);
/// From this width on, in CSS pixels, words of 64 cells are told apart.
const WORDS: f64 = 2.4;
/// Cells of a word.
const WORD: usize = 64;

/// How large a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Width of a cell in pixels.
    pub x: f64,
    /// Height of a cell in pixels.
    pub y: f64,
    /// Pixels of a CSS pixel.
    pub ratio: f64,
}

/// A tile of the grid of tiles that begins at the world's left upper corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileAt {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

/// Draws a tile.
#[must_use]
pub fn paint(
    world: &World,
    look: &Look,
    scale: Scale,
    at: TileAt,
    source: &mut impl Source,
) -> Pixels {
    let mut tile = Tile {
        pixels: Pixels::filled(TILE, TILE, look.palette().well),
        world,
        look,
        scale,
        left: u64::from(at.x) * u64::from(TILE),
        top: u64::from(at.y) * u64::from(TILE),
        cells: Cells::default(),
        raster: Raster::default(),
        bits: Raster::default(),
    };
    let (w, h) = world.pitch();
    if f64::from(w) * scale.x < SINGLE || f64::from(h) * scale.y < SINGLE {
        tile.paint_flow(source);
    } else {
        tile.paint_groups(source);
    }
    tile.pixels
}

struct Tile<'a> {
    pixels: Pixels,
    world: &'a World,
    look: &'a Look,
    scale: Scale,
    /// The world's pixels left of the tile, and above it.
    left: u64,
    top: u64,
    cells: Cells,
    raster: Raster,
    /// The bits of the bitmap, where they are shown.
    bits: Raster,
}

impl Tile<'_> {
    /// Columns and rows of the groups that the tile shows some of.
    fn groups(&self) -> (core::ops::Range<u32>, core::ops::Range<u32>) {
        let cell = |x: u64, y: u64| (x as f64 / self.scale.x, y as f64 / self.scale.y);
        let side = u64::from(TILE);
        self.world.groups_in(cell(self.left, self.top), cell(self.left + side, self.top + side))
    }

    /// Draws groups as rectangles of cells.
    fn paint_groups(&mut self, source: &mut impl Source) {
        let largest = self.scale.x.max(self.scale.y);
        let (width, height) = self.world.group_size();
        let most = width.min(height).max(1).ilog2();
        let log = ((1.0 / largest).log2().floor().max(0.0) as u32).min(most);
        let fineness = if log == 0 { Fineness::Cells } else { Fineness::Parts(1 << log) };
        let (columns, rows) = self.groups();
        for (row, column) in rows.flat_map(|row| columns.clone().map(move |x| (row, x))) {
            let Some(group) = self.world.group_at(column, row) else { continue };
            source.group(group, fineness, &mut self.cells);
            self.raster.lay(self.world.fold(), &self.cells, log, self.look);
            let truth = self.cells.truth;
            if self.look.has_bits() && self.has_letters(log) {
                source.bits(group, &mut self.cells);
                self.bits.lay(self.world.fold(), &self.cells, log, self.look);
            }
            self.paint_group(group, log, truth);
        }
    }

    /// Whether there is room for letters in cells.
    fn has_letters(&self, log: u32) -> bool {
        log == 0 && self.scale.x / self.scale.ratio >= EDGED.1
    }

    /// What stands in a cell: its bit, or else the letter of its kind.
    fn letter(&self, x: usize, y: usize) -> Option<char> {
        if self.look.has_bits() {
            self.bits.ink(x, y).and_then(Ink::digit)
        } else {
            self.raster.ink(x, y).and_then(Ink::letter)
        }
    }

    fn paint_group(&mut self, group: Group, log: u32, truth: Truth) {
        let (x, y) = self.world.group_origin(group);
        let (width, height) = self.world.group_size();
        // A gap that is less than a pixel wide would be there in some places and not in others.
        let (pitch_x, pitch_y) = self.world.pitch();
        let with_gap = |cells: u32, pitch: u32, scale: f64| {
            if f64::from(pitch - cells) * scale < 1.0 { pitch } else { cells }
        };
        let (width, height) =
            (with_gap(width, pitch_x, self.scale.x), with_gap(height, pitch_y, self.scale.y));
        let (squares_x, squares_y) = self.raster.size();
        let across = Axis {
            tile: self.left,
            scale: self.scale.x,
            origin: x,
            cells: width,
            log,
            squares: squares_x,
            letter: glyph::SIZE.0,
        };
        let down = Axis {
            tile: self.top,
            scale: self.scale.y,
            origin: y,
            cells: height,
            squares: squares_y,
            letter: glyph::SIZE.1,
            ..across
        };
        // Letters are as large as both sides of a cell allow.
        let css = self.scale.x / self.scale.ratio;
        let letter =
            if self.has_letters(log) { across.letter_scale().min(down.letter_scale()) } else { 0 };
        let has_words =
            log == 0 && css >= WORDS && css < EDGED.1 && self.world.layout() != Layout::Hilbert;
        let has_edges = log == 0 && css >= EDGED.0;
        let (columns, rows) = (across.points(letter), down.points(letter));
        let well = self.look.palette().well;
        let hatch = (HATCH * self.scale.ratio).round().max(3.0) as DevicePx;
        for down in &rows {
            for across in &columns {
                let Some(mut colour) = self.raster.mean(across.span, down.span, self.look) else {
                    continue;
                };
                if has_edges && (across.is_edge || down.is_edge) {
                    colour = colour.mix(well, 0.45);
                } else if has_words && across.is_edge && across.span.to.is_multiple_of(WORD) {
                    colour = colour.mix(well, 0.6);
                } else if let (Some(x), Some(y)) = (across.letter, down.letter)
                    && let Some(ink) = self.raster.ink(across.span.from, down.span.from)
                    && self
                        .letter(across.span.from, down.span.from)
                        .is_some_and(|letter| glyph::has_ink(letter, x, y))
                {
                    colour = self.look.swatch(ink).ink;
                }
                let (x, y) = (across.at, down.at);
                let colour = self.as_true(truth, colour, x, y, hatch);
                self.pixels.set(x, y, colour);
            }
        }
    }

    /// A colour as it looks where it is only so true.
    fn as_true(&self, truth: Truth, colour: Rgb, x: DevicePx, y: DevicePx, hatch: DevicePx) -> Rgb {
        // Lines go on from tile to tile: their phase is the world's.
        let phase = |at: u64| (at % u64::from(hatch)) as DevicePx;
        let (x, y) = (x + phase(self.left), y + phase(self.top));
        match truth {
            Truth::Known => colour,
            Truth::Hearsay => self.look.palette().hatched(colour, x, y, hatch),
            Truth::Failed => self.look.palette().failed(x, y, hatch),
        }
    }

    /// Draws groups that are smaller than some pixels: each pixel is the mean of what falls into it.
    fn paint_flow(&mut self, source: &mut impl Source) {
        let (columns, rows) = self.groups();
        let width = columns.len();
        let (group_width, group_height) = self.world.group_size();
        let log = group_width.max(group_height).max(1).next_power_of_two().ilog2();
        let mut sums: Vec<Option<([f32; 4], Truth)>> = Vec::with_capacity(width * rows.len());
        for (row, column) in rows.clone().flat_map(|row| columns.clone().map(move |x| (row, x))) {
            sums.push(self.world.group_at(column, row).map(|group| {
                source.group(group, Fineness::Whole, &mut self.cells);
                self.raster.lay(self.world.fold(), &self.cells, log, self.look);
                (self.raster.total(), self.cells.truth)
            }));
        }
        let (w, h) = self.world.pitch();
        let pitch = (f64::from(w) * self.scale.x, f64::from(h) * self.scale.y);
        let hatch = (HATCH * self.scale.ratio).round().max(3.0) as DevicePx;
        let range = |pixel: u64, pitch: f64, first: u32, count: usize| {
            let from = (pixel as f64 / pitch) as usize;
            let to = (((pixel + 1) as f64 / pitch) as usize).max(from + 1);
            from.saturating_sub(first as usize).min(count)
                ..to.saturating_sub(first as usize).min(count)
        };
        for y in 0..TILE {
            let down = range(self.top + u64::from(y), pitch.1, rows.start, rows.len());
            for x in 0..TILE {
                let across = range(self.left + u64::from(x), pitch.0, columns.start, width);
                let (mut total, mut truth, mut is_there) = ([0.0; 4], Truth::Known, false);
                for row in down.clone() {
                    let groups = sums.get(row * width + across.start..row * width + across.end);
                    for (sum, of) in groups.unwrap_or_default().iter().flatten() {
                        is_there = true;
                        truth = truth.worse(*of);
                        for (total, more) in total.iter_mut().zip(sum) {
                            *total += more;
                        }
                    }
                }
                if is_there {
                    let [r, g, b, weight] = total;
                    let colour = self.look.mean([r, g, b], weight);
                    let colour = self.as_true(truth, colour, x, y, hatch);
                    self.pixels.set(x, y, colour);
                }
            }
        }
    }
}

/// How a group lies along one side of a tile.
#[derive(Clone, Copy)]
struct Axis {
    /// The world's pixels before the tile.
    tile: u64,
    /// Pixels of a cell.
    scale: f64,
    /// The group's first cell, from the world's start.
    origin: f64,
    /// Cells of the group.
    cells: u32,
    log: u32,
    squares: usize,
    /// A letter's pixels.
    letter: u32,
}

/// A pixel of a tile along one side.
struct Point {
    at: DevicePx,
    /// The squares that fall into it.
    span: Span,
    /// Whether it is the last of its cell.
    is_edge: bool,
    /// The pixel of a letter that it is, where letters are drawn.
    letter: Option<u32>,
}

impl Axis {
    /// Pixels of the screen for a pixel of a letter.
    fn letter_scale(&self) -> u32 {
        (self.scale / f64::from(self.letter + 4)) as u32
    }

    /// The pixels of the tile that show the group.
    fn points(&self, letter: u32) -> Vec<Point> {
        let end = self.origin + f64::from(self.cells);
        (0..TILE)
            .filter_map(|at| {
                // A pixel shows what its middle lies in.
                let pixel = (self.tile + u64::from(at)) as f64;
                let middle = (pixel + 0.5) / self.scale;
                if middle < self.origin || middle >= end {
                    return None;
                }
                let square = f64::from(1_u32 << self.log);
                let place = |pixel: f64| (pixel / self.scale - self.origin) / square;
                let last = self.squares.saturating_sub(1);
                let here = (place(pixel + 0.5) as usize).min(last);
                let from = (place(pixel).max(0.0) as usize).min(here);
                let to = (place(pixel + 1.0).ceil() as usize).clamp(here + 1, last + 1);
                let span = if self.scale >= 1.0 {
                    Span { from: here, to: here + 1 }
                } else {
                    Span { from, to }
                };
                let next = (pixel + 1.5) / self.scale - self.origin;
                let is_edge = self.log == 0 && next as usize > here;
                Some(Point { at, span, is_edge, letter: self.letter_at(here, pixel, letter) })
            })
            .collect()
    }

    /// The pixel of a letter in the middle of a cell that a pixel of the world is.
    fn letter_at(&self, cell: usize, pixel: f64, letter: u32) -> Option<u32> {
        if letter == 0 {
            return None;
        }
        let start = ((self.origin + cell as f64) * self.scale - 0.5).ceil();
        let left = ((self.scale - f64::from(self.letter * letter)) / 2.0).floor();
        let inside = (pixel - start - left) / f64::from(letter);
        (inside >= 0.0 && inside < f64::from(self.letter)).then_some(inside as u32)
    }
}
