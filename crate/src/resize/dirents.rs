//! Names of inodes that get another number. Ref: `inode_ref_fix`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::inode_moves::InodeMove;
use crate::error::Result;
use crate::fs::{DirPlace, DirWalk, Filesystem};
use crate::io::ByteSource;
use crate::units::Ino;

/// A directory entry that is rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryChange {
    /// The directory, by its number after.
    pub dir: Ino,
    /// The name; bytes that are no text are escaped.
    pub name: Vec<u8>,
    /// The inode that it named.
    pub from: Ino,
    /// The inode that it names.
    pub to: Ino,
}

/// The new numbers, to be looked up by the old ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Renumbered(HashMap<Ino, Ino>);

impl Renumbered {
    pub(super) fn new(moves: &[InodeMove]) -> Self {
        Self(moves.iter().map(|inode| (inode.from, inode.to)).collect())
    }

    pub(super) fn get(&self, ino: Ino) -> Option<Ino> {
        self.0.get(&ino).copied()
    }
}

/// The entries of a directory that name an inode with another number.
///
/// # Errors
/// Those of reading the directory.
pub(super) fn entry_changes<S: ByteSource>(
    fs: &Filesystem<S>,
    dir: Ino,
    renumbered: &Renumbered,
    changes: &mut Vec<EntryChange>,
) -> Result<()> {
    let inode = fs.inode(dir)?;
    let mut walk = DirWalk::new(fs, &inode)?;
    while let Some(block) = walk.next_block(fs) {
        let block = block.map_err(|error| error.at_ino(dir))?;
        for entry in block.entries() {
            let entry = entry.map_err(|error| error.at_ino(dir))?;
            // An inline directory has no entry for itself that could be rewritten.
            if block.place == DirPlace::Inode && entry.name == b"." {
                continue;
            }
            if let Some(to) = renumbered.get(entry.ino) {
                let dir = renumbered.get(dir).unwrap_or(dir);
                changes.push(EntryChange { dir, name: entry.name, from: entry.ino, to });
            }
        }
    }
    Ok(())
}
