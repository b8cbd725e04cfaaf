//! Starting other programs.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context, Result, bail, ensure};

/// What cargo sets for a program that it runs, and what would leak into the builds started here:
/// a change in any of them makes cargo build again.
const SET_BY_CARGO: &[&str] = &[
    "CARGO",
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_PATH",
    "CARGO_PKG_AUTHORS",
    "CARGO_PKG_DESCRIPTION",
    "CARGO_PKG_HOMEPAGE",
    "CARGO_PKG_LICENSE",
    "CARGO_PKG_LICENSE_FILE",
    "CARGO_PKG_NAME",
    "CARGO_PKG_README",
    "CARGO_PKG_REPOSITORY",
    "CARGO_PKG_RUST_VERSION",
    "CARGO_PKG_VERSION",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
    "RUST_RECURSION_COUNT",
];

/// A command that starts from the environment a person has, not from the one cargo gave to us.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in SET_BY_CARGO {
        command.env_remove(name);
    }
    command
}

/// Runs a command to its end, its output going to the terminal.
///
/// # Errors
/// It cannot be started or it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", words(command));
    let status = command.status().with_context(|| format!("starting {}", words(command)))?;
    ensure!(status.success(), "{} ended with {status}", words(command));
    Ok(())
}

/// Runs a command to its end, its output going to the terminal, and shows `see` each line of that.
///
/// # Errors
/// It cannot be started or it fails.
pub(crate) fn each_line(command: &mut Command, mut see: impl FnMut(&str)) -> Result<()> {
    println!("$ {}", words(command));
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting {}", words(command)))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            see(&line);
        }
    }
    let status = child.wait()?;
    ensure!(status.success(), "{} ended with {status}", words(command));
    Ok(())
}

/// Runs a command to its end and returns what it printed.
///
/// # Errors
/// It cannot be started, it fails, or it prints something else than UTF-8.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("starting {}", words(command)))?;
    if !output.status.success() {
        bail!(
            "{} ended with {}: {}",
            words(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs a command to its end within `limit`, its output going to the file `log`.
///
/// # Errors
/// It cannot be started, fails or takes longer; the message ends with the last lines of the log.
pub(crate) fn logged(command: &mut Command, log: &Path, limit: Duration) -> Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    }
    let file = File::create(log).with_context(|| format!("creating {}", log.display()))?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("starting {}", words(command)))?;
    let end = wait_within(&mut child, limit)?;
    let what = match end {
        Some(status) if status.success() => return Ok(()),
        Some(status) => format!("ended with {status}"),
        None => format!("did not end within {} s", limit.as_secs()),
    };
    bail!("{} {what}\n{}(the whole: {})", words(command), last_lines(log, 15), log.display());
}

/// The exit status of a child, or nothing after it was stopped for taking too long.
fn wait_within(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// The last `count` lines of a text file, indented; empty where it cannot be read.
fn last_lines(file: &Path, count: usize) -> String {
    let bytes = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.len().saturating_sub(count);
    lines.iter().skip(start).map(|line| format!("    {line}\n")).collect()
}

/// The full path of a program on `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A command as one would type it, with the variables set for it left out.
pub(crate) fn words(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_is_stopped() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("sleep starts");
        let end = wait_within(&mut child, Duration::from_millis(10)).expect("it can be waited for");
        assert!(end.is_none());
    }

    #[test]
    fn a_failure_shows_what_was_run_and_what_it_said() {
        let error = output(Command::new("sh").args(["-c", "echo no such thing >&2; exit 3"]))
            .expect_err("exit status 3");
        let text = error.to_string();
        assert!(text.starts_with("sh -c") && text.ends_with("no such thing"), "{text}");
    }
}
