//! Inode tables that move. Ref: `move_itables`.

use serde::{Deserialize, Serialize};

use super::work::Work;
use crate::units::Group;

/// An inode table that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItableMove {
    /// Its group.
    pub group: Group,
    /// Its first block before.
    pub from: u64,
    /// Its first block after.
    pub to: u64,
}

impl Work {
    /// The tables that move, their old places given back.
    pub(super) fn move_itables(&mut self) -> Vec<ItableMove> {
        let pairs = (0..).map(Group::new).zip(self.old.groups.iter().zip(&self.new.groups));
        let moves: Vec<_> = pairs
            .filter(|(_, (old, new))| old.inode_table != new.inode_table)
            .map(|(group, (old, new))| ItableMove {
                group,
                from: old.inode_table.get(),
                to: new.inode_table.get(),
            })
            .collect();
        if moves.is_empty() {
            return moves;
        }
        let kept = self.is_bigalloc().then(|| self.new.metadata_map(&self.new_map));
        for itable in &moves {
            let end = itable.from.saturating_add(self.new.geometry.itable_blocks());
            match &kept {
                None => self.release(&(itable.from..end)),
                Some(kept) => {
                    for block in itable.from..end.min(self.end()) {
                        if !kept.test(block) {
                            self.release(&(block..block.saturating_add(1)));
                        }
                    }
                }
            }
        }
        let mut map = core::mem::take(&mut self.new_map);
        self.new.mark_metadata(0..self.new.group_count(), &mut map);
        self.new_map = map;
        moves
    }
}
