//! The check against `e2fsck -fn`, on the same made-up filesystems in turn.

use std::io::{Error, Result};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::peers::{CHECK, Cost, E2FSCK, median, pass_5, ratio, run};
use crate::verdict::{Bound, Verdict};

/// A filesystem to check.
#[derive(Clone, Copy, Debug)]
pub struct CheckCase {
    /// For the table.
    pub name: &'static str,
    /// The recipe of the scenario.
    pub recipe: &'static str,
    /// Whether it takes more than seconds.
    pub is_large: bool,
}

/// The filesystems, by size.
pub const CHECKS: &[CheckCase] = &[
    CheckCase {
        name: "16 GiB, a million files",
        recipe: "size=16g,fill=52,files=2x1,inodes=8k",
        is_large: false,
    },
    CheckCase { name: "4 TB, mostly full", recipe: "mostly-full", is_large: true },
    CheckCase { name: "16 TiB, empty", recipe: "empty,size=16383g", is_large: true },
];

/// What checks of a filesystem cost.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Ours first.
    pub costs: Vec<Cost>,
    /// Every goal.
    pub verdicts: Vec<Verdict>,
}

/// Writes the filesystem of a case into `folder` and checks it, so many times in turn; the median
/// of processor times counts. `extscope` is the command line.
///
/// # Errors
/// A tool is missing, fails or finds something; the disk is full.
pub fn check(case: &CheckCase, extscope: &Path, folder: &Path, rounds: u32) -> Result<Checked> {
    let image = folder.join("check.img");
    let mut make = Command::new(extscope);
    make.args(["scenario", "--force", "-o"]).arg(&image).arg(case.recipe);
    run("extscope scenario", &mut make)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..rounds.max(1) {
        // What takes many seconds needs no second try.
        if round == 0 || !case.is_large {
            let mut e2fsck = Command::new("/usr/sbin/e2fsck");
            theirs.push(run(E2FSCK, e2fsck.args(["-fn", "-tt"]).arg(&image))?);
            let mut check = Command::new(extscope);
            ours.push(run(CHECK, check.args(["check", "--times"]).arg(&image))?);
        }
    }
    std::fs::remove_file(&image)?;
    let missing = || Error::other("no round was run");
    let ours = median(ours).ok_or_else(missing)?;
    let theirs = median(theirs).ok_or_else(missing)?;
    if !ours.answer.contains("The filesystem is clean.") {
        return Err(Error::other(format!("{CHECK} says of {}: {}", case.name, ours.answer)));
    }
    let passes = [our_pass_5(&ours)?, pass_5(&theirs)?];
    let mut verdicts = Vec::new();
    let mut verdict = |what: &str, figure: f64, goal: Bound| {
        verdicts.push(Verdict { what: format!("{}: {what}", case.name), figure, goal });
    };
    let seconds = |cost: &Cost| cost.cpu.as_secs_f64();
    let times = ratio(seconds(&theirs), seconds(&ours));
    verdict("check, times less processor time than e2fsck", times, Bound::AtLeast(1.0));
    let memory = ratio(ours.peak_mib, theirs.peak_mib);
    verdict("check, memory over that of e2fsck", memory, Bound::AtMost(1.0));
    // Bit by bit theirs, a bitmap at a time ours.
    let [wall, their_wall] = passes.each_ref().map(|cost| cost.wall.as_secs_f64());
    let times = ratio(their_wall, wall);
    verdict("pass 5, times less time than e2fsck", times, Bound::AtLeast(2.0));
    let [our_pass, their_pass] = passes;
    Ok(Checked { costs: vec![ours, theirs, our_pass, their_pass], verdicts })
}

/// What `--times` says of pass 5.
fn our_pass_5(check: &Cost) -> Result<Cost> {
    let time = check.answer.lines().find_map(|line| line.strip_prefix("Pass 5: "));
    let seconds = time.and_then(|time| time.strip_suffix(" s")?.parse().ok());
    let wall = Duration::from_secs_f64(seconds.ok_or_else(|| Error::other("no time of pass 5"))?);
    let answer = String::new();
    Ok(Cost { tool: "extscope, pass 5".into(), cpu: wall, wall, peak_mib: check.peak_mib, answer })
}
