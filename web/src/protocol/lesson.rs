//! What a race of the lessons is run on.

use serde::{Deserialize, Serialize};

/// A bitmap, and how many free inodes are to be found in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceOrder {
    /// The bytes: bit `n` is bit `n % 8` of byte `n / 8`.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    /// Bits that stand for something.
    pub bits: u32,
    /// Inodes of a group.
    pub inodes_per_group: u32,
    /// Inodes to be found, one after another.
    pub wanted: u32,
}
