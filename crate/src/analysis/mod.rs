//! What a person wants to see of a filesystem; nothing here judges.
//!
//! *Belongs here:* figures and pictures-to-be, made of what `fs` and [`crate::bitmap`] give.
//! *Does not:* colours, words, reading. *May use:* layers 0 to 2.

mod freefrag;
mod group_stats;
pub mod profile;
mod sweep;
mod windows;

pub use freefrag::{FreeExtents, FreeFrag};
pub use group_stats::{BitmapState, BlockStats, GroupStats, InodeStats};
pub use sweep::{Sweep, SweepOptions, Swept};
