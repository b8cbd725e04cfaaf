//! The programs that the tests make images with and compare with.

use std::path::Path;

use crate::run;

/// The package that brings them where they are missing. They may lie outside a user's `PATH`.
pub(super) fn missing_packages() -> &'static [&'static str] {
    let is_there = |program: &str| {
        run::find(program).is_some()
            || ["/sbin", "/usr/sbin"].iter().any(|folder| Path::new(folder).join(program).is_file())
    };
    let programs = ["mke2fs", "dumpe2fs", "debugfs", "e2fsck", "e2freefrag", "resize2fs"];
    if programs.into_iter().all(is_there) { &[] } else { &["e2fsprogs"] }
}
