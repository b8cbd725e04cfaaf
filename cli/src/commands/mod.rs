//! One file a command.

pub(crate) mod bench;
pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod deleted;
pub(crate) mod extract;
pub(crate) mod file;
pub(crate) mod files;
pub(crate) mod free;
pub(crate) mod groups;
pub(crate) mod info;
pub(crate) mod inode;
pub(crate) mod journal;
pub(crate) mod learn;
pub(crate) mod ls;
pub(crate) mod map;
pub(crate) mod minimum;
pub(crate) mod owner;
pub(crate) mod partitions;
pub(crate) mod report;
pub(crate) mod scenario;
pub(crate) mod shrink;
pub(crate) mod special;
pub(crate) mod tree;
