//! Filesystems to be shrunk, and what `resize2fs` makes of them.
//!
//! *Belongs here:* making the images, running the real tool on a copy, comparing what it leaves
//! with a plan. *Does not:* choosing what is compared when; that is what the tests are for.

pub mod compare;
pub mod fixtures;
pub mod maker;
pub mod mutation;
pub mod random;
pub mod script;
