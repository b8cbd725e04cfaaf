//! What the lessons show and say.
//!
//! *Belongs here:* titles, explanations, pseudocode, rows. *Does not:* what happens in a lesson;
//! that is the engine's.

pub mod bits;
pub mod compare;
pub mod forms;
pub mod lab;
pub mod load;
pub mod passes;
pub mod race;
pub mod scan;
pub mod sheet;
pub mod shrink;
pub mod split;
pub mod steps;
pub mod words;
