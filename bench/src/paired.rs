//! Samples, each between two of its reference.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use extscope::bitmap::kernel::{self, Kernels};
use serde::Serialize;

use crate::cases::{Case, Goal, Input};
use crate::read;

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
    /// Whether the goal is met, where there is one.
    pub is_met: Option<bool>,
    /// The goal in words.
    pub goal: String,
}

/// Shortest sample: far longer than the clock takes, shorter than a time slice.
const SAMPLE: Duration = Duration::from_micros(300);

/// Bytes up to which a bitmap counts as in the cache.
pub const CACHE_BYTES: u64 = 1 << 20;

/// Processor time of one call, in nanoseconds, by as many calls as fill a sample.
fn nanos(mut call: impl FnMut() -> u64) -> f64 {
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
            let before = nanos(|| read(input.words()));
            let nanos_taken = nanos(|| (case.run)(kernels, input));
            let after = nanos(|| read(input.words()));
            Pair { nanos: nanos_taken, reference: before.min(after) }
        })
        .collect();
    pairs.sort_by(|a, b| (a.reference / a.nanos).total_cmp(&(b.reference / b.nanos)));
    let Pair { nanos, reference } = pairs[pairs.len() / 2];
    let bytes = input.bits.as_bytes().len() as u64;
    let of_read = f64::from(case.streams) * reference / nanos;
    let nanos_a_run = nanos / input.runs.max(1) as f64;
    let goal = if bytes <= CACHE_BYTES { case.in_cache } else { case.in_memory };
    // The goals are for the best table of the machine.
    let goal = goal.filter(|_| core::ptr::eq(kernels, kernel::kernels()));
    Measured {
        name: case.name,
        fill: case.fill.to_string(),
        kernels: kernels.name,
        bytes,
        speed: f64::from(case.streams) * bytes as f64 / nanos,
        of_read,
        nanos_a_run,
        is_met: goal.map(|goal| match goal {
            Goal::OfRead(least) => of_read >= least,
            Goal::NanosARun(most) => nanos_a_run <= most,
        }),
        goal: goal.map_or_else(String::new, |goal| match goal {
            Goal::OfRead(least) => format!(">= {:.0} % of read", least * 100.0),
            Goal::NanosARun(most) => format!("<= {most:.1} ns a run"),
        }),
    }
}

/// Measures all cases in a cache and in memory.
///
/// # Errors
/// When there is no memory for the bitmaps.
pub fn measure_all(mut show: impl FnMut(&Measured)) -> extscope::Result<()> {
    for (bytes, rounds) in [(CACHE_BYTES, 21), (64 << 20, 7)] {
        for case in crate::cases::CASES {
            measure(case, bytes, rounds)?.iter().for_each(&mut show);
        }
    }
    Ok(())
}
