//! Node and the packages of the browser tests.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};

use super::install;
use crate::{paths, run};

/// The oldest release of node that the browser tests run on.
const OLDEST: u32 = 18;

/// The packages that bring node where it is missing.
pub(super) fn missing_packages() -> &'static [&'static str] {
    if run::find("node").is_some() && run::find("npm").is_some() { &[] } else { &["nodejs", "npm"] }
}

/// Checks that node is not too old.
///
/// # Errors
/// It is, or it cannot be asked.
fn check_version() -> Result<()> {
    let version = run::output(run::command("node").arg("--version"))?;
    let version = version.trim();
    let release = version.trim_start_matches('v').split('.').next().unwrap_or_default();
    if release.parse::<u32>().is_ok_and(|release| release < OLDEST) {
        bail!("node is {version}; the browser tests need {OLDEST} or newer");
    }
    Ok(())
}

/// The folder of the browser tests.
pub(crate) fn folder() -> PathBuf {
    paths::root().join("tests/browser")
}

/// Installs what the lock file of the browser tests names, unless exactly that is there.
///
/// # Errors
/// node is too old, or npm cannot install it.
pub(super) fn install_modules() -> Result<()> {
    check_version()?;
    let modified = |file: &str| fs::metadata(folder().join(file)).and_then(|data| data.modified());
    let wanted = modified("package-lock.json");
    let have = modified("node_modules/.package-lock.json");
    let is_current = matches!((&wanted, &have), (Ok(wanted), Ok(have)) if have >= wanted);
    if wanted.is_err() || is_current {
        return Ok(());
    }
    let mut command = run::command("npm");
    command.arg("ci").current_dir(folder());
    install(
        "npm packages of the browser tests",
        "10 seconds",
        &mut command,
        Duration::from_secs(600),
    )
}
