//! The scenario file: `src/scenario`, as a package of its own only so that the build script can compile the built-in stories
//! with it. Everybody uses it as `logstep::scenario`.

pub use logstep_engine::sim;

#[path = "../src/scenario/mod.rs"]
pub mod scenario;
