//! What is shown, derived from the state.
//!
//! *Belongs here:* pure functions from the state to rows, sentences and figures. *Does not:*
//! markup, colours, the browser. *May use:* [`crate::state`], [`crate::protocol`], [`crate::text`].

pub mod exports;
pub mod file_facts;
pub mod file_rows;
pub mod free_space;
pub mod group_rows;
pub mod header;
pub mod hex;
pub mod jump;
pub mod map_legend;
pub mod partitions;
pub mod space_rows;
pub mod status;
pub mod tooltip;
pub mod virtual_rows;
