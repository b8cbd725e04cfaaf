//! A folder and everything below it.

use core::iter;
use std::collections::HashSet;

use super::{DirEntry, DirWalk, Filesystem, Inode};
use crate::error::{Error, ErrorKind, Result};
use crate::io::ByteSource;
use crate::limits;
use crate::units::Ino;

/// Something below a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its path from the folder, without a slash at either end. A name that no path can hold has
    /// its slashes and NULs escaped, as `\x2f` and `\x00`.
    pub path: Vec<u8>,
    /// Its name, the last part of the path.
    pub name: Vec<u8>,
    /// Folders between it and the one that the walk started with.
    pub depth: usize,
    /// What it is.
    pub inode: Inode,
}

/// Walks over a folder and everything below it, each folder ahead of what is in it, names in the
/// order in which they lie.
///
/// No folder is gone into twice, so that a walk ends however folders are in one another. Memory is
/// that of a block for each folder on the way down.
#[derive(Clone, Debug)]
pub struct TreeWalk {
    stack: Vec<Level>,
    path: Vec<u8>,
    met: HashSet<Ino>,
}

#[derive(Clone, Debug)]
struct Level {
    ino: Ino,
    walk: DirWalk,
    names: std::vec::IntoIter<Result<DirEntry>>,
    /// Bytes of the path that lead to this folder.
    path_len: usize,
}

impl TreeWalk {
    /// Starts with what is in `folder`; nothing is read yet.
    ///
    /// # Errors
    /// Those of [`DirWalk::new`].
    pub fn new<S: ByteSource>(fs: &Filesystem<S>, folder: &Inode) -> Result<Self> {
        let level = Level {
            ino: folder.ino,
            walk: DirWalk::new(fs, folder)?,
            names: Vec::new().into_iter(),
            path_len: 0,
        };
        Ok(Self { stack: vec![level], path: Vec::new(), met: HashSet::from([folder.ino]) })
    }

    /// The next entry; `None` after the last. An error costs a block, an inode or what is below a
    /// folder, and the walk goes on behind it.
    ///
    /// Its errors: those of [`DirWalk::next_block`], [`DirBlock::entries`](super::DirBlock::entries)
    /// and [`Filesystem::inode`]; [`ErrorKind::Corrupt`] for a folder met twice,
    /// [`ErrorKind::Limit`] for one deeper than [`limits::TREE_DEPTH`] and for a path longer than
    /// [`limits::TREE_PATH_BYTES`].
    pub fn next_entry<S: ByteSource>(&mut self, fs: &Filesystem<S>) -> Option<Result<TreeEntry>> {
        loop {
            let level = self.stack.last_mut()?;
            match level.names.next() {
                Some(Ok(entry)) if entry.is_dot() => {}
                Some(Ok(entry)) => return Some(self.enter(fs, &entry)),
                Some(Err(error)) => return Some(Err(error.at_ino(level.ino))),
                None => match level.walk.next_block(fs) {
                    Some(Ok(block)) => {
                        level.names = block.entries().collect::<Vec<_>>().into_iter();
                    }
                    Some(Err(error)) => return Some(Err(error)),
                    None => _ = self.stack.pop(),
                },
            }
        }
    }

    /// Reads what an entry names, and goes into it if it is a folder.
    fn enter<S: ByteSource>(&mut self, fs: &Filesystem<S>, entry: &DirEntry) -> Result<TreeEntry> {
        let depth = self.stack.len().saturating_sub(1);
        let path_len = self.stack.last().map_or(0, |level| level.path_len);
        self.path.truncate(path_len);
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        let name = safe_name(&entry.name);
        self.path.extend(&name);
        if self.path.len() > limits::TREE_PATH_BYTES {
            let what = format!("a path of over {} bytes", limits::TREE_PATH_BYTES);
            return Err(Error::new(ErrorKind::Limit, what).at_ino(entry.ino));
        }
        if name.is_empty() {
            return Err(Error::corrupt("a name without letters").at_ino(entry.ino));
        }
        let inode = fs.inode(entry.ino)?;
        if inode.is_dir() {
            self.go_into(fs, &inode)?;
        }
        Ok(TreeEntry { path: self.path.clone(), name, depth, inode })
    }

    fn go_into<S: ByteSource>(&mut self, fs: &Filesystem<S>, folder: &Inode) -> Result<()> {
        if !self.met.insert(folder.ino) {
            let what = "the same folder is in two places, or in itself";
            return Err(Error::corrupt(what).at_ino(folder.ino));
        }
        if self.stack.len() >= limits::TREE_DEPTH {
            let what = format!("folders over {} deep", limits::TREE_DEPTH);
            return Err(Error::new(ErrorKind::Limit, what).at_ino(folder.ino));
        }
        let walk = DirWalk::new(fs, folder)?;
        let names = Vec::new().into_iter();
        self.stack.push(Level { ino: folder.ino, walk, names, path_len: self.path.len() });
        Ok(())
    }

    /// How many folders were gone into.
    #[must_use]
    pub fn folder_count(&self) -> usize {
        self.met.len()
    }
}

/// A name that leads nowhere else: slashes and NULs escaped.
fn safe_name(name: &[u8]) -> Vec<u8> {
    let safe = |byte: &u8| match byte {
        b'/' => b"\\x2f".to_vec(),
        0 => b"\\x00".to_vec(),
        byte => vec![*byte],
    };
    name.iter().flat_map(safe).collect()
}

impl<S: ByteSource> Filesystem<S> {
    /// All of a [`TreeWalk`].
    ///
    /// # Errors
    /// Those of [`TreeWalk::new`].
    pub fn tree(&self, folder: &Inode) -> Result<impl Iterator<Item = Result<TreeEntry>>> {
        let mut walk = TreeWalk::new(self, folder)?;
        Ok(iter::from_fn(move || walk.next_entry(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Files, dir_block};
    use super::*;

    fn told(files: &Files) -> Vec<Result<(String, usize), ErrorKind>> {
        let (fs, root) = files.open(2);
        let entries = fs.tree(&root).expect("a directory").map(|entry| match entry {
            Ok(entry) => Ok((String::from_utf8_lossy(&entry.path).into_owned(), entry.depth)),
            Err(error) => Err(error.kind()),
        });
        entries.collect()
    }

    #[test]
    fn a_folder_comes_ahead_of_what_is_in_it() {
        let mut files = Files::new();
        dir_block(&mut files, 2, 50, &[(2, "."), (2, ".."), (12, "a"), (14, "z")]);
        dir_block(&mut files, 12, 51, &[(13, "b"), (14, "y")]);
        dir_block(&mut files, 13, 52, &[(14, "../x\0")]);
        files.i_block_by_blocks(14, &[]);
        let due = [("a", 0), ("a/b", 1), ("a/b/..\\x2fx\\x00", 2), ("a/y", 1), ("z", 0)];
        assert_eq!(told(&files), due.map(|(path, depth)| Ok((path.to_owned(), depth))));
    }

    #[test]
    fn folders_in_one_another_end() {
        let mut files = Files::new();
        dir_block(&mut files, 2, 50, &[(12, "a"), (0xffff, "lost"), (13, "last")]);
        dir_block(&mut files, 12, 51, &[(2, "root"), (12, "self")]);
        files.i_block_by_blocks(13, &[]);
        let due = [
            Ok(("a".to_owned(), 0)),
            Err(ErrorKind::Corrupt),
            Err(ErrorKind::Corrupt),
            Err(ErrorKind::OutOfBounds),
            Ok(("last".to_owned(), 0)),
        ];
        assert_eq!(told(&files), due);
    }
}
