//! The clipboard.

use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Puts text on the clipboard, where the browser lets the page.
pub fn copy(text: String) {
    spawn_local(async move {
        if let Some(window) = web_sys::window() {
            // Refused where the person forbade it; then nothing is copied.
            let _ = JsFuture::from(window.navigator().clipboard().write_text(&text)).await;
        }
    });
}
