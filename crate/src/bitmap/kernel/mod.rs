//! What has to be fast: loops over whole words, in one form a machine.
//!
//! *Belongs here:* functions over slices of [`Word`], without lengths in bits, padding or state;
//! the forms above them cut ranges and add the ends. *Does not:* anything that is called seldom.

pub mod word;

use super::Word;

/// The kernels of one instruction set; all tables give equal answers.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// The instruction set, for reports.
    pub name: &'static str,
    /// How many bits are set.
    pub count: fn(&[Word]) -> u64,
    /// How many words from the start on equal the given one, which is 0 or all ones.
    pub skip: fn(&[Word], u64) -> usize,
}

/// The fastest kernels that this machine runs.
#[must_use]
pub fn kernels() -> &'static Kernels {
    &word::KERNELS
}
