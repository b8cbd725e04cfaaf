//! The standard library for wasm32.

use std::time::Duration;

use anyhow::Result;

use super::install;
use crate::{run, wasm};

/// What to do where nothing brought it.
pub(super) const ADVICE: &str = "no standard library for wasm32 was found. One of these brings it:\n    \
    rustup target add wasm32-unknown-unknown\n    \
    apt-get install rustc-web cargo-web rust-web-src rust-web-clippy lld-22   (Debian)\n    \
    the package of your distribution for Rust's wasm32-unknown-unknown target";

/// Debian's packages that are missing, after rustup was tried: the compiler with the library's
/// source, a linker where none is there, and clippy where that is asked for.
///
/// # Errors
/// rustc cannot be started.
pub(super) fn missing_packages(with_clippy: bool) -> Result<Vec<&'static str>> {
    let clippy = with_clippy.then_some("rust-web-clippy");
    match wasm::Compiler::find()? {
        Some(compiler) if compiler.has_clippy() => Ok(Vec::new()),
        Some(_) => Ok(clippy.into_iter().collect()),
        None if by_rustup() => Ok(Vec::new()),
        None => {
            let linker = wasm::find_linker().is_none().then_some("lld-22");
            let compiler = ["rustc-web", "cargo-web", "rust-web-src"];
            Ok(compiler.into_iter().chain(linker).chain(clippy).collect())
        }
    }
}

/// Lets rustup install it; false where there is no rustup or it reaches no server.
fn by_rustup() -> bool {
    if run::find("rustup").is_none() {
        return false;
    }
    let mut command = run::command("rustup");
    command.args(["target", "add", wasm::TARGET]).env("RUSTUP_MAX_RETRIES", "1");
    let outcome = install("Rust for wasm32", "10 seconds", &mut command, Duration::from_secs(120));
    if let Err(error) = &outcome {
        println!("setup: {error:#}\nsetup: trying the packages of Debian instead");
    }
    outcome.is_ok()
}
