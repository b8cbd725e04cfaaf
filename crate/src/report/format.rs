//! How values are written. The same value looks the same everywhere.

use uuid::Uuid;

/// A count with commas between thousands: `1,048,576`.
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the largest unit that keeps three digits: `612 MiB`, `1.14 GiB`, `4 KiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if n < 1024 {
        return format!("{n} bytes");
    }
    let log = n.ilog2() / 10;
    let unit = UNITS.get(log as usize - 1).unwrap_or(&"EiB");
    let whole = n >> (10 * log);
    let rest = n & ((1 << (10 * log)) - 1);
    let hundredths = (u128::from(rest) * 100 + (1 << (10 * log - 1))) >> (10 * log);
    let hundredths = u128::from(whole) * 100 + hundredths;
    match hundredths {
        h if h.is_multiple_of(100) => format!("{} {unit}", h / 100),
        h if h >= 9995 => format!("{} {unit}", (h + 50) / 100),
        h if h >= 1000 => format!("{}.{} {unit}", (h + 5) / 100, (h + 5) % 100 / 10),
        h => format!("{}.{:02} {unit}", h / 100, h % 100),
    }
}

/// A number in hexadecimal with `digits` digits or more: `0x0000ef53`.
#[must_use]
pub fn hex(n: u64, digits: usize) -> String {
    format!("0x{n:0digits$x}")
}

/// Seconds since 1970 as a date and time of day in UTC: `2026-02-19 07:41:05 UTC`.
#[must_use]
pub fn time(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Year, month and day of a day since 1970, in the Gregorian calendar.
///
/// Counted from 1 March of the year 0, so that the day that may be missing is a year's last.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_IN_400_YEARS: u64 = 146_097;
    let days = days + DAYS_TO_1970;
    let (era, day) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / (DAYS_IN_400_YEARS - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // March to January have 153 days in every five months.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// A UUID in its usual form.
#[must_use]
pub fn uuid(bytes: [u8; 16]) -> String {
    Uuid::from_bytes(bytes).to_string()
}

/// Text padded with NUL; what is not UTF-8 or would change the terminal is escaped.
#[must_use]
pub fn padded_text(bytes: &[u8]) -> String {
    escaped(bytes.split(|byte| *byte == 0).next().unwrap_or_default())
}

/// Text of any length; what is not UTF-8, cannot be seen, or would change the terminal or the order
/// of the letters around it is escaped.
#[must_use]
pub fn escaped(text: &[u8]) -> String {
    let mut shown = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if letter.is_control() || is_unseen(letter) {
                shown.extend(letter.escape_default());
            } else {
                shown.push(letter);
            }
        }
        for byte in chunk.invalid() {
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown
}

/// Whether a letter has no shape of its own and makes one text look like another. The joiners
/// U+200C and U+200D have neither, but scripts and emoji need them.
fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas() {
        let written: Vec<_> = [0, 999, 1000, 123_456, 1_000_000].map(grouped).into();
        assert_eq!(written, ["0", "999", "1,000", "123,456", "1,000,000"]);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn sizes_have_three_digits() {
        for (n, text) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1 KiB"),
            (4096, "4 KiB"),
            (1536, "1.50 KiB"),
            (612 << 20, "612 MiB"),
            (12 * (1 << 30) + (1 << 28), "12.3 GiB"),
            ((100 << 20) - 10_000, "100 MiB"),
            (1023 << 30, "1023 GiB"),
            (u64::MAX, "16 EiB"),
        ] {
            assert_eq!(bytes(n), text);
        }
    }

    #[test]
    fn dates_know_leap_years() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (951_868_800, "2000-03-01 00:00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
            (4_294_967_295, "2106-02-07 06:28:15 UTC"),
            (0xff_ffff_ffff, "36812-02-20 00:36:15 UTC"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn text_ends_at_the_first_nul_and_cannot_play_tricks() {
        assert_eq!(padded_text(b"data\0junk"), "data");
        assert_eq!(padded_text("größe".as_bytes()), "größe");
        assert_eq!(padded_text(b"a\x1b[31m\xffz"), "a\\u{1b}[31m\\xffz");
        assert_eq!(padded_text(b""), "");
        assert_eq!(escaped(b"a\0b\nc"), "a\\u{0}b\\nc");
        assert_eq!(escaped("cod\u{202e}gpj.exe".as_bytes()), "cod\\u{202e}gpj.exe");
        assert_eq!(escaped("a\u{200b}b\u{200d}c".as_bytes()), "a\\u{200b}b\u{200d}c");
    }
}
