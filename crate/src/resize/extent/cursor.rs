//! A place in a tree, and how it moves. Ref: `ext2fs_extent_get`.

use std::collections::HashMap;

use super::Stop;
use super::node::{Entry, Node, Store};
use crate::error::Error;
use crate::units::Fsblk;

/// Result of a move.
pub(super) type Moved<T = Found> = Result<T, Stop>;

/// The entry that a cursor came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) entry: Entry,
    pub(super) is_leaf: bool,
    /// Whether what lies below was already seen.
    pub(super) is_second: bool,
}

/// Where a cursor is on one level.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// Block of the node; `None` is the root.
    pub(super) block: Option<u64>,
    /// Index of the entry; `None` is before the first.
    pub(super) at: Option<usize>,
    /// Entries behind it.
    pub(super) left: usize,
    /// Whether what lies below was seen.
    pub(super) seen: bool,
    /// Where the last entry ends.
    end: u64,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// To any entry.
    Any,
    /// To an extent.
    Leaf,
}

/// A tree and a place in it. Each level below the root has its node in a block.
#[derive(Debug)]
pub(super) struct Cursor<'a, S> {
    pub(super) store: &'a mut S,
    root: Node,
    nodes: HashMap<u64, Node>,
    /// From the root to the leaves.
    pub(super) levels: Vec<Level>,
    pub(super) level: usize,
    /// Nodes added, without those taken away.
    pub(super) added: i64,
}

impl<'a, S: Store> Cursor<'a, S> {
    /// A cursor before the first entry. The last extent counts as ending with the file of so many
    /// blocks.
    pub(super) fn new(root: Node, blocks: u64, store: &'a mut S) -> Self {
        let mut levels = vec![Level::default(); root.depth.saturating_add(1)];
        if let Some(level) = levels.first_mut() {
            *level =
                Level { left: root.entries.len(), seen: true, end: blocks, ..Level::default() };
        }
        Self { store, root, nodes: HashMap::new(), levels, level: 0, added: 0 }
    }

    /// Levels below the root.
    pub(super) fn depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    /// Levels below the one that the cursor is on.
    pub(super) fn height(&self) -> usize {
        self.depth().saturating_sub(self.level)
    }

    pub(super) fn here(&self) -> &Level {
        self.levels.get(self.level).unwrap_or_else(|| unreachable!("a level of the tree"))
    }

    pub(super) fn here_mut(&mut self) -> &mut Level {
        self.levels.get_mut(self.level).unwrap_or_else(|| unreachable!("a level of the tree"))
    }

    /// The node that the cursor is in.
    pub(super) fn node(&self) -> &Node {
        match self.here().block {
            None => &self.root,
            Some(block) => self.node_of(block),
        }
    }

    pub(super) fn node_mut(&mut self) -> &mut Node {
        match self.here().block {
            None => &mut self.root,
            Some(block) => self.nodes.entry(block).or_default(),
        }
    }

    /// A node by its block.
    pub(super) fn node_of(&self, block: u64) -> &Node {
        self.nodes.get(&block).unwrap_or(&self.root)
    }

    /// Keeps a node that was made.
    pub(super) fn put_node(&mut self, block: u64, node: Node) {
        self.nodes.insert(block, node);
    }

    /// The entry that the cursor is at. Ref: `EXT2_EXTENT_CURRENT`.
    pub(super) fn current(&self) -> Moved {
        let level = self.here();
        let at = level.at.ok_or(Stop::Nothing)?;
        let mut entry = *self.node().entries.get(at).ok_or(Stop::Nothing)?;
        let is_leaf = self.level == self.depth();
        if !is_leaf {
            // Lengths are of 32 bits, and go round.
            entry.len = self.entry_end().wrapping_sub(entry.lblk) & u64::from(u32::MAX);
        }
        Ok(Found { entry, is_leaf, is_second: level.seen })
    }

    /// Where the entry ends that the cursor is at: where the next one of the node begins.
    fn entry_end(&self) -> u64 {
        let level = self.here();
        let next = level.at.and_then(|at| self.node().entries.get(at.checked_add(1)?));
        next.filter(|_| level.left > 0).map_or(level.end, |next| next.lblk)
    }

    /// To the first entry of the root.
    pub(super) fn goto_root(&mut self) -> Moved {
        self.level = 0;
        self.goto_first()
    }

    /// To the first entry of the node.
    pub(super) fn goto_first(&mut self) -> Moved {
        let count = self.node().entries.len();
        let level = self.here_mut();
        (level.at, level.left) = (None, count);
        self.step()
    }

    /// To the next entry of the node. Ref: `EXT2_EXTENT_NEXT_SIB`.
    pub(super) fn step(&mut self) -> Moved {
        let level = self.here_mut();
        level.left = level.left.checked_sub(1).ok_or(Stop::Nothing)?;
        level.at = Some(level.at.map_or(0, |at| at.saturating_add(1)));
        level.seen = false;
        self.current()
    }

    /// To the entry before in the node. Ref: `EXT2_EXTENT_PREV_SIB`.
    pub(super) fn back(&mut self) -> Moved {
        let count = self.node().entries.len();
        let is_index = self.level < self.depth();
        let level = self.here_mut();
        let at = level.at.and_then(|at| at.checked_sub(1)).ok_or(Stop::Nothing)?;
        let left = level.left.saturating_add(1);
        if left >= count {
            return Err(Stop::Nothing);
        }
        (level.at, level.left) = (Some(at), left);
        if is_index {
            level.seen = true;
        }
        self.current()
    }

    /// To the entry above.
    pub(super) fn up(&mut self) -> Moved {
        self.level = self.level.checked_sub(1).ok_or(Stop::Nothing)?;
        self.current()
    }

    /// Into the node below, to its first entry.
    pub(super) fn down(&mut self) -> Moved {
        let count = self.enter()?;
        let level = self.here_mut();
        (level.at, level.left, level.seen) = (Some(0), count.saturating_sub(1), false);
        self.current()
    }

    /// Into the node below, to its last entry.
    fn down_to_last(&mut self) -> Moved {
        let count = self.enter()?;
        let is_index = self.level < self.depth();
        let level = self.here_mut();
        (level.at, level.left) = (Some(count.saturating_sub(1)), 0);
        if is_index {
            level.seen = true;
        }
        self.current()
    }

    /// Enters the node below; gives how many entries it has.
    fn enter(&mut self) -> Moved<usize> {
        if self.level >= self.depth() {
            return Err(Stop::Nothing);
        }
        let end = self.entry_end();
        let block = self.current()?.entry.fsblk;
        let above = self.levels.get(..=self.level).unwrap_or_default();
        if above.iter().any(|level| level.block == Some(block)) {
            return Err(unsound("a node of an extent tree lies below itself", block));
        }
        if !self.nodes.contains_key(&block) {
            let is_leaf = self.height() == 1;
            let node = self.store.read(block, is_leaf)?;
            self.nodes.insert(block, node);
        }
        self.level = self.level.saturating_add(1);
        let level = self.here_mut();
        (level.block, level.end) = (Some(block), end);
        match self.node().entries.len() {
            0 => Err(unsound("a node of an extent tree is empty", block)),
            count => Ok(count),
        }
    }

    /// To the next entry of the tree, nodes before what lies below them, and again after it.
    /// Ref: `EXT2_EXTENT_NEXT`.
    pub(super) fn next(&mut self) -> Moved {
        self.forward(Reach::Any)
    }

    /// To the next extent. Ref: `EXT2_EXTENT_NEXT_LEAF`.
    pub(super) fn next_leaf(&mut self) -> Moved {
        self.forward(Reach::Leaf)
    }

    fn forward(&mut self, reach: Reach) -> Moved {
        loop {
            let is_index = self.level < self.depth();
            let level = self.here_mut();
            let found = if is_index && !level.seen {
                level.seen = true;
                self.down()?
            } else if level.left > 0 {
                self.step()?
            } else if self.level > 0 {
                self.up()?
            } else {
                return Err(Stop::Nothing);
            };
            if reach == Reach::Any || found.is_leaf {
                return Ok(found);
            }
        }
    }

    /// To the extent before. Ref: `EXT2_EXTENT_PREV_LEAF`.
    pub(super) fn previous_leaf(&mut self) -> Moved {
        loop {
            let is_index = self.level < self.depth();
            let count = self.node().entries.len();
            let level = self.here();
            let found = if is_index && level.seen {
                self.down_to_last()?
            } else if level.left.saturating_add(1) < count {
                self.back()?
            } else if self.level > 0 {
                let found = self.up()?;
                self.here_mut().seen = false;
                found
            } else {
                return Err(Stop::Nothing);
            };
            if found.is_leaf {
                return Ok(found);
            }
        }
    }

    /// To the entry that covers a block of the file, so many levels above the leaves; says whether
    /// there is one. Ref: `ext2fs_extent_goto2`.
    pub(super) fn goto(&mut self, lblk: u64, height: usize) -> Moved<bool> {
        let mut found = match self.goto_root() {
            Err(Stop::Nothing) => return Ok(false),
            found => found?,
        };
        if height > self.depth() {
            return Err(Stop::Nothing);
        }
        loop {
            let Entry { lblk: start, .. } = found.entry;
            if self.height() == height {
                if start <= lblk && lblk < found.entry.end() {
                    return Ok(true);
                }
                if lblk < start {
                    absent(self.back())?;
                    return Ok(false);
                }
                match absent(self.step())? {
                    Some(next) => found = next,
                    None => return Ok(false),
                }
                continue;
            }
            match absent(self.step())? {
                Some(next) if lblk > next.entry.lblk => {
                    found = next;
                    continue;
                }
                Some(next) if lblk < next.entry.lblk => _ = self.back()?,
                _ => {}
            }
            found = self.down()?;
        }
    }

    /// All extents and the blocks of all nodes, nodes before what lies below them.
    pub(super) fn into_lists(mut self) -> Moved<(Vec<Entry>, Vec<u64>)> {
        let (mut extents, mut nodes) = (Vec::new(), Vec::new());
        let mut found = absent(self.goto_root())?;
        while let Some(Found { entry, is_leaf, is_second }) = found {
            if is_leaf {
                extents.push(entry);
            } else if !is_second {
                nodes.push(entry.fsblk);
            }
            found = absent(self.next())?;
        }
        Ok((extents, nodes))
    }
}

fn unsound(what: &'static str, block: u64) -> Stop {
    Error::corrupt(what).at_fsblk(Fsblk::new(block)).into()
}

/// Takes an entry that is not there for no fault.
pub(super) fn absent<T>(moved: Moved<T>) -> Moved<Option<T>> {
    match moved {
        Ok(found) => Ok(Some(found)),
        Err(Stop::Nothing) => Ok(None),
        Err(stop) => Err(stop),
    }
}
