//! What a search for names found.

use extscope::units::Ino;
use serde::{Deserialize, Serialize};

/// What a search for names found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundNames {
    /// The likeliest first; not all that there are.
    pub files: Vec<FoundName>,
    /// How many there are.
    pub count: u64,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundName {
    /// Its path.
    #[serde(with = "serde_bytes")]
    pub path: Vec<u8>,
    /// Its inode.
    pub ino: Ino,
}
