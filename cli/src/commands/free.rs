//! `extscope free`: what e2freefrag tells, by several threads.

use std::io::Write;

use extscope::analysis::{FreeFrag, SweepOptions};
use extscope::fs::BitmapKind;
use extscope::io::KindCount;
use extscope::report::{FreeReport, bytes, grouped};
use extscope::{Error, ErrorKind, Result};
use serde::Serialize;

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::parallel;
use crate::table::{Format, Table, cell};

/// What to report, of which image.
#[derive(Debug, clap::Args)]
pub(crate) struct FreeArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Count the chunks of this size that are free as a whole: a power of two, in KiB
    #[arg(short, long, value_name = "KB")]
    chunk: Option<u64>,

    /// Threads; as many as there are processors by default
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    #[command(flatten)]
    format: Format,
}

/// The report and how it came about.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    /// The figures.
    #[serde(flatten)]
    pub(super) report: FreeReport,
    /// Bitmaps that could not be had; their groups count as used.
    pub(super) failed_bitmaps: u64,
    /// What was read.
    reads: Vec<KindCount>,
}

/// Reports the free extents.
pub(crate) fn run(args: &FreeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let (answer, failure) = sweep(&filesystem, args.threads, args.chunk)
        .map_err(|error| Failure::image(&args.image.path, error))?;
    if args.format.json {
        return json::write(&answer, out);
    }
    if args.format.csv {
        return write_csv(&answer.report, out);
    }
    write_text(&answer.report, out)?;
    if let Some(failure) = failure {
        let failed = grouped(answer.failed_bitmaps);
        writeln!(out, "\n{failed} bitmaps cannot be had and count as used: {failure}")?;
    }
    Ok(())
}

/// Sweeps all block bitmaps, by as many threads as there are processors where none are given;
/// gives the first reason why one could not be had, too.
///
/// # Errors
/// The chunk size (KiB) makes no sense, or groups were lost.
pub(super) fn sweep(
    filesystem: &Image,
    threads: Option<u32>,
    chunk: Option<u64>,
) -> Result<(Answer, Option<Error>)> {
    let geometry = filesystem.geometry();
    let chunk_bits = chunk.map(|kib| chunk_bits(kib, geometry.block_size())).transpose()?;
    let processors = || std::thread::available_parallelism().map_or(1, usize::from) as u32;
    let outcome = parallel::sweep(
        filesystem,
        threads.unwrap_or_else(processors),
        &SweepOptions { inodes: false, figures: false, ..SweepOptions::default() },
        || FreeFrag::new(chunk_bits),
        |free, swept| {
            if swept.kind == BitmapKind::Block {
                free.add(geometry, swept.group, swept.bits);
            }
        },
    );
    if let Some(groups) = outcome.lost.first() {
        let what = format!("groups {} to {} cannot be swept", groups.start, groups.end - 1);
        let error = Error::new(ErrorKind::Io, what);
        return Err(match outcome.first_failure {
            Some(cause) => error.with_cause(cause),
            None => error,
        });
    }
    let mut all = FreeFrag::new(chunk_bits);
    outcome.results.into_iter().for_each(|free| all.merge(free));
    let report = FreeReport::new(filesystem, &all.finish(geometry), chunk_bits);
    let reads = filesystem.meter().by_kind();
    Ok((Answer { report, failed_bitmaps: outcome.failed, reads }, outcome.first_failure))
}

/// Binary logarithm of a chunk's blocks.
fn chunk_bits(kib: u64, block_size: u32) -> Result<u32> {
    let bytes = kib.checked_mul(1024).filter(|bytes| bytes.is_power_of_two());
    let blocks = bytes.and_then(|bytes| bytes.checked_div(u64::from(block_size)));
    blocks.and_then(u64::checked_ilog2).ok_or_else(|| {
        Error::new(ErrorKind::OutOfBounds, format!("chunks cannot be of {kib} KiB")).with_hint(
            format!("Give a power of two of at least one block, {} KiB.", block_size / 1024),
        )
    })
}

/// Writes the histogram.
fn write_csv(report: &FreeReport, out: &mut impl Write) -> std::result::Result<(), Failure> {
    let columns = [
        "shortest",
        "longest",
        "shortest_bytes",
        "longest_bytes",
        "extents",
        "blocks",
        "bytes",
        "percent",
    ];
    let in_bytes = |blocks: u64| blocks.saturating_mul(u64::from(report.block_size));
    let mut table = Table::new(out, &columns)?;
    for bucket in &report.histogram {
        table.row(&[
            &bucket.shortest,
            &cell(bucket.longest),
            &in_bytes(bucket.shortest),
            &cell(bucket.longest.map(in_bytes)),
            &bucket.extents,
            &bucket.blocks,
            &in_bytes(bucket.blocks),
            &bucket.percent,
        ])?;
    }
    table.finish()
}

fn write_text(report: &FreeReport, out: &mut impl Write) -> std::io::Result<()> {
    let block_bytes = |blocks: u64| bytes(blocks.saturating_mul(u64::from(report.block_size)));
    let percent = |part: u64, whole: u64| match whole {
        0 => 0.0,
        _ => part as f64 * 100.0 / whole as f64,
    };
    let mut line = |label: &str, value: String| writeln!(out, "{label:<16}{value}");
    line("Block size", bytes(u64::from(report.block_size)))?;
    line("Blocks", grouped(report.blocks_count))?;
    line(
        "Free blocks",
        format!(
            "{} ({:.1} %)",
            grouped(report.free_blocks_count),
            percent(report.free_blocks_count, report.blocks_count)
        ),
    )?;
    if report.free_in_bitmaps != report.free_blocks_count {
        line("  in bitmaps", grouped(report.free_in_bitmaps))?;
    }
    if let Some(chunks) = &report.chunks {
        line("Chunk size", bytes(chunks.bytes))?;
        line("Chunks", grouped(chunks.total))?;
        line(
            "Free chunks",
            format!("{} ({:.1} %)", grouped(chunks.free), percent(chunks.free, chunks.total)),
        )?;
    }
    line("Free extents", grouped(report.extents))?;
    if report.extents > 0 {
        line("  shortest", block_bytes(report.shortest))?;
        line("  longest", block_bytes(report.longest))?;
        line("  average", block_bytes(report.average))?;
        writeln!(out, "\n{:>22}{:>14}{:>18}{:>10}", "Length", "Extents", "Blocks", "Of free")?;
    }
    for bucket in &report.histogram {
        let shortest = block_bytes(bucket.shortest);
        let length = match bucket.longest {
            Some(longest) => format!("{shortest} to < {}", block_bytes(longest.saturating_add(1))),
            None => format!("{shortest} and more"),
        };
        writeln!(
            out,
            "{length:>22}{:>14}{:>18}{:>8.2} %",
            grouped(bucket.extents),
            grouped(bucket.blocks),
            bucket.percent
        )?;
    }
    Ok(())
}
