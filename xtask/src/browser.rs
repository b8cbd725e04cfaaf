//! What is done with the built page in a browser.

use anyhow::Result;

use crate::serve::{self, Site};
use crate::setup::{self, Tool, Tools, node};
use crate::{page, paths, run, tasks};

/// Runs the tests of the page.
///
/// # Errors
/// The page does not build, or a test fails.
pub(crate) fn tests(tools: &Tools) -> Result<()> {
    npm(tools, "test")
}

/// `cargo xtask screenshots`.
///
/// # Errors
/// The set-up or the build fails, or the page does not come to what is to be seen.
pub(crate) fn screenshots_task(arguments: &[String]) -> Result<()> {
    tasks::no_arguments(arguments)?;
    npm(&setup::bring(Tool::ALL)?, "screenshots")
}

/// Runs a script of the browser tests' package on the page as `dist` leaves it, and below a path,
/// as it may be hosted.
fn npm(tools: &Tools, script: &str) -> Result<()> {
    page::build(tools)?;
    let site = Site::start(serve::listen(0)?, paths::site(), "/some/where/")?;
    let mut command = tools.command("npm");
    command.args(["run", script]).current_dir(node::folder());
    run::run(command.env("BASE_URL", site.address()).env("CHROMIUM", tools.chromium()?))
}
