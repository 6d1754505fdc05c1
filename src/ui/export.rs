//! What is taken along, at the edge: `static/load.js` loads what makes it when it is first asked for. What has to be said while it
//! is made, or where the browser does not take it, is said there, so that neither that nor its words are in the first load.

use super::state::{Action, Format};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    /// Makes something and hands it over; true if the browser has taken it.
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = take, catch)]
    async fn take(
        wanted: &str,
        name: &str,
        step: u32,
        words: &str,
        fragment: &str,
        packed: &str,
        waiting: &str,
    ) -> Result<JsValue, JsValue>;
}

/// What an export is made of.
pub struct Request {
    pub format: Format,
    /// The name of the scenario.
    pub name: String,
    /// The step that is shown.
    pub step: u32,
    /// What is said of it, in lines: first the title, then the step and its time.
    pub words: String,
    /// The place that is shown as a fragment, without the file.
    pub fragment: String,
    /// The file, packed, if one was opened.
    pub packed: String,
    /// What is said while it takes long, and what stops it.
    pub waiting: String,
}

/// Makes something; what has become of it goes to the state.
#[inline(never)]
pub fn start(request: Request, dispatch: Callback<Action>) {
    spawn_local(async move {
        let Request { format, name, step, words, fragment, packed, waiting } = request;
        let is_taken = take(format.name(), &name, step, &words, &fragment, &packed, &waiting).await;
        dispatch.emit(Action::Exported(format, is_taken.map(|taken| taken.is_truthy()).ok()));
    });
}
