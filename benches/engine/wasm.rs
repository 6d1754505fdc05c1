//! The work of the benchmark as a WebAssembly module, for `scripts/bench.mjs`: it does the work and the script looks at
//! the clock.

mod work;

use logstep::history::History;
use logstep::sim::Simulation;
use logstep::sim::setup::Setup;
use std::cell::RefCell;

thread_local! {
    static SETUP: RefCell<Option<Setup>> = const { RefCell::new(None) };
    static HISTORY: RefCell<Option<History<Simulation>>> = const { RefCell::new(None) };
}

/// Prepares the main story (0), the same over and over (1), or a busy topic (2).
#[unsafe(no_mangle)]
pub extern "C" fn prepare(which: u32) {
    let setup = match which {
        0 => work::story(),
        1 => work::long_story(2400, 1),
        _ => work::busy(),
    };
    SETUP.set(Some(setup));
}

/// Runs what was prepared, and returns the number of steps.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    SETUP.with_borrow(|setup| setup.as_ref().map_or(0, |setup| work::run(setup, work::STEPS)))
}

/// Makes the whole of what was prepared known, and returns the number of steps.
#[unsafe(no_mangle)]
pub extern "C" fn remember() -> u32 {
    let history = SETUP.take().map(work::known);
    let steps = history.as_ref().map_or(0, |history| history.known().steps);
    HISTORY.set(history);
    steps
}

/// Goes to a step of the run that is known.
#[unsafe(no_mangle)]
pub extern "C" fn seek(position: u32) {
    HISTORY.with_borrow_mut(|history| history.as_mut().map(|history| history.seek(position)));
}

/// Starts branches of the run that is known.
#[unsafe(no_mangle)]
pub extern "C" fn branch(count: u32, ahead: u32) {
    HISTORY.with_borrow_mut(|history| history.as_mut().map(|history| work::branch(history, count, ahead)));
}

/// Crashes each consumer after each visible step of the main story, and returns the number of runs.
#[unsafe(no_mangle)]
pub extern "C" fn sweep() -> u32 {
    work::sweep()
}
