//! The disk before and after as pieces to draw, in thousandths of its width.

use extscope::units::{Fsblk, Group};

use crate::protocol::{FileMove, Stream};
use crate::state::Known;

/// Parts that the disk is cut into while no plan says better.
const PARTS: u32 = 720;

/// Shades that a strip has; the darkest is empty and not drawn.
const SHADES: u16 = 10;

/// Files that have a colour of their own.
pub const COLOURS: usize = 4;

/// A piece of a strip of one shade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Where it begins.
    pub at: f64,
    /// How wide it is.
    pub width: f64,
    /// How full it is, over 0 to 1.
    pub shade: f64,
}

/// A stream of blocks as a ribbon: left and right edge before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Ribbon {
    /// Its outline.
    pub path: String,
    /// The colour of its file, where that has one of its own.
    pub colour: Option<usize>,
    /// The stream.
    pub stream: Stream,
}

/// How full each part of the disk is, in 255ths, as far as that is known.
#[must_use]
pub fn known_fill(known: &Known) -> Vec<u8> {
    let geometry = known.image().geometry;
    let blocks = geometry.blocks_count();
    let fill = |part: u32| {
        let edge = |part: u32| {
            let at = u128::from(blocks) * u128::from(part) / u128::from(PARTS);
            u64::try_from(at).unwrap_or(blocks).max(geometry.first_data_block().get())
        };
        let (first, last) = (edge(part), edge(part + 1).saturating_sub(1).max(edge(part)));
        let group = |block: u64| geometry.group_from_fsblk(Fsblk::new(block)).map(Group::get);
        let (Some(from), Some(to)) = (group(first), group(last)) else { return 0 };
        let profile = known.profile(Group::new(from));
        if from == to && !profile.is_empty() && known.stats(Group::new(from)).state.is_exact() {
            let start = geometry.group_first_fsblk(Group::new(from)).get();
            let size = u64::from(geometry.group_blocks(Group::new(from))).max(1);
            let at = first.saturating_sub(start).saturating_mul(profile.len() as u64) / size;
            return profile.get(at as usize).copied().unwrap_or(0);
        }
        let (used, of) = known.used(from, to);
        u8::try_from(used.saturating_mul(255).div_ceil(of.max(1))).unwrap_or(u8::MAX)
    };
    (0..PARTS).map(fill).collect()
}

/// The same in so many parts as a strip has, each the mean of those that it covers.
#[must_use]
pub fn strip_fill(fill: &[u8]) -> Vec<u8> {
    let each = fill.len().div_ceil(PARTS as usize).max(1);
    let mean = |parts: &[u8]| {
        let sum: u64 = parts.iter().copied().map(u64::from).sum();
        u8::try_from(sum.div_ceil(parts.len().max(1) as u64)).unwrap_or(u8::MAX)
    };
    fill.chunks(each).map(mean).collect()
}

/// The pieces of a strip; neighbours of one shade are one piece.
#[must_use]
pub fn pieces(fill: &[u8]) -> Vec<Piece> {
    let width = 1000.0 / fill.len().max(1) as f64;
    let mut pieces: Vec<(u16, Piece)> = Vec::new();
    for (at, &share) in fill.iter().enumerate() {
        let shade = (u16::from(share) * SHADES).div_ceil(255);
        match pieces.last_mut() {
            Some((known, piece)) if *known == shade => piece.width += width,
            _ => {
                let shade_of_1 = f64::from(shade) / f64::from(SHADES);
                pieces.push((shade, Piece { at: at as f64 * width, width, shade: shade_of_1 }));
            }
        }
    }
    pieces.into_iter().filter(|(shade, _)| *shade > 0).map(|(_, piece)| piece).collect()
}

/// The ribbons between the strips, of the height `height`, in the order of the streams.
#[must_use]
pub fn ribbons(streams: &[Stream], files: &[FileMove], blocks: u64, height: f64) -> Vec<Ribbon> {
    /// Narrower ribbons would not be seen.
    const THIN: f64 = 0.7;
    let x = |block: u64| block as f64 * 1000.0 / blocks.max(1) as f64;
    let edges = |(start, end): (u64, u64)| (x(start), x(end).max(x(start) + THIN));
    let colour =
        |stream: &Stream| files.iter().take(COLOURS).position(|file| file.ino == stream.ino);
    let ribbon = |stream: &Stream| {
        let ((a, b), (c, d)) = (edges(stream.from), edges(stream.to));
        let middle = height / 2.0;
        let path = format!(
            "M{a:.2} 0H{b:.2}C{b:.2} {middle} {d:.2} {middle} {d:.2} {height}H{c:.2}\
             C{c:.2} {middle} {a:.2} {middle} {a:.2} 0Z"
        );
        Ribbon { path, colour: colour(stream), stream: *stream }
    };
    streams.iter().map(ribbon).collect()
}

#[cfg(test)]
mod tests {
    use extscope::units::Ino;

    use super::*;
    use crate::state::testing::{alike, batch, read};

    #[test]
    fn neighbours_of_one_shade_are_one_piece_and_empty_ones_are_none() {
        let pieces = pieces(&[0, 255, 255, 1, 0]);
        let due = [
            Piece { at: 200.0, width: 400.0, shade: 1.0 },
            Piece { at: 600.0, width: 200.0, shade: 0.1 },
        ];
        assert_eq!(pieces, due);
    }

    #[test]
    fn a_strip_has_fewer_parts_than_a_map() {
        let fill: Vec<u8> = (0..5760).map(|part| if part % 8 == 0 { 255 } else { 0 }).collect();
        assert_eq!(strip_fill(&fill), [32; 720]);
        assert_eq!(strip_fill(&[7, 0, 255]), [7, 0, 255]);
    }

    #[test]
    fn a_disk_of_few_groups_is_as_full_as_their_profiles_say() {
        let mut known = alike(3, 8192);
        known.merge(&batch(&[(1, read(4096))], vec![255, 0]));
        let fill = known_fill(&known);
        assert_eq!((fill.len(), fill[0]), (720, 0));
        assert_eq!((fill[245], fill[355], fill[365], fill[475]), (255, 255, 0, 0));
    }

    #[test]
    fn a_ribbon_leads_from_before_to_after_and_the_largest_files_have_colours() {
        let stream =
            |ino| Stream { ino: Ino::new(ino), from: (500, 600), to: (0, 100), blocks: 100 };
        let files = [FileMove { ino: Ino::new(12), blocks: 100, runs: 1, is_dir: false }];
        let ribbons = ribbons(&[stream(12), stream(13)], &files, 1000, 100.0);
        assert_eq!(
            ribbons[0].path,
            "M500.00 0H600.00C600.00 50 100.00 50 100.00 100H0.00C0.00 50 500.00 50 500.00 0Z"
        );
        assert_eq!((ribbons[0].colour, ribbons[1].colour), (Some(0), None));
    }
}
