//! Canvases of the browser.
//!
//! *Belongs here:* contexts, pixel ratios, animation frames. *Does not:* where things lie and which
//! colour they have; [`crate::render`] decides that. *May use:* `render`, `state`.

mod frame;
mod map_painter;
mod motion;
mod picture;
mod surface;
mod theme;

pub use frame::Frame;
pub use map_painter::MapPainter;
pub use motion::{now, wants_stillness};
pub use picture::{data_url, png};
pub use surface::{Surface, pixel_ratio};
pub use theme::palette;
