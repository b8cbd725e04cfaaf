//! Orphans: inodes that were deleted or shortened while in use, for the next mount to finish.

use std::collections::HashSet;

use zerocopy::FromBytes;

use super::{CsumState, Filesystem, MapItem};
use crate::error::{Error, ErrorKind, Result};
use crate::io::{ByteSource, ReadKind};
use crate::limits;
use crate::ondisk::csum;
use crate::ondisk::features::Compat;
use crate::ondisk::orphan::{ORPHAN_BLOCK_MAGIC, OrphanBlockTail, orphans};
use crate::units::Ino;

/// The orphans of a filesystem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orphans {
    /// Those on the list that starts in the superblock, in its order.
    pub list: Vec<Ino>,
    /// Those in the orphan file.
    pub file: Vec<Ino>,
    /// What of it cannot be followed, or has a wrong checksum.
    pub faults: Vec<Error>,
}

impl<S: ByteSource> Filesystem<S> {
    /// The orphans on the list, and those in the orphan file. Ref: `ext4_orphan_cleanup`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for more than [`limits::ORPHANS`] or [`limits::ORPHAN_BLOCKS`].
    pub fn orphans(&self) -> Result<Orphans> {
        let mut orphans = Orphans::default();
        self.orphan_list(&mut orphans)?;
        if let Err(error) = self.orphan_file(&mut orphans) {
            if error.kind() == ErrorKind::Limit {
                return Err(error);
            }
            orphans.faults.push(error);
        }
        Ok(orphans)
    }

    fn orphan_list(&self, orphans: &mut Orphans) -> Result<()> {
        let mut met = HashSet::new();
        let mut next = self.superblock().s_last_orphan.get();
        while next != 0 {
            let ino = Ino::new(next);
            if !met.insert(ino) {
                let what = "the list of orphans leads back to an inode that is on it";
                orphans.faults.push(Error::corrupt(what).at_ino(ino));
                break;
            }
            check_room(orphans)?;
            match self.inode(ino) {
                Ok(inode) => {
                    orphans.list.push(ino);
                    // Until it is gone, an orphan keeps the number of the next one there.
                    next = inode.raw.i_dtime.get();
                }
                Err(error) => {
                    orphans.faults.push(error);
                    break;
                }
            }
        }
        Ok(())
    }

    fn orphan_file(&self, orphans_found: &mut Orphans) -> Result<()> {
        let ino = Ino::new(self.superblock().s_orphan_file_inum.get());
        if ino.get() == 0 || !self.features().compat.contains(Compat::ORPHAN_FILE) {
            return Ok(());
        }
        let mut blocks = 0_u32;
        let inode = self.inode(ino)?;
        let seed = self.csum().inode_seed(ino, inode.raw.i_generation.get());
        for item in self.map_items(&inode) {
            let MapItem::Mapping(run) = item? else { continue };
            for skip in 0..u64::from(run.len) {
                let Some(fsblk) = run.fsblk.checked_add(skip) else { break };
                blocks = blocks.saturating_add(1);
                if blocks > limits::ORPHAN_BLOCKS {
                    let what = format!("an orphan file of over {} blocks", limits::ORPHAN_BLOCKS);
                    return Err(Error::new(ErrorKind::Limit, what).at_ino(ino));
                }
                let block = self.block(ReadKind::Data, fsblk)?;
                let tail = OrphanBlockTail::read_from_suffix(&block).ok().map(|(_, tail)| tail);
                let Some(tail) = tail.filter(|tail| tail.ob_magic.get() == ORPHAN_BLOCK_MAGIC)
                else {
                    let what = "a block of the orphan file has no magic";
                    return Err(Error::corrupt(what).at_ino(ino).at_fsblk(fsblk));
                };
                let computed = seed.and_then(|seed| csum::orphan_block(seed, fsblk, &block));
                let state = CsumState::compare(Some(tail.ob_checksum.get()), computed);
                if state == CsumState::Bad && orphans_found.faults.len() < limits::FAILURES_KEPT {
                    let what = "a block of the orphan file has a wrong checksum";
                    orphans_found.faults.push(Error::corrupt(what).at_ino(ino).at_fsblk(fsblk));
                }
                for orphan in orphans(&block) {
                    check_room(orphans_found)?;
                    orphans_found.file.push(Ino::new(orphan));
                }
            }
        }
        Ok(())
    }
}

fn check_room(orphans: &Orphans) -> Result<()> {
    if orphans.list.len().saturating_add(orphans.file.len()) < limits::ORPHANS {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Limit, format!("over {} orphans", limits::ORPHANS)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Files;

    #[test]
    fn the_list_leads_from_inode_to_inode_and_ends() {
        let list = |next: [u32; 3]| {
            let mut files = Files::with_superblock(|superblock| superblock.s_last_orphan.set(12));
            for (ino, next) in [12, 13, 14].into_iter().zip(next) {
                files.inode(ino, |raw| raw.i_dtime.set(next));
            }
            let orphans = files.filesystem().orphans().expect("few");
            (orphans.list.iter().map(|ino| ino.get()).collect::<Vec<_>>(), orphans.faults.len())
        };
        assert_eq!(list([14, 0, 13]), (vec![12, 14, 13], 0));
        assert_eq!(list([13, 12, 0]), (vec![12, 13], 1));
        assert_eq!(list([99_999, 0, 0]), (vec![12], 1));
    }
}
