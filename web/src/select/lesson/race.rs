//! The race: measured times beside counted work and the figures of the report.

use super::words::{way_name, way_origin};
use crate::protocol::{Lane, LaneResult, RaceResult, Way};
use crate::text::{THIN_SPACE, number};

/// A lane of the race.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneRow {
    /// What it does.
    pub name: &'static str,
    /// Who did it so.
    pub origin: &'static str,
    /// Bit tests, loads, divisions and calls of one run.
    pub counts: [u64; 4],
    /// The median time.
    pub time: String,
    /// Length of its bar on a scale of logarithms, from 0 to 1.
    pub bar: f64,
    /// How many times as fast as the first.
    pub faster: String,
    /// Seconds that the report measured.
    pub reported: Option<u32>,
    /// The same as a ratio.
    pub reported_faster: Option<String>,
}

/// Seconds of CPU that Debian's bug 663237 tells of, for the whole run of resize2fs.
#[must_use]
pub const fn reported(lane: Lane) -> Option<u32> {
    match (lane.way, lane.has_cursor) {
        (Way::Modulo, false) => Some(3400),
        (Way::Hoisted, false) => Some(2585),
        (Way::Direct, false) => Some(2057),
        (Way::Bytes, false) => Some(45),
        (Way::Words, false) => Some(17),
        _ => None,
    }
}

/// A lane's name.
#[must_use]
pub const fn lane_name(lane: Lane) -> &'static str {
    if lane.has_cursor { "Vectors, and a cursor" } else { way_name(lane.way) }
}

/// The lanes of a race.
#[must_use]
pub fn lane_rows(result: &RaceResult) -> Vec<LaneRow> {
    let scale = Scale::of(result);
    let slowest = result.lanes.first().map_or(0.0, |lane| lane.nanos);
    let first = reported(Lane { way: Way::Modulo, has_cursor: false });
    let row = |it: &LaneResult| {
        let reported = reported(it.lane);
        let ratio =
            |(seconds, first): (u32, u32)| number::times(f64::from(first) / f64::from(seconds));
        LaneRow {
            name: lane_name(it.lane),
            origin: if it.lane.has_cursor {
                "no search looks at the same word twice"
            } else {
                way_origin(it.lane.way)
            },
            counts: [it.tally.tests, it.tally.loads, it.tally.divisions, it.tally.calls],
            time: nanos(it.nanos),
            bar: scale.place(it.nanos),
            faster: number::times(slowest / it.nanos.max(f64::MIN_POSITIVE)),
            reported,
            reported_faster: reported.zip(first).map(ratio),
        }
    };
    result.lanes.iter().map(row).collect()
}

/// The powers of ten under the bars: their names and places from 0 to 1.
#[must_use]
pub fn axis(result: &RaceResult) -> Vec<(String, f64)> {
    let scale = Scale::of(result);
    let ticks = scale.low..=scale.high;
    ticks.map(|power| (nanos(10_f64.powi(power)), scale.place(10_f64.powi(power)))).collect()
}

/// A scale of logarithms from one power of ten to another.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    fn of(result: &RaceResult) -> Self {
        let logs = || result.lanes.iter().map(|lane| lane.nanos.max(1.0).log10());
        let low = logs().fold(f64::INFINITY, f64::min);
        let high = logs().fold(0.0, f64::max);
        let low = if low.is_finite() { low.floor() as i32 } else { 0 };
        // A bar of no length would be none.
        Self { low: low - 1, high: (high.ceil() as i32).max(low + 1) }
    }

    fn place(&self, nanos: f64) -> f64 {
        let span = f64::from(self.high - self.low);
        ((nanos.max(1.0).log10() - f64::from(self.low)) / span).clamp(0.0, 1.0)
    }
}

/// A time with three significant digits in the unit that suits it.
#[must_use]
pub fn nanos(nanos: f64) -> String {
    let (value, unit) = match nanos {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    let digits = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    let text = format!("{value:.digits$}");
    // A power of ten is written as such.
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{THIN_SPACE}{unit}")
}

/// What the race was run on, in a sentence.
#[must_use]
pub fn said(result: &RaceResult) -> String {
    format!(
        "{} found one after another in a bitmap of {}; each search but the last lane's begins at the start. \
         Medians of {} rounds, lanes in turn, in this page's worker; vectors: {}.",
        number::count_of(result.taken.into(), "free inode", "free inodes"),
        number::count_of(result.bits, "bit", "bits"),
        result.rounds,
        result.kernels,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Tally;

    fn result(nanos: [f64; 7]) -> RaceResult {
        let lanes = Lane::ALL.into_iter().zip(nanos);
        let lanes = lanes.map(|(lane, nanos)| LaneResult { lane, tally: Tally::NONE, nanos });
        RaceResult {
            bits: 1 << 20,
            taken: 16,
            kernels: "word".into(),
            rounds: 7,
            lanes: lanes.collect(),
        }
    }

    #[test]
    fn bars_are_as_long_as_the_logarithms_of_times() {
        let rows = lane_rows(&result([1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2]));
        let bars: Vec<f64> = rows.iter().map(|row| (row.bar * 70.0).round()).collect();
        assert_eq!(bars, [70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0]);
        assert_eq!(rows[4].faster, "10,000×");
        let axis = axis(&result([1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2]));
        assert_eq!(
            axis.first().map(|(name, at)| (name.as_str(), *at)),
            Some(("10\u{202f}ns", 0.0))
        );
        assert_eq!(
            axis.last().map(|(name, at)| (name.as_str(), *at)),
            Some(("100\u{202f}ms", 1.0))
        );
    }

    #[test]
    fn a_race_without_time_is_still_drawn() {
        for row in lane_rows(&result([0.0; 7])) {
            assert!((0.0..=1.0).contains(&row.bar));
        }
    }

    #[test]
    fn the_reports_ratios_are_those_of_its_seconds() {
        let rows = lane_rows(&result([1.0; 7]));
        let ratios: Vec<_> = rows.iter().filter_map(|row| row.reported_faster.clone()).collect();
        assert_eq!(ratios, ["1.0×", "1.3×", "1.7×", "75.6×", "200×"]);
    }

    #[test]
    fn times_have_three_digits_and_a_unit_that_suits_them() {
        let texts = [7.0, 999.0, 171_200.0, 74_230_000.0, 1.5e9].map(nanos);
        let expected = ["7 ns", "999 ns", "171 µs", "74.2 ms", "1.5 s"];
        assert_eq!(texts.map(|text| text.replace(THIN_SPACE, " ")), expected);
    }
}
