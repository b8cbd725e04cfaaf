//! Whether a stored checksum is right.

use serde::{Deserialize, Serialize};

/// What comparing a stored checksum with the computed one says. Never enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CsumState {
    /// The filesystem keeps none here.
    #[default]
    None,
    /// Stored and computed agree.
    Good,
    /// They do not.
    Bad,
}

impl CsumState {
    /// Compares; where nothing can be computed there is nothing to compare.
    pub fn compare<T: PartialEq>(stored: Option<T>, computed: Option<T>) -> Self {
        match computed {
            None => Self::None,
            computed if computed == stored => Self::Good,
            _ => Self::Bad,
        }
    }
}
