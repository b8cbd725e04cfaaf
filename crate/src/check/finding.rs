//! A problem as found: what, where, and the numbers that show it.

use serde::{Deserialize, Serialize};

use super::claims::Claim;
use super::problem::{Code, PR_5_BLOCK_RANGE_USED, PR_5_BLOCK_USED, Pass};
use crate::units::{Fsblk, Group, Ino, Lblk};

/// A problem that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Which.
    pub code: Code,
    /// The pass that found it.
    pub pass: Pass,
    /// The inode that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ino: Option<Ino>,
    /// The directory in which it was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<Ino>,
    /// The group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// The block, or the first of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<Fsblk>,
    /// The block of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lblk: Option<Lblk>,
    /// How many blocks or inodes follow one another; absent for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The value on the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<u64>,
    /// The value that would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// A name: of a field, or in a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// e2fsck does not tell it, for it gave up before.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub beyond_e2fsck: bool,
}

impl Problem {
    /// A problem without a place yet.
    pub(super) fn new(code: Code) -> Self {
        Self {
            code,
            pass: code.pass(),
            ino: None,
            dir: None,
            group: None,
            block: None,
            lblk: None,
            count: None,
            found: None,
            expected: None,
            name: None,
            beyond_e2fsck: false,
        }
    }

    /// Of claims to blocks that are free in the bitmaps, those to the blocks of this problem.
    pub fn claimants<'a>(&self, claims: &'a [Claim]) -> impl Iterator<Item = &'a Claim> + use<'a> {
        let is_of_them = matches!(self.code, PR_5_BLOCK_USED | PR_5_BLOCK_RANGE_USED);
        let blocks = self.block.filter(|_| is_of_them).map_or(0..0, |first| {
            let first = first.get();
            first..first.saturating_add(self.count.unwrap_or(1))
        });
        claims.iter().filter(move |claim| {
            let first = claim.block.get();
            first < blocks.end && blocks.start < first.saturating_add(claim.count)
        })
    }

    pub(super) fn ino(mut self, ino: Ino) -> Self {
        self.ino = Some(ino);
        self
    }

    pub(super) fn dir(mut self, dir: Ino) -> Self {
        self.dir = Some(dir);
        self
    }

    pub(super) fn group(mut self, group: Group) -> Self {
        self.group = Some(group);
        self
    }

    pub(super) fn block(mut self, fsblk: u64) -> Self {
        self.block = Some(Fsblk::new(fsblk));
        self
    }

    pub(super) fn lblk(mut self, lblk: u64) -> Self {
        self.lblk = u32::try_from(lblk).ok().map(Lblk::new);
        self
    }

    pub(super) fn count(mut self, count: u64) -> Self {
        self.count = Some(count).filter(|count| *count > 1);
        self
    }

    pub(super) fn found(mut self, found: impl Into<u64>) -> Self {
        self.found = Some(found.into());
        self
    }

    pub(super) fn expected(mut self, expected: impl Into<u64>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    pub(super) fn name(mut self, name: &[u8]) -> Self {
        self.name = Some(String::from_utf8_lossy(name).into_owned());
        self
    }
}
