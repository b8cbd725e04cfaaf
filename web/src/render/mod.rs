//! Values to pixels and to lists of things to draw.
//!
//! *Belongs here:* where things lie on a canvas, which colour they have, what is under a point.
//! *Does not:* the browser. A canvas executes what is decided here; tests look at the same lists.
//! *May use:* [`crate::text`], [`crate::state`].

pub mod backdrop;
pub mod bits;
pub mod butterfly;
pub mod draw;
pub mod file_strip;
pub mod group_fill;
pub mod map_marks;
pub mod map_shot;
pub mod map_view;
pub mod profile;
pub mod shrink_maps;
pub mod sketch;
pub mod strip;
pub mod tile;

pub use extscope_picture::{Pixels, palette, space};
