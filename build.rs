//! Compiles the built-in stories, so that the page needs no reader for them. In Cargo's output folder, for `src/stories.rs`: `titles`
//! is a list of their names and titles, in the order in which they are offered, `first-story` what the file of the first says, and
//! `other-stories` a list of what those of the others say.

use logstep_scenario::scenario::{Scenario, compiled, library::BUILT_IN};
use std::path::PathBuf;

/// Begins what only the rest of the page's program needs. `src/stories.rs` passes over it.
const OF_REST: &[u8] = b"logstep-of-rest:";

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
    let write = |name: &str, bytes: Vec<u8>| {
        std::fs::write(PathBuf::from(&folder).join(name), bytes).expect("Cargo's output folder can be written to");
    };
    let titles: Vec<_> = stories.iter().map(|(name, scenario)| (name, &scenario.title)).collect();
    write("titles", compiled::encode(&titles));
    let scenarios: Vec<&Scenario> = stories.iter().map(|(_, scenario)| scenario).collect();
    write("first-story", compiled::encode(&scenarios[0]));
    // The mark tells scripts/split.mjs that it is one thing, which nothing points into.
    write("other-stories", [OF_REST, &compiled::encode(&scenarios[1..].to_vec())].concat());
    // Where the page's constants lie, for scripts/split.mjs; scripts/dist.mjs asks for it.
    println!("cargo::rerun-if-env-changed=LOGSTEP_MAP");
    if let Ok(map) = std::env::var("LOGSTEP_MAP") {
        println!("cargo::rustc-link-arg-bin=logstep-page=--table-base=50000");
        println!("cargo::rustc-link-arg-bin=logstep-page=--Map={map}");
    }
}
