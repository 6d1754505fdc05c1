//! What several test files share. Each uses a part of it.
#![allow(dead_code, reason = "every test file compiles its own copy and uses a part")]

use logstep::sim::setup::*;
use logstep::sim::*;
use std::rc::Rc;

/// The main story: three consumers of one group, c3 crashes with two records processed and not committed.
pub fn story() -> Setup {
    let mut keys: Vec<Key> = Vec::new();
    let mut values: Vec<Rc<str>> = Vec::new();
    let mut records = Vec::new();
    for (at, key, value) in [
        (5000, "order-1001", "created"),
        (5200, "order-1003", "created"),
        (5400, "order-1009", "created"),
        (6000, "order-1009", "paid"),
        (6200, "order-1006", "created"),
        (6400, "order-1001", "paid"),
        (7000, "order-1009", "packed"),
        (7200, "order-1003", "paid"),
        (7400, "order-1009", "shipped"),
        (8000, "order-1009", "delivered"),
        (8200, "order-1001", "shipped"),
        (8400, "order-1009", "returned"),
        (9000, "order-1006", "paid"),
        (40000, "order-1009", "refunded"),
    ] {
        let k = keys.iter().position(|k: &Key| &*k.text == key).unwrap_or_else(|| {
            keys.push(Key::new(key));
            keys.len() - 1
        });
        values.push(value.into());
        records.push(PlannedRecord {
            at: Time::from_micros(at * 1000),
            key: Some(KeyId::at(k)),
            value: ValueId::at(values.len() - 1),
            value_bytes: value.len() as u32,
            partition: None,
        });
    }
    let config = Rc::new(ConsumerConfig {
        reads: Reads::Subscribed([TopicId(0)].into()),
        settings: ConsumerSettings {
            session_timeout: Span::from_secs(45),
            heartbeat_interval: Span::from_secs(3),
            max_poll_interval: Span::from_secs(300),
            max_poll_records: 500,
            auto_offset_reset: OffsetReset::Earliest,
            group_protocol: GroupProtocol::Classic,
            enable_auto_commit: false,
            ..ConsumerSettings::default()
        },
        handling: Handling {
            time: Span::from_millis(500),
            times: Vec::new(),
            fails: Vec::new(),
            on_error: failing::OnError::STOP,
            pool: None,
            commit: CommitPolicy::after_records(3),
            writes_to: Some(SinkId(0)),
            offset_store: None,
        },
    });
    Setup {
        seed: 7,
        ends_at: Time::from_micros(90_000_000),
        brokers: vec![BrokerSetup { latency: Span::from_millis(4) }],
        cluster: ClusterSettings {
            group_initial_rebalance_delay: Span::from_millis(3000),
            ..ClusterSettings::default()
        },
        topics: vec![TopicSetup { name: "orders".into(), partitions: 3 }],
        producers: vec![ProducerSetup {
            name: "shop".into(),
            topic: TopicId(0),
            settings: ProducerSettings::JAVA.with_linger(Span::from_millis(5)),
            source: Source::Records(records),
        }],
        groups: vec![GroupSetup { name: "billing".into(), committed: Vec::new() }],
        consumers: ["c1", "c2", "c3"]
            .iter()
            .map(|n| ConsumerSetup {
                name: (*n).into(),
                group: GroupId(0),
                instance_id: None,
                starts_at: Time::ZERO,
                config: config.clone(),
            })
            .collect(),
        sinks: vec![SinkSetup {
            name: "payments".into(),
            column: "event_id".into(),
            is_unique: false,
            writes: Writes::Insert,
        }],
        keys,
        values,
        actions: vec![PlannedAction {
            when: When::After(Condition::Processed { consumer: ConsumerId(2), records: 5 }, Span::ZERO),
            action: Action::Crash(ConsumerId(2).into()),
        }],
    }
}

/// A run of this setup from its start to its end.
pub fn finished(setup: Setup) -> Simulation {
    let mut run = Simulation::new(setup);
    while let Progress::Step(_) = run.step() {}
    run
}

/// Every known step of a run.
pub fn steps(run: &Simulation) -> impl Iterator<Item = (StepNo, Step)> + '_ {
    (0..run.known_steps()).map(StepNo).filter_map(|number| Some((number, *run.step_at(number)?)))
}

/// Runs of a setup without its own script, in which `actions` are done by hand: after every `stride`-th visible step
/// one run, each action as soon as it is possible.
pub fn disturbed(setup: &Setup, actions: &[Action], stride: usize) -> Vec<Simulation> {
    let calm = finished(Setup { actions: Vec::new(), ..setup.clone() });
    let moments = (0..calm.visible_steps()).step_by(stride).filter_map(|number| calm.visible_step(number));
    moments.map(|moment| disturbed_at(setup, moment, actions)).collect()
}

fn disturbed_at(setup: &Setup, moment: StepNo, actions: &[Action]) -> Simulation {
    let mut run = Simulation::new(Setup { actions: Vec::new(), ..setup.clone() });
    let mut open = actions.to_vec();
    open.reverse();
    while let Progress::Step(_) = run.step() {
        while run.steps() > moment.0
            && let Some(&action) = open.last()
            && run.apply(action).is_ok()
        {
            open.pop();
        }
    }
    run
}
