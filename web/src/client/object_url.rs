//! Addresses of bytes in the browser's memory.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// The address of a `Blob`, which is given up when this is dropped.
#[derive(Debug, PartialEq, Eq)]
pub struct ObjectUrl(String);

impl ObjectUrl {
    /// The address of these bytes; `None` where the browser has no room for them.
    #[must_use]
    pub fn of_bytes(bytes: &[u8], media_type: &str) -> Option<Self> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let parts = Array::of1(&Uint8Array::from(bytes));
        Self::new(&Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()?)
    }

    /// The address of a `Blob`.
    #[must_use]
    pub fn new(blob: &Blob) -> Option<Self> {
        Url::create_object_url_with_blob(blob).ok().map(Self)
    }

    /// The address.
    #[must_use]
    pub fn get(&self) -> &str {
        &self.0
    }

    /// Has the browser save what is there under a name.
    pub fn save(&self, name: &str) {
        let document = web_sys::window().and_then(|window| window.document());
        let link = document.and_then(|document| document.create_element("a").ok());
        if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) {
            link.set_href(&self.0);
            link.set_download(name);
            link.click();
        }
    }
}

impl Drop for ObjectUrl {
    fn drop(&mut self) {
        // Fails only for what is no address.
        let _ = Url::revoke_object_url(&self.0);
    }
}
