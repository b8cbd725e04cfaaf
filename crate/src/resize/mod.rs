//! What resize2fs would do to make a filesystem smaller, block for block, without writing.
//!
//! *Belongs here:* the minimum size and what it is made of, the reasons for a refusal, and the
//! plan of a shrink, in the phases of the tool. *Does not:* growing, words for people, judging
//! whether a filesystem is sound. *May use:* `fs` and `analysis`. *Reference:* resize2fs 1.47.0.
//!
//! Two filesystems are told apart throughout: the old one, as it lies on the disk, and the new
//! one, as it will lie there. Each is a [`Frame`].

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

mod frame;
mod minimum;

pub use frame::Frame;
pub use minimum::{Minimum, MinimumEnd, minimum};
