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

mod cluster_map;
mod cost;
mod destinations;
mod dirents;
mod drop_groups;
mod extent;
mod failure;
mod frame;
mod group_phase;
mod inode_moves;
mod inodes;
mod itables;
mod metadata;
mod minimum;
mod moving;
mod opening;
mod outline;
mod plan;
mod refusal;
mod relocations;
mod request;
mod settle;
mod shrink;
mod size;
mod smallest;
mod soundness;
mod steps;
mod summary;
mod tables;
mod target;
mod touched;
mod warning;
mod work;

pub use cluster_map::ClusterMap;
pub use cost::{Cost, Scans};
pub use dirents::EntryChange;
pub use failure::{Failure, LeftBehind};
pub use frame::Frame;
pub use inode_moves::InodeMove;
pub use itables::ItableMove;
pub use minimum::{Minimum, MinimumEnd, minimum};
pub use outline::{FileMove, Stream};
pub use plan::{BitmapMove, Changes, Counts, Plan};
pub use refusal::{Refusal, Sizes};
pub use relocations::Relocation;
pub use request::{Like, Request, Target};
pub use settle::settle;
pub use shrink::ShrinkPlan;
pub use smallest::Smallest;
pub use steps::{ClusterState, Placed, ShrinkPhase, ShrinkState, ShrinkStep, ShrinkSteps};
pub use touched::{FileExtent, FileMap, OwnedMove, OwnedPart, Touched};
pub use warning::Warning;
