//! The browser of the browser tests.

use std::env;
use std::path::PathBuf;

use crate::run;

/// The browser: the one that the variable `CHROMIUM` names, else one on `PATH`.
pub(super) fn find() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from).filter(|file| file.is_file());
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    named.or_else(|| names.into_iter().find_map(run::find))
}

/// What starts the browser for tests in wasm, where there is one.
pub(super) fn driver() -> Option<PathBuf> {
    run::find("chromedriver")
}

/// The packages that bring a browser, its driver and letters for it, where there is none.
pub(super) fn missing_packages() -> &'static [&'static str] {
    if find().is_some() { &[] } else { &["chromium", "chromium-driver", "fonts-liberation"] }
}
