//! The disk map: the grid of groups on its canvas, with numbers at its edges.

use super::draw::{Align, Draw, Face, ViewRect};
use super::grid::{Grid, GridSpec, Margins};
use super::palette::Palette;
use super::space::{Density, DevicePx, Rect, ViewPx};
use super::tile::{Pixels, TileFill, paint_tile};
use crate::text::number;

/// Least distance of two row numbers, and of two column numbers, in CSS pixels.
const LABEL_PITCH: (ViewPx, ViewPx) = (16.0, 34.0);
/// Room for the bar and the share at the right of a row.
const GUTTER: ViewPx = 64.0;
/// Width of that bar.
const BAR: ViewPx = 20.0;
/// Width of a digit of the small letters, generously.
const DIGIT: ViewPx = 6.8;

/// The grid on a canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapLayout {
    /// Where the tiles are.
    pub grid: Grid,
    /// Device pixels of a CSS pixel.
    pub density: Density,
    /// Width of the canvas in device pixels.
    pub width: DevicePx,
    /// Height of the canvas in device pixels.
    pub height: DevicePx,
    compact: bool,
    /// How much of its full height the last tile has.
    last_share: f64,
}

impl MapLayout {
    /// The layout of `groups` on a canvas of `width` by `height` CSS pixels on a screen of `ratio`.
    #[must_use]
    pub fn new(groups: u32, flex_size: u32, width: ViewPx, height: ViewPx, ratio: f64) -> Self {
        let density = Density::for_canvas(width, height, ratio);
        let compact = width < 560.0;
        let digits = number::count(u64::from(groups.saturating_sub(1))).len();
        let left = (digits as f64 * DIGIT + 16.0).max(32.0);
        let (top, right, bottom) = if compact { (8.0, 10.0, 8.0) } else { (24.0, GUTTER, 12.0) };
        let device = |view| density.device_from_view(view);
        let margins = Margins {
            top: device(top),
            right: device(right),
            bottom: device(bottom),
            left: device(left),
        };
        let (width, height) = (device(width), device(height));
        let ratio = density.ratio();
        let grid = Grid::fit(GridSpec { groups, flex_size, width, height, ratio, margins });
        Self { grid, density, width, height, compact, last_share: 1.0 }
    }

    /// The same layout with a last tile of less than full height, for a short last group.
    #[must_use]
    pub fn with_last_share(self, last_share: f64) -> Self {
        Self { last_share, ..self }
    }

    /// Whether tiles are large enough to be told apart.
    #[must_use]
    pub fn shows_single_tiles(&self) -> bool {
        self.density.view_from_device(self.grid.tile_w.min(self.grid.tile_h)) >= 6.0
    }

    /// The tile under a pointer.
    #[must_use]
    pub fn tile_at(&self, x: ViewPx, y: ViewPx) -> Option<u32> {
        self.grid.hit(self.density.device_at(x)?, self.density.device_at(y)?)
    }

    /// Where a tile is.
    #[must_use]
    pub fn tile_rect(&self, tile: u32) -> ViewRect {
        ViewRect::from_device(self.grid.rect(tile), self.density)
    }

    /// The pixels of a canvas without any tile.
    #[must_use]
    pub fn blank(&self, palette: &Palette) -> Pixels {
        Pixels::filled(self.width, self.height, palette.well)
    }

    /// Paints these tiles; `fill` says what the groups from first to last show.
    pub fn paint<'a>(
        &self,
        pixels: &mut Pixels,
        palette: &Palette,
        tiles: impl IntoIterator<Item = u32>,
        fill: impl Fn(u32, u32) -> TileFill<'a>,
    ) {
        for tile in tiles {
            let (first, last) = self.grid.groups_of(tile);
            let rect = self.painted_rect(tile);
            paint_tile(pixels, rect, fill(first, last), palette, self.density.ratio());
        }
    }

    /// The tile as painted: the last is cut where a single group is shown and it is short.
    fn painted_rect(&self, tile: u32) -> Rect {
        let rect = self.grid.rect(tile);
        if tile + 1 < self.grid.tiles() || self.grid.groups_per_tile > 1 {
            return rect;
        }
        let h = (f64::from(rect.h) * self.last_share).round() as DevicePx;
        Rect { h: h.clamp(1, rect.h), ..rect }
    }

    /// The numbers at the edges; `used` gives blocks in use and blocks in all of the groups from
    /// first to last.
    #[must_use]
    pub fn labels(&self, palette: &Palette, used: impl Fn(u32, u32) -> (u64, u64)) -> Vec<Draw> {
        let mut draws = Vec::new();
        let row_pitch = self.density.view_from_device(self.grid.tile_h + self.grid.gap);
        let step = every(row_pitch, LABEL_PITCH.0);
        for row in (0..self.grid.rows).step_by(step as usize) {
            // A remainder of a few rows has no room for a label.
            if row > 0 && (self.grid.rows - row) * 4 < step * 3 {
                break;
            }
            self.row_label(row, step, palette, &used, &mut draws);
        }
        if !self.compact {
            self.column_labels(palette, &mut draws);
        }
        draws
    }

    fn row_label(
        &self,
        row: u32,
        rows: u32,
        palette: &Palette,
        used: &impl Fn(u32, u32) -> (u64, u64),
        draws: &mut Vec<Draw>,
    ) {
        let first_tile = row * self.grid.columns;
        let last_tile = (first_tile + rows * self.grid.columns - 1).min(self.grid.tiles() - 1);
        let (first, _) = self.grid.groups_of(first_tile);
        let (_, last) = self.grid.groups_of(last_tile);
        let (top, bottom) = (self.tile_rect(first_tile), self.tile_rect(last_tile));
        let middle = (top.y + bottom.y + bottom.h) / 2.0;
        draws.push(Draw::Text {
            x: top.x - 9.0,
            y: middle,
            text: number::count(u64::from(first)),
            colour: palette.text,
            face: Face::Mono,
            size: 10.5,
            align: Align::End,
        });
        if self.compact {
            return;
        }
        let (in_use, of) = used(first, last);
        let bounds = ViewRect::from_device(self.grid.bounds(), self.density);
        let x = bounds.x + bounds.w + 10.0;
        let bar = ViewRect { x, y: (middle - 2.0).round(), w: BAR, h: 4.0 };
        let share = if of == 0 { 0.0 } else { in_use as f64 / of as f64 };
        let filled = if in_use == 0 { 0.0 } else { (BAR * share).max(1.0) };
        draws.push(Draw::Fill { rect: bar, colour: palette.well.mix(palette.line, 0.6) });
        draws.push(Draw::Fill { rect: ViewRect { w: filled, ..bar }, colour: palette.text });
        draws.push(Draw::Text {
            x: x + 26.0,
            y: middle + 0.5,
            text: whole_percent(in_use, of),
            colour: palette.label,
            face: Face::Ui,
            size: 10.0,
            align: Align::Start,
        });
    }

    fn column_labels(&self, palette: &Palette, draws: &mut Vec<Draw>) {
        let pitch = self.density.view_from_device(self.grid.tile_w + self.grid.gap);
        let step = every(pitch, LABEL_PITCH.1);
        let columns = self.grid.columns.min(self.grid.tiles());
        for column in (0..columns).step_by(step as usize) {
            let tile = self.tile_rect(column);
            let group = u64::from(column * self.grid.groups_per_tile);
            let plus = if column == 0 { "" } else { "+" };
            draws.push(Draw::Text {
                x: if step == 1 { tile.x + tile.w / 2.0 } else { tile.x },
                y: tile.y - 11.0,
                text: format!("{plus}{}", number::count(group)),
                colour: palette.label,
                face: Face::Ui,
                size: 10.0,
                align: if step == 1 { Align::Middle } else { Align::Start },
            });
        }
    }

    /// The ring around the selected tile: seen on every colour, for it has two.
    #[must_use]
    pub fn selection(&self, tile: u32, palette: &Palette) -> [Draw; 2] {
        let rect = self.tile_rect(tile).grown(1.5);
        [
            Draw::Outline { rect, colour: palette.selection_out, width: 4.0 },
            Draw::Outline { rect, colour: palette.selection_in, width: 2.0 },
        ]
    }

    /// The line around the tile under the pointer.
    #[must_use]
    pub fn hover(&self, tile: u32, palette: &Palette) -> Draw {
        let rect = self.tile_rect(tile).grown(0.5);
        Draw::Outline { rect, colour: palette.text, width: 1.0 }
    }

    /// The line around the tile that is being read.
    #[must_use]
    pub fn reading(&self, tile: u32, palette: &Palette) -> Draw {
        let rect = self.tile_rect(tile).grown(1.0);
        Draw::Outline { rect, colour: palette.accent, width: 2.0 }
    }
}

/// The least power of two of steps that keeps `least` CSS pixels between labels.
fn every(pitch: ViewPx, least: ViewPx) -> u32 {
    let mut step = 1;
    while pitch * f64::from(step) < least && step < 1 << 20 {
        step *= 2;
    }
    step
}

fn whole_percent(part: u64, whole: u64) -> String {
    match (u128::from(part) * 100 + u128::from(whole) / 2).checked_div(u128::from(whole)) {
        None => "?".to_owned(),
        Some(0) if part == 0 => "0%".to_owned(),
        Some(0) => "<1%".to_owned(),
        Some(100..) if part < whole => ">99%".to_owned(),
        Some(percent) => format!("{percent}%"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::palette::tests::shipped;

    fn texts(layout: &MapLayout, align: Align) -> Vec<(ViewPx, ViewPx, String)> {
        let draws = layout.labels(&shipped("dark"), |_, _| (1, 2));
        draws
            .into_iter()
            .filter_map(|draw| match draw {
                Draw::Text { x, y, text, align: a, .. } if a == align => Some((x, y, text)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn rows_are_named_by_their_first_group() {
        let layout = MapLayout::new(238, 16, 912.0, 770.0, 1.0);
        let rows: Vec<String> = texts(&layout, Align::End).into_iter().map(|t| t.2).collect();
        assert_eq!(rows.len(), 15);
        assert_eq!(rows[..3], ["0", "16", "32"]);
    }

    #[test]
    fn labels_never_overlap() {
        for (groups, w, h) in [(131_072, 912.0, 770.0), (8192, 912.0, 300.0), (50, 390.0, 420.0)] {
            let layout = MapLayout::new(groups, 16, w, h, 2.0);
            let rows = texts(&layout, Align::End);
            for pair in rows.windows(2) {
                assert!(pair[1].1 - pair[0].1 >= 12.0, "{groups}: {pair:?}");
            }
            for (x, _, text) in rows {
                assert!(x - text.len() as f64 * 6.5 >= 0.0, "{groups}: {text} at {x}");
            }
        }
    }

    #[test]
    fn shares_beside_rows_do_not_lie() {
        let cases = [(0, 9, "0%"), (9, 9, "100%"), (1, 9999, "<1%"), (9998, 9999, ">99%")];
        for (part, whole, text) in cases {
            assert_eq!(whole_percent(part, whole), text);
        }
        assert_eq!(whole_percent(0, 0), "?");
    }

    #[test]
    fn a_short_last_group_has_a_short_tile() {
        let layout = MapLayout::new(3, 16, 600.0, 300.0, 1.0).with_last_share(0.25);
        let palette = shipped("dark");
        let mut pixels = layout.blank(&palette);
        layout.paint(&mut pixels, &palette, 0..3, |_, _| TileFill::Share(255));
        let painted = |tile| {
            let rect = layout.grid.rect(tile);
            (rect.y..rect.bottom()).filter(|&y| pixels.at(rect.x, y) != Some(palette.well)).count()
        };
        assert_eq!(painted(1), layout.grid.tile_h as usize);
        assert_eq!(painted(2), (f64::from(layout.grid.tile_h) * 0.25).round() as usize);
    }

    proptest! {
        #[test]
        fn what_is_painted_under_the_pointer_is_the_tile_that_is_hit(
            groups in 1_u32..3000, w in 200_u32..900, h in 120_u32..700, ratio in 1_u32..4,
            x in 0_u32..9000, y in 0_u32..7000,
        ) {
            let layout = MapLayout::new(groups, 16, w.into(), h.into(), ratio.into());
            let (x, y) = (f64::from(x) / 10.0, f64::from(y) / 10.0);
            prop_assume!(x < f64::from(w) && y < f64::from(h));
            let palette = shipped("dark");
            let mut pixels = layout.blank(&palette);
            let hit = layout.tile_at(x, y);
            layout.paint(&mut pixels, &palette, hit, |_, _| TileFill::Share(255));
            let density = layout.density;
            let under = density.device_at(x).zip(density.device_at(y)).and_then(|(x, y)| pixels.at(x, y));
            let expected = if hit.is_some() { palette.occupancy.at(255) } else { palette.well };
            prop_assert_eq!(under, Some(expected));
        }
    }
}
