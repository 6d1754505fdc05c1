//! The lag over time is that of each moment, and its shape is named by what is the case.

use logstep::explain::lag::{self, Because, Chart, LagHistory, LagShape, Stands};
use logstep::scenario;
use logstep::scene::plot::{self, Measure};
use logstep::sim::*;
use logstep::text::{self, Lang};
use std::fs;

fn scenarios() -> Vec<(String, Simulation)> {
    let folders = ["tests/cases", "docs/examples", "static/scenarios"];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of scenarios"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let source = fs::read_to_string(file).expect("a scenario is readable");
        let scenario = scenario::read(&source).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", file.display()));
        (file.display().to_string(), Simulation::new(scenario.setup.clone()))
    };
    files.iter().map(read).collect()
}

/// Runs a scenario to its end, or to a time, and knows its lag.
fn run_until(run: &mut Simulation, until: Time) -> LagHistory {
    while run.now() < until {
        let Progress::Step(_) = run.step() else { break };
    }
    let mut history = LagHistory::default();
    history.advance(run);
    history
}

fn read(source: &str) -> Simulation {
    let scenario = scenario::read(source).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    Simulation::new(scenario.setup.clone())
}

fn last(chart: &Chart, partition: PartitionId) -> lag::Behind {
    let series = chart.series.iter().find(|series| series.partition == Some(partition));
    *series.and_then(|series| series.behind.last()).expect("a partition that is drawn")
}

#[test]
fn the_last_sample_is_the_lag_of_the_moment() {
    let mut compared = 0;
    for (name, mut run) in scenarios() {
        let mut history = LagHistory::default();
        let every = 97;
        while let Progress::Step(_) = run.step() {
            if run.steps() % every > 0 || run.steps() > 20_000 {
                continue;
            }
            history.advance(&run);
            for group in (0..run.setup().groups.len()).map(GroupId::at) {
                let chart = lag::chart(&history, &run, group, Time::ZERO);
                for partition in chart.series.iter().filter_map(|series| series.partition) {
                    let (found, expected) = (last(&chart, partition), run.lag(group, partition));
                    let Some(records) = expected.records else { continue };
                    assert_eq!(found.records, records, "{name}, step {}, {partition:?}", run.steps());
                    assert_eq!(found.age, expected.uncommitted.unwrap_or(Span::ZERO), "{name}, step {}", run.steps());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5_000, "only {compared} lags were compared");
}

#[test]
fn a_history_that_knows_the_future_says_the_same_of_the_past() {
    for (name, mut run) in scenarios().into_iter().filter(|(name, _)| name.contains("static")) {
        let mut early = LagHistory::default();
        for _ in 0..run.setup().producers.len() * 200 {
            run.step();
        }
        early.advance(&run);
        let mut later = run.fork();
        while let Progress::Step(_) = later.step() {}
        let mut late = LagHistory::default();
        late.advance(&later);
        let charts = [early, late].map(|history| lag::chart(&history, &run, GroupId(0), Time::ZERO));
        assert_eq!(charts[0], charts[1], "{name}");
    }
}

/// A topic with 3 partitions, a group of 3 that commits after each record, and what differs.
fn world(workload: &str, handling: &str, actions: &str) -> String {
    format!(
        r#"{{ "format": "logstep/1", "title": "t", "ends_at": "2m", "cluster": {{ "kafka": "3.6", "settings": {{ "group.initial.rebalance.delay.ms": 0 }} }},
            "topics": [{{ "name": "orders", "partitions": 3 }}],
            "producers": [{{ "name": "shop", "topic": "orders", "settings": {{}}, "workload": {{ "from": "5s", "value": "v", {workload} }} }}],
            "sinks": [{{ "name": "payments" }}],
            "groups": [{{ "name": "billing", "topics": ["orders"],
                "settings": {{ "enable.auto.commit": false, "auto.offset.reset": "earliest", "partition.assignment.strategy": "range" }},
                "handling": {handling},
                "members": [{{ "name": "c1" }}, {{ "name": "c2" }}, {{ "name": "c3" }}] }}],
            "actions": [{actions}] }}"#
    )
}

const EACH: &str = r#"{ "time": "100ms", "writes_to": "payments", "commit": { "after_records": 1 } }"#;
const EVEN: &str = r#""per_second": 12, "records": 1300, "keys": 60"#;

fn shape_at(source: &str, at: Time) -> (Simulation, LagShape, Chart) {
    let mut run = read(source);
    let history = run_until(&mut run, at);
    let chart = lag::chart(&history, &run, GroupId(0), Time::ZERO);
    let shape = lag::shape(&history, &run, GroupId(0), &chart);
    (run, shape, chart)
}

const AT_90: Time = Time::from_micros(90_000_000);

#[test]
fn each_shape_is_named_by_what_is_the_case() {
    let slow = r#"{ "time": "400ms", "writes_to": "payments", "commit": { "after_records": 1 } }"#;
    let seldom = r#"{ "time": "20ms", "writes_to": "payments", "commit": { "after_records": 60 } }"#;
    let skewed = r#""per_second": 12, "records": 1300, "keys": 4, "weights": [30, 1, 1, 1]"#;
    let (_, shape, _) = shape_at(&world(EVEN, EACH, ""), AT_90);
    assert_eq!(shape, LagShape::KeepsUp);
    let (_, shape, _) = shape_at(&world(EVEN, EACH, ""), Time::from_micros(1_000_000));
    assert_eq!(shape, LagShape::Empty);
    let (_, shape, chart) = shape_at(&world(EVEN, slow, ""), AT_90);
    assert_eq!(shape, LagShape::Rises);
    assert!(chart.appended > chart.processed, "{} written, {} processed", chart.appended, chart.processed);
    let (_, shape, _) = shape_at(&world(skewed, EACH, ""), AT_90);
    let LagShape::OnePartition { percent, written, .. } = shape else { panic!("{shape:?}") };
    assert!(percent >= 80 && written >= 80, "{percent} % of the lag, {written} % of what was written");
    let (_, shape, _) = shape_at(&world(EVEN, seldom, ""), AT_90);
    assert!(matches!(shape, LagShape::Commits { .. }), "{shape:?}");
    let crash = r#"{ "at": "60s", "crash": "c2" }"#;
    let (run, shape, _) = shape_at(&world(EVEN, EACH, crash), AT_90);
    let LagShape::Stands(Stands { partitions, because: Because::Nobody, .. }) = shape else { panic!("{shape:?}") };
    assert_eq!(partitions.len(), 1);
    assert!(run.ledger(GroupId(0)).partitions[partitions[0].index()].unowned_since.is_some());
    let freeze = r#"{ "at": "60s", "freeze": "c2" }"#;
    let (run, shape, _) = shape_at(&world(EVEN, EACH, freeze), AT_90);
    let LagShape::Stands(Stands { because: Because::Frozen(consumer), .. }) = shape else { panic!("{shape:?}") };
    assert_eq!(&*run.consumer(consumer).name, "c2");
    let down = r#"{ "at": "60s", "set": { "sink": "payments", "down": true } }"#;
    let retries = r#"{ "time": "100ms", "writes_to": "payments", "commit": { "after_records": 1 }, "on_error": { "retry": "in_place", "back_off": "1s", "tries": 100 } }"#;
    let (_, shape, _) = shape_at(&world(EVEN, retries, down), AT_90);
    let LagShape::Stands(Stands { because: Because::SinkDown(_), partitions, .. }) = &shape else {
        panic!("{shape:?}")
    };
    assert_eq!(partitions.len(), 3, "{shape:?}");
    let restarts: Vec<String> = (2..9)
        .map(|tens| format!(r#"{{ "at": "{tens}0s", "{}": "c3" }}"#, if tens % 2 == 0 { "close" } else { "start" }))
        .collect();
    let (_, shape, chart) = shape_at(&world(EVEN, EACH, &restarts.join(", ")), AT_90);
    assert_eq!(shape, LagShape::Rebalancing { rebalances: chart.rebalances.len() });
    let (_, shape, _) = shape_at(&world(EVEN, slow, &restarts[0]), Time::from_micros(22_000_000));
    assert!(matches!(shape, LagShape::Stands(Stands { because: Because::Rebalancing, .. })), "{shape:?}");
    let burst = world(r#""per_second": 100, "records": 1000, "keys": 60"#, EACH, "");
    let (_, shape, _) = shape_at(&burst, Time::from_micros(32_000_000));
    assert!(matches!(shape, LagShape::Falls { from: 600.., to: 3..500 }), "{shape:?}");
    let (_, shape, _) = shape_at(&burst, AT_90);
    assert_eq!(shape, LagShape::KeepsUp, "it has caught up");
}

#[test]
fn what_is_drawn_stays_in_its_box_and_no_name_covers_another() {
    for (name, mut run) in scenarios() {
        let history = run_until(&mut run, Time::from_micros(u64::MAX / 2));
        for group in (0..run.setup().groups.len()).map(GroupId::at) {
            let chart = lag::chart(&history, &run, group, Time::ZERO);
            for measure in [Measure::Records, Measure::Age] {
                let plot = plot::plot(&chart, run.now(), measure);
                let area = plot.area;
                for line in &plot.lines {
                    let inside = line.points.iter().all(|point| {
                        (area.x..=area.x + area.w).contains(&point.x) && (area.y..=area.y + area.h).contains(&point.y)
                    });
                    assert!(inside, "{name}: {line:?}");
                    assert!(line.points.is_sorted_by_key(|point| point.x), "{name}: time goes on");
                }
                let mut labels: Vec<i32> = plot.lines.iter().map(|line| line.label.y).collect();
                labels.sort_unstable();
                assert!(labels.windows(2).all(|pair| pair[1] - pair[0] >= 13), "{name}: {labels:?}");
                assert!(labels.iter().all(|y| (0..=plot::SIZE.1).contains(y)), "{name}: {labels:?}");
                assert!((1..=6).contains(&plot.values.len()), "{name}: {:?}", plot.values);
                assert!(plot.times.len() <= 7, "{name}: {:?}", plot.times);
            }
            let shape = lag::shape(&history, &run, group, &chart);
            for lang in [Lang::Ja, Lang::En] {
                assert!(!text::lag::cause(lang, &run, &shape, &chart).is_empty());
            }
        }
    }
}

#[test]
fn a_place_of_the_plot_is_the_time_that_is_drawn_there() {
    let (run, _, chart) = shape_at(&world(EVEN, EACH, ""), AT_90);
    let plot = plot::plot(&chart, run.now(), Measure::Records);
    for &(at, x) in &plot.times {
        let place = (x * 1000 / plot::SIZE.0) as u32;
        let found = plot::time_at(&chart, run.now(), place);
        let off = found.since(at).as_micros().max(at.since(found).as_micros());
        assert!(off < 1_000_000, "{at:?} is drawn where {found:?} is found");
    }
}
