//! Changes of a tree at the cursor: replacing, inserting, deleting, splitting.
//! Ref: `ext2fs_extent_replace`, `_insert`, `_delete`, `_fix_parents`, `extent_node_split`.

use super::Stop;
use super::cursor::{Cursor, Level, Moved};
use super::node::{Entry, Node, Store};

/// On which side of the entry that the cursor is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

impl<S: Store> Cursor<'_, S> {
    /// Overwrites the entry.
    pub(super) fn replace(&mut self, entry: Entry) -> Moved<()> {
        let at = self.here().at.ok_or(Stop::Nothing)?;
        let place = self.node_mut().entries.get_mut(at).ok_or(Stop::Nothing)?;
        *place = entry;
        Ok(())
    }

    /// Puts an entry beside the one that the cursor is at, and moves to it. A full node is split.
    pub(super) fn insert(&mut self, entry: Entry, side: Side) -> Moved<()> {
        if self.node().entries.len() >= self.node().max {
            self.split()?;
        }
        let level = self.here_mut();
        let at = match (level.at, side) {
            (None, _) => {
                level.left = 0;
                0
            }
            (Some(at), Side::After) => at.saturating_add(1),
            (Some(at), Side::Before) => {
                level.left = level.left.saturating_add(1);
                at
            }
        };
        level.at = Some(at);
        let entries = &mut self.node_mut().entries;
        entries.insert(at.min(entries.len()), entry);
        Ok(())
    }

    /// Takes the entry away. A node that loses its last one goes, too.
    pub(super) fn delete(&mut self) -> Moved<()> {
        let at = self.here().at.ok_or(Stop::Nothing)?;
        let entries = &mut self.node_mut().entries;
        if at >= entries.len() {
            return Err(Stop::Nothing);
        }
        entries.remove(at);
        let is_empty = entries.is_empty();
        let level = self.here_mut();
        match level.left.checked_sub(1) {
            Some(left) => level.left = left,
            None => level.at = at.checked_sub(1),
        }
        if !is_empty {
            return Ok(());
        }
        self.here_mut().at = None;
        if self.level > 0 {
            let block = self.up()?.entry.fsblk;
            self.delete()?;
            self.added = self.added.saturating_sub(1);
            self.store.release(block);
        } else {
            self.node_mut().depth = 0;
            self.levels.truncate(1);
        }
        Ok(())
    }

    /// Lets the entries above begin where the cursor's does, when it is the first of its node.
    pub(super) fn fix_keys(&mut self) -> Moved<()> {
        let start = self.current()?.entry.lblk;
        let height = self.height();
        while self.level > 0 && self.here().left.saturating_add(1) == self.node().entries.len() {
            let above = self.up()?.entry;
            if above.lblk == start {
                break;
            }
            let len = above.len.wrapping_add(above.lblk).wrapping_sub(start);
            self.replace(Entry { lblk: start, len: len & u64::from(u32::MAX), ..above })?;
        }
        self.goto(start, height)?;
        Ok(())
    }

    /// Moves a part of the node's entries to a new node; of the root's, all.
    fn split(&mut self) -> Moved<()> {
        let lblk = self.current()?.entry.lblk;
        let height = self.height();
        if let Some(above) = self.level.checked_sub(1) {
            self.level = above;
            if self.node().entries.len() >= self.node().max {
                self.split()?;
                self.goto(lblk, height)?;
            } else {
                self.level = above.saturating_add(1);
            }
        }
        let block = self.move_tail()?;
        let node = self.node_of(block);
        let start = node.entries.first().map_or(0, |entry| entry.lblk);
        if self.level == 0 {
            self.deepen(Entry { lblk: start, fsblk: block, ..Entry::default() })?;
        } else {
            let above = self.up()?.entry;
            self.replace(above)?;
            self.insert(Entry { lblk: start, fsblk: block, ..above }, Side::After)?;
        }
        self.goto(lblk, height)?;
        self.added = self.added.saturating_add(1);
        Ok(())
    }

    /// Moves the last entries of the node into a new one; gives its block.
    fn move_tail(&mut self) -> Moved<u64> {
        let path = self.levels.get(..=self.level).unwrap_or_default();
        let is_at_end = path.iter().all(|level| level.left == 0);
        let count = self.node().entries.len();
        let moved = match self.level {
            0 => count,
            _ if is_at_end => 1,
            _ => count / 2,
        };
        if moved == 0 {
            return Err(Stop::Nothing);
        }
        let block = self.store.allocate().ok_or(Stop::NoRoom)?;
        let max = self.store.node_max();
        let node = self.node_mut();
        let entries = node.entries.split_off(count.saturating_sub(moved));
        let tail = Node { entries, max, depth: node.depth };
        self.put_node(block, tail);
        Ok(block)
    }

    /// Makes the root lead to the one node that its entries went to.
    fn deepen(&mut self, only: Entry) -> Moved<()> {
        let depth = self.levels.len();
        let root = self.node_mut();
        root.entries = vec![only];
        root.depth = depth;
        self.levels.push(Level::default());
        for level in self.levels.iter_mut().skip(1) {
            *level = Level::default();
        }
        self.goto_first()?;
        Ok(())
    }
}
