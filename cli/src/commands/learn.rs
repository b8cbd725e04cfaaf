//! `extscope learn`: the races of the lessons, on this machine.

use std::io::Write;
use std::time::Instant;

use clap::{Args, Subcommand, ValueEnum};
use extscope::lesson::{Lane, LaneResult, Pattern, Race, RaceResult, Way};
use extscope::report::grouped;

use crate::failure::Failure;
use crate::json;

/// Which lesson.
#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Find free inodes in all the ways in which e2fsprogs has done it, and measure each
    Race(RaceArgs),
}

#[derive(Debug, Args)]
struct RaceArgs {
    /// What the inode bitmap looks like
    #[arg(long, value_enum, default_value_t = Bits::HalfFull)]
    pattern: Bits,

    /// Inodes in the bitmap
    #[arg(long, default_value_t = 1 << 20, value_parser = clap::value_parser!(u32).range(1..=1 << 26))]
    inodes: u32,

    /// Free inodes to find, one after another
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    wanted: u32,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// The names of patterns.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bits {
    /// Half full, without a gap
    HalfFull,
    /// Full but for one in some five hundred
    Scattered,
    /// Every second in use
    EverySecond,
    /// Full but for the last few
    Full,
}

impl From<Bits> for Pattern {
    fn from(bits: Bits) -> Self {
        match bits {
            Bits::HalfFull => Self::HalfFull,
            Bits::Scattered => Self::Scattered,
            Bits::EverySecond => Self::EverySecond,
            Bits::Full => Self::Full,
        }
    }
}

/// Inodes of a group, as mke2fs makes it of 128 MiB.
const INODES_PER_GROUP: u32 = 8192;

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from measuring or from writing.
pub(crate) fn run(args: &LearnArgs, out: &mut impl Write) -> Result<(), Failure> {
    let What::Race(args) = &args.what;
    let cannot = |error: extscope::Error| Failure::Bench(error.to_string());
    let bits = Pattern::from(args.pattern).bitmap(args.inodes.into()).map_err(cannot)?;
    let mut race = Race::new(bits, INODES_PER_GROUP, args.wanted);
    let begin = Instant::now();
    let result = loop {
        let clock = || begin.elapsed().as_secs_f64() * 1000.0;
        if let Some(result) = race.step(&clock).map_err(cannot)? {
            break result;
        }
    };
    if args.json {
        return json::write(&result, out);
    }
    write_text(&result, out)?;
    Ok(())
}

fn write_text(result: &RaceResult, out: &mut impl Write) -> std::io::Result<()> {
    let RaceResult { bits, taken, kernels, rounds, lanes } = result;
    writeln!(
        out,
        "{} free inodes found one after another, of {}; medians of {rounds} rounds; vectors: {kernels}\n",
        grouped(u64::from(*taken)),
        grouped(*bits),
    )?;
    let head = ["way", "bit tests", "loads", "divisions", "calls", "milliseconds", "faster"];
    let [way, tests, loads, divisions, calls, time, faster] = head;
    writeln!(
        out,
        "{way:34} {tests:>13} {loads:>13} {divisions:>13} {calls:>13} {time:>13} {faster:>8}"
    )?;
    let slowest = lanes.first().map_or(0.0, |lane| lane.nanos);
    for LaneResult { lane, tally, nanos } in lanes {
        let counts = [tally.tests, tally.loads, tally.divisions, tally.calls].map(grouped);
        let [tests, loads, divisions, calls] = counts;
        writeln!(
            out,
            "{:34} {tests:>13} {loads:>13} {divisions:>13} {calls:>13} {:>13.4} {:>7.1}x",
            name(*lane),
            nanos / 1e6,
            slowest / nanos.max(f64::MIN_POSITIVE),
        )?;
    }
    Ok(())
}

const fn name(lane: Lane) -> &'static str {
    match (lane.way, lane.has_cursor) {
        (Way::Modulo, _) => "bits, a division each",
        (Way::Hoisted, _) => "bits, the division hoisted",
        (Way::Direct, _) => "bits, a call less",
        (Way::Bytes, _) => "bytes",
        (Way::Words, _) => "words of 64 bits",
        (Way::Vectors, false) => "vectors",
        (Way::Vectors, true) => "vectors, and a cursor",
    }
}
