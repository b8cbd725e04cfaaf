//! What was found instead of a usable superblock.

use extscope::units::Group;
use serde::{Deserialize, Serialize};

use super::{CsumState, SuperblockChoice};

/// A backup superblock that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    /// Where it lies.
    pub at: SuperblockChoice,
    /// The group that it says it belongs to. Ref: `s_block_group_nr`.
    pub group: Group,
    /// The label.
    pub volume_name: String,
    /// The UUID.
    pub uuid: String,
    /// Blocks of the filesystem.
    pub blocks_count: u64,
    /// When it was last written, for people.
    pub written: String,
    /// What its checksum says.
    pub csum: CsumState,
    /// Whether its numbers make sense and it says that it lies where it lies.
    pub is_plausible: bool,
}
