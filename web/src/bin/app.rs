//! Starts the page.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(main)]
fn main() {}
