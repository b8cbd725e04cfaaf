//! `extscope minimum`: the size that `resize2fs -P` prints, and what it is made of.

use std::io::Write;

use extscope::report::{MinimumReport, bytes, grouped};
use extscope::resize::{Frame, minimum};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image;

/// What to report, of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct MinimumArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Show every term of the estimate
    #[arg(long)]
    explain: bool,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// Reports the minimum size.
pub(crate) fn run(args: &MinimumArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let frame = Frame::of(&filesystem).map_err(|error| Failure::image(&args.image.path, error))?;
    let report = MinimumReport::new(&filesystem, &minimum(&frame));
    if args.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
        return Ok(());
    }
    write_text(&report, args.explain, out)?;
    Ok(())
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
    if !is_explained {
        return Ok(());
    }
    writeln!(out, "\nWhy: {}.\n", report.reason)?;
    for term in &report.terms {
        writeln!(out, "{:<24}{:>16}  {}", term.name, grouped(term.blocks), term.meaning)?;
    }
    Ok(())
}
