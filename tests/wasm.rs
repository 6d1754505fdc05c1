//! Tests that run as WebAssembly: `cargo test --target wasm32-unknown-unknown --test wasm`.
#![cfg(target_arch = "wasm32")]

use logstep::history::History;
use logstep::scenario::library::{self, BuiltIn};
use logstep::sim::setup::{Setup, bounds};
use logstep::sim::{Simulation, Time};
use logstep::stories;
use wasm_bindgen_test::wasm_bindgen_test;

/// Each built-in scenario and its digest, as the native tests found it.
const DIGESTS: &str = include_str!("digests.txt");

fn built_in() -> impl Iterator<Item = (&'static BuiltIn, &'static str)> {
    let recorded = DIGESTS.lines().map(|line| line.split_once(' ').expect("a line has a name and a digest"));
    recorded.map(|(name, digest)| (library::find(name).expect("it is a built-in scenario"), digest))
}

#[wasm_bindgen_test]
fn every_built_in_scenario_has_the_digest_that_it_has_natively() {
    assert_eq!(built_in().count(), library::BUILT_IN.len());
    for (built_in, digest) in built_in() {
        let scenario = built_in.read().expect("it has no mistakes");
        assert_eq!(scenario.run().digest(), digest, "{}", built_in.name);
    }
}

#[wasm_bindgen_test]
fn so_has_every_story_as_the_page_gets_it() {
    let recorded: Vec<(&str, &str)> = built_in().map(|(built_in, digest)| (built_in.name, digest)).collect();
    let stories = stories::all();
    let found: Vec<(&str, String)> =
        stories.iter().map(|story| (&*story.name, story.scenario().run().digest())).collect();
    assert!(found.iter().map(|(name, digest)| (*name, &**digest)).eq(recorded), "{found:?}");
}

#[wasm_bindgen_test]
fn seeking_to_and_fro_comes_to_the_same_moments() {
    let (built_in, digest) = built_in().next().expect("there is a main story");
    let scenario = built_in.read().expect("it has no mistakes");
    let mut history = History::new(Simulation::new(scenario.setup.clone()));
    while !history.advance(100).complete {}
    let steps = history.known().steps;
    for position in [steps, steps / 3, 0, steps] {
        history.seek(position);
        assert_eq!(history.position(), position);
    }
    assert_eq!(history.now().digest(), digest);
}

/// Sizes of pointers differ, and with them the layout of everything; what happens does not.
#[wasm_bindgen_test]
fn thirty_idle_days_end_in_webassembly_too() {
    let (built_in, _) = built_in().next().expect("there is a main story");
    let scenario = built_in.read().expect("it has no mistakes");
    let mut run = Simulation::new(Setup { ends_at: Time::ZERO + bounds::DURATION, ..Setup::clone(&scenario.setup) });
    while let logstep::sim::Progress::Step(_) = run.step() {}
    assert!(run.has_ended());
    assert_eq!(size_of::<usize>(), 4);
}
