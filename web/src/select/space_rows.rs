//! Where the space went: rows with bars.

use extscope::units::Ino;

use crate::protocol::SurveyDetail;
use crate::state::FileList;

/// A part of the space.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceRow {
    /// Whose it is, or what.
    pub name: String,
    /// The directory that it is.
    pub ino: Option<Ino>,
    /// Inodes.
    pub inodes: Option<u64>,
    /// Blocks.
    pub blocks: u64,
    /// Length of its bar, 0 to 1 of the longest.
    pub bar: f64,
    /// Blocks of the filesystem.
    pub of: u64,
}

/// The rows of a list of parts of the space; none where it is one of files.
#[must_use]
pub fn space_rows(detail: &SurveyDetail, list: FileList) -> Vec<SpaceRow> {
    let of = detail.classes.iter().map(|class| class.blocks).sum();
    let row =
        |name: String, ino, inodes, blocks| SpaceRow { name, ino, inodes, blocks, bar: 0.0, of };
    let mut rows: Vec<SpaceRow> = match list {
        FileList::Tree | FileList::Scattered | FileList::Largest | FileList::Deleted => Vec::new(),
        FileList::Directories => {
            let dirs = detail.usage.dirs.iter();
            dirs.map(|dir| {
                let name = dir.path.clone().unwrap_or_else(|| "no name leads to it".to_owned());
                row(name, Some(Ino::new(dir.ino)), Some(dir.share.inodes), dir.share.blocks)
            })
            .collect()
        }
        FileList::Users => {
            let users = detail.usage.users.iter();
            users
                .map(|user| {
                    let name = format!("uid {}", user.uid);
                    row(name, None, Some(user.share.inodes), user.share.blocks)
                })
                .collect()
        }
        FileList::Kinds => {
            let kinds = detail.classes.iter();
            kinds.map(|class| row(class.name.clone(), None, None, class.blocks)).collect()
        }
    };
    rows.sort_by_key(|row| core::cmp::Reverse(row.blocks));
    let most = rows.first().map_or(1, |row| row.blocks).max(1) as f64;
    for row in &mut rows {
        row.bar = row.blocks as f64 / most;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{
        BlockClass, ClassReport, DirReport, FragTotals, Share, UsageReport, UserReport,
    };

    fn detail() -> SurveyDetail {
        let class = |name: &str, class, blocks| ClassReport { class, name: name.into(), blocks };
        let share = |inodes, blocks| Share { inodes, blocks };
        SurveyDetail {
            totals: FragTotals::default(),
            classes: vec![
                class("inode table", BlockClass::Itable, 25),
                class("free", BlockClass::Free, 75),
            ],
            usage: UsageReport {
                users: vec![UserReport { uid: 1000, share: share(3, 50) }],
                dirs: vec![DirReport { ino: 2, path: None, share: share(9, 10) }],
            },
            scattered: Vec::new(),
            largest: Vec::new(),
            deleted: Vec::new(),
            deleted_count: 0,
            free_but_owned: 0,
            conflicts: 0,
            faults: 0,
        }
    }

    #[test]
    fn the_largest_part_has_the_longest_bar() {
        let rows = space_rows(&detail(), FileList::Kinds);
        assert_eq!((rows[0].name.as_str(), rows[0].bar, rows[0].of), ("free", 1.0, 100));
        assert_eq!((rows[1].blocks, rows[1].bar), (25, 25.0 / 75.0));
    }

    #[test]
    fn a_directory_is_one_that_can_be_gone_to_and_a_user_is_a_number() {
        let rows = space_rows(&detail(), FileList::Directories);
        assert_eq!((rows[0].ino, rows[0].inodes), (Some(Ino::new(2)), Some(9)));
        assert_eq!(rows[0].name, "no name leads to it");
        let rows = space_rows(&detail(), FileList::Users);
        assert_eq!((rows[0].name.as_str(), rows[0].ino), ("uid 1000", None));
        assert_eq!(space_rows(&detail(), FileList::Tree), []);
    }
}
