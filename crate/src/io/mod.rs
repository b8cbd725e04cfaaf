//! Bytes in.
//!
//! *Belongs here:* where bytes come from, how few requests fetch them, and the count of both.
//! *Does not:* what the bytes mean. *May use:* layer 0.

mod source;

pub use source::{ByteSource, out_of_bounds};
