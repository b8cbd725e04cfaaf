//! Where the space went, by owner and by directory.

use core::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::format::escaped;
use crate::analysis::{Names, Share, Usage};

/// Who and what takes most.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageReport {
    /// Users, the largest first.
    pub users: Vec<UserReport>,
    /// Directories with everything below them, the largest first.
    pub dirs: Vec<DirReport>,
}

/// What a user has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserReport {
    /// The user's number.
    pub uid: u32,
    /// How many inodes and blocks.
    #[serde(flatten)]
    pub share: Share,
}

/// What is in a directory and below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirReport {
    /// The directory.
    pub ino: u32,
    /// Its path; what is no text is escaped.
    pub path: Option<String>,
    /// How many inodes and blocks.
    #[serde(flatten)]
    pub share: Share,
}

impl UsageReport {
    /// The `most` largest users and directories.
    #[must_use]
    pub fn new(usage: &Usage, names: &Names, most: usize) -> Self {
        let mut users: Vec<_> =
            usage.by_uid().map(|(uid, share)| UserReport { uid, share }).collect();
        users.sort_by_key(|user| (Reverse(user.share.blocks), user.uid));
        users.truncate(most);
        let mut dirs: Vec<_> = usage.by_dir(names).into_iter().collect();
        dirs.sort_by_key(|(ino, share)| (Reverse(share.blocks), *ino));
        dirs.truncate(most);
        let dirs = dirs.into_iter().map(|(ino, share)| DirReport {
            ino: ino.get(),
            path: names.path(ino).map(|path| escaped(&path)),
            share,
        });
        Self { users, dirs: dirs.collect() }
    }
}
