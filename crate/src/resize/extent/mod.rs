//! Extent trees as the tool changes them when blocks move: entry by entry, with a cursor.
//!
//! *Belongs here:* a tree in memory, the cursor and what it does to the tree, setting one block
//! after the other. *Does not:* reading nodes and finding room for new ones, which is the caller's
//! [`Store`]. The tool's own order of steps decides how a tree grows, and where its new nodes lie;
//! so the steps are done one by one, and not just their outcome.
//!
//! Ref: lib/ext2fs/extent.c.

mod cursor;
mod edit;
mod node;
mod remap;
mod set_block;
#[cfg(test)]
mod testing;

pub(super) use node::{Entry, Node, Store};
pub(super) use remap::remap;

use super::Failure;
use crate::error::{Error, ErrorKind};

/// Why a walk over a tree stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// There is no such entry.
    Nothing,
    /// No room for another node.
    NoRoom,
    /// A node cannot be read or makes no sense.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// How a phase ends early: the tool fails, or no plan can be made.
#[derive(Debug)]
pub(super) enum Early {
    /// The tool fails.
    Failure(Failure),
    /// No plan can be made.
    Error(Error),
}

impl Early {
    /// What the image is to blame for makes the tool fail; the rest is an error here, too.
    pub(super) fn of(error: Error, failure: Failure) -> Self {
        match error.kind() {
            ErrorKind::Corrupt | ErrorKind::OutOfBounds => Self::Failure(failure),
            _ => Self::Error(error),
        }
    }
}
