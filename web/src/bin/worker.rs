//! Starts the engine worker.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(main)]
fn main() {}
