//! The programs that the tests make images with and compare with.

use std::path::Path;

use crate::run;

/// Packages, and what is run of each.
const PACKAGES: [(&str, &[&str]); 3] = [
    ("e2fsprogs", &["mke2fs", "dumpe2fs", "debugfs", "e2fsck", "e2freefrag", "resize2fs"]),
    ("fdisk", &["sfdisk"]),
    ("mount", &["losetup"]),
];

/// The packages of which a program is missing.
pub(super) fn missing_packages() -> impl Iterator<Item = &'static str> {
    let missing = PACKAGES.iter().filter(|(_, programs)| !programs.iter().all(|it| is_there(it)));
    missing.map(|(package, _)| *package)
}

/// Whether a program is there; those for administrators may lie outside a user's `PATH`.
fn is_there(program: &str) -> bool {
    run::find(program).is_some()
        || ["/sbin", "/usr/sbin"].iter().any(|folder| Path::new(folder).join(program).is_file())
}
