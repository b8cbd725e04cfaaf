//! The size that leaves as much free as a person wants.

use super::shrink_estimate::Estimate;
use super::shrink_target::parse_target;
use super::shrink_unit::Unit;
use crate::protocol::MinimumReport;
use crate::state::Image;

/// How much is to stay free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Headroom {
    /// Per cent of the size afterwards.
    Percent(f64),
    /// Blocks.
    Blocks(u64),
}

/// Reads `10 %`, `2 GiB`; a bare number is of the unit that sizes are shown in.
#[must_use]
pub fn parse_headroom(typed: &str, unit: Unit, block_size: u32) -> Option<Headroom> {
    if let Some(percent) = typed.trim().strip_suffix('%') {
        let percent = percent.trim().parse::<f64>().ok()?;
        return (0.0..100.0).contains(&percent).then_some(Headroom::Percent(percent));
    }
    if typed.trim() == "0" {
        return Some(Headroom::Blocks(0));
    }
    parse_target(typed, unit, block_size, u64::MAX).map(Headroom::Blocks)
}

impl Headroom {
    /// The smallest size that leaves so much free, as far as the estimate tells, and no smaller
    /// than resize2fs takes.
    #[must_use]
    pub fn target(self, estimate: &Estimate, image: &Image, minimum: &MinimumReport) -> u64 {
        let (mut low, mut high) = (minimum.minimum_blocks, minimum.blocks_count);
        while low < high {
            let middle = low.midpoint(high);
            let free = estimate.at(middle, image).free;
            let is_enough = match self {
                Self::Percent(percent) => free as f64 * 100.0 >= percent * middle as f64,
                Self::Blocks(blocks) => free >= blocks,
            };
            if is_enough {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        high
    }
}

/// What of the free blocks is for the privileged user alone, and what for all.
#[must_use]
pub fn shares(free: u64, reserved: u64) -> (u64, u64) {
    (free.min(reserved), free.saturating_sub(reserved))
}

/// Blocks that are kept for the privileged user at a size. Ref: `adjust_fs_info`.
#[must_use]
pub fn reserved_at(blocks: u64, minimum: &MinimumReport) -> u64 {
    let percent = minimum.reserved_blocks as f64 * 100.0 / minimum.blocks_count.max(1) as f64;
    (percent * blocks as f64 / 100.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headroom_is_read_as_a_share_or_a_size() {
        let parse = |text| parse_headroom(text, Unit::Gib, 4096);
        assert_eq!(parse("10 %"), Some(Headroom::Percent(10.0)));
        assert_eq!(parse("2.5%"), Some(Headroom::Percent(2.5)));
        assert_eq!(parse("2 GiB"), Some(Headroom::Blocks(524_288)));
        assert_eq!(parse("2"), Some(Headroom::Blocks(524_288)));
        assert_eq!(parse("0"), Some(Headroom::Blocks(0)));
        for text in ["", "100 %", "-1 %", "much"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_reserved_is_taken_from_what_is_free_first() {
        assert_eq!(shares(100, 30), (30, 70));
        assert_eq!(shares(20, 30), (20, 0));
    }
}
