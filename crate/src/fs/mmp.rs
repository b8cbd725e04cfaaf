//! Multiple mount protection: whether somebody has the filesystem mounted.

use zerocopy::FromBytes;

use super::{CsumState, Filesystem};
use crate::error::{Error, Result};
use crate::io::{ByteSource, ReadKind};
use crate::ondisk::features::Incompat;
use crate::ondisk::{MMP_MAGIC, MMP_SEQ_CLEAN, MMP_SEQ_FSCK, MmpStruct};
use crate::units::Fsblk;

/// Whether somebody has the filesystem mounted, as far as a picture of it can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MmpState {
    /// Nobody.
    Clean,
    /// e2fsck ran on it.
    Fsck,
    /// Somebody had it mounted when the image was taken.
    InUse,
}

/// The MMP block.
#[derive(Clone, Debug)]
pub struct Mmp {
    /// Its place.
    pub fsblk: Fsblk,
    /// What it holds.
    pub raw: MmpStruct,
    /// Whether its checksum is right.
    pub csum: CsumState,
    /// What its sequence number says.
    pub state: MmpState,
}

impl<S: ByteSource> Filesystem<S> {
    /// The MMP block; `None` without the feature mmp.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) without the magic; those of
    /// [`Self::block`].
    pub fn mmp(&self) -> Result<Option<Mmp>> {
        if !self.features().incompat.contains(Incompat::MMP) {
            return Ok(None);
        }
        let fsblk = Fsblk::new(self.superblock().s_mmp_block.get());
        let bytes = self.block(ReadKind::Superblock, fsblk)?;
        let raw = MmpStruct::read_from_prefix(&bytes).ok().map(|(raw, _)| raw);
        let raw = raw
            .filter(|raw| raw.mmp_magic.get() == MMP_MAGIC)
            .ok_or_else(|| Error::corrupt("the MMP block has no magic").at_fsblk(fsblk))?;
        let csum = CsumState::compare(Some(raw.mmp_checksum.get()), self.csum().mmp(&raw));
        let state = match raw.mmp_seq.get() {
            MMP_SEQ_CLEAN => MmpState::Clean,
            MMP_SEQ_FSCK => MmpState::Fsck,
            _ => MmpState::InUse,
        };
        Ok(Some(Mmp { fsblk, raw, csum, state }))
    }
}
