//! One file a command.

pub(crate) mod bench;
pub(crate) mod free;
pub(crate) mod groups;
pub(crate) mod info;
