use logstep::sim::setup::*;
use logstep::sim::*;
use std::time::Instant;

fn scaled(records: u32, partitions: u16, members: u16) -> Setup {
    let keys: Vec<Key> = (0..1000).map(|n| Key::new(&format!("order-{n}"))).collect();
    let weights = (1..=1000).collect();
    Setup {
        seed: 7,
        ends_at: Time::ZERO + Span::from_secs(100_000),
        latency: Span::from_millis(4),
        broker: BrokerSettings { group_initial_rebalance_delay: Span::from_millis(3000) },
        topics: vec![TopicSetup { name: "orders".into(), partitions }],
        producers: vec![ProducerSetup {
            name: "shop".into(),
            topic: TopicId(0),
            linger: Span::from_millis(5),
            source: Source::Workload(Workload {
                from: Time::ZERO,
                per_second: 20 * u32::from(partitions),
                records,
                first_key: KeyId(0),
                cumulative_weights: weights,
                value: ValueId(0),
            }),
        }],
        groups: vec![GroupSetup {
            name: "billing".into(),
            topics: vec![TopicId(0)],
            settings: ConsumerSettings {
                session_timeout: Span::from_secs(45),
                heartbeat_interval: Span::from_secs(3),
                max_poll_interval: Span::from_secs(300),
                max_poll_records: 500,
                auto_offset_reset: OffsetReset::Earliest,
            },
            handling: Handling { time: Span::from_millis(5), commit_after_records: 3, writes_to: Some(SinkId(0)) },
        }],
        consumers: (0..members)
            .map(|n| ConsumerSetup { name: format!("c{n}").into(), group: GroupId(0), starts_at: Time::ZERO })
            .collect(),
        sinks: vec![SinkSetup { name: "payments".into(), unique_key: None }],
        keys,
        values: vec!["v".into()],
        actions: vec![],
    }
}

fn rate(setup: &Setup) {
    let mut best = 0u64;
    let mut n = 0u32;
    for _ in 0..5 {
        let mut run = Simulation::new(setup.clone());
        let start = Instant::now();
        n = 0;
        while let Progress::Step(_) = run.step() {
            n += 1;
        }
        let ns = start.elapsed().as_nanos().max(1) as u64;
        best = best.max(u64::from(n) * 1_000_000_000 / ns);
    }
    println!("{n} steps, {best} steps/s");
}

fn main() {
    rate(&scaled(70_000, 3, 3));
    rate(&scaled(7_000, 3, 3));
    rate(&scaled(70_000, 30, 30));
}
