//! What is shown, derived from the state.
//!
//! *Belongs here:* pure functions from the state to rows, sentences and figures. *Does not:*
//! markup, colours, the browser. *May use:* [`crate::state`], [`crate::protocol`], [`crate::text`].

pub mod check_words;
pub mod claimants;
pub mod csv;
pub mod exports;
pub mod figures;
pub mod file_facts;
pub mod file_rows;
pub mod free_space;
pub mod group_rows;
pub mod header;
pub mod hex;
pub mod jump;
pub mod lesson;
pub mod map_legend;
pub mod map_look;
pub mod partitions;
pub mod problem;
pub mod problem_rows;
pub mod scenario;
pub mod shrink_commands;
pub mod shrink_cost;
pub mod shrink_estimate;
pub mod shrink_headroom;
pub mod shrink_links;
pub mod shrink_picture;
pub mod shrink_replay;
pub mod shrink_target;
pub mod shrink_unit;
pub mod space_rows;
pub mod status;
pub mod tooltip;
pub mod virtual_rows;
