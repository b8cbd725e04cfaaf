//! A file of the image on its way to the person's disk.
//!
//! Pieces are asked for one by one, so that no more of them wait than one, and become parts of a
//! `Blob`, which the browser keeps on its disk when they are many.

use extscope::units::Ino;
use js_sys::{Array, Uint8Array};
use web_sys::Blob;

use super::ObjectUrl;
use super::port::said;
use crate::protocol::{BytesOf, Piece, Stretch};
use crate::state::Transfer;

/// Zeros that are one part of a `Blob`.
const ZEROS: u32 = 4 << 20;

/// A file on its way.
pub(super) struct Transferring {
    ino: Ino,
    name: String,
    size: u64,
    done: u64,
    parts: Array,
    zeros: Option<Blob>,
}

/// What a piece leads to.
pub(super) enum Received {
    /// The next stretch.
    Next(Stretch),
    /// The whole file.
    Whole(ObjectUrl),
}

impl Transferring {
    pub(super) fn new(ino: Ino, name: String, size: u64) -> Self {
        Self { ino, name, size, done: 0, parts: Array::new(), zeros: None }
    }

    /// The stretch that is wanted now.
    pub(super) fn next(&self) -> Stretch {
        Stretch { of: BytesOf::File(self.ino), offset: self.done, len: Stretch::THROUGH }
    }

    /// Takes in the piece that was wanted.
    ///
    /// # Errors
    /// What the browser says when it has no room.
    pub(super) fn take(&mut self, piece: &Piece) -> Result<Received, String> {
        match piece {
            Piece::Bytes(bytes) => {
                let part = part(&Uint8Array::from(bytes.as_slice()))?;
                self.parts.push(&part);
                self.done = self.done.saturating_add(bytes.len() as u64);
            }
            Piece::Zeros(zeros) => self.add_zeros((*zeros).min(self.size - self.done))?,
            Piece::End => {}
        }
        if *piece != Piece::End && self.done < self.size {
            return Ok(Received::Next(self.next()));
        }
        let blob = Blob::new_with_blob_sequence(&self.parts).map_err(said)?;
        ObjectUrl::new(&blob).map(Received::Whole).ok_or_else(|| "there is no room for it".into())
    }

    fn add_zeros(&mut self, mut zeros: u64) -> Result<(), String> {
        self.done = self.done.saturating_add(zeros);
        let whole = match &self.zeros {
            Some(whole) => whole.clone(),
            None => part(&Uint8Array::new_with_length(ZEROS))?,
        };
        while zeros >= u64::from(ZEROS) {
            self.parts.push(&whole);
            zeros -= u64::from(ZEROS);
        }
        let rest = whole.slice_with_i32_and_i32(0, zeros as i32).map_err(said)?;
        self.parts.push(&rest);
        self.zeros = Some(whole);
        Ok(())
    }

    /// How far it is.
    pub(super) fn state(&self) -> Transfer {
        Transfer { name: self.name.clone(), done: self.done, size: self.size }
    }

    /// The name to save it under.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// A `Blob` of bytes.
fn part(bytes: &Uint8Array) -> Result<Blob, String> {
    Blob::new_with_u8_array_sequence(&Array::of1(bytes)).map_err(said)
}
