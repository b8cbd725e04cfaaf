//! From some inodes to a path of each, without going through all names.

use core::ops::Deref;
use std::collections::BTreeMap;

use super::dir_scan::{DirScan, DirScanned};
use crate::error::Result;
use crate::fs::{DirBlock, Filesystem};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::reserved;
use crate::task::{Progress, Step, Task};
use crate::units::{Group, Ino};

/// Blocks of directories gone through before a step ends.
const BLOCKS: u32 = 64;

/// Paths by inode; of an inode to which no name leads from the root, none.
pub type Paths = BTreeMap<Ino, Vec<u8>>;

/// Looks up a path of each of some inodes: goes through directories until each has a name, first
/// those of the group of the first inode, and from there up by `..`. Progress counts groups.
///
/// # Errors
/// None.
#[derive(Debug)]
pub struct PathSearch<F> {
    filesystem: F,
    dirs: DirScan<F>,
    /// Directory and name of each inode that has one.
    names: BTreeMap<Ino, Option<(Ino, Vec<u8>)>>,
    left: usize,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> PathSearch<F> {
    /// Nothing is read yet.
    pub fn new(filesystem: F, inos: impl IntoIterator<Item = Ino>) -> Self {
        let names: BTreeMap<_, _> = inos.into_iter().map(|ino| (ino, None)).collect();
        let named = names.keys().filter(|ino| **ino != reserved::ROOT);
        let group = named.clone().find_map(|ino| filesystem.geometry().group_from_ino(*ino));
        Self {
            dirs: DirScan::from_group(filesystem.clone(), group.map_or(Group::new(0), |(g, _)| g)),
            left: named.count(),
            names,
            filesystem,
        }
    }

    /// Notes the names of a block that were looked for.
    fn see(&mut self, dir: Ino, block: &DirBlock) {
        for entry in block.entries().flatten().filter(|entry| !entry.is_dot()) {
            if entry.ino == reserved::ROOT {
                continue;
            }
            if let Some(name @ None) = self.names.get_mut(&entry.ino) {
                *name = Some((dir, entry.name));
                self.left = self.left.saturating_sub(1);
            }
        }
    }

    fn paths(&self) -> Paths {
        let path = |ino: &Ino| {
            if *ino == reserved::ROOT {
                return Some(b"/".to_vec());
            }
            let (dir, name) = self.names.get(ino)?.as_ref()?;
            let mut names = self.way_up(*dir)?;
            names.push(name.clone());
            Some(names.iter().flat_map(|name| [b"/".as_slice(), name]).collect::<Vec<_>>().concat())
        };
        self.names.keys().filter_map(|ino| Some((*ino, path(ino)?))).collect()
    }

    /// The names on the way from the root to a directory, by `..`; `None` where that leads nowhere.
    fn way_up(&self, dir: Ino) -> Option<Vec<Vec<u8>>> {
        let fs = &*self.filesystem;
        let mut names = Vec::new();
        let mut at = dir;
        while at != reserved::ROOT {
            if names.len() >= limits::TREE_DEPTH {
                return None;
            }
            let parent = fs.lookup(&fs.inode(at).ok()?, b"..").ok()??;
            let parent_dir = fs.inode(parent).ok()?;
            let entries = fs.dir_entries(&parent_dir).ok()?;
            let entry = entries.flatten().find(|entry| entry.ino == at && !entry.is_dot())?;
            names.push(entry.name);
            at = parent;
        }
        names.reverse();
        Some(names)
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>> + Clone> Task for PathSearch<F> {
    type Output = Paths;

    fn step(&mut self) -> Result<Step<Paths>> {
        for _ in 0..BLOCKS {
            if self.left == 0 {
                return Ok(Step::Done(self.paths()));
            }
            match self.dirs.next_block() {
                DirScanned::Block(dir, block) => self.see(dir, &block),
                DirScanned::More | DirScanned::Unreadable => {}
                DirScanned::End => return Ok(Step::Done(self.paths())),
            }
        }
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        Progress {
            cur: u64::from(self.dirs.groups_done()),
            max: u64::from(self.filesystem.groups().len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::testing::{Files, dir_block};
    use crate::task::run_to_end;

    #[test]
    fn a_path_leads_from_the_root_over_each_directory() {
        let mut files = Files::new();
        dir_block(&mut files, 2, 50, &[(2, ".."), (12, "a"), (300, "loose")]);
        dir_block(&mut files, 12, 51, &[(2, ".."), (13, "b")]);
        dir_block(&mut files, 13, 52, &[(12, ".."), (14, "file")]);
        dir_block(&mut files, 301, 53, &[(301, ".."), (302, "lost")]);
        let fs = files.filesystem();
        let search = PathSearch::new(&fs, [2, 12, 14, 300, 302, 400].map(Ino::new));
        let paths = run_to_end(search).expect("no errors");
        let told: Vec<_> = paths
            .iter()
            .map(|(ino, path)| (ino.get(), String::from_utf8_lossy(path).into_owned()))
            .collect();
        let due = [(2, "/"), (12, "/a"), (14, "/a/b/file"), (300, "/loose")];
        assert_eq!(told, due.map(|(ino, path)| (ino, path.to_owned())));
    }
}
