//! Where all blocks lie in the plane.
//!
//! A cell is a bit of a block bitmap: a block, or a cluster where there are clusters. It is one
//! wide and one high; a picture may stretch it. Groups are rectangles of cells with a gap between
//! them, in rows of whole flex groups.

use extscope::fs::Geometry;
use extscope::limits;
use extscope::units::{Fsblk, Group, Grpblk};

use super::curve::{Fold, Layout};

/// Groups of a row where the filesystem has no flex groups.
const ROW_WITHOUT_FLEX: u32 = 16;

/// Where all blocks lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct World {
    geometry: Geometry,
    groups: u32,
    /// The cells of a group.
    fold: Fold,
    /// The groups of a flex group, for Hilbert's curve.
    flex: Fold,
    columns: u32,
    gap: u32,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its group.
    pub group: Group,
    /// Its bit in the group's block bitmap.
    pub grpblk: Grpblk,
}

impl World {
    /// The world whose shape comes nearest to a view of `width` by `height` when its cells are
    /// stretched to at least 1 and at most `most` times their width.
    #[must_use]
    pub fn fit(
        geometry: &Geometry,
        layout: Layout,
        (width, height): (f64, f64),
        most: f64,
    ) -> Self {
        // A superblock may claim any number; no more than these are listed.
        let groups = geometry.groups_count().clamp(1, u64::from(limits::GROUPS)) as u32;
        let per_flex = geometry.groups_per_flex();
        let flex = if per_flex > 1 { per_flex.min(1 << 16) } else { ROW_WITHOUT_FLEX };
        let flex = flex.checked_next_power_of_two().unwrap_or(flex).min(groups.next_power_of_two());
        let fold = Fold::of(layout, geometry.clusters_per_group());
        let world = |columns| Self {
            geometry: *geometry,
            groups,
            fold,
            flex: Fold::of(layout, flex),
            columns,
            gap: (fold.width / 32).max(1),
        };
        let least = match layout {
            Layout::Hilbert => Fold::of(layout, flex).width,
            Layout::Rows | Layout::Snake => 1,
        };
        let columns = core::iter::successors(Some(least), |columns| columns.checked_mul(2));
        let columns = columns.take_while(|&columns| columns == least || columns / 2 < groups);
        let cover = |world: &Self| {
            let (scale, stretch) = world.scale_to_fit(width, height, most);
            let (w, h) = world.size();
            w * scale * (h * scale * stretch)
        };
        columns
            .map(world)
            .max_by(|a, b| cover(a).total_cmp(&cover(b)))
            .unwrap_or_else(|| world(least))
    }

    /// The world with so many groups in a row, or the nearest that its layout can have.
    #[must_use]
    pub fn with_columns(geometry: &Geometry, layout: Layout, columns: u32) -> Self {
        let world = Self::fit(geometry, layout, (1.0, 1.0), 1.0);
        let least = match layout {
            Layout::Hilbert => world.flex.width,
            Layout::Rows | Layout::Snake => 1,
        };
        Self { columns: (columns / least).max(1) * least, ..world }
    }

    /// Width of a cell, and how many times as high it is, so that the world just fits.
    #[must_use]
    pub fn scale_to_fit(&self, width: f64, height: f64, most: f64) -> (f64, f64) {
        let (w, h) = self.size();
        let scale = (width / w).min(height / h).max(f64::MIN_POSITIVE);
        let stretch = (height / (h * scale)).clamp(1.0, most.max(1.0));
        (scale, stretch)
    }

    /// How its blocks lie on the disk.
    #[must_use]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Block groups.
    #[must_use]
    pub fn groups(&self) -> u32 {
        self.groups
    }

    /// How blocks follow one another.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.fold.layout
    }

    /// Groups of a row.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows of groups; the last may be short.
    #[must_use]
    pub fn rows(&self) -> u32 {
        match self.layout() {
            Layout::Rows | Layout::Snake => self.groups.div_ceil(self.columns),
            Layout::Hilbert => {
                let flexes = self.groups.div_ceil(self.flex_groups());
                flexes.div_ceil(self.columns / self.flex.width) * self.flex.height
            }
        }
    }

    /// Width and height of a group, in cells.
    #[must_use]
    pub fn group_size(&self) -> (u32, u32) {
        (self.fold.width, self.fold.height)
    }

    /// Cells from the left edge of a group to that of the next one, and from the upper edge to that
    /// of the next row.
    #[must_use]
    pub fn pitch(&self) -> (u32, u32) {
        (self.fold.width + self.gap, self.fold.height + self.gap)
    }

    /// Width and height of everything, in cells.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        let (w, h) = self.pitch();
        let gap = f64::from(self.gap);
        let columns = match self.layout() {
            Layout::Rows | Layout::Snake => self.columns.min(self.groups),
            Layout::Hilbert => self.columns,
        };
        (f64::from(columns) * f64::from(w) - gap, f64::from(self.rows()) * f64::from(h) - gap)
    }

    pub(crate) fn fold(&self) -> Fold {
        self.fold
    }

    fn flex_groups(&self) -> u32 {
        self.flex.width * self.flex.height
    }

    /// Column and row of a group.
    #[must_use]
    pub fn group_place(&self, group: Group) -> (u32, u32) {
        let group = group.get();
        match self.layout() {
            Layout::Rows | Layout::Snake => self.rows_of_groups().place(group),
            Layout::Hilbert => {
                let flex = group / self.flex_groups();
                let (x, y) = self.flex.place(group % self.flex_groups());
                let (column, row) = self.rows_of_flexes().place(flex);
                (column * self.flex.width + x, row * self.flex.height + y)
            }
        }
    }

    /// The group at a column and row.
    #[must_use]
    pub fn group_at(&self, column: u32, row: u32) -> Option<Group> {
        if column >= self.columns || row >= self.rows() {
            return None;
        }
        let group = match self.layout() {
            Layout::Rows | Layout::Snake => {
                u64::from(row) * u64::from(self.columns)
                    + u64::from(self.rows_of_groups().cell(column, row % 2) % self.columns)
            }
            Layout::Hilbert => {
                let (w, h) = (self.flex.width, self.flex.height);
                let per_row = self.columns / w;
                let across = self.rows_of_flexes().cell(column / w, row / h % 2) % per_row;
                let flex = u64::from(row / h) * u64::from(per_row) + u64::from(across);
                flex * u64::from(self.flex_groups())
                    + u64::from(self.flex.cell(column % w, row % h))
            }
        };
        let group = u32::try_from(group).ok().filter(|group| *group < self.groups)?;
        Some(Group::new(group))
    }

    fn rows_of_groups(&self) -> Fold {
        Fold { layout: self.layout(), width: self.columns, height: self.rows() }
    }

    /// Flex groups of Hilbert's curve, boustrophedon.
    fn rows_of_flexes(&self) -> Fold {
        Fold { layout: Layout::Snake, width: self.columns / self.flex.width, height: u32::MAX }
    }

    /// The left upper corner of a group, in cells.
    #[must_use]
    pub fn group_origin(&self, group: Group) -> (f64, f64) {
        let ((column, row), (w, h)) = (self.group_place(group), self.pitch());
        (f64::from(column) * f64::from(w), f64::from(row) * f64::from(h))
    }

    /// The left upper corner of a cell.
    #[must_use]
    pub fn origin(&self, Place { group, grpblk }: Place) -> (f64, f64) {
        let ((x, y), (a, b)) = (self.group_origin(group), self.fold.place(grpblk.get()));
        (x + f64::from(a), y + f64::from(b))
    }

    /// The group in whose rectangle a point lies; gaps and what is outside give nothing.
    #[must_use]
    pub fn group_hit(&self, x: f64, y: f64) -> Option<Group> {
        self.hit_parts(x, y).map(|(group, ..)| group)
    }

    /// The cell that a point lies in; gaps, what is outside and what is past the end of the last
    /// group give nothing.
    #[must_use]
    pub fn hit(&self, x: f64, y: f64) -> Option<Place> {
        let (group, x, y) = self.hit_parts(x, y)?;
        let cell = self.fold.cell(x, y);
        let place = Place { group, grpblk: Grpblk::new(cell) };
        (cell < self.geometry.group_clusters(group)).then_some(place)
    }

    /// Group, column and row.
    fn hit_parts(&self, x: f64, y: f64) -> Option<(Group, u32, u32)> {
        if x < 0.0 || y < 0.0 {
            return None;
        }
        let (w, h) = self.pitch();
        let (column, row) = (x / f64::from(w), y / f64::from(h));
        // Saturates, and is then past the last.
        let group = self.group_at(column as u32, row as u32)?;
        let x = x - f64::from(column as u32) * f64::from(w);
        let y = y - f64::from(row as u32) * f64::from(h);
        let (x, y) = (x as u32, y as u32);
        (x < self.fold.width && y < self.fold.height).then_some((group, x, y))
    }

    /// The cell nearest to a point.
    #[must_use]
    pub fn nearest(&self, x: f64, y: f64) -> Place {
        let (w, h) = self.pitch();
        // Saturates at both ends.
        let column = ((x / f64::from(w)) as u32).min(self.columns - 1);
        let row = ((y / f64::from(h)) as u32).min(self.rows() - 1);
        let last = Group::new(self.groups - 1);
        let group = self.group_at(column, row).unwrap_or(last);
        let (left, top) = self.group_origin(group);
        let x = ((x - left) as u32).min(self.fold.width - 1);
        let y = ((y - top) as u32).min(self.fold.height - 1);
        let cells = self.geometry.group_clusters(group);
        let cell = self.fold.cell(x, y).min(cells.saturating_sub(1));
        Place { group, grpblk: Grpblk::new(cell) }
    }

    /// The cell of a block; `None` outside the groups.
    #[must_use]
    pub fn place(&self, fsblk: Fsblk) -> Option<Place> {
        let (group, grpblk) = self.geometry.grpblk_from_fsblk(fsblk)?;
        Some(Place { group, grpblk })
    }

    /// The first block of a cell.
    #[must_use]
    pub fn fsblk(&self, place: Place) -> Fsblk {
        self.geometry.fsblk_from_grpblk(place.group, place.grpblk)
    }

    /// Columns and rows of the groups that may be seen in a rectangle of cells.
    #[must_use]
    pub fn groups_in(
        &self,
        (left, top): (f64, f64),
        (right, bottom): (f64, f64),
    ) -> (core::ops::Range<u32>, core::ops::Range<u32>) {
        let (w, h) = self.pitch();
        let range = |from: f64, to: f64, pitch: u32, most: u32| {
            let pitch = f64::from(pitch);
            // Saturates at both ends.
            let (from, to) = ((from / pitch).floor() as u32, (to / pitch).ceil() as u32);
            from.min(most)..to.min(most)
        };
        (range(left, right, w, self.columns), range(top, bottom, h, self.rows()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::geometry;

    const SIZES: [(f64, f64); 3] = [(830.0, 710.0), (370.0, 500.0), (3000.0, 200.0)];

    #[test]
    fn the_world_fills_the_view() {
        for groups in [1, 2, 5, 16, 238, 8192, 131_072] {
            for layout in Layout::ALL {
                for (width, height) in SIZES {
                    let world = World::fit(&geometry(groups, 4096), layout, (width, height), 2.0);
                    let (scale, stretch) = world.scale_to_fit(width, height, 2.0);
                    let (w, h) = world.size();
                    assert!(w * scale <= width * 1.0001, "{groups} {layout:?}");
                    assert!(h * scale * stretch <= height * 1.0001, "{groups} {layout:?}");
                    let cover = w * scale * h * scale * stretch / (width * height);
                    let least = if height < 300.0 { 0.1 } else { 0.35 };
                    assert!(cover > least, "{groups} {layout:?} {width}x{height}: {cover}");
                }
            }
        }
    }

    #[test]
    fn groups_that_are_only_claimed_have_no_place() {
        let world = World::fit(&geometry(1 << 22, 1024), Layout::Rows, SIZES[0], 2.0);
        let (columns, rows) = world.groups_in((0.0, 0.0), world.size());
        let places = columns.len() as u64 * rows.len() as u64;
        assert!(places < 2 * u64::from(limits::GROUPS), "{places}");
    }

    proptest! {
        #[test]
        fn every_block_is_hit_where_it_lies(
            groups in 1_u32..140_000, log in 10_u32..17, layout in 0_usize..3, size in 0_usize..3,
            blocks in prop::collection::vec(any::<u64>(), 1..20),
        ) {
            let geometry = geometry(groups, 1 << log);
            let world = World::fit(&geometry, Layout::ALL[layout], SIZES[size], 2.0);
            let first = geometry.first_data_block().get();
            for block in blocks {
                let block = Fsblk::new(first + block % (geometry.blocks_count() - first));
                let place = world.place(block).expect("it is in a group");
                let (x, y) = world.origin(place);
                for (x, y) in [(x, y), (x + 0.999, y + 0.999), (x + 0.5, y + 0.5)] {
                    prop_assert_eq!(world.hit(x, y), Some(place));
                }
                let cluster = geometry.cluster_blocks(block);
                prop_assert!(cluster.contains(&world.fsblk(place).get()));
                let (column, row) = world.group_place(place.group);
                prop_assert_eq!(world.group_at(column, row), Some(place.group));
                let (columns, rows) = world.groups_in((x, y), (x + 1.0, y + 1.0));
                prop_assert!(columns.contains(&column) && rows.contains(&row));
            }
        }

        #[test]
        fn what_is_hit_lies_where_it_is_hit(
            groups in 1_u32..5000, layout in 0_usize..3, x in -0.1_f64..1.1, y in -0.1_f64..1.1,
        ) {
            let geometry = geometry(groups, 4096);
            let world = World::fit(&geometry, Layout::ALL[layout], SIZES[0], 2.0);
            let (w, h) = world.size();
            let (x, y) = (x * w, y * h);
            if let Some(place) = world.hit(x, y) {
                let (left, top) = world.origin(place);
                prop_assert!((left..left + 1.0).contains(&x) && (top..top + 1.0).contains(&y));
                prop_assert!(geometry.contains(world.fsblk(place)));
            }
        }
    }
}
