//! From an inode to its paths.

use core::ops::Deref;
use std::collections::HashMap;

use super::dir_scan::{DirScan, DirScanned};
use crate::error::{Error, ErrorKind, Result};
use crate::fs::{DirBlock, Filesystem};
use crate::io::ByteSource;
use crate::ondisk::reserved;
use crate::task::{Progress, Step, Task};
use crate::units::{Group, Ino};

/// Blocks of directories gone through before a step ends.
const BLOCKS: u32 = 64;

/// Deepest path that is told; a kernel's is half as long.
const DEPTH: usize = 4096;

/// The first name of every inode that has one.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Directory and name, as a range of `text`.
    first: HashMap<Ino, (Ino, u32, u8)>,
    text: Vec<u8>,
    /// How many directories or blocks of them could not be gone through.
    pub unreadable: u64,
}

impl Names {
    /// The first path of an inode, from the root; `None` when no name leads to it from there.
    #[must_use]
    pub fn path(&self, ino: Ino) -> Option<Vec<u8>> {
        if ino == reserved::ROOT {
            return Some(b"/".to_vec());
        }
        let mut names = Vec::new();
        let mut at = ino;
        while at != reserved::ROOT {
            let (dir, start, len) = *self.first.get(&at)?;
            let start = usize::try_from(start).ok()?;
            names.push(self.text.get(start..start.saturating_add(usize::from(len)))?);
            // Directories that are in one another lead nowhere.
            if names.len() > DEPTH {
                return None;
            }
            at = dir;
        }
        let path = names.into_iter().rev().flat_map(|name| [b"/".as_slice(), name]);
        Some(path.collect::<Vec<_>>().concat())
    }

    /// The directory of the first name of an inode.
    #[must_use]
    pub fn dir_of(&self, ino: Ino) -> Option<Ino> {
        self.first.get(&ino).map(|(dir, _, _)| *dir)
    }

    /// A directory and those above it, up to the root.
    pub fn way_up(&self, dir: Ino) -> impl Iterator<Item = Ino> {
        let next = |at: &Ino| if self.is_root(*at) { None } else { self.dir_of(*at) };
        // Directories that are in one another lead nowhere.
        core::iter::successors(Some(dir), next).take(DEPTH)
    }

    /// Whether an inode is the root directory.
    #[must_use]
    pub fn is_root(&self, ino: Ino) -> bool {
        ino == reserved::ROOT
    }

    /// The first name of every inode that has one, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Ino, &[u8])> {
        self.first.iter().filter_map(|(ino, (_, start, len))| {
            let start = usize::try_from(*start).ok()?;
            let name = self.text.get(start..start.saturating_add(usize::from(*len)))?;
            Some((*ino, name))
        })
    }

    /// How many inodes have a name.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether no inode has a name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Notes the names of a block; gives whether any of it cannot be one.
    fn add_block(&mut self, dir: Ino, block: &DirBlock) -> Result<bool> {
        let mut is_bad = false;
        for entry in block.entries() {
            match entry {
                Ok(entry) if !entry.is_dot() => self.add(dir, entry.ino, &entry.name)?,
                Ok(_) => {}
                Err(_) => is_bad = true,
            }
        }
        Ok(is_bad)
    }

    fn add(&mut self, dir: Ino, ino: Ino, name: &[u8]) -> Result<()> {
        let full = || Error::new(ErrorKind::Limit, "more names than fit in memory");
        let start = u32::try_from(self.text.len()).map_err(|_| full())?;
        let len = u8::try_from(name.len()).unwrap_or(u8::MAX);
        if self.first.contains_key(&ino) {
            return Ok(());
        }
        self.first.try_reserve(1).map_err(|_| full())?;
        self.text.try_reserve(name.len()).map_err(|_| full())?;
        self.first.insert(ino, (dir, start, len));
        self.text.extend(name);
        Ok(())
    }
}

/// Goes through all directories for their [`Names`]. Progress counts groups.
///
/// # Errors
/// [`ErrorKind::Limit`] when the names do not fit in memory.
#[derive(Debug)]
pub struct NameScan<F> {
    dirs: DirScan<F>,
    groups: u32,
    names: Names,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> NameScan<F> {
    /// Nothing is read yet.
    pub fn new(filesystem: F) -> Self {
        Self {
            groups: filesystem.groups().len(),
            dirs: DirScan::from_group(filesystem, Group::new(0)),
            names: Names::default(),
        }
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> Task for NameScan<F> {
    type Output = Names;

    fn step(&mut self) -> Result<Step<Names>> {
        for _ in 0..BLOCKS {
            let is_bad = match self.dirs.next_block() {
                DirScanned::Block(dir, block) => self.names.add_block(dir, &block)?,
                DirScanned::More => false,
                DirScanned::Unreadable => true,
                DirScanned::End => return Ok(Step::Done(core::mem::take(&mut self.names))),
            };
            self.names.unreadable = self.names.unreadable.saturating_add(u64::from(is_bad));
        }
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        Progress { cur: u64::from(self.dirs.groups_done()), max: u64::from(self.groups) }
    }
}
