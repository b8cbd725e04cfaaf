//! The page of extscope.
//!
//! Layers; each may use those above it and none below. A test holds them to it.
//!
//! | layer | modules | what it is |
//! |---|---|---|
//! | A | [`protocol`] | what the page and the engine worker say to each other |
//! | A | [`text`] | how numbers, sizes and times are written |
//! | B | [`state`] | what the page knows and how it changes |
//! | B | [`select`] | what is shown, derived from the state |
//! | B | [`render`] | values to pixels and to lists of things to draw |
//! | C | [`worker`] | the engine's side |
//! | C | [`client`] | the page's side of the browser |
//! | C | [`canvas`] | canvases of the browser |
//! | D | [`views`] | what is seen |

pub mod canvas;
pub mod client;
pub mod protocol;
pub mod render;
pub mod select;
pub mod state;
pub mod text;
pub mod views;
pub mod worker;
