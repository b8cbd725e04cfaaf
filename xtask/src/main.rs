//! The chores of extscope.

fn main() {}
