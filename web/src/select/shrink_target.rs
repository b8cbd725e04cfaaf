//! The size to come to: what a person types, and what is offered.

use super::shrink_unit::Unit;
use crate::protocol::{FoundSizes, MinimumReport};
use crate::text::number;

/// Blocks of a size as typed: `20.77 GiB`, `14G`, `5,444,352 blocks`, `70 %`. What is less than a
/// block is dropped, as resize2fs does; a bare number is of the unit that sizes are shown in.
#[must_use]
pub fn parse_target(typed: &str, unit: Unit, block_size: u32, blocks_count: u64) -> Option<u64> {
    let text = typed.trim().replace([',', '_', '\u{202f}', ' '], "").to_lowercase();
    let end_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, end) = text.split_at(end_at);
    let bytes = |shift: u32| {
        scaled(digits, 1_u128 << shift, 1).map(|it| it / u128::from(block_size.max(1)))
    };
    let end = if end.is_empty() { unit.end() } else { end };
    let blocks = match end {
        "blocks" | "block" | "b" => digits.parse::<u64>().ok().map(u128::from),
        "%" => scaled(digits, blocks_count.into(), 100),
        "bytes" | "byte" => bytes(0),
        "s" | "sectors" | "sector" => bytes(9),
        "k" | "kib" | "kb" => bytes(10),
        "m" | "mib" | "mb" => bytes(20),
        "g" | "gib" | "gb" => bytes(30),
        "t" | "tib" | "tb" => bytes(40),
        _ => None,
    }?;
    u64::try_from(blocks).ok().filter(|blocks| *blocks > 0)
}

/// A decimal number times `scale`, through `of`; what is behind the point is cut.
fn scaled(digits: &str, scale: u128, of: u128) -> Option<u128> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if part.contains('.') || (whole.is_empty() && part.is_empty()) || part.len() > 12 {
        return None;
    }
    let value = |text: &str| {
        if text.is_empty() { Some(0) } else { text.parse::<u64>().ok().map(u128::from) }
    };
    let tens = 10_u128.checked_pow(part.len().try_into().ok()?)?;
    let number = value(whole)?.checked_mul(tens)?.checked_add(value(part)?)?;
    number.checked_mul(scale)?.checked_div(tens.checked_mul(of)?)
}

/// A size that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// Blocks.
    pub blocks: u64,
    /// What there is to say of it.
    pub note: String,
}

/// The sizes that are offered, the larger first.
#[must_use]
pub fn presets(minimum: &MinimumReport, found: Option<&FoundSizes>, unit: Unit) -> Vec<Preset> {
    let block = u64::from(minimum.block_size);
    let note = |blocks: u64| unit.text(blocks, minimum.block_size);
    let least = minimum.minimum_blocks;
    let gib = (1_u64 << 30).checked_div(block).unwrap_or(1).max(1);
    let with_room = least.saturating_add(least / 10);
    let mut all = vec![
        Preset { name: "Smallest + 10 %", blocks: with_room, note: note(with_room) },
        Preset {
            name: "Whole GiB",
            blocks: least.div_ceil(gib).saturating_mul(gib),
            note: String::new(),
        },
        Preset { name: "Smallest", blocks: least, note: note(least) },
    ];
    if let Some(found) = found {
        if let Some(&last) = found.repeated_blocks.last().filter(|last| **last < least) {
            let runs = number::count_of(found.repeated_blocks.len() as u64, "run", "runs");
            all.push(Preset {
                name: "Repeated -M",
                blocks: last,
                note: format!("after {runs} of -M"),
            });
        }
        if let Some(forced) = found.forced_blocks.filter(|forced| *forced < least) {
            all.push(Preset { name: "With -f", blocks: forced, note: note(forced) });
        }
    }
    for preset in &mut all {
        if preset.note.is_empty() {
            preset.note = note(preset.blocks);
        }
    }
    all.retain(|preset| preset.blocks < minimum.blocks_count);
    all
}

/// A size that is marked on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub name: &'static str,
    /// Blocks.
    pub blocks: u64,
}

/// The sizes that are marked, the smaller first.
#[must_use]
pub fn marks(minimum: &MinimumReport, found: Option<&FoundSizes>) -> Vec<Mark> {
    let repeated = found.and_then(|found| found.repeated_blocks.last().copied());
    let forced = found.and_then(|found| found.forced_blocks);
    let all = [
        ("in use", Some(minimum.used_blocks)),
        ("smallest with -f", forced),
        ("smallest, repeated", repeated),
        ("smallest", Some(minimum.minimum_blocks)),
        ("now", Some(minimum.blocks_count)),
    ];
    let mark = |(name, blocks): (_, Option<u64>)| Some(Mark { name, blocks: blocks? });
    let mut marks: Vec<Mark> = all.into_iter().filter_map(mark).collect();
    marks.sort_by_key(|mark| mark.blocks);
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<u64> {
        parse_target(text, Unit::Fitting, 4096, 7_788_544)
    }

    #[test]
    fn a_bare_number_is_of_the_unit_that_is_shown() {
        let parse = |unit| parse_target("512", unit, 4096, 7_788_544);
        assert_eq!(parse(Unit::Mib), Some(131_072));
        assert_eq!(parse(Unit::Blocks), Some(512));
        assert_eq!(parse(Unit::Sectors), Some(64));
        assert_eq!(
            (parse(Unit::Bytes), parse_target("8192", Unit::Bytes, 4096, 9)),
            (None, Some(2))
        );
    }

    #[test]
    fn sizes_are_read_in_every_unit() {
        assert_eq!(parse("20 GiB"), Some(5_242_880));
        assert_eq!(parse("20.5"), Some(5_373_952));
        assert_eq!(parse("512m"), Some(131_072));
        assert_eq!(parse("5,444,352 blocks"), Some(5_444_352));
        assert_eq!(parse("50 %"), Some(3_894_272));
        assert_eq!(parse("8s"), Some(1));
        assert_eq!(parse(".5 TiB"), Some(134_217_728));
    }

    #[test]
    fn what_is_no_size_is_none() {
        for text in
            ["", "GiB", "1.2.3 GiB", "-4", "twelve", "0", "1e9", "7s", "99999999999999999999 T"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
