//! Node and the packages of the browser tests.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::install;
use crate::{paths, run};

/// The packages that bring node where it is missing.
pub(super) fn missing_packages() -> &'static [&'static str] {
    if run::find("node").is_some() && run::find("npm").is_some() { &[] } else { &["nodejs", "npm"] }
}

/// The folder of the browser tests.
pub(crate) fn folder() -> PathBuf {
    paths::root().join("tests/browser")
}

/// Installs what the lock file of the browser tests names, unless exactly that is there.
///
/// # Errors
/// npm cannot install it.
pub(super) fn install_modules() -> Result<()> {
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
