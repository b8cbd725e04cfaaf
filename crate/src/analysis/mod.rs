//! What a person wants to see of a filesystem; nothing here judges.
//!
//! *Belongs here:* figures and pictures-to-be, made of what `fs` and [`crate::bitmap`] give.
//! *Does not:* colours, words, reading. *May use:* layers 0 to 2.

mod claims;
mod class;
mod filefrag;
mod freefrag;
mod group_stats;
mod largest_free;
mod names;
mod owner_map;
pub mod profile;
mod survey;
mod sweep;
mod usage;
mod windows;

pub use claims::Claim;
pub use class::{BlockClass, Owner};
pub use filefrag::{FileFrag, FragCount, FragTotals, Medium};
pub use freefrag::{FreeExtents, FreeFrag};
pub use group_stats::{BitmapState, BlockStats, GroupStats, InodeStats};
pub use largest_free::LargestFree;
pub use names::{NameScan, Names};
pub use owner_map::OwnerMap;
pub use survey::Survey;
pub use sweep::{Sweep, SweepOptions, Swept};
pub use usage::{Share, Usage};
