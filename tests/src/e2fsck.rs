//! What `e2fsck -fn` says of an image.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use extscope::check::{CheckReport, Code, Reach};
use regex::Regex;

use crate::tool;

/// Seconds since 1970 that `e2fsck` takes for now: 2030-01-01.
pub const NOW: u64 = 1_893_456_000;

/// Seconds after which a run is given up: some damage makes `e2fsck -n` start again for ever.
const PATIENCE: &str = "20";

/// What `e2fsck -fn` says.
#[derive(Clone, Debug)]
pub struct Said {
    /// Its exit status; `None` when it crashed, which its log of problems alone can bring about, or
    /// did not end.
    pub exit: Option<u8>,
    /// The codes in its log of problems, which leaves out fatal ones.
    pub set: BTreeSet<&'static str>,
    /// What it printed.
    pub text: String,
}

/// Runs `e2fsck -fn`.
///
/// # Panics
/// When it cannot be run.
#[must_use]
pub fn check(image: &Path) -> Said {
    check_with(image, &[])
}

/// Runs `e2fsck -fn` with more arguments.
///
/// # Panics
/// When it cannot be run.
#[must_use]
pub fn check_with(image: &Path, arguments: &[&str]) -> Said {
    let log = image.with_extension("problems");
    let e2fsck = tool::find("e2fsck").expect("e2fsck is installed");
    let mut command = tool::command("timeout");
    command.args(["-s", "KILL", PATIENCE]).arg(e2fsck).env("E2FSCK_TIME", NOW.to_string());
    command
        .args(["-fn", "-E"])
        .arg(format!("problem_log={}", log.display()))
        .args(arguments)
        .arg(image);
    let output = command.output().expect("e2fsck can be run");
    let text = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log);
    let exit = output.status.code().and_then(|code| u8::try_from(code).ok());
    let is_crash = String::from_utf8_lossy(&output.stderr).contains("Signal (");
    Said {
        exit: exit.filter(|exit| *exit < 64 && !is_crash),
        set: codes(&text),
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}

impl Said {
    /// What a check says differently; empty where the two agree.
    #[must_use]
    pub fn difference(&self, report: &CheckReport) -> String {
        // The log of problems leaves out fatal ones.
        let is_logged = |code: &&Code| code.row().reach == Reach::Told && !code.row().is_fatal();
        let ours: BTreeSet<_> =
            report.outcome.set.iter().filter(is_logged).map(|code| code.name()).collect();
        let is_fatal = |name: &str| Code::from_name(name).is_none_or(|code| code.row().is_fatal());
        let theirs = self.set.iter().copied().filter(|name| !is_fatal(name)).collect();
        let mut parts: Vec<String> = Vec::new();
        parts.extend(ours.difference(&theirs).map(|code| format!("+{code}")));
        parts.extend(theirs.difference(&ours).map(|code| format!("-{code}")));
        let exit = report.outcome.e2fsck.exit;
        if self.exit != Some(exit) {
            parts.push(format!("exit {exit}, not {:?}", self.exit));
        }
        parts.join(" ")
    }
}

/// The codes of a log that can be seen in what is printed.
fn codes(log: &str) -> BTreeSet<&'static str> {
    let code = Regex::new("code=\"0x([0-9a-fA-F]+)\"").expect("a pattern");
    let numbers = code.captures_iter(log).filter_map(|c| u32::from_str_radix(&c[1], 16).ok());
    let numbers: BTreeSet<u32> = numbers.collect();
    Code::all()
        .filter(|row| row.reach == Reach::Told && numbers.contains(&row.code.get()))
        .map(|row| row.name)
        .collect()
}
