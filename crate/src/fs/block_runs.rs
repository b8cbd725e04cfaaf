//! Where the blocks of a file lie, held for many look-ups.

use super::{Filesystem, Inode, MapItem, Mapping, MappingState};
use crate::error::{Error, ErrorKind, Result};
use crate::io::ByteSource;
use crate::limits;
use crate::units::Fsblk;

/// The mappings of a file in order, those that follow one another joined.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockRuns {
    runs: Vec<Mapping>,
}

impl BlockRuns {
    /// Walks over the map of an inode.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] where blocks are mapped twice or out of order, [`ErrorKind::Limit`]
    /// for more than [`limits::BLOCK_RUNS`]; those of
    /// [`MapWalk::next_item`](super::MapWalk::next_item).
    pub(super) fn new<S: ByteSource>(fs: &Filesystem<S>, inode: &Inode) -> Result<Self> {
        let mut runs: Vec<Mapping> = Vec::new();
        for item in fs.map_items(inode) {
            let MapItem::Mapping(mapping) = item? else { continue };
            if let Some(last) = runs.last_mut() {
                let follows = last.lblk_end() == u64::from(mapping.lblk.get());
                if follows && last.fsblk_end() == mapping.fsblk.get() && last.state == mapping.state
                {
                    last.len = last.len.saturating_add(mapping.len);
                    continue;
                }
                if u64::from(mapping.lblk.get()) < last.lblk_end() {
                    let what = format!("block {} of the file is mapped twice", mapping.lblk);
                    return Err(Error::corrupt(what).at_ino(inode.ino).at_fsblk(mapping.fsblk));
                }
            }
            if runs.len() >= limits::BLOCK_RUNS {
                let what = format!("the file lies in over {} pieces", limits::BLOCK_RUNS);
                return Err(Error::new(ErrorKind::Limit, what).at_ino(inode.ino));
            }
            runs.push(mapping);
        }
        Ok(Self { runs })
    }

    /// Where a block of the file lies; `None` for one that is not mapped.
    pub(super) fn fsblk(&self, lblk: u32) -> Option<Fsblk> {
        self.find(lblk).map(|(fsblk, _)| fsblk)
    }

    /// The same of a block that holds data; what was never written reads as a hole does.
    pub(super) fn written_fsblk(&self, lblk: u32) -> Option<Fsblk> {
        let (fsblk, state) = self.find(lblk)?;
        (state == MappingState::Written).then_some(fsblk)
    }

    fn find(&self, lblk: u32) -> Option<(Fsblk, MappingState)> {
        let behind = self.runs.partition_point(|run| run.lblk.get() <= lblk);
        let run = self.runs.get(behind.checked_sub(1)?)?;
        let skip = lblk.checked_sub(run.lblk.get()).filter(|skip| *skip < run.len)?;
        Some((run.fsblk.checked_add(u64::from(skip))?, run.state))
    }
}
