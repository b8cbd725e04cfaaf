//! Reads ext2, ext3 and ext4 filesystem images down to the bit.
//!
//! Nothing here writes, draws, keeps time or starts threads, so the same code runs natively and
//! in a browser's worker. A host gives bytes through [`io::ByteSource`] and takes answers.
//!
//! Layers; each may use those above it and none below. A test holds them to it.
//!
//! | layer | modules | what it is |
//! |---|---|---|
//! | 0 | [`units`], [`error`], [`task`], [`limits`] | words |
//! | 1 | [`io`] | bytes in |
//! | 1 | [`bitmap`] | bits, without filesystems |
//! | 1 | [`ondisk`] | what lies on the disk, without reading or judging |
//! | 2 | [`fs`] | the opened filesystem |
//! | 3 | [`analysis`] | what a person wants to see |
//! | 4 | [`check`], [`resize`] | judging, planning |
//! | 4 | [`scenario`] | filesystems made up on the fly |
//! | 4 | [`lesson`] | how the tools scan bitmaps, step by step |
//! | 5 | [`export`] | folders as archives |
//! | 5 | [`report`] | the answers in the shape that the page and the command line share |

pub mod analysis;
pub mod bitmap;
pub mod check;
pub mod error;
pub mod export;
pub mod fs;
pub mod io;
pub mod lesson;
pub mod limits;
pub mod ondisk;
pub mod report;
pub mod resize;
pub mod scenario;
pub mod task;
pub mod units;

pub use error::{Error, ErrorKind, Result};
