//! Samples, each between two of its reference.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use extscope::bitmap::kernel::{self, Kernels};
use serde::Serialize;

use crate::cases::{Case, Goal, Input};
use crate::read;
use crate::verdict::{Bound, Verdict};

/// A measured time and what the reference took just before and just after.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pair {
    /// Nanoseconds of processor time, a call.
    pub nanos: f64,
    /// Nanoseconds of the reference, a call.
    pub reference: f64,
}

/// A case with one table of kernels.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The case.
    pub name: &'static str,
    /// Its fill.
    pub fill: String,
    /// The table.
    pub kernels: &'static str,
    /// Bytes of the bitmap.
    pub bytes: u64,
    /// Bytes read in a nanosecond, which is gigabytes in a second.
    pub speed: f64,
    /// The speed over that of reading; 1 is as fast.
    pub of_read: f64,
    /// Nanoseconds a run of clear bits.
    pub nanos_a_run: f64,
    /// How it should be, where that is said.
    pub verdicts: Vec<Verdict>,
}

/// Shortest sample: far longer than the clock takes, shorter than a time slice.
const SAMPLE: Duration = Duration::from_micros(300);

/// Bytes up to which a bitmap counts as in the cache.
pub const CACHE_BYTES: u64 = 1 << 20;

/// Processor time of one call, in nanoseconds, by as many calls as fill a sample.
fn nanos_of(mut call: impl FnMut() -> u64) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = ThreadTime::now();
        for _ in 0..calls {
            black_box(call());
        }
        let elapsed = start.elapsed();
        if elapsed >= SAMPLE {
            return elapsed.as_nanos() as f64 / f64::from(calls);
        }
        calls = calls.saturating_mul(2);
    }
}

/// Measures a case on a bitmap of so many bytes by the tables that make a difference to it; of so
/// many rounds the median counts.
///
/// # Errors
/// When the bitmap is too large to hold.
pub fn measure(case: &Case, bytes: u64, rounds: u32) -> extscope::Result<Vec<Measured>> {
    let mut input = Input::new(case, bytes)?;
    let best = core::iter::once(kernel::kernels());
    let tables: Vec<_> = if case.by_table { kernel::all().collect() } else { best.collect() };
    Ok(tables.into_iter().map(|kernels| measure_by(kernels, case, &mut input, rounds)).collect())
}

fn measure_by(kernels: &'static Kernels, case: &Case, input: &mut Input, rounds: u32) -> Measured {
    let mut pairs: Vec<Pair> = (0..rounds.max(1))
        .map(|_| {
            let before = nanos_of(|| read(input.words()));
            let nanos_taken = nanos_of(|| (case.run)(kernels, input));
            let after = nanos_of(|| read(input.words()));
            Pair { nanos: nanos_taken, reference: before.min(after) }
        })
        .collect();
    pairs.sort_by(|a, b| (a.reference / a.nanos).total_cmp(&(b.reference / b.nanos)));
    let Pair { nanos, reference } = pairs[pairs.len() / 2];
    let bytes = input.bits.as_bytes().len() as u64;
    let of_read = f64::from(case.streams) * reference / nanos;
    let nanos_a_run = nanos / input.runs.max(1) as f64;
    let in_cache = bytes <= CACHE_BYTES;
    let mut measured = Measured {
        name: case.name,
        fill: case.fill.to_string(),
        kernels: kernels.name,
        bytes,
        speed: f64::from(case.streams) * bytes as f64 / nanos,
        of_read,
        nanos_a_run,
        verdicts: Vec::new(),
    };
    // The goals are for the best table of the machine.
    if core::ptr::eq(kernels, kernel::kernels()) {
        let goal = if in_cache { case.in_cache } else { case.in_memory };
        measured.verdicts.extend(goal.map(|goal| match goal {
            Goal::OfRead(least) => measured.verdict("of reading", of_read, Bound::AtLeast(least)),
            Goal::NanosARun(most) => measured.verdict("ns a run", nanos_a_run, Bound::AtMost(most)),
        }));
        for plain in case.plain.iter().filter(|_| in_cache) {
            let times = nanos_of(|| (plain.run)(input)) / nanos;
            let what = format!("times as fast as {}", plain.name);
            let verdict = measured.verdict(&what, times, Bound::AtLeast(plain.times_faster));
            measured.verdicts.push(verdict);
        }
    }
    measured
}

impl Measured {
    fn verdict(&self, what: &str, figure: f64, goal: Bound) -> Verdict {
        let place = if self.bytes <= CACHE_BYTES { "in cache" } else { "in memory" };
        let what = format!("{} ({}) {place}: {what}", self.name, self.fill);
        Verdict { what, figure, goal }
    }
}

/// What the cases show together.
#[must_use]
pub fn compare(all: &[Measured]) -> Vec<Verdict> {
    let best = kernel::kernels().name;
    let time = |name| {
        let is_it =
            |m: &&Measured| (m.name, m.kernels, m.bytes > CACHE_BYTES) == (name, best, true);
        all.iter().find(is_it).map(|measured| measured.bytes as f64 / measured.speed)
    };
    let pair = time("pyramid").zip(time("count"));
    let verdict = pair.map(|(pyramid, count)| Verdict {
        what: "pyramid in memory: time of count".into(),
        figure: pyramid / count,
        goal: Bound::AtMost(1.25),
    });
    verdict.into_iter().collect()
}

/// How long to measure: rounds for a bitmap in the cache and for one in memory, and bytes of that.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds in the cache.
    pub in_cache: u32,
    /// Rounds in memory.
    pub in_memory: u32,
    /// Bytes of a bitmap in memory.
    pub memory_bytes: u64,
}

impl Effort {
    /// For figures to go by.
    pub const FULL: Self = Self { in_cache: 21, in_memory: 7, memory_bytes: 64 << 20 };

    /// To see that all works.
    pub const QUICK: Self = Self { in_cache: 5, in_memory: 3, memory_bytes: 16 << 20 };
}

/// Measures all cases in a cache and in memory.
///
/// # Errors
/// When there is no memory for the bitmaps.
pub fn measure_all(
    effort: Effort,
    mut show: impl FnMut(&Measured),
) -> extscope::Result<Vec<Measured>> {
    let mut all = Vec::new();
    let Effort { in_cache, in_memory, memory_bytes } = effort;
    for (bytes, rounds) in [(CACHE_BYTES, in_cache), (memory_bytes, in_memory)] {
        for case in crate::cases::CASES {
            let measured = measure(case, bytes, rounds)?;
            measured.iter().for_each(&mut show);
            all.extend(measured);
        }
    }
    Ok(all)
}
