//! What is measured, natively and in WebAssembly.

use logstep::history::History;
use logstep::scenario::library;
use logstep::sim::producer::workload::Arrivals;
use logstep::sim::setup::*;
use logstep::sim::*;
use logstep::sweep::Sweep;

/// The steps of a long run.
pub const STEPS: u32 = bounds::STEPS;

/// The keys of a long run.
const KEYS: u32 = 1000;
/// Records in each of its rounds.
const RECORDS: u64 = 14;
/// Length of a round.
const ROUND: Span = Span::from_secs(90);

/// The main story.
pub fn story() -> Setup {
    let scenario = library::BUILT_IN[0].read().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    Setup::clone(&scenario.setup)
}

/// The main story over and over, `width` times as wide: in each round of 90 s as many records, with skewed keys; in each
/// c3 crashes, its session expires, and it starts again.
pub fn long_story(rounds: u64, width: u16) -> Setup {
    let base = story();
    let keys: Vec<Key> = (0..KEYS).map(|n| Key::new(&format!("order-{n}"))).collect();
    let begins = |round: u64| Time::ZERO + Span::from_micros(ROUND.as_micros() * round);
    let mut drawn = 7u64;
    let mut records = Vec::new();
    for round in 0..rounds {
        for n in 0..RECORDS {
            for _ in 0..width {
                // The product of two even numbers is skewed: the low keys are frequent.
                drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (a, b) = ((drawn >> 33) % u64::from(KEYS), (drawn >> 13) % u64::from(KEYS));
                let key = KeyId((a * b / u64::from(KEYS)) as u32);
                let at = begins(round) + Span::from_millis(if n < RECORDS - 1 { 5000 + 300 * n } else { 40_000 });
                records.push(PlannedRecord { at, key: Some(key), value: ValueId(0), value_bytes: 5, partition: None });
            }
        }
    }
    let c3 = ConsumerId(2);
    let action = |at, action| PlannedAction { when: When::At(at), action };
    let actions = (0..rounds).flat_map(|round| {
        let (crash, start) = (begins(round) + Span::from_millis(7_800), begins(round) + Span::from_secs(75));
        [action(crash, Action::Crash(c3.into())), action(start, Action::Start(c3.into()))]
    });
    let consumers =
        (1..=3 * width).map(|n| ConsumerSetup { name: format!("c{n}").into(), ..base.consumers[0].clone() }).collect();
    Setup {
        ends_at: begins(rounds),
        topics: vec![TopicSetup { name: "orders".into(), partitions: 3 * width }],
        producers: vec![ProducerSetup { source: Source::Records(records), ..base.producers[0].clone() }],
        consumers,
        keys,
        actions: actions.collect(),
        ..base
    }
}

/// A busy topic: 60 records a second, and nothing else for most of the time.
pub fn busy() -> Setup {
    let mut setup = long_story(1, 1);
    let mut sum = 0;
    let cumulative_weights = (0..KEYS)
        .map(|n| {
            sum += KEYS / (n + 1);
            sum
        })
        .collect();
    setup.producers[0].source = Source::Workload(Workload {
        from: Time::ZERO,
        arrivals: Arrivals::PerSecond(60),
        null_weight: 0,
        value_bytes: (5, 5),
        records: bounds::RECORDS,
        first_key: KeyId(0),
        cumulative_weights,
        value: ValueId(0),
    });
    setup.configure(GroupId(0), |config| config.handling.time = Span::from_millis(5));
    setup.ends_at = Time::ZERO + Span::from_secs(4000);
    setup
}

/// Makes at most this many steps and tells how many were made.
pub fn run(setup: &Setup, steps: u32) -> u32 {
    let mut run = Simulation::new(setup.clone());
    while run.steps() < steps && matches!(run.step(), Progress::Step(_)) {}
    run.steps()
}

/// A run that is known to its end.
pub fn known(setup: Setup) -> History<Simulation> {
    let mut history = History::new(Simulation::new(setup));
    while history.known().steps < STEPS && !history.advance(50_000).complete {}
    history
}

/// Some positions of a run, the same at every call.
pub fn positions(steps: u32, count: u32) -> impl Iterator<Item = u32> {
    let mut drawn = 12345u64;
    (0..count).map(move |_| {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((drawn >> 33) % u64::from(steps)) as u32
    })
}

/// Starts this many branches at moments all over the first one, each with `ahead` steps of a future of its own.
pub fn branch(history: &mut History<Simulation>, count: u32, ahead: u32) {
    let steps = history.known().steps;
    for position in positions(steps, count) {
        history.switch(0);
        history.seek(position);
        let c1 = ConsumerId(0);
        if history.act(Action::Crash(c1.into())).is_err() {
            history.act(Action::Start(c1.into())).expect("a consumer either runs or does not");
        }
        history.advance(ahead);
    }
    history.switch(0);
}

/// One crash of each consumer after each visible step of the main story, each run to its end. Returns how many runs.
pub fn sweep() -> u32 {
    let mut sweep = Sweep::of_crashes(&story());
    sweep.finish();
    sweep.rows().len() as u32
}
