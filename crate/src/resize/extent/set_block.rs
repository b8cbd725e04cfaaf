//! Giving one block of a file another place. Ref: `ext2fs_extent_set_bmap`.

use super::super::Like;
use super::cursor::{Cursor, Moved, absent};
use super::edit::Side;
use super::node::{Entry, Store};
use crate::error::Error;

/// Longest written extent.
const MAX_LEN: u64 = 1 << 15;

impl<S: Store> Cursor<'_, S> {
    /// Maps a block of the file, which was mapped before, to another place. The cursor stays where
    /// it is, as far as that is still there.
    pub(super) fn set_block(&mut self, lblk: u64, fsblk: u64, is_unwritten: bool) -> Moved<()> {
        let here = self.current()?.entry.lblk;
        let height = self.height();
        let block = Entry { lblk, fsblk, len: 1, is_unwritten };
        let done = self.set(block);
        absent(self.goto(here, height.min(self.depth())))?;
        done
    }

    fn set(&mut self, block: Entry) -> Moved<()> {
        let Entry { lblk, fsblk, is_unwritten, .. } = block;
        if !self.goto(lblk, 0)? {
            let what = format!("block {lblk} of a file is lost while its extents are changed");
            return Err(Error::corrupt(what).into());
        }
        let extent = self.current()?.entry;
        let next = absent(self.next_leaf())?.map(|found| found.entry);
        self.goto(lblk, 0)?;
        let before = absent(self.previous_leaf())?.map(|found| found.entry);
        self.goto(lblk, 0)?;
        let inside = lblk.saturating_sub(extent.lblk);
        if extent.is_unwritten == is_unwritten && extent.fsblk.wrapping_add(inside) == fsblk {
            return Ok(());
        }
        let max = if is_unwritten { MAX_LEN.saturating_sub(1) } else { MAX_LEN };
        let has_room = |extent: &Entry| extent.len.saturating_add(1) < max;
        let joins_before = before.is_some_and(|before| {
            before.end() == lblk
                && before.fsblk.saturating_add(before.len) == fsblk
                && before.is_unwritten == is_unwritten
                && has_room(&before)
        });
        let joins_next = next.is_some_and(|next| {
            next.lblk == lblk.saturating_add(1)
                && next.fsblk == fsblk.saturating_add(1)
                && next.is_unwritten == is_unwritten
                && has_room(&next)
        });
        if extent.len == 1 {
            self.set_only(block, joins_before)
        } else if lblk == extent.end().saturating_sub(1) {
            self.set_last(block, joins_next)
        } else if lblk == extent.lblk {
            self.set_first(block, extent, joins_before)
        } else {
            self.set_middle(block, extent)
        }
    }

    /// The only block of an extent. 1.47.0 never joins it to the extent before.
    fn set_only(&mut self, block: Entry, joins_before: bool) -> Moved<()> {
        if self.store.like() == Like::V1_47_0 || !joins_before {
            return self.replace(block);
        }
        self.grow_before()?;
        self.next_leaf()?;
        self.delete()?;
        absent(self.fix_keys())?;
        Ok(())
    }

    fn set_last(&mut self, block: Entry, joins_next: bool) -> Moved<()> {
        if joins_next {
            let next = self.next_leaf()?.entry;
            self.replace(Entry {
                lblk: next.lblk.saturating_sub(1),
                fsblk: next.fsblk.saturating_sub(1),
                len: next.len.saturating_add(1),
                ..next
            })?;
        } else {
            self.insert(block, Side::After)?;
        }
        self.fix_keys()?;
        self.goto(block.lblk, 0)?;
        let rest = self.current()?.entry;
        self.replace(Entry { len: rest.len.saturating_sub(1), ..rest })
    }

    /// The first block of an extent: 1.47.4 shortens the extent before it goes on, 1.47.0 after.
    fn set_first(&mut self, block: Entry, extent: Entry, joins_before: bool) -> Moved<()> {
        let rest = Entry {
            lblk: extent.lblk.saturating_add(1),
            fsblk: extent.fsblk.saturating_add(1),
            len: extent.len.saturating_sub(1),
            ..extent
        };
        let shortens_first = self.store.like() != Like::V1_47_0;
        if shortens_first {
            self.replace(rest)?;
            self.fix_keys()?;
        }
        if joins_before {
            self.grow_before()?;
        } else {
            self.insert(block, Side::Before)?;
        }
        self.fix_keys()?;
        self.next_leaf()?;
        if !shortens_first {
            self.replace(rest)?;
            self.fix_keys()?;
        }
        Ok(())
    }

    fn set_middle(&mut self, block: Entry, extent: Entry) -> Moved<()> {
        let head = block.lblk.saturating_sub(extent.lblk);
        let skipped = head.saturating_add(1);
        self.replace(Entry { len: head, ..extent })?;
        self.insert(block, Side::After)?;
        let tail = Entry {
            lblk: extent.lblk.saturating_add(skipped),
            fsblk: extent.fsblk.saturating_add(skipped),
            len: extent.len.saturating_sub(skipped),
            ..extent
        };
        self.insert(tail, Side::After)
    }

    /// Lets the extent before grow by a block, and stays there.
    fn grow_before(&mut self) -> Moved<()> {
        let before = self.previous_leaf()?.entry;
        self.replace(Entry { len: before.len.saturating_add(1), ..before })
    }
}
