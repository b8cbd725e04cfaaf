//! Packages of Debian and its relatives.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use super::install as install_with;
use crate::run;

/// Installs packages, all in one go; does nothing where the list is empty.
///
/// # Errors
/// There is no apt-get, the user is not root, or apt-get fails. The message says what to run.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    if run::find("apt-get").is_none() {
        bail!("these are missing, under the names that Debian gives them; install them: {list}");
    }
    if !is_root() {
        bail!("these packages are missing; run by hand:\n    sudo apt-get install {list}");
    }
    let limit = Duration::from_secs(1800);
    let what = format!("packages {list}");
    let mut command = apt_get(&["install", "--yes", "--no-install-recommends"]);
    command.args(packages);
    // The lists of packages may be old or empty; they are only renewed where that is the matter.
    if install_with(&what, "1 to 4 minutes", &mut command, limit).is_ok() {
        return Ok(());
    }
    install_with("lists of packages", "10 seconds", &mut apt_get(&["update"]), limit)?;
    install_with(&what, "1 to 4 minutes", &mut command, limit)
}

fn apt_get(arguments: &[&str]) -> Command {
    let mut command = run::command("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn is_root() -> bool {
    run::output(run::command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
