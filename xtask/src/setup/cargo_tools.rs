//! Tools that cargo builds, into a folder for each version in the user's cache.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{Tool, install};
use crate::{paths, run};

/// A program that `cargo install` brings.
#[derive(Debug)]
pub(super) struct CargoTool {
    program: &'static str,
    package: &'static str,
    version: String,
    options: &'static [&'static str],
    /// Faster to build than the released profile; the tools spend their lives waiting for cargo.
    profile: &'static [(&'static str, &'static str)],
    usually: &'static str,
}

/// The only version of Trunk that the project is built with; 0.22 wants a newer compiler.
const TRUNK_VERSION: &str = "0.21.14";

impl CargoTool {
    fn new(tool: Tool) -> Result<Option<Self>> {
        Ok(match tool {
            Tool::Trunk => Some(Self {
                program: "trunk",
                package: "trunk",
                version: TRUNK_VERSION.to_owned(),
                options: &["--locked", "--no-default-features"],
                profile: &[("OPT_LEVEL", "0"), ("LTO", "off"), ("CODEGEN_UNITS", "256")],
                usually: "3 to 5 minutes",
            }),
            // Its own lock file names versions that a registry may not have; cargo chooses.
            Tool::WasmBindgen => Some(Self {
                program: "wasm-bindgen",
                package: "wasm-bindgen-cli",
                version: locked_version("wasm-bindgen")?,
                options: &[],
                profile: &[("OPT_LEVEL", "1"), ("LTO", "off")],
                usually: "2 to 4 minutes",
            }),
            _ => None,
        })
    }

    /// The folder of its own in the cache.
    fn folder(&self) -> Result<PathBuf> {
        Ok(paths::cache()?.join(format!("{}-{}", self.program, self.version)))
    }

    /// Where the program of the right version is: on `PATH`, else in the cache, else nowhere.
    fn find(&self) -> Result<Option<PathBuf>> {
        let cached = self.folder()?.join("bin").join(self.program);
        let candidates = [run::find(self.program), Some(cached)];
        Ok(candidates.into_iter().flatten().find(|program| {
            let version = run::output(run::command(program).arg("--version"));
            version.is_ok_and(|text| text.split_whitespace().nth(1) == Some(&self.version))
        }))
    }

    /// Builds the program into its folder.
    ///
    /// # Errors
    /// cargo cannot build it, or not within an hour.
    pub(super) fn install(&self) -> Result<()> {
        let mut command = run::command("cargo");
        command.args(["install", self.package, "--version", &self.version]).args(self.options);
        command.arg("--root").arg(self.folder()?).env_remove("CARGO_TARGET_DIR");
        // Where cargo chooses versions, it chooses those that this compiler can build.
        command.env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback");
        for (name, value) in self.profile {
            command.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
        }
        let what = format!("{} {}", self.package, self.version);
        install(&what, self.usually, &mut command, Duration::from_secs(3600))
    }
}

/// Those of `tools` that cargo builds and that are nowhere in the right version.
///
/// # Errors
/// The lock file cannot be read, or there is no place for a cache.
pub(super) fn missing(tools: &[Tool]) -> Result<Vec<CargoTool>> {
    let mut missing = Vec::new();
    for &tool in tools {
        if let Some(tool) = CargoTool::new(tool)?
            && tool.find()?.is_none()
        {
            missing.push(tool);
        }
    }
    Ok(missing)
}

/// The folders of those of `tools` that cargo builds.
///
/// # Errors
/// As [`missing`]; also where a tool is still missing.
pub(super) fn folders(tools: &[Tool]) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for &tool in tools {
        if let Some(tool) = CargoTool::new(tool)? {
            let program = tool.find()?.with_context(|| format!("{} is missing", tool.program))?;
            folders.extend(program.parent().map(PathBuf::from));
        }
    }
    Ok(folders)
}

/// The version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> Result<String> {
    let lock = paths::root().join("Cargo.lock");
    let text = fs::read_to_string(&lock).with_context(|| format!("reading {}", lock.display()))?;
    version_in(&text, package).with_context(|| format!("Cargo.lock names no {package}"))
}

/// The version that follows a package's name in the text of a lock file.
fn version_in(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_exactly_the_named_package_is_taken() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "wasm"), None);
    }

    #[test]
    fn a_tool_has_a_folder_for_its_version() {
        let trunk = CargoTool::new(Tool::Trunk).expect("a fixed version").expect("built by cargo");
        assert!(trunk.folder().expect("a home folder").ends_with("trunk-0.21.14"));
    }
}
