//! The reader at the edge: `static/load.js` loads it when the first file is opened or the first action is read, and packs files for addresses.

use super::state::{Action, Build, FileFrom, FileProblem, Sent};
use crate::lab::{Answer, Source};
use crate::reading::{ActionReading, Reading};
use crate::scenario::by_hand::World;
use crate::scenario::{MOST_BYTES, compiled};
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

    /// The same to an action in a world.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = readAction, catch)]
    async fn ask_reader_of_action(action: &Uint8Array, world: &Uint8Array) -> Result<JsValue, JsValue>;

    /// The same to a request of the lab.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = answerLab, catch)]
    async fn answer_lab(request: &Uint8Array) -> Result<JsValue, JsValue>;

    /// Bytes as a part of an address: a zlib stream in base64url.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = pack, catch)]
    async fn pack(bytes: &Uint8Array) -> Result<JsValue, JsValue>;

    /// The bytes again. Fails if they are damaged or more than so many.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = unpack, catch)]
    async fn unpack(packed: &str, most: u32) -> Result<JsValue, JsValue>;
}

/// Reads a file; what it says, or why it could not be read, goes to the state.
pub fn read(number: u32, file: web_sys::File, dispatch: Callback<Action>) {
    spawn_local(async move {
        let bytes = match file.size() > MOST_BYTES as f64 {
            true => Err(FileProblem::TooLarge),
            false => JsFuture::from(file.array_buffer()).await.map_err(|_| FileProblem::Unreadable),
        };
        match bytes {
            Ok(bytes) => open(number, file.name(), Uint8Array::new(&bytes), &dispatch).await,
            Err(problem) => dispatch.emit(Action::OpenFile(number, file.name(), Err(problem), None)),
        }
    });
}

/// Reads a file that has no name, and is there.
pub fn read_bytes(number: u32, bytes: Uint8Array, dispatch: Callback<Action>) {
    spawn_local(async move { open(number, String::new(), bytes, &dispatch).await });
}

async fn open(number: u32, name: String, bytes: Uint8Array, dispatch: &Callback<Action>) {
    let reading = answer(&bytes).await;
    // Where it cannot be packed there is no address for it, and nothing else is missing.
    let packed = match &reading {
        Ok(Reading::Scenario(..)) => pack(&bytes).await.ok(),
        _ => None,
    };
    dispatch.emit(Action::OpenFile(number, name, reading, packed.and_then(|packed| packed.as_string())));
}

/// Reads an action; `done` is told what it says, or nothing if the reader could not be loaded.
#[inline(never)]
pub fn read_action(action: Uint8Array, world: &World, done: impl FnOnce(Option<ActionReading>) + 'static) {
    let world = Uint8Array::from(&*compiled::encode(world));
    spawn_local(async move {
        let answer = ask_reader_of_action(&action, &world).await.ok();
        done(answer.and_then(|answer| compiled::decode(&Uint8Array::new(&answer).to_vec())));
    });
}

/// Reads the file of an address.
pub fn read_packed(number: u32, packed: String, dispatch: Callback<Action>) {
    spawn_local(async move {
        let reading = match unpack(&packed, MOST_BYTES as u32).await {
            Ok(bytes) => answer(&Uint8Array::new(&bytes)).await,
            Err(_) => Err(FileProblem::Unreadable),
        };
        dispatch.emit(Action::OpenFile(number, String::new(), reading, Some(packed)));
    });
}

async fn answer(file: &Uint8Array) -> Result<Reading, FileProblem> {
    let answer = ask_reader(file).await.map_err(|_| FileProblem::NoReader)?;
    // Bytes of another version are no answer either.
    Reading::from_bytes(&Uint8Array::new(&answer).to_vec()).ok_or(FileProblem::NoReader)
}

/// Asks something of the lab; the answer goes to the state, with the new file packed for an address.
#[inline(never)]
pub fn ask_lab(sent: Sent, dispatch: Callback<Action>) {
    spawn_local(async move {
        let number = sent.number;
        let answer = lab_answer(sent).await;
        let is_scenario = |answer: &&Answer| matches!(answer.reading, Reading::Scenario(..));
        let packed = match answer.as_ref().filter(is_scenario) {
            Some(answer) => pack(&Uint8Array::from(answer.text.as_bytes())).await.ok(),
            None => None,
        };
        let packed = packed.and_then(|packed| packed.as_string());
        dispatch.emit(Action::Build(Build::Answered(number, answer.map(Box::new), packed)));
    });
}

async fn lab_answer(sent: Sent) -> Option<Answer> {
    let mut request = sent.request;
    if let FileFrom::Packed(packed) = sent.from {
        let bytes = unpack(&packed, MOST_BYTES as u32).await.ok()?;
        request.source = Source::Text(String::from_utf8(Uint8Array::new(&bytes).to_vec()).ok()?);
    }
    let answer = answer_lab(&Uint8Array::from(&*compiled::encode(&request))).await.ok()?;
    compiled::decode(&Uint8Array::new(&answer).to_vec())
}
