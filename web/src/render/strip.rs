//! The whole disk in one line.

use super::Pixels;
use super::group_fill::fill;
use super::palette::Palette;
use super::profile;
use super::space::{Density, DevicePx, Rect, ViewPx};
use super::tile::{TileFill, paint_tile};
use crate::state::Known;

/// The line of a canvas of some size, and what it shows.
#[derive(Clone, Debug)]
pub struct Strip {
    pixels: Pixels,
    density: Density,
    shown: Known,
}

impl Strip {
    /// The line of `width` by `height` CSS pixels.
    #[must_use]
    pub fn new(
        known: Known,
        width: ViewPx,
        height: ViewPx,
        density: Density,
        palette: &Palette,
    ) -> Self {
        let (w, h) = (density.device_from_view(width), density.device_from_view(height));
        let pixels = Pixels::filled(w, h, palette.well);
        let mut strip = Self { pixels, density, shown: known };
        let all = 0..strip.shown.groups();
        strip.paint_groups(all, palette);
        strip
    }

    /// Whether the line shows the same image as `known`.
    #[must_use]
    pub fn is_of(&self, known: &Known) -> bool {
        self.shown.is_same_image(known)
    }

    /// The pixels.
    #[must_use]
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// Shows `known` of the same image: paints the groups of which it says something new.
    pub fn update(&mut self, known: Known, palette: &Palette) {
        let earlier = core::mem::replace(&mut self.shown, known);
        let news: Vec<u32> = self.shown.changes(&earlier).collect();
        self.paint_groups(news, palette);
    }

    /// Paints the columns of these groups, which are in order.
    fn paint_groups(&mut self, groups: impl IntoIterator<Item = u32>, palette: &Palette) {
        let (w, h) = (self.pixels.width(), self.pixels.height());
        let all = u64::from(self.shown.groups());
        let mut next = 0;
        for group in groups {
            if group < next {
                continue;
            }
            let Some(Columns { first, last, x, end }) = columns(group, all, w) else { continue };
            let fill = fill(&self.shown, first, last);
            let rect = Rect { x, y: 0, w: end - x, h };
            paint(&mut self.pixels, rect, fill, self.density, palette);
            next = last.saturating_add(1);
        }
    }
}

/// Columns of pixels that show the same groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Columns {
    first: u32,
    last: u32,
    x: DevicePx,
    end: DevicePx,
}

/// The columns of a group on a line of `w` pixels for `all` groups: those up to the next group, or
/// one with its neighbours.
fn columns(group: u32, all: u64, w: DevicePx) -> Option<Columns> {
    let wide = u64::from(w);
    let groups_at = |x: u64| (x * all).checked_div(wide);
    // The last column that begins at or before the group.
    let x = ((u64::from(group) + 1) * wide).div_ceil(all.max(1)).checked_sub(1)?;
    let first = groups_at(x)?;
    let from = (first * wide).div_ceil(all.max(1)).min(x);
    let last = groups_at(x + 1)?.max(first + 1) - 1;
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Some(Columns { first: narrow(first), last: narrow(last), x: narrow(from), end: narrow(x + 1) })
}

/// The picture of one group as a line.
#[must_use]
pub fn line(
    known: &Known,
    group: u32,
    width: ViewPx,
    height: ViewPx,
    density: Density,
    palette: &Palette,
) -> Pixels {
    let (w, h) = (density.device_from_view(width), density.device_from_view(height));
    let mut pixels = Pixels::filled(w, h, palette.well);
    let fill = fill(known, group, group);
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
        // The last one gives way to the end.
        let fits =
            |at: &u64| total.checked_sub(*at).is_some_and(|left| left >= step / 2 + step / 8);
        let steps = core::iter::successors(Some(step), |at| at.checked_add(step));
        for at in steps.take_while(fits) {
            let unit = 1_u64 << (at.ilog2() / 10 * 10);
            let name = match at.ilog2() / 10 {
                1 => "KiB",
                2 => "MiB",
                3 => "GiB",
                4 => "TiB",
                5 => "PiB",
                6 => "EiB",
                _ => "bytes",
            };
            let round = at / unit;
            ticks.push((at as f64 / total as f64, format!("{round}\u{202f}{name}")));
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
    use proptest::prelude::*;

    use super::*;
    use crate::render::palette::Theme;
    use crate::state::testing::{alike, batch, read};
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
        assert_eq!(
            texts(u64::MAX),
            ["0", "2 EiB", "4 EiB", "6 EiB", "8 EiB", "10 EiB", "12 EiB", "14 EiB", "16.00 EiB"]
        );
        assert_eq!(texts(0), ["0", "0"]);
    }

    #[test]
    fn ticks_lie_in_order_on_the_line() {
        for log in 10..64 {
            for total in [1 << log, (1_u64 << log) + (1 << (log - 1)) + 3, u64::MAX >> (63 - log)] {
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

    proptest! {
        #[test]
        fn columns_cover_the_line_and_all_groups_once(groups in 1_u32..4000, w in 1_u32..2000) {
            let (mut group, mut x) = (0, 0);
            while group < groups {
                let columns = columns(group, groups.into(), w).expect("there is a line");
                prop_assert_eq!((columns.first, columns.x), (group, x));
                for group in columns.first..=columns.last {
                    prop_assert_eq!(super::columns(group, groups.into(), w), Some(columns));
                }
                (group, x) = (columns.last + 1, columns.end);
            }
            prop_assert_eq!((group, x), (groups, w));
        }

        #[test]
        fn a_line_kept_up_to_date_is_as_if_painted_anew(
            groups in 1_u32..1500,
            news in prop::collection::vec((0_u32..1500, 0_u32..8000), 0..40), width in 1_u32..900,
        ) {
            let palette = Palette::of(Theme::Dark);
            let density = Density::for_canvas(width.into(), 3.0, 1.0);
            let new = |known: &Known| {
                Strip::new(known.clone(), width.into(), 3.0, density, &palette)
            };
            let mut known = alike(groups, 4000);
            let mut strip = new(&known);
            let news: Vec<_> = news.into_iter().map(|(group, free)| (group, read(free))).collect();
            let profiles = (0..news.len() * 4).map(|at| at as u8).collect();
            known.merge(&batch(&news, profiles));
            strip.update(known.clone(), &palette);
            prop_assert!(strip.pixels() == new(&known).pixels());
        }
    }
}
