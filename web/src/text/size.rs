//! Amounts of bytes in IEC units.

use super::{THIN_SPACE, number::count};

const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// An amount of bytes with three significant digits: `612 MiB`, `12.3 GiB`, `1.14 TiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    match n {
        0 => "0".to_owned(),
        1 => format!("1{THIN_SPACE}byte"),
        2..1024 => format!("{}{THIN_SPACE}bytes", count(n)),
        _ => scaled(n),
    }
}

fn scaled(n: u64) -> String {
    let mut unit = 1;
    while unit + 1 < UNITS.len() && hundredths(n, unit) >= 1024 * 100 {
        unit += 1;
    }
    let value = hundredths(n, unit);
    let text = match value {
        ..1000 => format!("{}.{:02}", value / 100, value % 100),
        1000..10_000 => {
            let tenths = (value + 5) / 10;
            format!("{}.{}", tenths / 10, tenths % 10)
        }
        _ => count((value + 50) / 100),
    };
    format!("{text}{THIN_SPACE}{}", UNITS.get(unit).copied().unwrap_or_default())
}

/// `n` in hundredths of the unit, rounded to what is written of it.
fn hundredths(n: u64, unit: usize) -> u64 {
    let one = 1_u128 << (10 * unit);
    let exact = (u128::from(n) * 100 + one / 2) / one;
    let exact = u64::try_from(exact).unwrap_or(u64::MAX);
    match exact {
        ..1000 => exact,
        1000..10_000 => (exact + 5) / 10 * 10,
        _ => (exact + 50) / 100 * 100,
    }
}

/// The size of a filesystem or an image: two decimals of GiB or of what is larger.
#[must_use]
pub fn whole(n: u64) -> String {
    let unit = n.checked_ilog2().unwrap_or(0) / 10;
    if unit < 3 {
        return bytes(n);
    }
    let one = 1_u128 << (10 * unit);
    let value = (u128::from(n) * 100 + one / 2) / one;
    let (integer, fraction) = (u64::try_from(value / 100).unwrap_or(u64::MAX), value % 100);
    let name = usize::try_from(unit).ok().and_then(|unit| UNITS.get(unit)).copied();
    format!("{}.{fraction:02}{THIN_SPACE}{}", count(integer), name.unwrap_or_default())
}

/// A power of two without decimals: `4 KiB`, `64 KiB`; anything else as [`bytes`] does.
#[must_use]
pub fn round(n: u64) -> String {
    let unit = n.checked_ilog2().unwrap_or(0) / 10;
    if n.is_power_of_two() && unit > 0 {
        let name = usize::try_from(unit).ok().and_then(|u| UNITS.get(u)).copied();
        return format!("{}{THIN_SPACE}{}", n >> (10 * unit), name.unwrap_or_default());
    }
    bytes(n)
}

/// All digits, for a tooltip: `1,234,567 bytes`.
#[must_use]
pub fn exact(n: u64) -> String {
    format!("{}{THIN_SPACE}{}", count(n), if n == 1 { "byte" } else { "bytes" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(text: &str, expected: &str) {
        assert_eq!(text.replace(THIN_SPACE, " "), expected);
    }

    #[test]
    fn three_digits_carry_meaning() {
        says(&bytes(0), "0");
        says(&bytes(1), "1 byte");
        says(&bytes(1023), "1,023 bytes");
        says(&bytes(1024), "1.00 KiB");
        says(&bytes(57_344), "56.0 KiB");
        says(&bytes(641_728_512), "612 MiB");
        says(&bytes(13_207_024_435), "12.3 GiB");
        says(&bytes(1_253_443_000_000), "1.14 TiB");
        says(&bytes(u64::MAX), "16.0 EiB");
    }

    #[test]
    fn rounding_up_moves_to_the_next_unit() {
        says(&bytes((1 << 20) - 1), "1.00 MiB");
        says(&bytes((1 << 30) - 1), "1.00 GiB");
        says(&bytes(1023 << 10), "1,023 KiB");
        says(&bytes(10_480_518), "10.0 MiB");
    }

    #[test]
    fn whole_sizes_keep_two_decimals() {
        says(&whole(31_901_876_224), "29.71 GiB");
        says(&whole(16 << 40), "16.00 TiB");
        says(&whole(1 << 40), "1.00 TiB");
        says(&whole(2048 << 40), "2.00 PiB");
        says(&whole(64 << 20), "64.0 MiB");
    }

    #[test]
    fn powers_of_two_have_no_decimals() {
        says(&round(1024), "1 KiB");
        says(&round(65_536), "64 KiB");
        says(&round(512), "512 bytes");
        says(&round(6000), "5.86 KiB");
        says(&round(0), "0");
    }

    #[test]
    fn exact_sizes_show_every_byte() {
        says(&exact(1_234_567), "1,234,567 bytes");
    }
}
