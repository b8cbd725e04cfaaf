//! `extscope check`: what `e2fsck -fn` would report, explained.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use extscope::check::{
    Check, CheckOptions, CheckReport, Form, Mode, Problem, Reach, Severity, Verdict, coverage,
};
use extscope::report::{grouped, hex, time};
use extscope::task::run_to_end;

use crate::args::{HowArgs, ImageArgs};
use crate::failure::Failure;
use crate::{image, json};

/// What to check, and how far.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// File or block device with the filesystem, or scenario:RECIPE
    #[arg(value_name = "IMAGE", required_unless_present = "coverage")]
    path: Option<PathBuf>,

    #[command(flatten)]
    how: HowArgs,

    /// End where e2fsck -fn gives up
    #[arg(long)]
    like_e2fsck: bool,

    /// List all problems of e2fsck, and whether each is looked for
    #[arg(long)]
    coverage: bool,

    /// Write JSON for programs; docs/json.md explains the names
    #[arg(long)]
    json: bool,
}

/// Exit status when problems were found, as of e2fsck. Ref: `FSCK_UNCORRECTED`.
const PROBLEMS: u8 = 4;

/// Exit status when nothing could be checked. Ref: `FSCK_ERROR`.
const NOT_CHECKED: u8 = 8;

/// Problems shown of each code; JSON has more.
const SHOWN: usize = 5;

/// Checks an image, or tells what a check looks for.
pub(crate) fn run(args: &CheckArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let Some(path) = args.path.clone().filter(|_| !args.coverage) else {
        write_coverage(args.json, out)?;
        return Ok(ExitCode::SUCCESS);
    };
    let image = ImageArgs { path, how: args.how.clone() };
    let report = match check(&image, args) {
        Ok(report) => report,
        Err(failure) => {
            failure.report();
            return Ok(ExitCode::from(NOT_CHECKED));
        }
    };
    if args.json {
        json::write(&report, out)?;
    } else {
        write_text(&report, &image, out)?;
    }
    Ok(match report.outcome.verdict {
        Verdict::Clean | Verdict::Minor => ExitCode::SUCCESS,
        Verdict::Damaged => ExitCode::from(PROBLEMS),
        Verdict::NotChecked => ExitCode::from(NOT_CHECKED),
    })
}

fn check(image: &ImageArgs, args: &CheckArgs) -> Result<CheckReport, Failure> {
    let source = image::source_to_check(image)?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let options = CheckOptions {
        mode: if args.like_e2fsck { Mode::LikeE2fsck } else { Mode::Thorough },
        now: now.ok().map(|now| now.as_secs()),
        from: image.how.options(),
    };
    run_to_end(Check::new(&source, options)).map_err(|error| Failure::image(&image.path, error))
}

fn write_coverage(json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        return json::write(&coverage().collect::<Vec<_>>(), out);
    }
    let (mut yes, mut no) = (0_u32, 0_u32);
    for row in coverage() {
        let state = match row.reach {
            Reach::Told if row.is_looked_for => "looked for",
            Reach::Told => "not looked for yet",
            Reach::Silent => "e2fsck -n says nothing of it",
            Reach::Writing => "only when e2fsck writes",
            Reach::AfterYes => "only after an earlier yes",
            Reach::Failure => "failure of memory or device",
            Reach::List => "head or foot of a list",
            Reach::Never => "no longer used by e2fsck",
            Reach::Later => "after e2fsck 1.47.0",
        };
        match (row.reach, row.is_looked_for) {
            (Reach::Told, true) => yes += 1,
            (Reach::Told, false) => no += 1,
            _ => {}
        }
        writeln!(out, "{:<38} {state:<28} {}", row.code.name(), row.title)?;
    }
    let all = yes + no;
    writeln!(out, "\n{yes} of the {all} problems that e2fsck -fn can tell are looked for.")?;
    Ok(())
}

fn write_text(
    report: &CheckReport,
    image: &ImageArgs,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut pass = None;
    for count in &report.counts {
        if pass.replace(count.pass) != Some(count.pass) {
            writeln!(out, "Pass {}", count.pass.name())?;
        }
        let weight = match count.severity {
            Severity::Note => "note",
            Severity::Minor => "minor",
            Severity::Damage => "damage",
            Severity::Fatal => "fatal",
        };
        let times = match count.count {
            1 => String::new(),
            n => format!(", {} times", grouped(n)),
        };
        writeln!(out, "  {} ({weight}{times}; {})", count.title, count.code)?;
        let of_code = report.problems.iter().filter(|problem| problem.code == count.code);
        for problem in of_code.take(SHOWN) {
            let place = place(problem);
            if !place.is_empty() {
                writeln!(out, "    {place}")?;
            }
        }
        if count.count > SHOWN as u64 {
            writeln!(out, "    and {} more", grouped(count.count - SHOWN as u64))?;
        }
        if !count.explanation.is_empty() {
            writeln!(out, "    {}", count.explanation)?;
            writeln!(out, "    e2fsck -y: {}", count.remedy)?;
        }
    }
    if !report.counts.is_empty() {
        writeln!(out)?;
    }
    match image.how.options().superblock {
        Some(block) => writeln!(out, "The superblock in block {block} was used, as asked.")?,
        None if report.outcome.used_backup => {
            writeln!(out, "The primary superblock is of no use; a backup was used.")?;
        }
        None => {}
    }
    if report.outcome.skipped_journal {
        writeln!(
            out,
            "What is on the disk was checked; --replayed checks it as after the journal."
        )?;
    }
    if report.problems.iter().any(|problem| problem.beyond_e2fsck) {
        writeln!(out, "e2fsck gives up on the way; what follows that it would not tell.")?;
    }
    if let Some(summary) = &report.outcome.summary {
        writeln!(
            out,
            "{} of {} inodes and {} of {} blocks in use; {}.{}% of the inodes fragmented",
            grouped(summary.inodes_used.into()),
            grouped(summary.inodes.into()),
            grouped(summary.blocks_used),
            grouped(summary.blocks),
            summary.frag_pct_x10 / 10,
            summary.frag_pct_x10 % 10
        )?;
    }
    writeln!(out, "{}", report.outcome.sentence)
}

/// Where a problem is, and the numbers that show it.
fn place(problem: &Problem) -> String {
    let mut parts = Vec::new();
    let mut part = |name: &str, number: Option<u64>| {
        parts.extend(number.map(|number| format!("{name} {number}")));
    };
    part("group", problem.group.map(|group| group.get().into()));
    part("directory", problem.dir.map(|dir| dir.get().into()));
    part("inode", problem.ino.map(|ino| ino.get().into()));
    part("block of the file", problem.lblk.map(|lblk| lblk.get().into()));
    let block = problem.block.map(|block| block.get());
    match (block, problem.count) {
        (Some(first), Some(count)) => {
            let last = first.saturating_add(count).saturating_sub(1);
            parts.push(format!("blocks {first} to {last}"));
        }
        (block, _) => part("block", block),
    }
    if let Some(name) = &problem.name {
        parts.push(format!("{name:?}"));
    }
    let written = |number: u64| match problem.code.form() {
        Form::Count => number.to_string(),
        Form::Bits => hex(number, 8),
        Form::Mode => format!("{number:06o}"),
        Form::Time => time(number),
    };
    match (problem.found.map(written), problem.expected.map(written)) {
        (Some(found), Some(expected)) => parts.push(format!("is {found}, should be {expected}")),
        (Some(found), None) => parts.push(format!("is {found}")),
        (None, Some(expected)) => parts.push(format!("should be {expected}")),
        (None, None) => {}
    }
    parts.join(", ")
}
