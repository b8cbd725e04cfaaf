//! Drawings as pictures.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, ImageData};

/// The drawing at an address as a picture, so many times as large as it is in CSS pixels. `None`
/// where the browser has no room for it.
pub async fn png(url: &str, (width, height): (u32, u32), times: u32) -> Option<Vec<u8>> {
    let image = HtmlImageElement::new().ok()?;
    image.set_src(url);
    JsFuture::from(image.decode()).await.ok()?;
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    let (width, height) = (width.checked_mul(times)?, height.checked_mul(times)?);
    canvas.set_width(width);
    canvas.set_height(height);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(width), f64::from(height));
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)
        .ok()?;
    let blob: Blob = JsFuture::from(encoded(&canvas)).await.ok()?.dyn_into().ok()?;
    let bytes = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&bytes).to_vec())
}

/// Pixels as the address of a PNG that holds them, rows of `width` of them.
#[must_use]
pub fn data_url(width: u32, pixels: &[u8]) -> Option<String> {
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    let image = ImageData::new_with_u8_clamped_array(Clamped(pixels), width).ok()?;
    canvas.set_width(image.width());
    canvas.set_height(image.height());
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.put_image_data(&image, 0.0, 0.0).ok()?;
    canvas.to_data_url_with_type("image/png").ok()
}

/// The canvas as a `Blob`; `null` where that is too large.
fn encoded(canvas: &HtmlCanvasElement) -> Promise {
    Promise::new(&mut |resolve, reject| {
        if let Err(why) = canvas.to_blob(&resolve) {
            // Rejecting with a value never fails.
            let _ = reject.call1(&JsValue::NULL, &why);
        }
    })
}
