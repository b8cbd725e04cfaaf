//! Whether the page opens without a network.

/// Whether this browser keeps the page's files, to open it without a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Offline {
    /// The browser cannot, or has not said yet.
    #[default]
    Unable,
    /// It does not.
    Off,
    /// It is bringing them.
    Bringing,
    /// It does.
    Kept,
    /// They could not be brought, and why as far as that is known.
    Failed(String),
}
