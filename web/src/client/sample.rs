//! Fetches a sample and unpacks it.

use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableWritablePair, Response};

use super::port::said;
use crate::state::Sample;

/// The image inside a sample.
///
/// # Errors
/// What keeps it from being fetched or unpacked.
pub(super) async fn fetch(sample: &Sample) -> Result<Blob, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    let url = sample.url();
    let response: Response =
        JsFuture::from(window.fetch_with_str(&url)).await.map_err(said)?.unchecked_into();
    if !response.ok() {
        return Err(format!("{url} is not there (the server answered {})", response.status()));
    }
    let packed = JsFuture::from(response.array_buffer().map_err(said)?).await.map_err(said)?;
    // Some servers unpack a `.gz` on the way, so that it arrives as the image itself.
    let is_gzip = Uint8Array::new(&packed).subarray(0, 2).to_vec() == [0x1f, 0x8b];
    let packed = Blob::new_with_u8_array_sequence(&Array::of1(&packed)).map_err(said)?;
    if !is_gzip {
        return Ok(packed);
    }
    let stream = packed.stream().pipe_through(&gunzip()?);
    let unpacked = Response::new_with_opt_readable_stream(Some(&stream)).map_err(said)?;
    Ok(JsFuture::from(unpacked.blob().map_err(said)?).await.map_err(said)?.unchecked_into())
}

/// The browser's own gunzip, which `web-sys` has no stable binding for.
fn gunzip() -> Result<ReadableWritablePair, String> {
    let stream = Reflect::get(&js_sys::global(), &"DecompressionStream".into()).map_err(said)?;
    let stream: Function =
        stream.dyn_into().map_err(|_| "this browser has no DecompressionStream to unpack it")?;
    let gunzip = Reflect::construct(&stream, &Array::of1(&"gzip".into())).map_err(said)?;
    Ok(gunzip.unchecked_into())
}
