//! How the tools scan bitmaps, step by step, with all work counted.
//!
//! *Belongs here:* the ways in which e2fsprogs has done a thing over the years, each a real
//! algorithm in words of our own, and what it does at each step; and a lab to break things in
//! memory. *Does not:* clocks, pictures,
//! sentences. *May use:* layers 0 to 3.
//!
//! An algorithm here is generic over who watches it, a [`Watch`]. [`Course::record`] keeps every
//! step, so that any of them can be gone to; [`Meter`] keeps the counts alone; and for
//! [`Unwatched`] all of it compiles to nothing, which is what races are run with. So what is shown,
//! what is counted and what is timed is one and the same function.

#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

mod compare;
mod course;
mod forms;
mod lab;
mod load;
mod pattern;
mod places;
mod race;
mod scan;
mod speed;
mod split;
mod watch;

pub use compare::{Compare, CompareAct, CompareWay, Difference};
pub use course::{Course, Step};
pub use forms::{Extents, FORM_BITS, FormCase, FormCost, FormRace, FormResult};
pub use lab::{Bench, Flip, Lab};
pub use load::{DiskModel, Load, LoadAct, LoadWay, Loaded, Question, Request};
pub use pattern::Pattern;
pub use places::BitmapPlaces;
pub use race::{Lane, LaneResult, Race, RaceResult};
pub use scan::{Act, Take, Way};
pub use speed::ScanSpeed;
pub use split::{SPLIT_LIMITS, Sharing, Split, SplitAct, SplitResult};
pub use watch::{Meter, Tally, Unwatched, Watch};
