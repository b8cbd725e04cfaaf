//! From a path to an inode.

use super::casefold::WantedName;
use super::{Filesystem, Inode};
use crate::error::{Error, ErrorKind, Result};
use crate::io::ByteSource;
use crate::limits;
use crate::ondisk::{FileType, reserved};
use crate::units::Ino;

impl<S: ByteSource> Filesystem<S> {
    /// The inode that a directory has under a name: by its index where that leads to the name,
    /// else going through its blocks in order, whatever the index says. In a casefold directory,
    /// the case of letters does not matter.
    ///
    /// # Errors
    /// The first of [`Self::dir_entries`], when what can be read does not have the name.
    pub fn lookup(&self, dir: &Inode, name: &[u8]) -> Result<Option<Ino>> {
        let name = WantedName::new(dir, name);
        if let Ok(Some(ino)) = self.lookup_by_hash(dir, &name) {
            return Ok(Some(ino));
        }
        let mut unread = None;
        for entry in self.dir_entries(dir)? {
            match entry {
                Ok(entry) if name.is(&entry.name) => return Ok(Some(entry.ino)),
                Ok(_) => {}
                Err(error) => _ = unread.get_or_insert(error),
            }
        }
        unread.map_or(Ok(None), Err)
    }

    /// The inode at a path from the root. Symbolic links on the way are followed, inside this
    /// filesystem; one at the end only with `follow`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where a name is not there, [`ErrorKind::Unsupported`] where the
    /// way leads through what is no directory, [`ErrorKind::Limit`] for more links than the kernel
    /// follows or more names than its longest path has; those of [`Self::lookup`], [`Self::inode`] and
    /// [`Self::symlink_target`].
    pub fn resolve(&self, path: &[u8], follow: bool) -> Result<Inode> {
        let root = self.inode(reserved::ROOT)?;
        let mut at = vec![root];
        // Names still to go, the next one last.
        let mut names = names(path);
        let mut links = 0_u32;
        let mut passed = 0_usize;
        while let Some(name) = names.pop() {
            let Some(dir) = at.last() else { break };
            passed = passed.saturating_add(1);
            if passed > limits::PATH_NAMES {
                let what = format!("over {} names on the way", limits::PATH_NAMES);
                return Err(Error::new(ErrorKind::Limit, what).at_ino(dir.ino));
            }
            if !dir.is_dir() {
                let what = "the way leads through what is no directory";
                return Err(Error::new(ErrorKind::Unsupported, what).at_ino(dir.ino));
            }
            if name == b".." {
                if at.len() > 1 {
                    at.pop();
                }
                continue;
            }
            let ino = self.lookup(dir, &name)?.ok_or_else(|| {
                let what = format!("no {:?} in the directory", String::from_utf8_lossy(&name));
                Error::new(ErrorKind::OutOfBounds, what).at_ino(dir.ino)
            })?;
            let inode = self.inode(ino)?;
            let is_link = inode.file_type() == Some(FileType::Symlink);
            if !is_link || names.is_empty() && !follow {
                at.push(inode);
                continue;
            }
            links = links.saturating_add(1);
            if links > limits::SYMLINKS {
                let what = format!("more than {} symbolic links on the way", limits::SYMLINKS);
                return Err(Error::new(ErrorKind::Limit, what).at_ino(ino));
            }
            let target = self.symlink_target(&inode)?;
            if target.len() >= limits::PATH_BYTES {
                let what = format!("a symbolic link of {} bytes", target.len());
                return Err(Error::new(ErrorKind::Limit, what).at_ino(ino));
            }
            if target.starts_with(b"/") {
                at.truncate(1);
            }
            names.extend(self::names(&target));
        }
        at.pop().ok_or_else(|| Error::corrupt("there is no root directory"))
    }
}

/// The names of a path, the first one last.
fn names(path: &[u8]) -> Vec<Vec<u8>> {
    let names = path.split(|byte| *byte == b'/');
    names.rev().filter(|name| !name.is_empty() && *name != b".").map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Files, dir_block as dir};
    use super::*;

    fn link(files: &mut Files, ino: usize, target: &str) {
        files.i_block_by_blocks(ino, target.as_bytes());
        files.inode(ino, |raw| {
            raw.i_mode.set(0o120_777);
            raw.i_size_lo.set(target.len() as u32);
        });
    }

    /// `/a/b/file`, `/a/up → ../a/b`, `/far → /a/up/file`, `/loop → loop`.
    fn tree() -> Filesystem<Vec<u8>> {
        let mut files = Files::new();
        dir(&mut files, 2, 50, &[(12, "a"), (16, "far"), (17, "loop")]);
        dir(&mut files, 12, 51, &[(13, "b"), (15, "up")]);
        dir(&mut files, 13, 52, &[(14, "file")]);
        files.i_block_by_blocks(14, &[]);
        link(&mut files, 15, "../a/b");
        link(&mut files, 16, "/a/up/file");
        link(&mut files, 17, "loop");
        files.filesystem()
    }

    fn found(path: &str, follow: bool) -> Result<u32, ErrorKind> {
        let inode = tree().resolve(path.as_bytes(), follow);
        inode.map(|inode| inode.ino.get()).map_err(|error| error.kind())
    }

    #[test]
    fn paths_lead_through_directories_and_links() {
        for path in ["", "/", ".", "/..", "a/.."] {
            assert_eq!(found(path, true), Ok(2), "{path}");
        }
        assert_eq!(found("/a/b/file", true), Ok(14));
        assert_eq!(found("//a/./b/../b//file", true), Ok(14));
        assert_eq!(found("/a/up/file", false), Ok(14));
        assert_eq!(found("/far", true), Ok(14));
        assert_eq!(found("/far", false), Ok(16));
    }

    #[test]
    fn what_is_not_there_or_goes_in_circles_is_an_error() {
        assert_eq!(found("/a/c", true), Err(ErrorKind::OutOfBounds));
        assert_eq!(found("/a/b/file/x", true), Err(ErrorKind::Unsupported));
        assert_eq!(found("/loop", true), Err(ErrorKind::Limit));
        assert_eq!(found("/loop", false), Ok(17));
        for path in ["/a/b/file/..", "/far/../.."] {
            assert_eq!(found(path, true), Err(ErrorKind::Unsupported), "{path}");
        }
    }

    #[test]
    fn a_way_is_no_longer_than_the_kernels() {
        let path = |count: usize| "a/../".repeat(count);
        assert_eq!(found(&path(limits::PATH_NAMES / 2), true), Ok(2));
        assert_eq!(found(&path(limits::PATH_NAMES / 2 + 1), true), Err(ErrorKind::Limit));
    }
}
