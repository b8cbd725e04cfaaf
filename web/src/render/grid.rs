//! Where the groups lie on the map.
//!
//! Groups run left to right, then down, like text. A row holds whole flex groups, or the half or
//! quarter of one: as many as let the tiles fill the canvas best without being bars. Tiles and
//! gaps are whole device pixels, all alike, so the map is crisp at every density. Where there are
//! more groups than pixels, one tile stands for a power of two of neighbouring groups.

use super::space::{DevicePx, Rect};

/// Groups of a row where the filesystem has no flex groups.
const ROW_WITHOUT_FLEX: u32 = 16;
/// Tiles wider than this, in CSS pixels, look like bars and say nothing more.
const WIDEST: f64 = 720.0;
/// Width by height of a tile: the widest shape, and the narrowest of small and of large tiles.
const SHAPES: (f64, f64, f64) = (2.4, 0.8, 1.1);
/// From this width on, in CSS pixels, a tile is large.
const LARGE: f64 = 64.0;

/// Margins around the tiles, for row and column numbers, in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margins {
    /// Above.
    pub top: DevicePx,
    /// At the right.
    pub right: DevicePx,
    /// Below.
    pub bottom: DevicePx,
    /// At the left.
    pub left: DevicePx,
}

/// What the layout depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridSpec {
    /// Block groups in all.
    pub groups: u32,
    /// Groups of a flex group; 1 or 0 where there are none.
    pub flex_size: u32,
    /// Canvas width in device pixels.
    pub width: DevicePx,
    /// Canvas height in device pixels.
    pub height: DevicePx,
    /// Device pixels of a CSS pixel.
    pub ratio: f64,
    /// Room for numbers.
    pub margins: Margins,
}

/// Tiles in rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Block groups in all.
    pub groups: u32,
    /// Groups that one tile stands for; a power of two.
    pub groups_per_tile: u32,
    /// Tiles of a full row.
    pub columns: u32,
    /// Rows, the last may be short.
    pub rows: u32,
    /// Left edge of the first tile.
    pub left: DevicePx,
    /// Upper edge of the first tile.
    pub top: DevicePx,
    /// Width of a tile.
    pub tile_w: DevicePx,
    /// Height of a tile.
    pub tile_h: DevicePx,
    /// Between two tiles, across and down.
    pub gap: DevicePx,
}

/// A step of the cursor from tile to tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the previous tile.
    Left,
    /// To the next tile.
    Right,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// To the first of the row.
    RowStart,
    /// To the last of the row.
    RowEnd,
    /// To the first group.
    First,
    /// To the last group.
    Last,
    /// An eighth of the rows up.
    PageUp,
    /// An eighth of the rows down.
    PageDown,
}

impl Grid {
    /// The layout that fills the canvas best.
    #[must_use]
    pub fn fit(spec: GridSpec) -> Self {
        let groups = spec.groups.max(1);
        let room = Room::of(&spec);
        let mut groups_per_tile = 1;
        loop {
            let tiles = groups.div_ceil(groups_per_tile);
            let flex = if spec.flex_size > 1 { spec.flex_size } else { ROW_WITHOUT_FLEX };
            let row = flex.div_ceil(groups_per_tile).max(1);
            if let Some(shape) = best_shape(tiles, row, room) {
                return Self::placed(spec, groups_per_tile, shape);
            }
            groups_per_tile = groups_per_tile.saturating_mul(2);
        }
    }

    fn placed(spec: GridSpec, groups_per_tile: u32, shape: Shape) -> Self {
        Self {
            groups: spec.groups.max(1),
            groups_per_tile,
            columns: shape.columns,
            rows: shape.rows,
            left: spec.margins.left,
            top: spec.margins.top,
            tile_w: shape.pitch_w - shape.gap,
            tile_h: shape.pitch_h - shape.gap,
            gap: shape.gap,
        }
    }

    /// Tiles in all.
    #[must_use]
    pub fn tiles(&self) -> u32 {
        self.groups.div_ceil(self.groups_per_tile)
    }

    /// The tile that shows `group`.
    #[must_use]
    pub fn tile_of(&self, group: u32) -> u32 {
        group.min(self.groups - 1) / self.groups_per_tile
    }

    /// First and last group of a tile.
    #[must_use]
    pub fn groups_of(&self, tile: u32) -> (u32, u32) {
        let first = tile.min(self.tiles() - 1) * self.groups_per_tile;
        (first, (first + (self.groups_per_tile - 1)).min(self.groups - 1))
    }

    /// Column and row of a tile.
    #[must_use]
    pub fn place(&self, tile: u32) -> (u32, u32) {
        (tile % self.columns, tile / self.columns)
    }

    /// The pixels of a tile.
    #[must_use]
    pub fn rect(&self, tile: u32) -> Rect {
        let (column, row) = self.place(tile);
        Rect {
            x: self.left + column * (self.tile_w + self.gap),
            y: self.top + row * (self.tile_h + self.gap),
            w: self.tile_w,
            h: self.tile_h,
        }
    }

    /// All tiles and the gaps between them.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        let full_row = self.columns.min(self.tiles());
        Rect {
            x: self.left,
            y: self.top,
            w: full_row * (self.tile_w + self.gap) - self.gap,
            h: self.rows * (self.tile_h + self.gap) - self.gap,
        }
    }

    /// The tile under a device pixel; gaps and margins give nothing.
    #[must_use]
    pub fn hit(&self, x: DevicePx, y: DevicePx) -> Option<u32> {
        let (x, y) = (x.checked_sub(self.left)?, y.checked_sub(self.top)?);
        let (column, row) = (x / (self.tile_w + self.gap), y / (self.tile_h + self.gap));
        if column >= self.columns || row >= self.rows {
            return None;
        }
        if x % (self.tile_w + self.gap) >= self.tile_w
            || y % (self.tile_h + self.gap) >= self.tile_h
        {
            return None;
        }
        let tile = row * self.columns + column;
        (tile < self.tiles()).then_some(tile)
    }

    /// The tile that a step from `tile` leads to; at an edge the cursor stays.
    #[must_use]
    pub fn step(&self, tile: u32, step: Step) -> u32 {
        let last = self.tiles() - 1;
        let tile = tile.min(last);
        let row_start = tile - tile % self.columns;
        let up = |rows: u32| tile - (tile / self.columns).min(rows) * self.columns;
        let down = |rows: u32| {
            let rows = rows.min((last - tile) / self.columns);
            tile + rows * self.columns
        };
        let page = (self.rows / 8).max(1);
        match step {
            Step::Left => tile.saturating_sub(1),
            Step::Right => (tile + 1).min(last),
            Step::Up => up(1),
            Step::Down => down(1),
            Step::RowStart => row_start,
            Step::RowEnd => (row_start + self.columns - 1).min(last),
            Step::First => 0,
            Step::Last => last,
            Step::PageUp => up(page),
            Step::PageDown => down(page),
        }
    }
}

/// The canvas without its margins.
#[derive(Clone, Copy)]
struct Room {
    w: DevicePx,
    h: DevicePx,
    ratio: f64,
}

impl Room {
    fn of(spec: &GridSpec) -> Self {
        let Margins { top, right, bottom, left } = spec.margins;
        Self {
            w: spec.width.saturating_sub(left + right).max(1),
            h: spec.height.saturating_sub(top + bottom).max(1),
            ratio: spec.ratio,
        }
    }
}

#[derive(Clone, Copy)]
struct Shape {
    columns: u32,
    rows: u32,
    pitch_w: DevicePx,
    pitch_h: DevicePx,
    gap: DevicePx,
}

/// The shape that covers most pixels, its rows multiples or halves of `row` tiles, a flex group;
/// `None` when no shape leaves a pixel for each tile. Among equals the longest rows win, which use
/// the width. Where there is less than one flex group, rows are as long as they like.
fn best_shape(tiles: u32, row: u32, room: Room) -> Option<Shape> {
    let most = tiles.div_ceil(row).min(room.w / row.min(room.w) + 1).max(1);
    // Never up to `row`, which a superblock may put at billions.
    let short = 1..if tiles < row { tiles.min(room.w) + 1 } else { 1 };
    let parts = [row.div_ceil(8), row.div_ceil(4), row.div_ceil(2)];
    let long = (1..=most).map(|multiple| row.saturating_mul(multiple));
    short.chain(parts).chain(long).filter_map(|columns| shape(tiles, columns, room)).reduce(
        |best, next| if covered(&next, tiles) >= covered(&best, tiles) { next } else { best },
    )
}

fn covered(shape: &Shape, tiles: u32) -> u64 {
    u64::from(shape.pitch_w) * u64::from(shape.pitch_h) * u64::from(tiles)
}

fn shape(tiles: u32, columns: u32, room: Room) -> Option<Shape> {
    let columns = columns.min(tiles);
    let rows = tiles.div_ceil(columns);
    let pitch_w = (room.w / columns).min((WIDEST * room.ratio) as DevicePx);
    let pitch_h = room.h / rows;
    let (widest, small, large) = SHAPES;
    let narrowest = if f64::from(pitch_w) < LARGE * room.ratio { small } else { large };
    let (w, h) = (f64::from(pitch_w), f64::from(pitch_h));
    let pitch_w = pitch_w.min((h * widest).floor() as DevicePx);
    let pitch_h = pitch_h.min((w / narrowest).ceil() as DevicePx);
    if pitch_w == 0 || pitch_h == 0 {
        return None;
    }
    Some(Shape { columns, rows, pitch_w, pitch_h, gap: gap(pitch_w.min(pitch_h), room.ratio) })
}

/// Grows with the tiles, from none between the smallest to a few pixels.
fn gap(pitch: DevicePx, ratio: f64) -> DevicePx {
    match pitch {
        ..4 => 0,
        4..12 => 1,
        _ => {
            let share = (f64::from(pitch) / 18.0).round();
            share.clamp(1.0, 4.0 * ratio) as DevicePx
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spec(groups: u32, flex_size: u32, width: u32, height: u32) -> GridSpec {
        GridSpec { groups, flex_size, width, height, ratio: 1.0, margins: Margins::default() }
    }

    #[test]
    fn an_ordinary_card_has_a_flex_group_a_row() {
        let grid = Grid::fit(spec(238, 16, 804, 734));
        assert_eq!((grid.columns, grid.rows, grid.groups_per_tile), (16, 15, 1));
        assert!(grid.tile_w >= 44 && grid.tile_h >= 44, "{grid:?}");
    }

    #[test]
    fn a_flex_group_of_more_groups_than_there_are_is_as_any_other_such() {
        let flex_sizes = [239, 1 << 20, u32::MAX];
        let grids = flex_sizes.map(|flex_size| Grid::fit(spec(238, flex_size, 804, 734)));
        assert_eq!(grids[1..], [grids[0]; 2]);
    }

    #[test]
    fn few_groups_fill_the_canvas_too() {
        for groups in [2, 5, 8, 16, 17, 40, 56, 100] {
            let grid = Grid::fit(spec(groups, 16, 804, 734));
            let bounds = grid.bounds();
            let covered = f64::from(bounds.w) * f64::from(bounds.h) / (804.0 * 734.0);
            assert!(covered > 0.45, "{groups}: {covered:.2} {grid:?}");
        }
    }

    #[test]
    fn sixteen_tebibytes_fit_an_ordinary_window_group_by_group() {
        let grid = Grid::fit(spec(131_072, 16, 804, 734));
        assert_eq!(grid.groups_per_tile, 1);
        assert_eq!(grid.columns % 16, 0);
        assert!(grid.tile_w >= 2 && grid.tile_h >= 2, "{grid:?}");
    }

    #[test]
    fn a_telephone_shows_several_groups_a_tile() {
        let grid = Grid::fit(spec(131_072, 16, 340, 380));
        assert!(grid.groups_per_tile > 1);
        assert!(grid.groups_per_tile.is_power_of_two());
        assert_eq!(grid.groups_of(grid.tiles() - 1).1, 131_071);
    }

    #[test]
    fn sixteen_tebibytes_fill_a_sharp_telephone() {
        let margins = Margins { top: 16, right: 20, bottom: 16, left: 127 };
        let spec = GridSpec { margins, ratio: 2.0, ..spec(131_071, 16, 780, 740) };
        let grid = Grid::fit(spec);
        let bounds = grid.bounds();
        assert!(bounds.w > 520 && bounds.h > 330, "{grid:?} {bounds:?}");
    }

    #[test]
    fn one_group_is_one_tile_of_bounded_width() {
        let grid = Grid::fit(spec(1, 16, 804, 734));
        assert_eq!((grid.columns, grid.rows, grid.tiles()), (1, 1, 1));
        assert!(grid.tile_w <= 720);
    }

    #[test]
    fn steps_stay_on_the_map() {
        let grid = Grid::fit(spec(238, 16, 804, 734));
        assert_eq!(grid.step(0, Step::Left), 0);
        assert_eq!(grid.step(0, Step::Down), 16);
        assert_eq!(grid.step(18, Step::Up), 2);
        assert_eq!(grid.step(237, Step::Down), 237);
        assert_eq!(grid.step(230, Step::Down), 230, "no tile below: the last row is short");
        assert_eq!(grid.step(20, Step::RowStart), 16);
        assert_eq!(grid.step(230, Step::RowEnd), 237);
        assert_eq!(grid.step(20, Step::Last), 237);
    }

    proptest! {
        #[test]
        fn every_layout_lies_inside_its_canvas(
            groups in 1_u32..200_000, flex in prop::sample::select(vec![0_u32, 1, 2, 8, 16, 64, 256]),
            width in 1_u32..2500, height in 1_u32..2500, margin in 0_u32..60,
        ) {
            let margins = Margins { top: margin, right: margin, bottom: margin, left: margin };
            let grid = Grid::fit(GridSpec { margins, ..spec(groups, flex, width, height) });
            prop_assert!(grid.tile_w > 0 && grid.tile_h > 0);
            let bounds = grid.bounds();
            prop_assert!(bounds.right() <= (2 * margin + 1).max(width));
            prop_assert!(bounds.bottom() <= (2 * margin + 1).max(height));
            prop_assert_eq!(grid.groups_of(grid.tiles() - 1).1, groups - 1);
        }

        #[test]
        fn what_is_drawn_at_a_point_is_what_is_hit(
            groups in 1_u32..5000, flex in prop::sample::select(vec![0_u32, 4, 16]),
            width in 20_u32..900, height in 20_u32..900, x in 0_u32..900, y in 0_u32..900,
        ) {
            let grid = Grid::fit(spec(groups, flex, width, height));
            let drawn = (0..grid.tiles()).find(|&tile| grid.rect(tile).contains(x, y));
            prop_assert_eq!(grid.hit(x, y), drawn);
        }

        #[test]
        fn a_tile_is_found_at_its_corners(groups in 1_u32..200_000, tile in 0_u32..200_000) {
            let grid = Grid::fit(spec(groups, 16, 1200, 800));
            let tile = tile % grid.tiles();
            let rect = grid.rect(tile);
            prop_assert_eq!(grid.hit(rect.x, rect.y), Some(tile));
            prop_assert_eq!(grid.hit(rect.right() - 1, rect.bottom() - 1), Some(tile));
            let (first, last) = grid.groups_of(tile);
            prop_assert_eq!(grid.tile_of(first), tile);
            prop_assert_eq!(grid.tile_of(last), tile);
        }

        #[test]
        fn steps_lead_to_tiles_that_exist(groups in 1_u32..5000, tile in 0_u32..5000) {
            let grid = Grid::fit(spec(groups, 16, 700, 500));
            let steps = [Step::Left, Step::Right, Step::Up, Step::Down, Step::RowStart,
                Step::RowEnd, Step::First, Step::Last, Step::PageUp, Step::PageDown];
            for step in steps {
                prop_assert!(grid.step(tile, step) < grid.tiles());
            }
        }
    }
}
