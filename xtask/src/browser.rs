//! What is done with the built page in a browser.

use anyhow::Result;

use crate::serve::{self, Site};
use crate::setup::{Tools, node};
use crate::{page, paths, run};

/// Runs the tests of the page, on the page as `dist` leaves it, and below a path, as it may be
/// hosted.
///
/// # Errors
/// The page does not build, or a test fails.
pub(crate) fn tests(tools: &Tools) -> Result<()> {
    page::build(tools)?;
    let site = Site::start(serve::listen(0)?, paths::site(), "/some/where/")?;
    let mut command = tools.command("npm");
    command.arg("test").current_dir(node::folder());
    run::run(command.env("BASE_URL", site.address()).env("CHROMIUM", tools.chromium()?))
}
