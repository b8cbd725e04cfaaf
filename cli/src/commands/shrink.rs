//! `extscope shrink`: everything that resize2fs would do, without doing it.

use std::io::Write;
use std::time::Instant;

use clap::ValueEnum;
use extscope::analysis::Medium;
use extscope::lesson::ScanSpeed;
use extscope::report::{EntryReport, PhaseReport, ScanTimes, ShrinkReport, bytes, grouped};
use extscope::resize::{Changes, Like, OwnedPart, Plan, Request, ShrinkPlan, Target};
use extscope::{Error, ErrorKind};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::json;
use crate::progress::run_to_end;
use crate::table::Table;

/// What to plan, for which image.
#[derive(Debug, clap::Args)]
pub(crate) struct ShrinkArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Size to come to, as resize2fs takes it: blocks, or with K, M, G, T, s; or min
    #[arg(long, value_name = "SIZE", default_value = "min", value_parser = size)]
    to: String,

    /// Plan what resize2fs -f would do
    #[arg(short, long)]
    force: bool,

    /// Release of e2fsprogs whose behaviour is followed
    #[arg(long, value_enum, default_value_t = Release::V1_47_0)]
    like: Release,

    /// Milliseconds of a seek on the medium that it is to run on
    #[arg(long, value_name = "MS", requires = "mib_per_second", value_parser = medium)]
    seek_ms: Option<f64>,

    /// MiB that the medium reads or writes in a second
    #[arg(long, value_name = "MIB", requires = "seek_ms", value_parser = medium)]
    mib_per_second: Option<f64>,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Write a list of the plan as CSV; docs/json.md explains the names
    #[arg(long, value_enum, value_name = "LIST")]
    csv: Option<List>,
}

/// A list of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum List {
    /// Files of which blocks move
    Files,
    /// Runs of blocks that move, in the order in which they are copied
    Moves,
    /// Inodes that get another number
    Inodes,
    /// Directory entries that are rewritten
    Entries,
}

/// A size, as far as can be told without the image.
fn size(text: &str) -> Result<String, String> {
    /// Bytes of the smallest blocks.
    const LEAST: u32 = 1024;
    let said = |error: extscope::Error| format!("{error}. {}", error.hint().unwrap_or_default());
    Target::parse(text, LEAST).map(|_| text.to_owned()).map_err(said)
}

/// A figure of a medium.
fn medium(text: &str) -> Result<f64, String> {
    /// More than any medium has.
    const MOST: f64 = 1e9;
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= MOST);
    number.ok_or_else(|| "it has to be a number above zero, of at most nine digits".to_owned())
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
    let fs = image::open(&args.image)?;
    let plan = plan(args, &fs).map_err(|error| Failure::image(&args.image.path, error))?;
    if let Some(list) = args.csv {
        return match plan.changes.as_deref() {
            Some(changes) => write_csv(list, changes, out),
            None => {
                Err(Failure::image(&args.image.path, no_changes(&ShrinkReport::new(&fs, &plan))))
            }
        };
    }
    let report = ShrinkReport::new(&fs, &plan);
    if args.json {
        return json::write(&report, out);
    }
    write_text(&report, out)?;
    if let Some(changes) = &plan.changes {
        write_times(args, changes, out)?;
    }
    Ok(())
}

fn plan(args: &ShrinkArgs, fs: &Image) -> extscope::Result<Plan> {
    let target = Target::parse(&args.to, fs.geometry().block_size())?;
    let request = Request { target, force: args.force, like: args.like.into() };
    run_to_end("Plan", ShrinkPlan::new(fs, request))
}

/// Why there is no list.
fn no_changes(report: &ShrinkReport) -> Error {
    let refused = report.refused.first().map(|refused| (&refused.message, &refused.remedy));
    let failed = report.failure.as_ref().map(|failure| (&failure.message, &failure.leaves_message));
    let (what, hint) = refused.or(failed).map_or(("nothing changes", ""), |(a, b)| (a, b));
    Error::new(ErrorKind::Unsupported, format!("there is no list of what changes: {what}"))
        .with_hint(hint.to_owned())
}

fn write_csv(list: List, changes: &Changes, out: &mut impl Write) -> Result<(), Failure> {
    match list {
        List::Files => {
            let mut table = Table::new(out, &["ino", "blocks", "runs", "is_dir"])?;
            for file in changes.files_moved() {
                table.row(&[&file.ino, &file.blocks, &file.runs, &file.is_dir])?;
            }
            table.finish()
        }
        List::Moves => {
            let mut table = Table::new(out, &["from", "to", "len", "ino", "part"])?;
            for moved in changes.moves_in_order() {
                let part = part_name(moved.part);
                table.row(&[&moved.from, &moved.to, &moved.len, &moved.ino, &part])?;
            }
            table.finish()
        }
        List::Inodes => {
            let mut table = Table::new(out, &["from", "to"])?;
            for moved in &changes.inode_moves {
                table.row(&[&moved.from, &moved.to])?;
            }
            table.finish()
        }
        List::Entries => {
            let mut table = Table::new(out, &["dir", "name", "from", "to"])?;
            for entry in changes.entries.iter().map(EntryReport::from) {
                table.row(&[&entry.dir, &entry.name, &entry.from, &entry.to])?;
            }
            table.finish()
        }
    }
}

const fn part_name(part: OwnedPart) -> &'static str {
    match part {
        OwnedPart::Data => "data",
        OwnedPart::Node => "node",
        OwnedPart::Xattr => "xattr",
    }
}

/// What it takes on the medium that was asked for, and on this machine's processor.
fn write_times(args: &ShrinkArgs, changes: &Changes, out: &mut impl Write) -> Result<(), Failure> {
    if let (Some(seek_ms), Some(mib_per_second)) = (args.seek_ms, args.mib_per_second) {
        let medium = Medium { seek_ms, mib_ms: 1000.0 / mib_per_second };
        let seconds = changes.cost().seconds(medium);
        writeln!(out, "{:<24}{seconds:>16.1}  seconds, about", "On that medium")?;
    }
    let scans = changes.scans();
    let begin = Instant::now();
    let speed = ScanSpeed::measure(&|| begin.elapsed().as_secs_f64() * 1000.0)
        .map_err(|error| Failure::Bench(error.to_string()))?;
    let times = ScanTimes::new(&scans, speed);
    writeln!(out, "{:<24}{:>16}  bits of bitmaps", "To scan", grouped(scans.bits()))?;
    let mut line = |label: &str, seconds: f64| {
        writeln!(out, "{label:<24}{seconds:>16.3}  seconds of this processor, measured")
    };
    line("  bit by bit", times.bit_seconds)?;
    line("  by words", times.word_seconds)?;
    Ok(())
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
