//! Counts, shares, ranges and hexadecimal.

use std::fmt::LowerHex;

use super::THIN_SPACE;

/// A count or a block number: digits in groups of three. Never rounded, never shortened.
#[must_use]
pub fn count(n: u64) -> String {
    extscope::report::grouped(n)
}

/// `count` and the noun that fits it: `1 block`, `2 blocks`.
#[must_use]
pub fn count_of(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// First to last, both included, with an en dash; a range of one is a single number.
#[must_use]
pub fn range(first: u64, last: u64) -> String {
    if first == last { count(first) } else { format!("{}–{}", count(first), count(last)) }
}

/// A share as a percentage with one decimal. Only nothing is `0 %` and only all is `100 %`.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return format!("0{THIN_SPACE}%");
    }
    if part >= whole {
        return format!("100{THIN_SPACE}%");
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    let tenths = (part * 2000 / whole).div_ceil(2);
    match tenths {
        0 => format!("<{THIN_SPACE}0.1{THIN_SPACE}%"),
        1000.. => format!(">{THIN_SPACE}99.9{THIN_SPACE}%"),
        _ => format!("{}.{}{THIN_SPACE}%", tenths / 10, tenths % 10),
    }
}

/// A share in percent, in quarters: for what is said aloud, so that it is said seldom.
#[must_use]
pub fn quarter(part: u64, whole: u64) -> u64 {
    let quarters = (u128::from(part) * 4).checked_div(u128::from(whole)).unwrap_or(4).min(4);
    u64::try_from(quarters).unwrap_or(4) * 25
}

/// How many times as much: `1.0×`, `434×`.
#[must_use]
pub fn times(ratio: f64) -> String {
    if ratio < 99.95 {
        format!("{ratio:.1}×")
    } else {
        format!("{}×", count(ratio.round() as u64))
    }
}

/// Lower-case hexadecimal with `0x`, padded to `digits`.
#[must_use]
pub fn hex(value: impl LowerHex, digits: usize) -> String {
    format!("0x{value:0digits$x}")
}

/// A 64-bit word in hexadecimal, its halves parted.
#[must_use]
pub fn hex_word(word: u64) -> String {
    format!("0x{:08x}_{:08x}", word >> 32, word & 0xffff_ffff)
}

/// The number in what a person typed or pasted: decimal with or without commas, or `0x…`.
#[must_use]
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok();
    }
    let digits: String = text.chars().filter(|c| !matches!(c, ',' | ' ' | '_')).collect();
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_grouped_by_three() {
        let cases =
            [(0, "0"), (999, "999"), (1000, "1,000"), (7_788_544, "7,788,544"), (12_345, "12,345")];
        for (n, text) in cases {
            assert_eq!(count(n), text);
        }
    }

    #[test]
    fn a_noun_follows_its_number() {
        assert_eq!(count_of(1, "block", "blocks"), "1 block");
        assert_eq!(count_of(0, "block", "blocks"), "0 blocks");
        assert_eq!(count_of(4096, "block", "blocks"), "4,096 blocks");
    }

    #[test]
    fn a_range_of_one_is_one_number() {
        assert_eq!(range(7, 7), "7");
        assert_eq!(range(1_474_560, 1_507_327), "1,474,560–1,507,327");
    }

    #[test]
    fn only_nothing_is_0_percent_and_only_all_is_100_percent() {
        let cases = [
            (0, 10, "0\u{202f}%"),
            (10, 10, "100\u{202f}%"),
            (1, 100_000, "<\u{202f}0.1\u{202f}%"),
            (99_999, 100_000, ">\u{202f}99.9\u{202f}%"),
            (589, 1000, "58.9\u{202f}%"),
            (1, 3, "33.3\u{202f}%"),
            (2, 3, "66.7\u{202f}%"),
            (0, 0, "0\u{202f}%"),
        ];
        for (part, whole, text) in cases {
            assert_eq!(percent(part, whole), text, "{part} of {whole}");
        }
    }

    #[test]
    fn what_is_said_aloud_is_said_in_quarters() {
        let said: Vec<u64> = (0..=8).map(|part| quarter(part, 8)).collect();
        assert_eq!(said, [0, 0, 25, 25, 50, 50, 75, 75, 100]);
        assert_eq!((quarter(u64::MAX, u64::MAX), quarter(9, 8), quarter(0, 0)), (100, 100, 100));
    }

    #[test]
    fn large_ratios_have_no_decimals() {
        let ratios = [1.0, 12.34, 99.95, 434.4, 31_995.4];
        assert_eq!(ratios.map(times), ["1.0×", "12.3×", "100×", "434×", "31,995×"]);
    }

    #[test]
    fn hexadecimal_is_padded_to_its_field() {
        assert_eq!(hex(0xbd_u16, 4), "0x00bd");
        assert_eq!(hex_word(0xffff_fff8_0000_0000), "0xfffffff8_00000000");
    }

    #[test]
    fn typed_numbers_are_read_leniently() {
        assert_eq!(parse(" 1,474,560 "), Some(1_474_560));
        assert_eq!(parse("0x20"), Some(32));
        assert_eq!(parse("group"), None);
        assert_eq!(parse(""), None);
        assert_eq!(parse("-1"), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(n: u64) {
            prop_assert_eq!(parse(&count(n)), Some(n));
        }
    }
}
