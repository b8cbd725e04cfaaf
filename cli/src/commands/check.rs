//! `extscope check`: what `e2fsck -fn` would report, explained.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use extscope::Error;
use extscope::check::{
    Check, CheckOptions, CheckReport, Claim, Form, Mode, Pass, Problem, Reach, Verdict, coverage,
};
use extscope::io::ByteSource;
use extscope::report::{grouped, problem_value, severity_name};
use extscope::task::{Step, Task};

use crate::args::{HowArgs, ImageArgs};
use crate::failure::Failure;
use crate::image::{self, ToCheck};
use crate::json;

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

    /// Tell how long each pass took
    #[arg(long, conflicts_with = "json")]
    times: bool,

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
    let (report, times) = match check(&image, args) {
        Ok(checked) => checked,
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
    if args.times {
        for (pass, took) in times {
            writeln!(out, "Pass {}: {:.3} s", pass.name(), took.as_secs_f64())?;
        }
    }
    Ok(match report.outcome.verdict {
        Verdict::Clean | Verdict::Minor => ExitCode::SUCCESS,
        Verdict::Damaged => ExitCode::from(PROBLEMS),
        Verdict::NotChecked => ExitCode::from(NOT_CHECKED),
    })
}

/// What each pass took, in their order.
type Times = Vec<(Pass, Duration)>;

fn check(image: &ImageArgs, args: &CheckArgs) -> Result<(CheckReport, Times), Failure> {
    let ToCheck { source, journal, is_replayed } = image::to_check(image)?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let options = CheckOptions {
        mode: if args.like_e2fsck { Mode::LikeE2fsck } else { Mode::Thorough },
        now: now.ok().map(|now| now.as_secs()),
        from: image.how.options(),
        is_replayed,
    };
    let mut check = Check::new(&source, options);
    if let Some(device) = &journal {
        check = check.with_journal(device);
    }
    timed(check).map_err(|error| Failure::image(&image.path, error))
}

/// Runs a check to its end.
fn timed<S: ByteSource + Clone>(mut check: Check<S>) -> Result<(CheckReport, Times), Error> {
    let mut times = Times::new();
    loop {
        let (pass, start) = (check.pass(), Instant::now());
        let step = check.step()?;
        let took = start.elapsed();
        match times.last_mut().filter(|(last, _)| *last == pass) {
            Some((_, time)) => *time += took,
            None => times.push((pass, took)),
        }
        if let Step::Done(report) = step {
            return Ok((report, times));
        }
    }
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
        let weight = severity_name(count.severity);
        let times = match count.count {
            1 => String::new(),
            n => format!(", {} times", grouped(n)),
        };
        writeln!(out, "  {} ({weight}{times}; {})", count.title, count.code)?;
        let of_code = report.problems.iter().filter(|problem| problem.code == count.code);
        for problem in of_code.take(SHOWN) {
            let place = place(problem, &report.outcome.claims);
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
    if report.outcome.is_replayed {
        writeln!(out, "It was checked as after the journal is replayed.")?;
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

/// Those who have blocks that are given of a problem, at most.
const CLAIMANTS: usize = 3;

/// Where a problem is, the numbers that show it, and who has the blocks.
fn place(problem: &Problem, claims: &[Claim]) -> String {
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
    let written = |number: u64| problem_value(problem.code, number);
    match (problem.found.map(written), problem.expected.map(written)) {
        (Some(found), None) if matches!(problem.code.form(), Form::Other | Form::Others) => {
            parts.push(format!("with {found}"));
        }
        (Some(found), Some(expected)) => parts.push(format!("is {found}, should be {expected}")),
        (Some(found), None) => parts.push(format!("is {found}")),
        (None, Some(expected)) => parts.push(format!("should be {expected}")),
        (None, None) => {}
    }
    let mut whose: Vec<String> = problem
        .claimants(claims)
        .map(|claim| match claim.ino {
            Some(ino) => format!("inode {ino}"),
            None => "the filesystem's own".to_owned(),
        })
        .collect();
    whose.dedup();
    if whose.len() > CLAIMANTS {
        whose.truncate(CLAIMANTS);
        whose.push("others".to_owned());
    }
    if !whose.is_empty() {
        parts.push(format!("of {}", whose.join(" and ")));
    }
    parts.join(", ")
}
