//! The engine of logstep: `src/sim` and `src/history`, as a package of its own only so that it can be compiled with a profile
//! of its own. Everybody uses them as `logstep::sim` and `logstep::history`.

#[path = "../src/history/mod.rs"]
pub mod history;
#[path = "../src/sim/mod.rs"]
pub mod sim;
