//! `extscope`: the command line.

fn main() {}
