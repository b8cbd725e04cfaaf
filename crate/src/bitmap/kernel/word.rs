//! The portable leaf: a vector of one word. Built everywhere, and the measure of the others.

use super::leaf::leaf;

leaf!("u64", search: u64, [], count: u64, [], edges: edges);
