//! Deleted inodes: what `debugfs lsdel` lists, and those without blocks.

use serde::{Deserialize, Serialize};

use super::inode::{permissions, type_name};
use crate::analysis::Deleted;

/// A deleted inode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedReport {
    /// Its number.
    pub ino: u32,
    /// What it was.
    pub file_type: Option<String>,
    /// Its permissions.
    pub permissions: String,
    /// Its owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// Its size in bytes; the kernel makes it 0.
    pub size: u64,
    /// When it was deleted, seconds since 1970.
    pub i_dtime: u32,
    /// Blocks that its map still leads to, nodes included.
    pub blocks: u64,
    /// Of these, the ones that are free, so that maybe nobody wrote to them since.
    pub free_blocks: u64,
    /// Of these, the ones that the filesystem does not have.
    pub bad_blocks: u64,
}

impl From<&Deleted> for DeletedReport {
    fn from(deleted: &Deleted) -> Self {
        let (inode, raw) = (&deleted.inode, &deleted.inode.raw);
        Self {
            ino: inode.ino.get(),
            file_type: inode.file_type().map(|file_type| type_name(file_type).to_owned()),
            permissions: permissions(raw.i_mode.get()),
            uid: raw.uid(),
            gid: raw.gid(),
            size: raw.size(),
            i_dtime: raw.i_dtime.get(),
            blocks: deleted.blocks,
            free_blocks: deleted.free_blocks,
            bad_blocks: deleted.bad_blocks,
        }
    }
}
