//! What `resize2fs` tells.

use std::path::Path;

use crate::tool;

/// The minimum size that `resize2fs -P` prints, in blocks; `None` where it refuses even with `-f`.
///
/// # Panics
/// When it cannot be run.
#[must_use]
pub fn minimum(image: &Path) -> Option<u64> {
    let mut command = tool::command("resize2fs");
    let output = command.args(["-f", "-P"]).arg(image).output().expect("resize2fs can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Estimated minimum size of the filesystem: "));
    line.map(|blocks| blocks.trim().parse().expect("a number of blocks"))
}
