//! Where things lie.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().map_or(xtask.clone(), PathBuf::from)
}

/// Cargo's folder for native builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Cargo's folder for wasm builds: apart from the native one, since another compiler may fill it.
pub(crate) fn wasm_target() -> PathBuf {
    target().join("wasm")
}

/// The built page, as `serve` shows it and `dist` copies it.
pub(crate) fn site() -> PathBuf {
    target().join("site")
}

/// The tools of this user, shared by all clones: `$EXTSCOPE_CACHE`, else `extscope` in
/// `$XDG_CACHE_HOME` or `~/.cache`.
///
/// # Errors
/// None of the variables is set.
pub(crate) fn cache() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("EXTSCOPE_CACHE")
        .or_else(|| Some(variable("XDG_CACHE_HOME")?.join("extscope")))
        .or_else(|| Some(env::home_dir()?.join(".cache/extscope")))
        .context("no home folder is known; set EXTSCOPE_CACHE to a folder for tools")
}
