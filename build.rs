//! Compiles the built-in stories, so that the page needs no reader for them. The file `stories` in Cargo's output folder is a
//! list of their names and what their files say, in the order in which they are offered; `src/stories.rs` includes it.

use logstep_scenario::scenario::{Scenario, compiled, library::BUILT_IN};
use std::path::PathBuf;

fn main() {
    // The files themselves are part of the package that is built with them.
    println!("cargo::rerun-if-changed=build.rs");
    let stories: Vec<(&str, Scenario)> = BUILT_IN
        .iter()
        .map(|built_in| match built_in.read() {
            Ok(scenario) => (built_in.name, scenario),
            Err(mistakes) => panic!("static/scenarios/{}.json: {mistakes:#?}", built_in.name),
        })
        .collect();
    let folder = std::env::var_os("OUT_DIR").expect("Cargo says where to write");
    std::fs::write(PathBuf::from(folder).join("stories"), compiled::encode(&stories))
        .expect("Cargo's output folder can be written to");
    // Where the page's constants lie, for scripts/split.mjs; scripts/dist.mjs asks for it.
    println!("cargo::rerun-if-env-changed=LOGSTEP_MAP");
    if let Ok(map) = std::env::var("LOGSTEP_MAP") {
        println!("cargo::rustc-link-arg-bin=logstep-page=--Map={map}");
    }
}
