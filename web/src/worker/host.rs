//! The bytes that a worker was given: a browser's file, or a scenario that is made up where it is
//! read.

use std::rc::Rc;

use extscope::io::{ByteSource, Piece};
use extscope::scenario::Scenario;
use extscope::{Error, Result};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use super::blob_source::BlobSource;

/// The bytes that a worker was given.
#[derive(Clone, Debug)]
pub enum Host {
    /// A browser's file.
    Blob(BlobSource),
    /// A made-up filesystem.
    Scenario(Rc<Scenario>),
}

impl Host {
    /// What lies beside a question: a `Blob`, or the recipe of a scenario as text. `None` where
    /// there is nothing.
    pub(super) fn beside(value: JsValue) -> Option<Result<Self>> {
        match value.dyn_into::<Blob>() {
            Ok(blob) => Some(BlobSource::new(blob).map(Self::Blob)),
            Err(value) => value.as_string().map(|recipe| Self::scenario(&recipe)),
        }
    }

    fn scenario(recipe: &str) -> Result<Self, Error> {
        Ok(Self::Scenario(Rc::new(Scenario::new(&recipe.parse()?)?)))
    }
}

impl ByteSource for Host {
    fn len(&self) -> u64 {
        match self {
            Self::Blob(blob) => blob.len(),
            Self::Scenario(scenario) => scenario.len(),
        }
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        match self {
            Self::Blob(blob) => blob.read_at(offset, buf),
            Self::Scenario(scenario) => scenario.read_at(offset, buf),
        }
    }

    fn read_pieces(&self, pieces: &mut [Piece]) -> Result<()> {
        match self {
            Self::Blob(blob) => blob.read_pieces(pieces),
            Self::Scenario(scenario) => scenario.read_pieces(pieces),
        }
    }
}
