//! The budgets of the engine, natively: `make bench`. The same work in WebAssembly is measured by `scripts/bench.mjs`.

mod varied;
mod work;

use logstep::history::History;
use logstep::sim::setup::Setup;
use logstep::sim::{Event, Progress, Simulation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use varied::{Variety, varied};
use work::*;

/// Counts the bytes in use. One thread runs at a time, so plain loads and stores do.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.store(IN_USE.load(Relaxed).wrapping_add(layout.size()), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        IN_USE.store(IN_USE.load(Relaxed).wrapping_sub(layout.size()), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A line of the table.
struct Line<'w> {
    what: &'w str,
    value: f64,
    unit: &'static str,
    budget: Budget,
}

enum Budget {
    AtLeast(f64),
    AtMost(f64),
    None,
}

impl Line<'_> {
    fn print(&self) {
        let (sign, limit, holds) = match self.budget {
            Budget::AtLeast(limit) => ("≥ ", Some(limit), self.value >= limit),
            Budget::AtMost(limit) => ("≤ ", Some(limit), self.value <= limit),
            Budget::None => ("", None, true),
        };
        let budget = limit.map_or(String::new(), |limit| format!("{sign}{}", number(limit)));
        let verdict = match limit {
            None => "",
            Some(_) if holds => "ok",
            Some(_) => "OVER",
        };
        println!("{:<58} {:>11} {:<11} {:>11}  {}", self.what, number(self.value), self.unit, budget, verdict);
    }
}

fn number(value: f64) -> String {
    if value >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

fn timed<T>(what: impl FnOnce() -> T) -> (T, Duration) {
    let begins = Instant::now();
    let result = black_box(what());
    (result, begins.elapsed())
}

/// Steps a second, the best of some runs.
fn rate(setup: &Setup, times: u32) -> f64 {
    let once = || {
        let (steps, time) = timed(|| run(setup, STEPS));
        f64::from(steps) / time.as_secs_f64()
    };
    (0..times).map(|_| once()).fold(0.0, f64::max)
}

/// The time of a step of `b` in that of a step of `a`: the median of runs that take turns.
fn cost_ratio(a: &Setup, b: &Setup, times: u32) -> f64 {
    let cost = |setup: &Setup, repeat: u32| {
        let (steps, time) = timed(|| (0..repeat).map(|_| run(setup, STEPS)).sum::<u32>());
        time.as_secs_f64() / f64::from(steps)
    };
    // The shorter run is repeated until both take about as long.
    let repeat = (run(b, STEPS) / run(a, STEPS)).max(1);
    let mut ratios: Vec<f64> = (0..times).map(|_| cost(b, 1) / cost(a, repeat)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn mebibytes(bytes: usize) -> f64 {
    bytes as f64 / 1_048_576.0
}

fn remember(setup: Setup) -> (History<Simulation>, f64) {
    let before = IN_USE.load(Relaxed);
    let history = known(setup);
    let bytes = IN_USE.load(Relaxed) - before;
    (history, mebibytes(bytes))
}

/// Milliseconds of seeks to random positions, in order.
fn seeks(history: &mut History<Simulation>) -> Vec<f64> {
    let steps = history.known().steps;
    let mut times: Vec<f64> =
        positions(steps, 1000).map(|position| timed(|| history.seek(position)).1.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The share of heartbeats in the steps of a run, in per cent.
fn heartbeat_share(setup: &Setup) -> u32 {
    let mut run = Simulation::new(setup.clone());
    let mut heartbeats = 0;
    while let Progress::Step(step) = run.step() {
        let is_heartbeat = matches!(
            step.event,
            Event::HeartbeatSent { .. } | Event::HeartbeatReceived { .. } | Event::HeartbeatAnswered { .. }
        );
        heartbeats += u32::from(is_heartbeat);
    }
    heartbeats * 100 / run.steps()
}

fn main() {
    // 2,400 rounds make a little more than a million steps.
    let (long, short, wide) = (long_story(2400, 1), long_story(240, 1), long_story(240, 10));
    assert_eq!(run(&long, STEPS), STEPS);
    println!(
        "
Engine, natively
"
    );
    let line = |what: &str, value, unit, budget| Line { what, value, unit, budget }.print();
    let million = rate(&long, 5);
    line("the main story over and over, 1,000,000 steps", million, "steps/s", Budget::AtLeast(5e6));
    line("60 records/s, 1,000,000 steps", rate(&busy(), 5), "steps/s", Budget::AtLeast(5e6));
    let ratio = cost_ratio(&short, &long, 7);
    line("time of a step at 10 times the records", ratio, "times", Budget::AtMost(1.3));
    let ratio = cost_ratio(&short, &wide, 7);
    line("time of a step at 10 times the partitions and members", ratio, "times", Budget::AtMost(1.3));
    for (name, variety) in [
        ("three brokers", Variety::Brokers),
        ("cooperative-sticky", Variety::Cooperative),
        ("the consumer protocol", Variety::Consumer),
    ] {
        let long = varied(long.clone(), variety);
        line(&format!("the story with {name}"), rate(&long, 3), "steps/s", Budget::None);
        let [short, wide] = [&short, &wide].map(|setup| varied(setup.clone(), variety));
        let ratio = cost_ratio(&short, &long, 5);
        line("    time of a step at 10 times the records", ratio, "times", Budget::AtMost(1.3));
        let ratio = cost_ratio(&short, &wide, 5);
        line("    ... at 10 times the partitions and members", ratio, "times", Budget::AtMost(1.3));
    }
    let (mut history, memory) = remember(long);
    let times = seeks(&mut history);
    line("seek to a random step of 1,000,000, the longest of 1000", times[999], "ms", Budget::AtMost(16.0));
    line("seek, the 95th percentile", times[950], "ms", Budget::None);
    line("memory with history, 1,000,000 steps (native pointers)", memory, "MiB", Budget::AtMost(160.0));
    let before = IN_USE.load(Relaxed);
    branch(&mut history, 20, 1000);
    let more = 100.0 * mebibytes(IN_USE.load(Relaxed) - before) / memory;
    line("memory of 20 more branches with 1,000 steps each", more, "% more", Budget::AtMost(10.0));
    line("memory with history, the main story", remember(story()).1, "MiB", Budget::AtMost(16.0));
    let (runs, time) = timed(sweep);
    line("crash sweep of the main story", time.as_secs_f64(), "s", Budget::AtMost(1.0));
    println!(
        "\n{runs} runs in the sweep; heartbeats are {} % of the steps of the story over and over.",
        heartbeat_share(&short)
    );
    // For scripts/bench.mjs, which compares WebAssembly with it.
    if let Some(file) = std::env::var_os("LOGSTEP_BENCH_RATE") {
        std::fs::write(file, format!("{million:.0}")).expect("the rate can be written");
    }
}
