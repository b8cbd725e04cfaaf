//! The compiler for wasm32, which need not be the one for native builds.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{paths, run};

/// The target triple of the page.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The cargo profile of the page; the tests share it, so that everything is compiled once.
pub(crate) const PROFILE: &str = "page";

/// Who compiles for wasm32.
#[derive(Debug, Clone)]
pub(crate) enum Compiler {
    /// The toolchain of native builds, with wasm32's standard library installed beside it.
    Installed,
    /// Debian's `rustc-web`, which builds the standard library from `rust-web-src`.
    Debian {
        /// A linker for wasm.
        linker: PathBuf,
    },
}

impl Compiler {
    /// Finds a compiler, or nothing where the set-up has to bring one.
    ///
    /// # Errors
    /// rustc cannot be started.
    pub(crate) fn find() -> Result<Option<Self>> {
        if has_installed_library(TARGET)? {
            return Ok(Some(Self::Installed));
        }
        if has_debian_compiler() {
            return Ok(find_linker().map(|linker| Self::Debian { linker }));
        }
        Ok(None)
    }

    /// Whether clippy can be run for wasm32.
    pub(crate) fn has_clippy(&self) -> bool {
        match self {
            Self::Installed => true,
            Self::Debian { .. } => Path::new("/usr/bin/cargo-clippy").is_file(),
        }
    }

    /// Makes `command` and the cargo that it starts compile for wasm32 into the folder for that.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.env("CARGO_TARGET_DIR", paths::wasm_target());
        if let Self::Debian { linker } = self {
            command
                .env_remove("LD_LIBRARY_PATH")
                .env("RUSTC", "/usr/bin/rustc")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
                // Tests would have the library built to unwind, and then there are two.
                .env("CARGO_UNSTABLE_PANIC_ABORT_TESTS", "true")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }

    /// Folders that must come first on `PATH`.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Installed => None,
            Self::Debian { .. } => Some(PathBuf::from("/usr/bin")),
        }
    }
}

/// Where Debian keeps the source of the standard library.
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library";

/// Whether the ordinary compiler has the standard library of a target.
pub(crate) fn has_installed_library(target: &str) -> Result<bool> {
    let folder =
        run::output(run::command("rustc").args(["--print", "target-libdir", "--target", target]))
            .context("asking rustc for its libraries; Rust comes from https://rustup.rs")?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// Whether Debian's compiler is there, with the library's source, and new enough for the project.
fn has_debian_compiler() -> bool {
    let version = || -> Option<u32> {
        let text = run::output(run::command("/usr/bin/rustc").arg("--version")).ok()?;
        minor_version(text.strip_prefix("rustc ")?)
    };
    let needed = minor_version(env!("CARGO_PKG_RUST_VERSION"));
    Path::new(DEBIAN_SOURCE).is_dir()
        && Path::new("/usr/bin/cargo").is_file()
        && version().is_some_and(|version| Some(version) >= needed)
}

/// The 95 of `1.95` and of `1.95.0 (f2d3ce0bd 2026-03-21)`.
fn minor_version(version: &str) -> Option<u32> {
    version.strip_prefix("1.")?.split('.').next()?.parse().ok()
}

/// A linker for wasm: the one inside the ordinary toolchain, else Debian's.
pub(crate) fn find_linker() -> Option<PathBuf> {
    let libraries = run::output(run::command("rustc").args(["--print", "target-libdir"])).ok()?;
    let inside = Path::new(libraries.trim()).parent()?.join("bin/rust-lld");
    let debian = PathBuf::from("/usr/bin/wasm-ld-22");
    [inside, debian].into_iter().find(|linker| linker.is_file())
}

#[cfg(test)]
mod tests {
    use super::minor_version;

    #[test]
    fn the_minor_version_is_read_from_short_and_long_forms() {
        assert_eq!(minor_version("1.95"), Some(95));
        assert_eq!(minor_version("1.96.0 (ac68faa20 2026-05-25)"), Some(96));
        assert_eq!(minor_version("nonsense"), None);
    }
}
