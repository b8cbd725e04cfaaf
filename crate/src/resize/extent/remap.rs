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
    let mut found = absent(cursor.goto_root())?;
    let mut done = 0;
    let mut changed = false;
    let mut budget = Budget::default();
    while let Some(Found { entry, is_leaf, is_second }) = found {
        budget.take(if is_leaf { entry.len } else { 0 })?;
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
struct Budget {
    blocks: u64,
    entries: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { blocks: 1 << 34, entries: 1 << 27 }
    }
}

impl Budget {
    /// Takes an entry and its blocks.
    fn take(&mut self, blocks: u64) -> Result<(), Stop> {
        let left = self.blocks.checked_sub(blocks).zip(self.entries.checked_sub(1));
        (self.blocks, self.entries) = left.ok_or_else(|| {
            Error::new(ErrorKind::Limit, "the walk over an extent tree does not end")
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Like;
    use super::super::testing::{Nodes, extent, leaf};
    use super::*;

    /// Moves all blocks from 1000 on to the ones from 10 on.
    fn moved(root: Node, store: &mut Nodes) -> Result<Remapped, Stop> {
        remap(root, 1 << 20, store, |block| (block >= 1000).then(|| block - 990))
    }

    #[test]
    fn an_extent_that_moves_whole_stays_whole_but_for_its_last_block_in_1_47_0() {
        for (like, due) in [
            (Like::V1_47_0, vec![extent(0, 10, 6), extent(6, 16, 1)]),
            (Like::V1_47_4, vec![extent(0, 10, 7)]),
        ] {
            let after = moved(leaf(&[extent(0, 1000, 7)]), &mut Nodes::new(like));
            assert_eq!(after.expect("room").extents, due, "{like:?}");
        }
    }

    #[test]
    fn a_root_that_runs_over_gets_a_node() {
        let root =
            leaf(&[extent(0, 5, 3), extent(3, 1000, 3), extent(9, 20, 1), extent(11, 30, 2)]);
        let mut store = Nodes::new(Like::V1_47_0);
        let after = moved(root.clone(), &mut store).expect("room");
        let due = [
            extent(0, 5, 3),
            extent(3, 10, 2),
            extent(5, 12, 1),
            extent(9, 20, 1),
            extent(11, 30, 2),
        ];
        assert_eq!(after.extents, due);
        assert_eq!(after.added, i64::try_from(after.nodes.len()).expect("few"));
        assert_eq!(after.nodes[0], 900);
        store.left = 0;
        assert!(matches!(moved(root, &mut store), Err(Stop::NoRoom)));
    }

    #[test]
    fn a_node_that_moves_is_read_where_it_goes() {
        let root = Node { entries: vec![extent(0, 2000, 0)], max: 4, depth: 1 };
        let mut store = Nodes::new(Like::V1_47_0);
        let below = Node { entries: vec![extent(0, 7, 2), extent(4, 1500, 1)], max: 4, depth: 0 };
        store.by_block.insert(1010, below);
        let after = moved(root, &mut store).expect("sound");
        assert_eq!((after.nodes, after.added), (vec![1010], 0));
        assert_eq!(after.extents, [extent(0, 7, 2), extent(4, 510, 1)]);
    }

    #[test]
    fn a_node_of_another_level_is_read_as_one_of_the_level_that_is_due() {
        let root = Node { entries: vec![extent(0, 50, 0)], max: 4, depth: 2 };
        let mut store = Nodes::new(Like::V1_47_4);
        store.by_block.insert(50, leaf(&[extent(0, 7, 2)]));
        assert!(matches!(moved(root, &mut store), Err(Stop::Error(_))));
    }

    #[test]
    fn extents_go_to_single_blocks_where_the_room_is_a_comb() {
        for like in [Like::V1_47_0, Like::V1_47_4] {
            let mut store = Nodes::new(like);
            let root = leaf(&[extent(0, 1000, 40)]);
            let comb = |block: u64| (block >= 1000).then(|| 10 + (block - 1000) * 2);
            let after = remap(root, 40, &mut store, comb).expect("room");
            let due: Vec<_> = (0..40).map(|at| extent(at, 10 + at * 2, 1)).collect();
            assert_eq!(after.extents, due, "{like:?}");
            assert!(after.added > 8, "nodes of four entries hold 40 extents");
        }
    }
}
