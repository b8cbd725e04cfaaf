//! `extscope bench`: how fast it is, against reading and against e2fsprogs.

use std::io::Write;

use clap::{Args, Subcommand};
use extscope_bench::paired::{Measured, measure_all};
use extscope_bench::peers::{SWEEPS, Swept, sweep};

use crate::failure::Failure;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: What,

    /// Write JSON for programs, one value a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Kernels against reading the same bytes, in the cache and in memory
    Kernels,
    /// Sweeps of large made-up images against e2freefrag and dumpe2fs; needs mke2fs and 1 GiB
    Sweep {
        /// How often each tool sweeps each image; the median counts
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from measuring or from writing.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    match args.what {
        What::Kernels => kernels(args.json, out),
        What::Sweep { rounds } => sweeps(args.json, rounds, out),
    }
}

fn kernels(json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if !json {
        let head = ["kernel", "bits", "by", "MiB", "GB/s", "of read", "ns/run", "goal"];
        let [name, fill, by, bytes, speed, of_read, nanos, goal] = head;
        writeln!(
            out,
            "{name:10} {fill:16} {by:8} {bytes:>4} {speed:>7} {of_read:>8} {nanos:>8}  {goal}"
        )?;
    }
    let mut written = Ok(());
    let measured = measure_all(|measured| {
        if written.is_ok() {
            written = write_measured(measured, json, out).and_then(|()| out.flush());
        }
    });
    written?;
    measured.map_err(|error| Failure::Bench(error.to_string()))
}

fn write_measured(measured: &Measured, json: bool, out: &mut impl Write) -> std::io::Result<()> {
    if json {
        return writeln!(out, "{}", serde_json::to_string(measured)?);
    }
    let Measured { name, fill, kernels, bytes, speed, of_read, nanos_a_run, goal, .. } = measured;
    // Of one run or two there is no time a run.
    let nanos_a_run = if *nanos_a_run < 1000.0 { format!("{nanos_a_run:.2}") } else { "-".into() };
    writeln!(
        out,
        "{name:10} {fill:16} {kernels:8} {:>4} {speed:>7.1} {:>6.0} % {nanos_a_run:>8}  {:6} {goal}",
        bytes >> 20,
        of_read * 100.0,
        met(measured.is_met)
    )
}

fn sweeps(json: bool, rounds: u32, out: &mut impl Write) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Bench(error.to_string());
    let extscope = std::env::current_exe().map_err(cannot)?;
    let folder = extscope_bench::scratch().map_err(cannot)?;
    for case in SWEEPS {
        let swept = sweep(case, &extscope, folder.path(), rounds).map_err(cannot)?;
        if json {
            writeln!(out, "{}", serde_json::to_string(&swept)?)?;
        } else {
            write_swept(&swept, out)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn write_swept(swept: &Swept, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{}: {:.1} times less than e2freefrag; {} {}",
        swept.image,
        swept.times_less,
        met(Some(swept.is_met)),
        swept.goal
    )?;
    for cost in &swept.costs {
        writeln!(
            out,
            "  {:26} {:>8.3} s of processor {:>8.3} s passed {:>5} MiB",
            cost.tool,
            cost.cpu.as_secs_f64(),
            cost.wall.as_secs_f64(),
            cost.peak_mib
        )?;
    }
    Ok(())
}

const fn met(is_met: Option<bool>) -> &'static str {
    match is_met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "",
    }
}
