//! The page: mounts the app into the element `#app` of `index.html`, in place of the loading text there.

use logstep::ui::App;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = logstepBoot, js_name = needRest)]
    fn need_rest();
}

/// Nobody calls it. It keeps the import that `scripts/split.mjs` has called where a part of the program is needed that has
/// not arrived.
#[wasm_bindgen(js_name = needRest)]
pub fn keep_need_rest() {
    need_rest();
}

/// Starts the app; `static/load.js` calls it.
#[wasm_bindgen]
pub fn open() {
    let root = gloo_utils::document().get_element_by_id("app").expect("index.html has an element #app");
    yew::Renderer::<App>::with_root(root).render();
}

fn main() {}
