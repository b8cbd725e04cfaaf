//! How numbers, sizes, places and times are written, and the fixed words of the page.
//!
//! *Belongs here:* pure functions from values to text, and tables of sentences.
//! *Does not:* anything that knows the state, the browser or markup.
//! *May use:* the engine's units and the names of its errors.

pub mod dump;
pub mod number;
pub mod shell;
pub mod size;
pub mod time;
pub mod words;

/// U+202F: keeps a number and its unit on one line, a little closer than a space.
pub const THIN_SPACE: char = '\u{202f}';
