//! The reader at the edge: `static/load.js` loads it when the first file is opened.

use super::state::{Action, FileProblem};
use crate::reading::Reading;
use crate::scenario::MOST_BYTES;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    /// What the reader answers to a file. Fails where it could not be loaded or has stopped.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = read, catch)]
    async fn ask_reader(file: &Uint8Array) -> Result<JsValue, JsValue>;
}

/// Reads a file; what it says, or why it could not be read, goes to the state.
pub fn read(number: u32, file: web_sys::File, dispatch: Callback<Action>) {
    spawn_local(async move {
        let reading = answer(&file).await;
        dispatch.emit(Action::OpenFile(number, file.name(), reading));
    });
}

async fn answer(file: &web_sys::File) -> Result<Reading, FileProblem> {
    if file.size() > MOST_BYTES as f64 {
        return Err(FileProblem::TooLarge);
    }
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(|_| FileProblem::Unreadable)?;
    let answer = ask_reader(&Uint8Array::new(&buffer)).await.map_err(|_| FileProblem::NoReader)?;
    // Bytes of another version are no answer either.
    Reading::from_bytes(&Uint8Array::new(&answer).to_vec()).ok_or(FileProblem::NoReader)
}
