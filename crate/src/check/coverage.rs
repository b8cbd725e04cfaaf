//! Which problems the check looks for, and which it does not yet.

use serde::Serialize;

use super::problem::{Code, Pass, Reach};

/// A problem, and whether the check looks for it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Coverage {
    /// Which.
    pub code: Code,
    /// The pass that finds it.
    pub pass: Pass,
    /// When e2fsck tells it.
    pub reach: Reach,
    /// Whether the check looks for it; of no meaning where `-n` never tells it.
    pub is_looked_for: bool,
    /// In one line.
    pub title: &'static str,
}

/// All problems of e2fsck, by code.
pub fn coverage() -> impl Iterator<Item = Coverage> {
    Code::all().map(|row| Coverage {
        code: row.code,
        pass: row.code.pass(),
        reach: row.reach,
        is_looked_for: !NOT_YET.contains(&row.name),
        title: row.title,
    })
}

/// Problems that `e2fsck -fn` tells and the check does not look for.
pub const NOT_YET: &[&str] = &[
    // An image of a journal device has no number of a device.
    "PR_0_EXTERNAL_JOURNAL_HINT",
    // A root that verifies can be opened.
    "PR_1_READ_EXTENT",
    // Nothing is moved.
    "PR_1_RELOC_BLOCK_ALLOCATE",
    "PR_1_RELOC_WRITE_ERR",
    // An image stays as it is.
    "PR_4_INCONSISTENT_COUNT",
];
