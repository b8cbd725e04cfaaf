//! A store of nodes in memory.

use std::collections::HashMap;

use super::super::Like;
use super::node::{Entry, Node, Store};
use crate::error::{Error, Result};

/// Nodes by block; new ones are taken from `next` on.
pub(super) struct Nodes {
    pub(super) by_block: HashMap<u64, Node>,
    pub(super) next: u64,
    pub(super) left: u64,
    pub(super) max: usize,
    pub(super) like: Like,
}

impl Nodes {
    pub(super) fn new(like: Like) -> Self {
        Self { by_block: HashMap::new(), next: 900, left: 100, max: 4, like }
    }
}

impl Store for Nodes {
    fn read(&mut self, block: u64, _is_leaf: bool) -> Result<Node> {
        self.by_block.get(&block).cloned().ok_or_else(|| Error::corrupt("no such node"))
    }

    fn allocate(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        self.next += 1;
        Some(self.next - 1)
    }

    fn release(&mut self, block: u64) {
        self.by_block.remove(&block);
    }

    fn node_max(&self) -> usize {
        self.max
    }

    fn like(&self) -> Like {
        self.like
    }
}

/// An extent.
pub(super) fn extent(lblk: u64, fsblk: u64, len: u64) -> Entry {
    Entry { lblk, fsblk, len, is_unwritten: false }
}

/// A leaf, as a root of four entries at most.
pub(super) fn leaf(entries: &[Entry]) -> Node {
    Node { entries: entries.to_vec(), max: 4, depth: 0 }
}
