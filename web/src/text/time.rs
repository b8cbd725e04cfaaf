//! Dates, always UTC, and measured spans of time.

use super::THIN_SPACE;

/// Seconds since 1970 as `2026-02-19 07:41`.
#[must_use]
pub fn date(seconds: i64) -> String {
    let minutes = seconds.rem_euclid(86_400) / 60;
    format!("{} {:02}:{:02}", day(seconds), minutes / 60, minutes % 60)
}

/// The day of a second since 1970 as `2026-02-19`.
#[must_use]
pub fn day(seconds: i64) -> String {
    let (year, month, day) = civil_from_days(seconds.div_euclid(86_400));
    format!("{year:04}-{month:02}-{day:02}")
}

/// The Gregorian date of a day counted from 1970-01-01.
///
/// Counts from 0000-03-01, so that the leap day is the last of its year, in eras of 400 years.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// A span in milliseconds with three significant digits: `< 0.01 ms`, `0.171 ms`, `74.2 ms`, `1.15 s`, `2 min`.
#[must_use]
pub fn span(milliseconds: f64) -> String {
    match milliseconds {
        ms if !ms.is_finite() || ms <= 0.0 => format!("0{THIN_SPACE}ms"),
        ms if ms < 0.01 => format!("<{THIN_SPACE}0.01{THIN_SPACE}ms"),
        ms if ms < 1000.0 => format!("{}{THIN_SPACE}ms", three_digits(ms)),
        ms if ms < 120_000.0 => format!("{}{THIN_SPACE}s", three_digits(ms / 1000.0)),
        ms => format!("{:.0}{THIN_SPACE}min", ms / 60_000.0),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dates_are_utc_to_the_minute() {
        let cases = [
            (0, "1970-01-01 00:00"),
            (59, "1970-01-01 00:00"),
            (951_782_400, "2000-02-29 00:00"),
            (1_771_486_860, "2026-02-19 07:41"),
            (-1, "1969-12-31 23:59"),
            (2_147_483_648, "2038-01-19 03:14"),
            (15_032_385_535, "2446-05-10 22:38"),
        ];
        for (seconds, text) in cases {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn spans_have_three_digits() {
        let cases = [
            (0.0, "0 ms"),
            (0.001, "< 0.01 ms"),
            (2.314, "2.31 ms"),
            (74.23, "74.2 ms"),
            (999.0, "999 ms"),
        ];
        for (ms, text) in cases {
            assert_eq!(span(ms).replace(THIN_SPACE, " "), text);
        }
        assert_eq!(span(1152.0).replace(THIN_SPACE, " "), "1.15 s");
        assert_eq!(span(130_000.0).replace(THIN_SPACE, " "), "2 min");
        assert_eq!(span(f64::NAN).replace(THIN_SPACE, " "), "0 ms");
    }

    proptest! {
        #[test]
        fn a_day_later_is_a_later_date(day in -700_000_i64..700_000) {
            prop_assert!(civil_from_days(day) < civil_from_days(day + 1));
        }
    }
}
