//! `extscope learn`: the races of the lessons, on this machine.

use std::io::Write;
use std::time::Instant;

use clap::{Args, Subcommand, ValueEnum};
use extscope::lesson::{
    FORM_BITS, FormRace, FormResult, Lane, LaneResult, Pattern, Race, RaceResult, Way,
};
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
    /// Keep one set of extents as an array of bits and as runs, and measure both
    Forms(FormsArgs),
}

#[derive(Debug, Args)]
struct FormsArgs {
    /// Of a hundred bits, how many are set
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u8).range(1..=99))]
    percent: u8,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
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
    match &args.what {
        What::Race(args) => {
            let bits = Pattern::from(args.pattern).bitmap(args.inodes.into());
            let mut race = Race::new(bits.map_err(cannot)?, INODES_PER_GROUP, args.wanted);
            let result = measured(|clock| race.step(clock))?;
            if args.json {
                return json::write(&result, out);
            }
            write_race(&result, out)?;
        }
        What::Forms(args) => {
            let mut race = FormRace::new(FORM_BITS, args.percent);
            let result = measured(|clock| race.step(clock))?;
            if args.json {
                return json::write(&result, out);
            }
            write_forms(&result, out)?;
        }
    }
    Ok(())
}

fn cannot(error: extscope::Error) -> Failure {
    Failure::Bench(error.to_string())
}

/// Goes on with what is measured until there is a result.
fn measured<T>(
    mut step: impl FnMut(&dyn Fn() -> f64) -> extscope::Result<Option<T>>,
) -> Result<T, Failure> {
    let begin = Instant::now();
    let clock = || begin.elapsed().as_secs_f64() * 1000.0;
    loop {
        if let Some(result) = step(&clock).map_err(cannot)? {
            return Ok(result);
        }
    }
}

fn write_forms(result: &FormResult, out: &mut impl Write) -> std::io::Result<()> {
    let FormResult { bits, rounds, cases } = result;
    let bits = grouped(*bits);
    writeln!(out, "{bits} bits as an array and as runs; medians of {rounds} rounds\n")?;
    let [extent, runs] = ["extent", "runs"];
    let [memory, mark, find] = ["array B", "array us", "array us"];
    writeln!(out, "{:>16} {:>23} {:>23} {:>23}", "", "memory", "marking", "finding gaps")?;
    let heads = [memory, "runs B", mark, "runs us", find, "runs us"];
    write!(out, "{extent:>6} {runs:>9}")?;
    heads.iter().try_for_each(|head| write!(out, " {head:>11}"))?;
    writeln!(out)?;
    for case in cases {
        let (array, tree) = (case.array, case.tree);
        write!(out, "{:>6} {:>9}", grouped(case.extents.len), grouped(case.runs))?;
        write!(out, " {:>11} {:>11}", grouped(array.bytes), grouped(tree.bytes))?;
        let times = [array.mark_nanos, tree.mark_nanos, array.find_nanos, tree.find_nanos];
        times.iter().try_for_each(|nanos| write!(out, " {:>11.2}", nanos / 1e3))?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_race(result: &RaceResult, out: &mut impl Write) -> std::io::Result<()> {
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
