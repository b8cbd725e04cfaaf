//! Skipping a test so that nobody takes it for passed.

use std::io::Write as _;

/// Whether a missing tool is a failure: a machine of continuous integration has every tool.
#[must_use]
pub fn must_run() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// Says on the terminal that something was not tested, and why.
///
/// The test harness keeps what a passing test prints through `eprintln!`; this goes past it.
pub fn aloud(what: &str, why: &str) {
    let line = format!("\nSKIPPED {what}: {why}\n");
    // A closed terminal is no reason to fail.
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}
