//! The disk map as pixels: the same code draws it on the page and for the command line.
//!
//! *Belongs here:* where blocks lie in the plane, which colour they have, tiles of pixels. *Does
//! not:* browsers, files, words about what is seen. *May use:* the engine.
//!
//! A [`World`] lays all blocks out in a plane, for ever in the same place. A [`Source`] says what
//! the blocks of a group are, as runs of [`Ink`]; a [`Look`] says which colour an ink has.
//! [`paint`] puts them together to a tile at any scale: above a pixel a block, each block is
//! drawn; below, what falls into a pixel is averaged in linear light.

mod cells;
mod curve;
mod disk;
mod figures;
mod findings;
mod gamma;
mod glyph;
mod ink;
mod kind;
mod layer;
mod legend;
mod look;
mod metadata;
mod paint;
pub mod palette;
mod pixels;
pub mod poster;
mod raster;
mod recency;
mod sheet;
pub mod space;
#[cfg(test)]
mod testing;
mod world;

pub use cells::{Cells, Fineness, Source, Truth};
pub use curve::Layout;
pub use disk::Disk;
pub use figures::Figures;
pub use findings::{Findings, Shrunk};
pub use ink::Ink;
pub use kind::{Kind, Kinds};
pub use layer::Layer;
pub use legend::Marks;
pub use look::Look;
pub use metadata::Metadata;
pub use paint::{Scale, TILE, TileAt, paint};
pub use palette::{Palette, Rgb, Theme};
pub use pixels::Pixels;
pub use recency::recency;
pub use sheet::Sheet;
pub use world::{Place, World};
