//! Where the blocks of a file lie on the whole disk, in one line.

use std::ops::Range;

use extscope::units::Fsblk;

use super::Pixels;
use super::palette::Palette;
use super::space::{Density, DevicePx, Rect, ViewPx};
use super::strip::Strip;
use crate::protocol::Geometry;
use crate::state::Known;

/// How far the disk behind the file is faded.
const FADED: f32 = 0.62;

/// The picture: the disk faded, the file's blocks in the accent, each at least a pixel wide.
#[must_use]
pub fn picture(
    known: Known,
    geometry: &Geometry,
    extents: impl Iterator<Item = Range<u64>>,
    (width, height): (ViewPx, ViewPx),
    density: Density,
    palette: &Palette,
) -> Pixels {
    let mut pixels = Strip::new(known, width, height, density, palette).pixels().clone();
    let (w, h) = (pixels.width(), pixels.height());
    let behind = pixels.clone();
    pixels.paint(Rect { x: 0, y: 0, w, h }, |x, y| {
        behind.at(x, y).unwrap_or(palette.well).mix(palette.app, FADED)
    });
    let mut marked = vec![false; w as usize];
    for extent in extents {
        let columns =
            column(geometry, extent.start, w)..=column(geometry, extent.end.saturating_sub(1), w);
        if let Some(columns) = marked.get_mut(*columns.start() as usize..=*columns.end() as usize) {
            columns.fill(true);
        }
    }
    for (x, _) in marked.iter().enumerate().filter(|(_, is_marked)| **is_marked) {
        pixels.paint(Rect { x: x as DevicePx, y: 0, w: 1, h }, |_, _| palette.accent);
    }
    pixels
}

/// The column of a block. All groups are equally wide there, the short last one too.
fn column(geometry: &Geometry, fsblk: u64, width: DevicePx) -> DevicePx {
    let fsblk = Fsblk::new(fsblk);
    let last = width.saturating_sub(1);
    let Some(group) = geometry.group_from_fsblk(fsblk) else {
        return if fsblk < geometry.first_data_block() { 0 } else { last };
    };
    let inside = fsblk.get().saturating_sub(geometry.group_first_fsblk(group).get());
    let of = geometry.group_blocks(group).max(1);
    let place = f64::from(group.get()) + inside as f64 / f64::from(of);
    let share = place / geometry.groups_count().max(1) as f64;
    ((share * f64::from(width)) as DevicePx).min(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::testing;

    #[test]
    fn every_block_has_a_column_and_the_order_is_the_disk_s() {
        let geometry = testing::opened(4).geometry;
        assert_eq!(column(&geometry, 0, 100), 0);
        assert_eq!(column(&geometry, 1, 100), 0);
        assert_eq!(column(&geometry, 1 + 2 * 8192, 100), 50);
        assert_eq!(column(&geometry, geometry.blocks_count() - 1, 100), 99);
        assert_eq!(column(&geometry, u64::MAX, 100), 99);
        let columns: Vec<_> =
            (0..geometry.blocks_count()).step_by(97).map(|b| column(&geometry, b, 333)).collect();
        assert!(columns.is_sorted());
    }
}
