//! Numbers and rings over the map, in CSS pixels from the corner of what it lies in.

use extscope::units::{Fsblk, Group, Grpblk};
use extscope_picture::{Layout, Place};

use super::draw::{Align, Draw, Face, ViewRect};
use super::map_view::{Hit, Level, MapView};
use super::palette::Palette;
use super::space::ViewPx;
use crate::state::{Known, Selection};
use crate::text::number;

/// Least distance of two numbers down, and across.
const PITCH: (ViewPx, ViewPx) = (16.0, 40.0);
/// Room for the bar and the share of a row.
const RIGHT: ViewPx = 88.0;
/// Width of the bar of a row.
const BAR: ViewPx = 20.0;
/// Width of a digit of the small letters, generously.
const DIGIT: ViewPx = 6.8;
/// Rings that are drawn for one selection, at most.
const RINGS: usize = 256;

/// Room around the map for numbers, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// Above.
    pub top: ViewPx,
    /// At the right.
    pub right: ViewPx,
    /// Below.
    pub bottom: ViewPx,
    /// At the left.
    pub left: ViewPx,
}

impl Margins {
    /// The room for the numbers of an image in a place `width` wide.
    #[must_use]
    pub fn of(known: &Known, width: ViewPx) -> Self {
        if width < 560.0 {
            return Self { top: 8.0, right: 10.0, bottom: 8.0, left: 38.0 };
        }
        let digits = number::count(known.image().geometry.blocks_count()).len();
        let left = (digits as f64 * DIGIT + 16.0).max(48.0);
        Self { top: 24.0, right: RIGHT, bottom: 12.0, left }
    }

    /// What is left for the map.
    #[must_use]
    pub fn inside(self, (width, height): (ViewPx, ViewPx)) -> (ViewPx, ViewPx) {
        ((width - self.left - self.right).max(1.0), (height - self.top - self.bottom).max(1.0))
    }

    /// A rectangle of the map as it lies beside the margins, as far as it is in sight.
    fn placed(self, rect: ViewRect, view: &MapView) -> Option<ViewRect> {
        let (width, height) = view.size();
        let (left, top) = (rect.x.max(-4.0), rect.y.max(-4.0));
        let (right, bottom) =
            ((rect.x + rect.w).min(width + 4.0), (rect.y + rect.h).min(height + 4.0));
        (left < right && top < bottom).then_some(ViewRect {
            x: left + self.left,
            y: top + self.top,
            w: right - left,
            h: bottom - top,
        })
    }
}

/// What is marked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// What the pointer is over.
    pub hovered: Option<Hit>,
    /// What is selected.
    pub selection: Option<Selection>,
}

/// Numbers at the edges, and rings around what is marked.
#[must_use]
pub fn draws(
    view: &MapView,
    margins: Margins,
    known: &Known,
    marks: &Marks,
    palette: &Palette,
) -> Vec<Draw> {
    let mut draws = Vec::new();
    let label = Labels { view, margins, palette };
    if view.world().layout() != Layout::Hilbert {
        if view.level() >= Level::Group && margins.top > 10.0 {
            label.cell_rows(&mut draws);
            label.cell_columns(&mut draws);
        } else {
            label.group_rows(known, &mut draws);
            if margins.top > 10.0 {
                label.group_columns(&mut draws);
            }
        }
    }
    if let Some(hit) = marks.hovered {
        let rect = margins.placed(view.hit_rect(hit).grown(0.5), view);
        let hover = |rect| Draw::Outline { rect, colour: palette.text, width: 1.0 };
        draws.extend(rect.map(hover));
    }
    for rect in marks.selection.iter().flat_map(|selection| rings(view, selection)) {
        let rect = if rect.w < 6.0 || rect.h < 6.0 { rect.grown(4.0) } else { rect.grown(1.5) };
        if let Some(rect) = margins.placed(rect, view) {
            draws.extend([
                Draw::Outline { rect, colour: palette.selection_out, width: 4.0 },
                Draw::Outline { rect, colour: palette.selection_in, width: 2.0 },
            ]);
        }
    }
    draws
}

/// Rectangles around a selection, those in sight.
fn rings(view: &MapView, selection: &Selection) -> Vec<ViewRect> {
    let world = view.world();
    match selection {
        Selection::Group(group) => vec![view.group_rect(*group)],
        Selection::Block(fsblk) => {
            world.place(*fsblk).map(|place| view.place_rect(place)).into_iter().collect()
        }
        Selection::Blocks(blocks) => {
            let (first, last) = (Fsblk::new(*blocks.start()), Fsblk::new(*blocks.end()));
            let last = last.min(Fsblk::new(world.geometry().blocks_count().saturating_sub(1)));
            match (world.place(first), world.place(last)) {
                (Some(first), Some(last)) => rings_of_range(view, first, last),
                _ => Vec::new(),
            }
        }
        Selection::Inode(_) => Vec::new(),
    }
}

/// Rectangles around the cells from `first` to `last`: for each group in sight its first row, the
/// whole rows, and its last row; the whole group where rows cannot be told apart.
fn rings_of_range(view: &MapView, first: Place, last: Place) -> Vec<ViewRect> {
    let world = view.world();
    let (columns, rows) = view.groups();
    let in_sight = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
    let groups = in_sight.filter_map(|(column, row)| world.group_at(column, row));
    let mut rings = Vec::new();
    for group in groups.filter(|group| (first.group..=last.group).contains(group)) {
        let from = if group == first.group { first.grpblk.get() } else { 0 };
        let cells = world.geometry().group_clusters(group).saturating_sub(1);
        let to = if group == last.group { last.grpblk.get() } else { cells };
        let is_whole = from == 0 && to == cells;
        if is_whole || view.level() < Level::Group || world.layout() != Layout::Rows {
            rings.push(view.group_rect(group));
        } else {
            rings.extend(rows_of(view, group, from, to));
        }
        if rings.len() >= RINGS {
            break;
        }
    }
    rings
}

fn rows_of(view: &MapView, group: Group, from: u32, to: u32) -> Vec<ViewRect> {
    let (width, _) = view.world().group_size();
    let rect = |first: u32, columns: u32, rows: u32| {
        let origin = view.world().origin(Place { group, grpblk: Grpblk::new(first) });
        view.rect(origin, (columns.into(), rows.into()))
    };
    let (first_row, last_row) = (from / width, to / width);
    if first_row == last_row {
        return vec![rect(from, to - from + 1, 1)];
    }
    let head = from % width;
    let mut rings = Vec::new();
    let first_whole = first_row + u32::from(head > 0);
    if head > 0 {
        rings.push(rect(from, width - head, 1));
    }
    let tail = (to + 1) % width;
    let whole_end = last_row + u32::from(tail == 0);
    if first_whole < whole_end {
        rings.push(rect(first_whole * width, width, whole_end - first_whole));
    }
    if tail > 0 {
        rings.push(rect(last_row * width, tail, 1));
    }
    rings
}

struct Labels<'a> {
    view: &'a MapView,
    margins: Margins,
    palette: &'a Palette,
}

impl Labels<'_> {
    fn row(&self, y: ViewPx, text: String, face: Face) -> Draw {
        Draw::Text {
            x: self.margins.left - 9.0,
            y: self.margins.top + y,
            text,
            colour: self.palette.text,
            face,
            size: 10.0,
            align: Align::End,
        }
    }

    fn column(&self, x: ViewPx, text: String, align: Align) -> Draw {
        Draw::Text {
            x: self.margins.left + x,
            y: self.margins.top - 11.0,
            text,
            colour: self.palette.label,
            face: Face::Ui,
            size: 10.0,
            align,
        }
    }

    fn is_in_sight(&self, y: ViewPx) -> bool {
        (0.0..=self.view.size().1).contains(&y)
    }

    /// The first group of each row, and at the whole disk how full the row is.
    fn group_rows(&self, known: &Known, draws: &mut Vec<Draw>) {
        let world = self.view.world();
        let (_, rows) = self.view.groups();
        let (_, pitch) = world.pitch();
        let scale = self.view.scale();
        let step = every(f64::from(pitch) * scale.y / scale.ratio, PITCH.0);
        let columns = world.columns();
        for row in rows.clone().filter(|row| row.is_multiple_of(step)) {
            let last_row = (row + step - 1).min(world.rows() - 1);
            // A remainder of a few rows has no room for a label.
            if row > 0 && (last_row - row + 1) * 4 < step * 3 {
                continue;
            }
            let first = row.saturating_mul(columns);
            let last = first.saturating_add((last_row - row + 1) * columns - 1);
            let last = last.min(world.groups() - 1);
            let (top, bottom) = (self.row_rect(row), self.row_rect(last_row));
            let middle = (top.0 + bottom.1) / 2.0;
            if !self.is_in_sight(middle) {
                continue;
            }
            draws.push(self.row(middle, number::count(first.into()), Face::Ui));
            if self.view.level() == Level::Disk && self.margins.right > 60.0 {
                self.share(middle, known.used(first, last), draws);
            }
        }
    }

    /// Upper and lower edge of a row of groups.
    fn row_rect(&self, row: u32) -> (ViewPx, ViewPx) {
        let (_, pitch) = self.view.world().pitch();
        let (_, height) = self.view.world().group_size();
        let y = f64::from(row) * f64::from(pitch);
        let rect = self.view.rect((0.0, y), (1.0, height.into()));
        (rect.y, rect.y + rect.h)
    }

    /// A bar and the share in use at the right of a row.
    fn share(&self, middle: ViewPx, (used, of): (u64, u64), draws: &mut Vec<Draw>) {
        let (world_width, _) = self.view.world().size();
        let scale = self.view.scale();
        let x = self.margins.left + world_width * scale.x / scale.ratio + 10.0;
        let y = self.margins.top + middle;
        let bar = ViewRect { x, y: (y - 2.0).round(), w: BAR, h: 4.0 };
        let share = if of == 0 { 0.0 } else { used as f64 / of as f64 };
        let filled = if used == 0 { 0.0 } else { (BAR * share).max(1.0) };
        let track = self.palette.well.mix(self.palette.line, 0.6);
        draws.push(Draw::Fill { rect: bar, colour: track });
        draws.push(Draw::Fill { rect: ViewRect { w: filled, ..bar }, colour: self.palette.text });
        draws.push(Draw::Text {
            x: x + 26.0,
            y: y + 0.5,
            text: number::percent(used, of),
            colour: self.palette.label,
            face: Face::Ui,
            size: 10.0,
            align: Align::Start,
        });
    }

    fn group_columns(&self, draws: &mut Vec<Draw>) {
        let world = self.view.world();
        let (columns, _) = self.view.groups();
        let (pitch, _) = world.pitch();
        let scale = self.view.scale();
        let step = every(f64::from(pitch) * scale.x / scale.ratio, PITCH.1);
        let (width, _) = world.group_size();
        for column in columns.filter(|column| column.is_multiple_of(step)) {
            let x = f64::from(column) * f64::from(pitch);
            let rect = self.view.rect((x, 0.0), (width.into(), 1.0));
            let plus = if column == 0 { "" } else { "+" };
            let text = format!("{plus}{}", number::count(column.into()));
            let x = if step == 1 { rect.x + rect.w / 2.0 } else { rect.x };
            if (0.0..self.view.size().0).contains(&x) {
                let align = if step == 1 { Align::Middle } else { Align::Start };
                draws.push(self.column(x, text, align));
            }
        }
    }

    /// The first block of rows of cells.
    fn cell_rows(&self, draws: &mut Vec<Draw>) {
        let world = self.view.world();
        let (columns, rows) = self.view.groups();
        let scale = self.view.scale();
        let step = every(scale.y / scale.ratio, PITCH.0);
        let (width, height) = world.group_size();
        for group in rows.filter_map(|row| world.group_at(columns.start, row)) {
            let cells = world.geometry().group_clusters(group);
            for row in (0..height).step_by(step as usize) {
                let first = row * width;
                if first >= cells {
                    break;
                }
                let (x, y) = world.group_origin(group);
                let rect = self.view.rect((x, y + f64::from(row)), (1.0, 1.0));
                let middle = rect.y + rect.h / 2.0;
                if self.is_in_sight(middle) {
                    let block = world.fsblk(Place { group, grpblk: Grpblk::new(first) });
                    draws.push(self.row(middle, number::count(block.get()), Face::Mono));
                }
            }
        }
    }

    /// How far columns of cells are from the start of their row.
    fn cell_columns(&self, draws: &mut Vec<Draw>) {
        let world = self.view.world();
        let (columns, _) = self.view.groups();
        let scale = self.view.scale();
        let step = every(scale.x / scale.ratio, PITCH.1);
        let (width, _) = world.group_size();
        let (pitch, _) = world.pitch();
        for left in columns.map(|column| f64::from(column) * f64::from(pitch)) {
            for cell in (0..width).step_by(step as usize) {
                let rect = self.view.rect((left + f64::from(cell), 0.0), (1.0, 1.0));
                let x = rect.x + rect.w / 2.0;
                if (0.0..self.view.size().0).contains(&x) {
                    draws.push(self.column(
                        x,
                        format!("+{}", number::count(cell.into())),
                        Align::Middle,
                    ));
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette::Theme;
    use crate::state::testing::alike;

    fn texts(zoom: f64, align: Align) -> Vec<(ViewPx, ViewPx, String)> {
        let known = alike(3, 100);
        let margins = Margins::of(&known, 912.0);
        let size = margins.inside((912.0, 770.0));
        let mut view = MapView::new(&known.image().geometry, Layout::Rows, size, 1.0);
        view.zoom_by(zoom, (200.0, 200.0));
        draws(&view, margins, &known, &Marks::default(), &Palette::of(Theme::Dark))
            .into_iter()
            .filter_map(|draw| match draw {
                Draw::Text { x, y, text, align: a, .. } if a == align => Some((x, y, text)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn labels_never_overlap_and_have_room() {
        for zoom in [1.0, 3.0, 20.0, 1000.0] {
            let rows = texts(zoom, Align::End);
            assert!(!rows.is_empty(), "at {zoom}");
            for pair in rows.windows(2) {
                assert!(pair[1].1 - pair[0].1 >= 12.0, "at {zoom}: {pair:?}");
            }
            for (x, _, text) in rows {
                assert!(x - text.len() as f64 * 6.5 >= 0.0, "{text} at {x}");
            }
        }
    }

    #[test]
    fn shares_have_room_beside_the_map() {
        let widest = number::percent(1, 100_000).chars().count();
        assert!(10.0 + 26.0 + widest as f64 * 6.5 <= RIGHT, "{widest}");
    }

    #[test]
    fn a_range_is_ringed_row_by_row() {
        let known = alike(2, 100);
        let size = (600.0, 500.0);
        let mut view = MapView::new(&known.image().geometry, Layout::Rows, size, 1.0);
        view.zoom_to(crate::state::Zoom::from_pixels(3.0), (0.0, 0.0));
        let rings = |text: &str| rings(&view, &text.parse().expect("a selection")).len();
        assert_eq!((rings("b:7"), rings("r:5-9"), rings("r:5-1000")), (1, 1, 3));
        assert_eq!((rings("r:1-256"), rings("r:0-3")), (1, 0));
    }
}
