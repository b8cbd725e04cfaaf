//! Whose blocks are.

use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::groups::BlockRange;
use crate::analysis::{BlockClass, BlockOwner, Names, Owner, OwnerMap, Paths};
use crate::error::{Error, ErrorKind};
use crate::units::Fsblk;

/// Blocks, what they are, and whose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerReport {
    /// The blocks.
    pub blocks: BlockRange,
    /// What they are.
    pub class: BlockClass,
    /// The same in words.
    pub name: String,
    /// The inode whose they are, if they are one's.
    pub ino: Option<u32>,
    /// The first path of that inode; what is no text is escaped.
    pub path: Option<String>,
    /// The group whose they are, if they are one's.
    pub group: Option<u32>,
}

/// A block, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockReport {
    /// The block.
    pub block: u64,
    /// The run of blocks that it is of.
    #[serde(flatten)]
    pub owner: OwnerReport,
    /// Whether it is somebody's and free in the bitmap.
    pub free_but_owned: bool,
    /// Who claims it, or another block of its cluster, where several do.
    pub claims: Vec<OwnerReport>,
}

/// How many blocks are of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassReport {
    /// The class.
    pub class: BlockClass,
    /// The same in words.
    pub name: String,
    /// Blocks.
    pub blocks: u64,
}

impl OwnerReport {
    fn new(blocks: &Range<u64>, owner: Owner, path: Option<Vec<u8>>) -> Self {
        Self {
            blocks: BlockRange { first: blocks.start, last: blocks.end.saturating_sub(1) },
            class: owner.class,
            name: owner.class.name().to_owned(),
            ino: owner.ino().map(|ino| ino.get()),
            path: path.map(|path| super::escaped(&path)),
            group: owner.group().map(|group| group.get()),
        }
    }
}

impl BlockReport {
    /// Reports what was looked up, with a path of each inode.
    #[must_use]
    pub fn found(found: &BlockOwner, paths: &Paths) -> Self {
        let path = found.owner.ino().and_then(|ino| paths.get(&ino).cloned());
        Self {
            block: found.fsblk.get(),
            owner: OwnerReport::new(&found.run, found.owner, path),
            free_but_owned: found.is_free_but_owned,
            claims: Vec::new(),
        }
    }

    /// Looks a block up among all.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] outside the filesystem.
    pub fn new(map: &OwnerMap, names: &Names, fsblk: Fsblk) -> Result<Self, Error> {
        let (run, owner) = map.run_at(fsblk).ok_or_else(|| {
            let what = format!("the filesystem ends at block {}", map.blocks_count());
            Error::new(ErrorKind::OutOfBounds, what).at_fsblk(fsblk)
        })?;
        let report = |blocks: &Range<u64>, owner: Owner| {
            OwnerReport::new(blocks, owner, owner.ino().and_then(|ino| names.path(ino)))
        };
        let claims = if owner.class == BlockClass::MultiplyClaimed {
            let claims = map.claims_at(fsblk);
            claims.map(|claim| report(&claim.blocks(), claim.owner)).collect()
        } else {
            Vec::new()
        };
        Ok(Self {
            block: fsblk.get(),
            owner: report(&run, owner),
            free_but_owned: map.free_but_owned().iter().any(|run| run.contains(&fsblk.get())),
            claims,
        })
    }
}

impl ClassReport {
    /// The classes that there are blocks of.
    pub fn of(map: &OwnerMap) -> Vec<Self> {
        let counts = map.blocks_by_class().into_iter().filter(|(_, blocks)| *blocks > 0);
        counts
            .map(|(class, blocks)| Self { class, name: class.name().to_owned(), blocks })
            .collect()
    }
}
