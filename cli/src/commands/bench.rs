//! `extscope bench`: how fast it is, against reading and against e2fsprogs.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use extscope_bench::checks::{self, CHECKS};
use extscope_bench::paired::{self, Effort, Measured};
use extscope_bench::peers::{self, Cost, SWEEPS, Swept};
use extscope_bench::verdict::Verdict;
use extscope_bench::{image, scratch, threads};
use serde::Serialize;

use crate::failure::Failure;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Measure the kernels against reading the same bytes, in the cache and in memory
    Kernels(Options),
    /// Sweep large made-up images, against e2freefrag, dumpe2fs and e2fsck
    ///
    /// Every answer is compared with a count bit by bit first. Needs e2fsprogs, some minutes and
    /// 1 GiB in the folder for temporary files.
    Sweep(Options),
    /// Check large made-up filesystems, against e2fsck
    ///
    /// Needs e2fsprogs, some minutes, and 4 GiB in the folder for temporary files.
    Check(Options),
    /// Make an image such as sweeps are measured on
    ///
    /// Half of its blocks are in use, by files. Needs mke2fs; the file is sparse.
    Image {
        /// Bytes of the image
        #[arg(value_name = "BYTES")]
        bytes: u64,

        /// Blocks of a used or free run, on average; 0 for an empty image
        #[arg(value_name = "BLOCKS")]
        mean: u64,

        /// Where to put it
        #[arg(value_name = "IMAGE")]
        path: PathBuf,
    },
}

#[derive(Debug, Args)]
struct Options {
    /// See that all works, in little time: figures are rough, the largest images are left out
    #[arg(long)]
    quick: bool,

    /// Write JSON, too, one value a line
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from measuring or from writing.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    match &args.what {
        What::Kernels(options) => kernels(options, out),
        What::Sweep(options) => sweeps(options, out),
        What::Check(options) => check_all(options, out),
        What::Image { bytes, mean, path } => {
            let truth = image::make(path, *bytes, *mean).map_err(cannot)?;
            Ok(writeln!(out, "{} free blocks in {} runs", truth.free, truth.runs)?)
        }
    }
}

fn cannot(error: std::io::Error) -> Failure {
    Failure::Bench(error.to_string())
}

/// Writes what was measured for programs, where that was asked for.
fn write_json<T: Serialize>(options: &Options, all: &[T]) -> Result<(), Failure> {
    if let Some(path) = &options.write {
        let mut file = File::create(path).map_err(cannot)?;
        for value in all {
            writeln!(file, "{}", serde_json::to_string(value)?).map_err(cannot)?;
        }
    }
    Ok(())
}

fn kernels(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    let head = ["kernel", "bits", "by", "MiB", "GB/s", "of read", "ns/run"];
    let [name, fill, by, bytes, speed, of_read, nanos] = head;
    writeln!(out, "{name:10} {fill:16} {by:8} {bytes:>4} {speed:>7} {of_read:>8} {nanos:>8}")?;
    let mut written = Ok(());
    let effort = if options.quick { Effort::QUICK } else { Effort::FULL };
    let all = paired::measure_all(effort, |measured| {
        if written.is_ok() {
            written = write_measured(measured, out).and_then(|()| out.flush());
        }
    });
    written?;
    let all = all.map_err(|error| Failure::Bench(error.to_string()))?;
    let threads = threads::measure(effort.memory_bytes, effort.in_cache)
        .map_err(|error| Failure::Bench(error.to_string()))?;
    for verdict in paired::compare(&all).iter().chain(&threads) {
        writeln!(out, "  {verdict}")?;
    }
    write_json(options, &all)
}

fn write_measured(measured: &Measured, out: &mut impl Write) -> std::io::Result<()> {
    let Measured { name, fill, kernels, bytes, speed, of_read, nanos_a_run, .. } = measured;
    // Of one run or two there is no time a run.
    let nanos_a_run = if *nanos_a_run < 1000.0 { format!("{nanos_a_run:.2}") } else { "-".into() };
    writeln!(
        out,
        "{name:10} {fill:16} {kernels:8} {:>4} {speed:>7.1} {:>6.0} % {nanos_a_run:>8}",
        bytes >> 20,
        of_read * 100.0,
    )?;
    measured.verdicts.iter().try_for_each(|verdict| writeln!(out, "  {verdict}"))
}

fn sweeps(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    let extscope = std::env::current_exe().map_err(cannot)?;
    let folder = scratch().map_err(cannot)?;
    let cases = SWEEPS.iter().filter(|case| !options.quick || !case.is_large());
    let rounds = if options.quick { 1 } else { 3 };
    let mut all = Vec::new();
    for case in cases {
        let swept = peers::sweep(case, &extscope, folder.path(), rounds).map_err(cannot)?;
        write_swept(&swept, out)?;
        out.flush()?;
        all.push(swept);
    }
    for verdict in peers::compare(&all) {
        writeln!(out, "  {verdict}")?;
    }
    write_json(options, &all)
}

fn check_all(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    let extscope = std::env::current_exe().map_err(cannot)?;
    let folder = scratch().map_err(cannot)?;
    let cases = CHECKS.iter().filter(|case| !options.quick || !case.is_large);
    let rounds = if options.quick { 1 } else { 3 };
    let mut all = Vec::new();
    for case in cases {
        let checked = checks::check(case, &extscope, folder.path(), rounds).map_err(cannot)?;
        writeln!(out, "{}: both find nothing", case.name)?;
        write_costs(&checked.costs, &checked.verdicts, out)?;
        out.flush()?;
        all.push(checked.costs);
    }
    write_json(options, &all)
}

fn write_swept(swept: &Swept, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}: all agree with a count bit by bit", swept.image)?;
    write_costs(&swept.costs, &swept.verdicts, out)
}

fn write_costs(costs: &[Cost], verdicts: &[Verdict], out: &mut impl Write) -> std::io::Result<()> {
    for cost in costs {
        writeln!(
            out,
            "  {:26} {:>8.3} s of processor {:>8.3} s passed {:>6.1} MiB",
            cost.tool,
            cost.cpu.as_secs_f64(),
            cost.wall.as_secs_f64(),
            cost.peak_mib
        )?;
    }
    verdicts.iter().try_for_each(|verdict| writeln!(out, "  {verdict}"))
}
