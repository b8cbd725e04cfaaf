//! Where the bytes of an image come from.

use std::ops::Range;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::Blob;

use super::super::port::said;
use crate::state::DiskPart;

/// Where workers have the bytes of an image from.
#[derive(Clone)]
pub(super) enum Origin {
    Blob(Blob),
    /// They make it up from a recipe, each for itself.
    Scenario(Rc<str>),
}

impl Origin {
    /// What lies beside a question.
    pub(super) fn parcel(&self) -> JsValue {
        match self {
            Self::Blob(blob) => blob.into(),
            Self::Scenario(recipe) => (&**recipe).into(),
        }
    }
}

/// The bytes of a file that are opened.
fn range(blob: &Blob, part: Option<DiskPart>) -> Range<u64> {
    // A Blob's size is a whole number below 2^53.
    let bytes = blob.size() as u64;
    part.map_or(0..bytes, |part| part.within(bytes))
}

/// How many these are.
pub(super) fn within(blob: &Blob, part: Option<DiskPart>) -> u64 {
    let range = range(blob, part);
    range.end - range.start
}

/// The part of a file, which to workers is a file of its own; nothing of it is copied.
pub(super) fn cut(origin: Origin, part: Option<DiskPart>) -> Result<Origin, String> {
    match origin {
        Origin::Blob(blob) if part.is_some() => {
            let range = range(&blob, part);
            let cut = blob.slice_with_f64_and_f64(range.start as f64, range.end as f64);
            cut.map(Origin::Blob).map_err(said)
        }
        origin => Ok(origin),
    }
}
