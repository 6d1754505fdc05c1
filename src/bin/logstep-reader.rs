//! The reader: the module that the page loads when a person opens a file, or a host says what is to be done. `static/load.js`
//! loads it.

use wasm_bindgen::prelude::wasm_bindgen;

/// Reads a file; the answer is a [`logstep::reading::Reading`] in bytes.
#[wasm_bindgen]
pub fn read(file: &[u8]) -> Vec<u8> {
    logstep::reading::Reading::of(file).to_bytes()
}

/// Reads an action in a world, a [`logstep::scenario::by_hand::World`] in bytes; the answer is a
/// [`logstep::reading::ActionReading`] in bytes.
#[wasm_bindgen]
pub fn read_action(action: &[u8], world: &[u8]) -> Vec<u8> {
    logstep::reading::action_in_bytes(action, world)
}

/// Answers a request of the lab, a [`logstep::lab::Request`] in bytes, with a [`logstep::lab::Answer`] in bytes.
#[wasm_bindgen]
pub fn answer_lab(request: &[u8]) -> Vec<u8> {
    logstep::lab::answer_in_bytes(request)
}

fn main() {}
