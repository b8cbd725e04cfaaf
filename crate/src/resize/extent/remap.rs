//! Giving all blocks of a file that move their new places. Ref: `ext2fs_block_iterate3`.

use super::Stop;
use super::cursor::{Cursor, Found, Moved, absent};
use super::node::{Entry, Node, Store};
use crate::error::{Error, ErrorKind};

/// A tree afterwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Remapped {
    pub(in super::super) extents: Vec<Entry>,
    /// Blocks of its nodes, nodes before what lies below them.
    pub(in super::super) nodes: Vec<u64>,
    /// Nodes added, without those taken away.
    pub(in super::super) added: i64,
}

/// Walks over a tree, and sets each block to where `target` says that it goes. `blocks` is the
/// length of the file.
pub(in super::super) fn remap<S: Store>(
    root: Node,
    blocks: u64,
    store: &mut S,
    target: impl Fn(u64) -> Option<u64>,
) -> Result<Remapped, Stop> {
    let mut cursor = Cursor::new(root, blocks, store);
    walk(&mut cursor, target)?;
    let added = cursor.added;
    let (extents, nodes) = cursor.into_lists()?;
    Ok(Remapped { extents, nodes, added })
}

fn walk<S: Store>(cursor: &mut Cursor<'_, S>, target: impl Fn(u64) -> Option<u64>) -> Moved<()> {
    let mut found = absent(cursor.to_root())?;
    let mut done = 0;
    let mut changed = false;
    let mut budget = Budget::default();
    while let Some(Found { entry, is_leaf, is_second }) = found {
        budget.take(1)?;
        if !is_leaf {
            if !is_second {
                let moved = target(entry.fsblk);
                changed |= moved.is_some();
                if changed {
                    let fsblk = moved.unwrap_or(entry.fsblk);
                    cursor.replace(Entry { fsblk, ..entry })?;
                }
            }
            found = absent(cursor.next())?;
            continue;
        }
        // The next entry is taken before this one is changed; of an extent that is already behind,
        // it is dropped.
        let next = absent(cursor.next())?;
        if entry.end() <= done {
            found = absent(cursor.next())?;
            continue;
        }
        let skipped = done.max(entry.lblk).saturating_sub(entry.lblk);
        budget.take(entry.len)?;
        for index in 0..entry.len {
            let block = entry.fsblk.saturating_add(skipped).saturating_add(index);
            if let Some(fsblk) = target(block) {
                changed = true;
                let lblk = entry.lblk.saturating_add(index);
                cursor.set_block(lblk, fsblk, entry.is_unwritten)?;
            }
        }
        done = entry.end();
        found = match next {
            Some(_) => next,
            None => absent(cursor.next())?,
        };
    }
    Ok(())
}

/// What a tree may cost that leads nowhere: no file has so many blocks and entries.
#[derive(Debug)]
struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(1 << 34)
    }
}

impl Budget {
    fn take(&mut self, steps: u64) -> Result<(), Stop> {
        self.0 = self.0.checked_sub(steps).ok_or_else(|| {
            Error::new(ErrorKind::Limit, "the walk over an extent tree does not end")
        })?;
        Ok(())
    }
}
