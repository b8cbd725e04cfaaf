//! What is taken out of an image: folders as archives.
//!
//! *Belongs here:* formats of other programs, written in pieces as they are read. *Does not:* what
//! `report` tells, and where the bytes go. *May use:* layers 0 to 3.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

mod pax;
mod tar;

pub use self::tar::{TarCounts, TarStream};
