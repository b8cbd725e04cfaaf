//! How long a shrink takes: on a medium that the person picks, and at each size.

use core::ops::Range;

use super::shrink_estimate::{Estimate, Estimated};
use crate::protocol::{Cost, Medium};
use crate::state::Image;

/// The figures of a medium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Milliseconds to go elsewhere.
    pub seek_ms: f64,
    /// MiB read or written in a second.
    pub mib_per_second: f64,
}

impl Speed {
    /// A disk that turns.
    pub const DISK: Self = Self::of(Medium::DISK);
    /// Flash behind SATA.
    pub const FLASH: Self = Self::of(Medium::FLASH);
    /// An SD card.
    pub const CARD: Self = Self { seek_ms: 1.0, mib_per_second: 20.0 };

    const fn of(medium: Medium) -> Self {
        Self { seek_ms: medium.seek_ms, mib_per_second: 1000.0 / medium.mib_ms }
    }

    /// The same as the engine takes it.
    #[must_use]
    pub fn medium(self) -> Medium {
        Medium { seek_ms: self.seek_ms, mib_ms: 1000.0 / self.mib_per_second }
    }
}

/// A figure that was typed: a number above zero, or zero for what may cost nothing.
#[must_use]
pub fn parse_figure(typed: &str, may_be_zero: bool) -> Option<f64> {
    let number = typed.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
    (number > 0.0 || may_be_zero && number == 0.0).then_some(number)
}

/// What the curve shows of each size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveOf {
    /// Blocks to copy.
    #[default]
    Copy,
    /// Seconds.
    Time,
    /// Blocks that stay free.
    Free,
}

impl CurveOf {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Copy, Self::Time, Self::Free];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copy => "To copy",
            Self::Time => "Time",
            Self::Free => "Free",
        }
    }

    /// Its value at a size: blocks or seconds.
    #[must_use]
    pub fn at(self, blocks: u64, estimate: &Estimate, image: &Image, speed: Speed) -> f64 {
        let about = estimate.at(blocks, image);
        match self {
            Self::Copy => about.to_copy as f64,
            Self::Free => about.free as f64,
            Self::Time => estimated_cost(about, blocks, image).seconds(speed.medium()),
        }
    }

    /// Its values at `points` steps from one size to another.
    #[must_use]
    pub fn curve(
        self,
        sizes: &Range<u64>,
        points: u32,
        estimate: &Estimate,
        image: &Image,
        speed: Speed,
    ) -> Vec<f64> {
        let span = sizes.end.saturating_sub(sizes.start);
        let at = |point: u32| {
            let step = u128::from(span) * u128::from(point) / u128::from(points.max(1));
            let size = sizes.start.saturating_add(u64::try_from(step).unwrap_or(span));
            self.at(size, estimate, image, speed)
        };
        (0..=points).map(at).collect()
    }
}

/// What a size costs, about: all inode tables are read, and how scattered files lie is not known.
#[must_use]
pub fn estimated_cost(about: Estimated, blocks: u64, image: &Image) -> Cost {
    let geometry = &image.geometry;
    let bytes = |blocks: u64| blocks.saturating_mul(geometry.block_size().into());
    let groups = image.groups.len() as u64;
    let left = blocks.div_ceil(u64::from(geometry.blocks_per_group()).max(1)).min(groups);
    if left == groups && about.to_copy == 0 {
        return Cost {
            seeks: groups,
            metadata_bytes: bytes(groups.saturating_mul(2)),
            ..Cost::default()
        };
    }
    let tables = groups.saturating_mul(geometry.itable_blocks().saturating_add(2));
    Cost {
        moved_bytes: bytes(about.to_copy),
        scanned_bytes: bytes(tables),
        metadata_bytes: bytes(left.saturating_mul(2)),
        seeks: groups.saturating_add(left).saturating_add(2 * (groups - left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Known;
    use crate::state::testing::{batch, described_image, read};

    #[test]
    fn figures_are_numbers_above_zero() {
        assert_eq!(parse_figure(" 80 ", false), Some(80.0));
        assert_eq!((parse_figure("0", false), parse_figure("0", true)), (None, Some(0.0)));
        for text in ["", "fast", "-1", "inf", "NaN"] {
            assert_eq!(parse_figure(text, true), None, "{text}");
        }
    }

    #[test]
    fn a_slower_medium_and_a_smaller_size_take_longer_and_leave_less() {
        let mut known = Known::described(std::rc::Rc::new(described_image()));
        known.merge(&batch(&[(0, read(7192)), (1, read(6192)), (2, read(7692))], Vec::new()));
        let (image, estimate) = (known.image(), Estimate::new(&known));
        let curve = |of: CurveOf, speed| of.curve(&(8193..24_577), 100, &estimate, image, speed);
        let (disk, flash) = (curve(CurveOf::Time, Speed::DISK), curve(CurveOf::Time, Speed::FLASH));
        assert!(disk.iter().zip(&flash).all(|(disk, flash)| disk > flash));
        assert!(disk.first() > disk.last(), "{disk:?}");
        assert!(curve(CurveOf::Copy, Speed::DISK).is_sorted_by(|a, b| a >= b));
        let free = curve(CurveOf::Free, Speed::DISK);
        assert!(free.first() < free.last());
    }
}
