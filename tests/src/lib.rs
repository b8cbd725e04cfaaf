//! What the tests across the whole share: e2fsprogs as the oracle, and images to ask it about.
//!
//! *Belongs here:* finding and running e2fsprogs, making images, reading what its tools print,
//! reading the project's own source, and going through all that the engine tells.
//! *Does not:* any judgement about `extscope`; that is what the files of `tests/` are for.
//!
//! A missing tool or a missing corpus skips a test, aloud; where `CI` is set, a missing tool fails
//! it instead.

pub mod chance;
pub mod corpus;
pub mod debugfs;
pub mod disk;
pub mod dumpe2fs;
pub mod e2fsck;
pub mod fill;
pub mod matrix;
pub mod patched;
pub mod recipe;
pub mod resize2fs;
pub mod sample;
pub mod shapes;
pub mod shrink;
pub mod skip;
pub mod source;
pub mod sparse;
pub mod told;
pub mod tool;
pub mod whole;
