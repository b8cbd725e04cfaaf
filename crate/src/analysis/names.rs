//! From an inode to its paths.

use core::ops::Deref;
use std::collections::HashMap;

use crate::error::{Error, ErrorKind, Result};
use crate::fs::{DirWalk, Filesystem, Inode, InodeScan};
use crate::io::ByteSource;
use crate::ondisk::reserved;
use crate::task::{Progress, Step, Task};
use crate::units::Ino;

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
/// No more blocks are gone through than the filesystem has, whatever the directories say.
///
/// # Errors
/// [`ErrorKind::Limit`] when the names do not fit in memory.
#[derive(Debug)]
pub struct NameScan<F> {
    filesystem: F,
    scan: InodeScan,
    dirs: std::vec::IntoIter<Inode>,
    current: Option<(Ino, DirWalk)>,
    blocks_left: u64,
    names: Names,
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> NameScan<F> {
    /// Nothing is read yet.
    pub fn new(filesystem: F) -> Self {
        Self {
            blocks_left: filesystem.geometry().blocks_count(),
            scan: InodeScan::new(),
            dirs: Vec::new().into_iter(),
            current: None,
            names: Names::default(),
            filesystem,
        }
    }

    /// The next directory; `None` when there are no more, or none are read yet.
    fn next_dir(&mut self) -> Option<(Ino, DirWalk)> {
        for dir in self.dirs.by_ref() {
            match DirWalk::new(&*self.filesystem, &dir) {
                Ok(walk) => return Some((dir.ino, walk)),
                Err(_) => self.names.unreadable = self.names.unreadable.saturating_add(1),
            }
        }
        None
    }

    /// Notes the names of a block.
    fn add_block(&mut self, dir: Ino, walk: &mut DirWalk) -> Result<Option<()>> {
        let Some(block) = walk.next_block(&*self.filesystem) else { return Ok(None) };
        let mut is_bad = block.is_err();
        for entry in block.iter().flat_map(|block| block.entries()) {
            match entry {
                Ok(entry) if !entry.is_dot() => self.names.add(dir, entry.ino, &entry.name)?,
                Ok(_) => {}
                Err(_) => is_bad = true,
            }
        }
        self.names.unreadable = self.names.unreadable.saturating_add(u64::from(is_bad));
        Ok(Some(()))
    }
}

impl<S: ByteSource, F: Deref<Target = Filesystem<S>>> Task for NameScan<F> {
    type Output = Names;

    fn step(&mut self) -> Result<Step<Names>> {
        for _ in 0..BLOCKS {
            if let Some((dir, mut walk)) = self.current.take().or_else(|| self.next_dir()) {
                let is_more = self.add_block(dir, &mut walk)?.is_some();
                self.blocks_left = self.blocks_left.saturating_sub(1);
                if is_more && self.blocks_left > 0 {
                    self.current = Some((dir, walk));
                }
                continue;
            }
            match self.scan.next_piece(&*self.filesystem) {
                Some(Ok(piece)) => {
                    let dirs = piece.inodes(&*self.filesystem);
                    let dirs =
                        dirs.filter(|inode| inode.is_dir() && inode.raw.i_links_count.get() > 0);
                    self.dirs = dirs.collect::<Vec<_>>().into_iter();
                }
                Some(Err(_)) => {
                    self.names.unreadable = self.names.unreadable.saturating_add(1);
                }
                None => return Ok(Step::Done(core::mem::take(&mut self.names))),
            }
        }
        Ok(Step::More)
    }

    fn progress(&self) -> Progress {
        Progress {
            cur: u64::from(self.scan.groups_done()),
            max: u64::from(self.filesystem.groups().len()),
        }
    }
}
