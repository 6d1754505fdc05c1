//! The reader: the module that the page loads when a person opens a file. `static/load.js` loads it.

use wasm_bindgen::prelude::wasm_bindgen;

/// Reads a file; the answer is a [`logstep::reading::Reading`] in bytes.
#[wasm_bindgen]
pub fn read(file: &[u8]) -> Vec<u8> {
    logstep::reading::Reading::of(file).to_bytes()
}

fn main() {}
