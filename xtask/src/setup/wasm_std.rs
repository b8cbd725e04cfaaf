//! The standard library for wasm32.

use std::time::Duration;

use super::install;
use crate::{run, wasm};

/// What to do where nothing brought it.
pub(super) const ADVICE: &str = "no standard library for wasm32 was found. One of these brings it:\n    \
    rustup target add wasm32-unknown-unknown\n    \
    apt-get install rustc-web cargo-web rust-web-src rust-web-clippy lld-22   (Debian)\n    \
    the package of your distribution for Rust's wasm32-unknown-unknown target";

/// Lets rustup install it; false where there is no rustup or it reaches no server.
pub(super) fn by_rustup() -> bool {
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

/// Debian's compiler with the library's source, clippy for it, and a linker where none is there.
pub(super) fn debian_packages() -> Vec<&'static str> {
    let mut packages = vec!["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"];
    if wasm::find_linker().is_none() {
        packages.push("lld-22");
    }
    packages
}
