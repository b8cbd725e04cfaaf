//! Starts the engine worker.

fn main() {}
