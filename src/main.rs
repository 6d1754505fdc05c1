//! The page: mounts the app into the element `#app` of `index.html`, in place of the loading text there.

use logstep::ui::App;

fn main() {
    let root = gloo_utils::document().get_element_by_id("app").expect("index.html has an element #app");
    yew::Renderer::<App>::with_root(root).render();
}
