//! `extscope shrink`: everything that resize2fs would do, without doing it.

use std::io::Write;

use clap::ValueEnum;
use extscope::report::{PhaseReport, ShrinkReport, bytes, grouped};
use extscope::resize::{Like, Request, ShrinkPlan, Target};
use extscope::task::run_to_end;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;

/// What to plan, for which image.
#[derive(Debug, clap::Args)]
pub(crate) struct ShrinkArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Size to come to, as resize2fs takes it: blocks, or with K, M, G, T, s; or min
    #[arg(long, value_name = "SIZE", default_value = "min")]
    to: String,

    /// Plan what resize2fs -f would do
    #[arg(short, long)]
    force: bool,

    /// Release of e2fsprogs whose behaviour is followed
    #[arg(long, value_enum, default_value_t = Release::V1_47_0)]
    like: Release,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// A release of e2fsprogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Release {
    /// As Debian 12 and Ubuntu 24.04 have it
    #[value(name = "1.47.0")]
    V1_47_0,
    /// Current
    #[value(name = "1.47.4")]
    V1_47_4,
}

impl From<Release> for Like {
    fn from(release: Release) -> Self {
        match release {
            Release::V1_47_0 => Self::V1_47_0,
            Release::V1_47_4 => Self::V1_47_4,
        }
    }
}

/// Reports the plan.
pub(crate) fn run(args: &ShrinkArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let report =
        plan(args, &filesystem).map_err(|error| Failure::image(&args.image.path, error))?;
    if args.json {
        return json::write(&report, out);
    }
    write_text(&report, out)?;
    Ok(())
}

fn plan(args: &ShrinkArgs, fs: &Image) -> extscope::Result<ShrinkReport> {
    let target = Target::parse(&args.to, fs.geometry().block_size())?;
    let request = Request { target, force: args.force, like: args.like.into() };
    let plan = run_to_end(ShrinkPlan::new(fs, request))?;
    Ok(ShrinkReport::new(fs, &plan))
}

fn write_text(report: &ShrinkReport, out: &mut impl Write) -> std::io::Result<()> {
    let block_bytes = |blocks: u64| bytes(blocks.saturating_mul(u64::from(report.block_size)));
    let mut line = |label: &str, blocks: u64| {
        writeln!(out, "{label:<24}{:>16}  {}", grouped(blocks), block_bytes(blocks))
    };
    line("Present size", report.blocks_count)?;
    line("Estimated minimum", report.minimum_blocks)?;
    line("Asked for", report.requested_blocks)?;
    if let Some(blocks) = report.final_blocks {
        line("Comes to", blocks)?;
    }
    for refused in &report.refused {
        writeln!(out, "\nRefused: {}.\n  {}", refused.message, refused.remedy)?;
    }
    if let Some(failure) = &report.failure {
        writeln!(out, "\nFails: {};\n  {}.", failure.message, failure.leaves_message)?;
    }
    for warning in &report.warnings {
        writeln!(out, "\nWarning: {}.", warning.message)?;
    }
    let Some(changes) = &report.changes else { return Ok(()) };
    writeln!(out)?;
    for phase in &changes.phases {
        let PhaseReport { name, count, unit, meaning } = phase;
        writeln!(out, "{name:<24}{:>16} {unit:<10}  {meaning}", grouped(*count))?;
    }
    let runs = changes.block_moves.len() as u64;
    let cost = &changes.cost;
    writeln!(
        out,
        "\n{:<24}{:>16}  in {} runs",
        "Bytes to move",
        bytes(cost.cost.moved_bytes),
        grouped(runs)
    )?;
    writeln!(out, "{:<24}{:>16.1}  seconds, about", "On a disk", cost.disk_seconds)?;
    writeln!(out, "{:<24}{:>16.1}  seconds, about", "On flash", cost.flash_seconds)?;
    let free = changes.superblock.s_free_blocks_count;
    writeln!(out, "{:<24}{:>16}  {}", "Free afterwards", grouped(free), block_bytes(free))
}
