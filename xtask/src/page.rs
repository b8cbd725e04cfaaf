//! Building the page.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::setup::{self, Tool, Tools};
use crate::{paths, run, tasks};

/// What the page is made of, from the workspace's folder.
const INPUTS: &[&str] =
    &["Cargo.lock", "Cargo.toml", "Trunk.toml", "crate", "index.html", "picture", "web"];

/// `cargo xtask dist`.
///
/// # Errors
/// The set-up, the build or the copying fails.
pub(crate) fn dist_task(arguments: &[String]) -> Result<()> {
    tasks::no_arguments(arguments)?;
    build(&setup::bring(Tool::PAGE)?)?;
    let dist = paths::root().join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("emptying {}", dist.display()))?;
    }
    copy(&paths::site(), &dist).with_context(|| format!("copying to {}", dist.display()))?;
    println!("dist/ holds the site; its addresses are relative, so it works below any path");
    Ok(())
}

/// Builds the page into [`paths::site`], unless it is newer than everything that it is made of.
///
/// # Errors
/// Trunk or a compiler fails.
pub(crate) fn build(tools: &Tools) -> Result<()> {
    let site = paths::site();
    let stamp = site.with_extension("stamp");
    if site.join("index.html").is_file() && is_newer(&stamp, INPUTS)? {
        return Ok(());
    }
    println!("building the page (a first build usually takes 2 to 3 minutes)");
    // The stamp is older than the build, so that what is edited meanwhile is seen the next time.
    fs::create_dir_all(paths::target()).context("creating cargo's target folder")?;
    let begun = stamp.with_extension("begun");
    fs::write(&begun, "").with_context(|| format!("writing {}", begun.display()))?;
    // Trunk builds without network; cargo must have the crates by then.
    let root = paths::root();
    run::run(tools.wasm_command("cargo")?.args(["fetch", "--locked"]).current_dir(&root))?;
    let mut trunk = tools.wasm_command("trunk")?;
    trunk.args(["build", "--release", "--offline", "--public-url", "./", "--dist"]).arg(&site);
    run::run(trunk.current_dir(&root))?;
    fs::rename(&begun, &stamp).with_context(|| format!("writing {}", stamp.display()))
}

/// Whether `stamp` is there and newer than each of `inputs` and all in them.
fn is_newer(stamp: &Path, inputs: &[&str]) -> Result<bool> {
    let Ok(built) = fs::metadata(stamp).and_then(|data| data.modified()) else {
        return Ok(false);
    };
    for input in inputs {
        if last_change(&paths::root().join(input))? >= built {
            return Ok(false);
        }
    }
    Ok(true)
}

/// When a file, or anything in a folder, changed last. A removed file changes its folder.
fn last_change(path: &Path) -> Result<SystemTime> {
    let data = fs::metadata(path).with_context(|| format!("reading {}", path.display()))?;
    let mut last = data.modified()?;
    if data.is_dir() {
        for entry in fs::read_dir(path)? {
            last = last.max(last_change(&entry?.path())?);
        }
    }
    Ok(last)
}

/// Copies a folder with all in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
