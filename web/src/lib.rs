//! The page of extscope.
//!
//! Layers; each may use those above it and none below. A test holds them to it.
//!
//! | layer | modules | what it is |
//! |---|---|---|
//! | A | [`protocol`] | what the page and the engine worker say to each other |
//! | B | [`state`] | what the page knows and how it changes |

pub mod protocol;
pub mod state;
