//! The whole disk in one line.

use super::group_values::GroupValues;
use super::palette::Palette;
use super::profile;
use super::space::{Density, Rect, ViewPx};
use super::tile::{Pixels, TileFill, paint_tile};

/// The picture of the line.
#[must_use]
pub fn picture(
    values: &GroupValues,
    width: ViewPx,
    height: ViewPx,
    density: Density,
    palette: &Palette,
) -> Pixels {
    let (w, h) = (density.device_from_view(width), density.device_from_view(height));
    let mut pixels = Pixels::filled(w, h, palette.well);
    let groups = u64::from(values.groups());
    let mut x = 0;
    while x < w {
        let bound = |x: u32| u64::from(x) * groups / u64::from(w.max(1));
        let first = bound(x);
        // The columns up to the next group, or all groups of one column.
        let mut end = x + 1;
        while end < w && bound(end) == first {
            end += 1;
        }
        let last = bound(end).max(first + 1) - 1;
        let fill = values.fill(first as u32, last as u32);
        paint(&mut pixels, Rect { x, y: 0, w: end - x, h }, fill, density, palette);
        x = end;
    }
    pixels
}

/// The picture of one group as a line.
#[must_use]
pub fn line(
    values: &GroupValues,
    group: u32,
    width: ViewPx,
    height: ViewPx,
    density: Density,
    palette: &Palette,
) -> Pixels {
    let (w, h) = (density.device_from_view(width), density.device_from_view(height));
    let mut pixels = Pixels::filled(w, h, palette.well);
    let fill = values.fill(group, group);
    paint(&mut pixels, Rect { x: 0, y: 0, w, h }, fill, density, palette);
    pixels
}

fn paint(pixels: &mut Pixels, rect: Rect, fill: TileFill<'_>, density: Density, palette: &Palette) {
    let TileFill::Profile(parts) = fill else {
        return paint_tile(pixels, rect, fill, palette, density.ratio());
    };
    let line = profile::line(parts, rect.w as usize);
    pixels.paint(rect, |x, _| {
        let share = line.get((x - rect.x) as usize).copied().unwrap_or(0);
        palette.occupancy.at(share)
    });
}

/// The group at a place of the line.
#[must_use]
pub fn group_at(x: ViewPx, width: ViewPx, groups: u32) -> u32 {
    let share = if width > 0.0 { (x / width).clamp(0.0, 1.0) } else { 0.0 };
    let group = (share * f64::from(groups)) as u32;
    group.min(groups.saturating_sub(1))
}

/// Places along the line, each a share of it, with the size up to there: round steps, and the end.
#[must_use]
pub fn ticks(total: u64, text: impl Fn(u64) -> String) -> Vec<(f64, String)> {
    let mut ticks = vec![(0.0, "0".to_owned())];
    if let Some(step) = step(total) {
        let mut at = step;
        // The last one gives way to the end.
        while at < total && total - at >= step / 2 + step / 8 {
            let unit = 1_u64 << (at.ilog2() / 10 * 10);
            let name = match at.ilog2() / 10 {
                1 => "KiB",
                2 => "MiB",
                3 => "GiB",
                4 => "TiB",
                5 => "PiB",
                _ => "bytes",
            };
            let round = at / unit;
            ticks.push((at as f64 / total as f64, format!("{round}\u{202f}{name}")));
            at += step;
        }
    }
    ticks.push((1.0, text(total)));
    ticks
}

/// The least of 1, 2, 5, 10, … units that cuts `total` into at most seven.
fn step(total: u64) -> Option<u64> {
    let unit = 1_u64 << (total.checked_ilog2()? / 10 * 10);
    // Below two units the next smaller one has rounder steps.
    let unit = if total / unit < 2 && unit > 1 { unit >> 10 } else { unit };
    [1, 2, 5, 10, 20, 50, 100, 200, 500]
        .into_iter()
        .filter_map(|steps| unit.checked_mul(steps))
        .find(|step| total / step <= 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::size;

    fn texts(total: u64) -> Vec<String> {
        ticks(total, size::whole).into_iter().map(|t| t.1.replace('\u{202f}', " ")).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            texts(31_901_876_224),
            ["0", "5 GiB", "10 GiB", "15 GiB", "20 GiB", "25 GiB", "29.71 GiB"]
        );
        assert_eq!(texts(16 << 40), ["0", "5 TiB", "10 TiB", "16.00 TiB"]);
        assert_eq!(
            texts(64 << 20),
            ["0", "10 MiB", "20 MiB", "30 MiB", "40 MiB", "50 MiB", "64.0 MiB"]
        );
        assert_eq!(texts(0), ["0", "0"]);
    }

    #[test]
    fn ticks_lie_in_order_on_the_line() {
        for log in 10..63 {
            for total in [1 << log, (1_u64 << log) + (1 << (log - 1)) + 3] {
                let ticks = ticks(total, size::whole);
                assert!((3..=9).contains(&ticks.len()), "{total}: {ticks:?}");
                assert!(ticks.windows(2).all(|pair| pair[0].0 < pair[1].0), "{total}");
            }
        }
    }

    #[test]
    fn both_ends_of_the_line_are_groups() {
        assert_eq!(group_at(0.0, 800.0, 238), 0);
        assert_eq!(group_at(800.0, 800.0, 238), 237);
        assert_eq!(group_at(400.0, 800.0, 2), 1);
        assert_eq!(group_at(5.0, 0.0, 0), 0);
    }
}
