//! Where the space went: by owner, and by directory.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::filefrag::FileFrag;
use super::names::Names;
use crate::fs::Inode;
use crate::units::Ino;

/// What some files take together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Files, directories and whatever else is an inode.
    pub inodes: u64,
    /// Blocks: data, and the nodes and indirect blocks that map them.
    pub blocks: u64,
}

/// Adds up the inodes that a [`Survey`](super::Survey) shows. The filesystem's own, such as the
/// journal, are nobody's and do not count.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    by_uid: BTreeMap<u32, Share>,
    inodes: Vec<(Ino, u64)>,
}

impl Share {
    fn add(&mut self, other: Self) {
        self.inodes = self.inodes.saturating_add(other.inodes);
        self.blocks = self.blocks.saturating_add(other.blocks);
    }
}

impl Usage {
    /// Adds an inode.
    pub fn add(&mut self, inode: &Inode, frag: &FileFrag) {
        if frag.is_internal {
            return;
        }
        let blocks = frag.blocks.saturating_add(frag.nodes);
        self.by_uid.entry(inode.raw.uid()).or_default().add(Share { inodes: 1, blocks });
        self.inodes.push((inode.ino, blocks));
    }

    /// What each user has, by number.
    pub fn by_uid(&self) -> impl Iterator<Item = (u32, Share)> {
        self.by_uid.iter().map(|(uid, share)| (*uid, *share))
    }

    /// What lies in each directory and everything below it, the directory itself included; by
    /// each inode's first name.
    #[must_use]
    pub fn by_dir(&self, names: &Names) -> HashMap<Ino, Share> {
        // What lies in a directory itself, so that the way up is gone once for each directory.
        let mut within: HashMap<Ino, Share> = HashMap::new();
        for (ino, blocks) in &self.inodes {
            let share = Share { inodes: 1, blocks: *blocks };
            if let Some(dir) = names.dir_of(*ino) {
                within.entry(dir).or_default().add(share);
            } else if names.is_root(*ino) {
                within.entry(*ino).or_default().add(share);
            }
        }
        let mut below: HashMap<Ino, Share> = HashMap::new();
        for (dir, share) in within {
            let way: Vec<_> = names.way_up(dir).collect();
            // Directories that are in one another are in no other.
            if way.last().is_some_and(|top| names.is_root(*top)) {
                for up in way {
                    below.entry(up).or_default().add(share);
                }
            }
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::NameScan;
    use super::super::survey::Survey;
    use super::*;
    use crate::fs::testing::{Files, dir_block};
    use crate::task::{Step, Task, run_to_end};

    #[test]
    fn a_directory_has_what_is_below_it() {
        let mut files = Files::new();
        dir_block(&mut files, 2, 50, &[(12, "a"), (14, "file")]);
        dir_block(&mut files, 12, 51, &[(13, "b"), (15, "deep")]);
        dir_block(&mut files, 13, 52, &[(14, "again")]);
        files.i_block_by_blocks(14, &[60, 0, 0, 0, 61, 0, 0, 0]);
        files.i_block_by_blocks(15, &[62, 0, 0, 0]);
        files.inode(15, |raw| raw.i_uid.set(7));
        let fs = files.filesystem();
        let mut usage = Usage::default();
        let mut survey = Survey::new(&fs);
        while let Step::More =
            survey.step_with(&mut |inode, frag| usage.add(inode, frag)).expect("few")
        {
            assert!(survey.progress().max > 0);
        }
        let names = run_to_end(NameScan::new(&fs)).expect("few names");
        let below = usage.by_dir(&names);
        let share = |ino: u32| below.get(&Ino::new(ino)).map(|share| (share.inodes, share.blocks));
        assert_eq!(share(2), Some((5, 6)));
        assert_eq!(share(12), Some((2, 2)));
        assert_eq!(share(13), None);
        let uids: Vec<_> = usage.by_uid().map(|(uid, share)| (uid, share.inodes)).collect();
        assert_eq!(uids, [(0, 4), (7, 1)]);
    }
}
