//! `extscope minimum`: the size that `resize2fs -P` prints, and what it is made of.

use std::io::Write;

use extscope::report::{FoundSizes, MinimumReport, bytes, grouped};
use extscope::resize::{Frame, Like, Request, ShrinkPlan, Smallest, Target, minimum, settle};
use extscope::task::run_to_end;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;

/// What to report, of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct MinimumArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Show every term of the estimate
    #[arg(long)]
    explain: bool,

    /// Plan shrinks to find where repeated runs of -M settle, and how small -f can get
    #[arg(long)]
    search: bool,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// Reports the minimum size.
pub(crate) fn run(args: &MinimumArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let report =
        report(args, &filesystem).map_err(|error| Failure::image(&args.image.path, error))?;
    if args.json {
        return json::write(&report, out);
    }
    write_text(&report, args.explain, out)?;
    Ok(())
}

fn report(args: &MinimumArgs, fs: &Image) -> extscope::Result<MinimumReport> {
    let mut report = MinimumReport::new(fs, &minimum(&Frame::of(fs)?));
    if args.search {
        report.found = Some(search(fs)?);
    }
    Ok(report)
}

/// Plans shrinks until it is known what they come to.
fn search(fs: &Image) -> extscope::Result<FoundSizes> {
    let like = Like::default();
    let request = Request { target: Target::Minimum, force: false, like };
    let plan = run_to_end(ShrinkPlan::new(fs, request))?;
    let mut repeated_blocks = Vec::new();
    if let Some(changes) = plan.changes.filter(|_| plan.failure.is_none()) {
        repeated_blocks.push(changes.new.geometry.blocks_count());
        repeated_blocks.extend(settle(&changes, like)?);
    }
    let forced_blocks = run_to_end(Smallest::new(fs, like)?)?;
    Ok(FoundSizes { repeated_blocks, forced_blocks })
}

fn write_text(
    report: &MinimumReport,
    is_explained: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let block_bytes = |blocks: u64| bytes(blocks.saturating_mul(u64::from(report.block_size)));
    let mut line = |label: &str, blocks: u64| {
        writeln!(out, "{label:<24}{:>16}  {}", grouped(blocks), block_bytes(blocks))
    };
    line("Minimum", report.minimum_blocks)?;
    line("Present size", report.blocks_count)?;
    line("In use", report.used_blocks)?;
    if let Some(found) = &report.found {
        for blocks in &found.repeated_blocks {
            line("  resize2fs -M", *blocks)?;
        }
        match found.forced_blocks {
            Some(blocks) => line("Smallest with -f", blocks)?,
            None => writeln!(out, "Not even the minimum works with -f")?,
        }
    }
    if !is_explained {
        return Ok(());
    }
    writeln!(out, "\nWhy: {}.\n", report.reason)?;
    for term in &report.terms {
        writeln!(out, "{:<24}{:>16}  {}", term.name, grouped(term.blocks), term.meaning)?;
    }
    Ok(())
}
