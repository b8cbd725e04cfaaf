//! Bytes in.
//!
//! *Belongs here:* where bytes come from, how few requests fetch them, and the count of both.
//! *Does not:* what the bytes mean. *May use:* layer 0.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

mod ahead;
mod cache;
mod chunk_plan;
#[cfg(not(target_family = "wasm"))]
mod file;
mod meter;
mod overlay;
pub mod partition;
mod reader;
pub mod sniff;
mod source;
mod window;

#[cfg(not(target_family = "wasm"))]
pub use file::FileSource;
pub use meter::{KindCount, Meter, ReadCount, ReadKind};
pub use overlay::{Cover, Covers, Overlay};
pub use reader::Reader;
pub use source::{ByteSource, Piece, out_of_bounds};
pub use window::Window;
