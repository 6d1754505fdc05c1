//! Worlds to try: random ones, and a plain one to change.

use logstep::sim::assignor::{Assignor, AssignorList, ServerAssignor};
use logstep::sim::partitioner::{Partitioner, hash};
use logstep::sim::producer::batching::{Batching, RequestOf};
use logstep::sim::producer::workload::Arrivals;
use logstep::sim::setup::*;
use logstep::sim::*;
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use std::rc::Rc;

/// How a random world is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every batch is handled well within `max.poll.interval.ms`, groups start at the earliest offset, and the run goes
    /// on for a long time after the last thing that is done to it.
    Sane,
    /// Handling may outlast every timeout; groups may start at the latest offset.
    Any,
    /// Hours in which little happens.
    Quiet,
}

/// The time within which things are done to the consumers.
const BUSY: u64 = 60_000;
/// The time that a sane world gets to settle.
const SETTLES: u64 = 600_000;

fn millis(millis: u64) -> Time {
    Time::from_micros(millis * 1000)
}

/// A random world.
pub fn worlds(kind: Kind) -> BoxedStrategy<Setup> {
    let last = if kind == Kind::Quiet { 3 * 3_600_000 } else { BUSY };
    let topics = prop::collection::vec(1..=5u16, 1..=2);
    let delay = prop::sample::select(vec![0u64, 500, 3000]);
    (any::<u64>(), (latency(), 1..=3u64), (delay, consumer_groups()), topics, 1..=2usize)
        .prop_flat_map(move |(seed, (latency, brokers), delay, topics, groups)| {
            let producers: Vec<_> = (0..topics.len()).map(|topic| producer(topic, last)).collect();
            let topic_count = topics.len();
            let groups: Vec<_> = (0..groups).map(|_| config(topic_count, kind, latency)).collect();
            let group_count = groups.len();
            let consumers = prop::collection::vec((0..group_count, 0..20_000u64, 0..8u8), 1..=5);
            (Just((seed, (latency, brokers), delay, topics)), producers, groups, consumers, any::<bool>())
        })
        .prop_flat_map(move |(basis, producers, groups, consumers, unique)| {
            let actions = prop::collection::vec(planned(consumers.len(), last, kind), 0..=8);
            (Just((basis, producers, groups, consumers, unique)), actions)
        })
        .prop_map(move |((basis, producers, groups, consumers, unique), actions)| {
            let (seed, (latency, brokers), (delay, (consumer_groups, release)), topics) = basis;
            let places = if kind == Kind::Any { 4 } else { 8 };
            let nearer = |broker: u64| BrokerSetup { latency: Span::from_micros(latency.as_micros() / broker) };
            let mut actions = actions;
            actions.extend(resumed(if kind == Kind::Sane { consumers.len() } else { 0 }, last));
            let settles = if kind == Kind::Any { 120_000 } else { SETTLES };
            Setup {
                seed,
                ends_at: millis(last + settles),
                brokers: (1..=brokers).map(nearer).collect(),
                cluster: ClusterSettings {
                    group_initial_rebalance_delay: Span::from_millis(delay),
                    consumer_groups,
                    release,
                    ..ClusterSettings::default()
                },
                topics: topics
                    .iter()
                    .enumerate()
                    .map(|(n, &partitions)| TopicSetup { name: format!("t{n}").into(), partitions })
                    .collect(),
                producers,
                groups: (0..groups.len())
                    .map(|n| GroupSetup { name: format!("g{n}").into(), committed: Vec::new() })
                    .collect(),
                consumers: consumers
                    .iter()
                    .enumerate()
                    .map(|(n, &(group, starts_at, place))| ConsumerSetup {
                        name: format!("c{n}").into(),
                        group: GroupId::at(group),
                        // Some are static members, and now and then two share a place. (Then the one that has lost it works
                        // on for a while.)
                        // A static member that restarts between two rebalances of a cooperative group ends the second one
                        // before it begins: what it had given up stays without an owner, and the world does not settle.
                        instance_id: (place < 3 && !(kind == Kind::Sane && groups[group].settings.is_cooperative()))
                            .then(|| format!("place-{}", n % places).into()),
                        starts_at: millis(starts_at),
                        config: Rc::new(groups[group].clone()),
                    })
                    .collect(),
                sinks: vec![SinkSetup {
                    name: "table".into(),
                    column: "event".into(),
                    is_unique: unique,
                    writes: Writes::Insert,
                }],
                keys: (0..8).map(|n| Key::new(&format!("key-{n}"))).collect(),
                values: vec!["value".into()],
                actions,
            }
        })
        .boxed()
}

/// What brokers decide for groups of the consumer protocol.
fn consumer_groups() -> impl Strategy<Value = (ConsumerGroupSettings, Release)> {
    (6..=20u64, 1..=4u64, any::<bool>(), any::<bool>()).prop_map(|(session, heartbeats, is_4_3, range)| {
        let settings = ConsumerGroupSettings {
            heartbeat_interval: Span::from_millis(heartbeats * 500),
            session_timeout: Span::from_secs(session),
            assignment_interval: Span::from_millis(if is_4_3 { 1000 } else { 0 }),
            assignors: if range {
                vec![ServerAssignor::Range, ServerAssignor::Uniform]
            } else {
                ServerAssignor::ALL.into()
            },
            ..ConsumerGroupSettings::default()
        };
        (settings, if is_4_3 { (4, 4) } else { (4, 0) })
    })
}

fn group_protocol() -> impl Strategy<Value = GroupProtocol> {
    let remote_assignor = prop::sample::select(vec![None, Some(ServerAssignor::Range), Some(ServerAssignor::Uniform)]);
    prop_oneof![
        Just(GroupProtocol::Classic),
        remote_assignor.prop_map(|remote_assignor| GroupProtocol::Consumer { remote_assignor })
    ]
}

fn latency() -> impl Strategy<Value = Span> {
    let odd = (1..200_000u64).prop_map(Span::from_micros);
    prop_oneof![Just(Span::ZERO), Just(Span::from_millis(1)), Just(Span::from_millis(4)), odd]
}

fn producer(topic: usize, last: u64) -> BoxedStrategy<ProducerSetup> {
    let records = prop::collection::vec((0..last, 0..10u32, 0..300u32), 1..40).prop_map(|mut records| {
        records.sort_unstable();
        let record = |(at, key, value_bytes)| PlannedRecord {
            at: millis(at),
            key: (key < 8).then_some(KeyId(key)),
            value: ValueId(0),
            value_bytes,
            partition: (key == 9).then_some(0),
        };
        Source::Records(records.into_iter().map(record).collect())
    });
    let workload = (0..10_000u64, arrivals(), 1..=120u32, prop::collection::vec(1..=9u32, 1..=8), 0..9u32).prop_map(
        |(from, arrivals, records, weights, null_weight)| {
            let mut sum = 0;
            let cumulative_weights = weights
                .into_iter()
                .map(|weight| {
                    sum += weight;
                    sum
                })
                .collect();
            let from = millis(from);
            let (first_key, value) = (KeyId(0), ValueId(0));
            Source::Workload(Workload {
                from,
                arrivals,
                records,
                first_key,
                cumulative_weights,
                null_weight,
                value,
                value_bytes: (0, 300),
            })
        },
    );
    (prop_oneof![records, workload], settings())
        .prop_map(move |(source, settings)| ProducerSetup {
            name: format!("p{topic}").into(),
            topic: TopicId::at(topic),
            settings,
            source,
        })
        .boxed()
}

fn arrivals() -> impl Strategy<Value = Arrivals> {
    let bursts = (1..=20u32, 1..2_000u64)
        .prop_map(|(records, every)| Arrivals::Bursts { records, every: Span::from_millis(every) });
    prop_oneof![(1..=50u32).prop_map(Arrivals::PerSecond), bursts]
}

fn settings() -> impl Strategy<Value = ProducerSettings> {
    let partitioner = prop::sample::select(vec![
        Partitioner::JAVA,
        Partitioner::DefaultSticky,
        Partitioner::RoundRobinTwice,
        Partitioner::LIBRDKAFKA,
        Partitioner::KafkaPython,
        Partitioner::SaltedHash,
    ]);
    let request = prop::sample::select(vec![RequestOf::Broker, RequestOf::Partition]);
    let batch_size = prop::sample::select(vec![1, 500, 16_384]);
    (partitioner, request, batch_size, 0..50u64, 1..=5u32).prop_map(
        |(partitioner, request, batch_size, linger, max_in_flight)| ProducerSettings {
            partitioner,
            batching: Batching {
                batch_size,
                request,
                linger: Span::from_millis(linger),
                max_in_flight,
                max_request_size: 1_000,
                ..Batching::JAVA
            },
            ..ProducerSettings::JAVA
        },
    )
}

/// What a group deals its partitions with.
fn assignors() -> impl Strategy<Value = Rc<[Assignor]>> {
    let lists: [&[Assignor]; 5] = [
        &[Assignor::Range, Assignor::CooperativeSticky],
        &[Assignor::CooperativeSticky],
        &[Assignor::CooperativeSticky],
        &[Assignor::Sticky],
        &[Assignor::RoundRobin, Assignor::Range],
    ];
    prop::sample::select(lists.map(Rc::from).to_vec())
}

/// How the consumers of a group are started.
fn config(topics: usize, kind: Kind, latency: Span) -> BoxedStrategy<ConsumerConfig> {
    let timing = (6..=20u64, 1..=4u64, 1..=20u32, 0..=400u64, 1..=7u32);
    let reset = if kind == Kind::Sane { Just(true).boxed() } else { any::<bool>().boxed() };
    let group = (group_protocol(), assignors());
    (timing, (1..(1u8 << topics), group), reset, 1..=60u64, any::<bool>(), committing())
        .prop_map(
            move |(
                (session, heartbeats, max_records, handling, commit),
                (subset, (group_protocol, assignors)),
                earliest,
                poll,
                sink,
                (policy, auto_commit),
            )| {
                // A commit after every record is the slowest way through a batch.
                let record = Span::from_millis(handling) + latency + latency;
                let batch = Span::from_micros(record.as_micros() * u64::from(max_records));
                let max_poll_interval = match kind {
                    Kind::Any => Span::from_secs(poll),
                    _ => batch + batch + Span::from_secs(5 + poll),
                };
                // A cooperative member may be at work when its JoinGroup is answered. It reads that with its next poll(),
                // and until then it sends no heartbeats: where that is too late every time, the group never comes to rest.
                let session_timeout = match kind {
                    Kind::Sane if *assignors == [Assignor::CooperativeSticky] => {
                        Span::from_secs(session).max(batch + Span::from_secs(5))
                    }
                    _ => Span::from_secs(session),
                };
                ConsumerConfig {
                    reads: Reads::Subscribed(
                        (0..topics).filter(|topic| subset >> topic & 1 == 1).map(TopicId::at).collect(),
                    ),
                    settings: ConsumerSettings {
                        session_timeout,
                        heartbeat_interval: Span::from_millis(heartbeats * 500),
                        max_poll_interval,
                        max_poll_records: max_records,
                        auto_offset_reset: if earliest { OffsetReset::Earliest } else { OffsetReset::Latest },
                        enable_auto_commit: auto_commit.is_some(),
                        auto_commit_interval: auto_commit.unwrap_or(Span::from_secs(5)),
                        group_protocol,
                        assignors,
                        ..ConsumerSettings::default()
                    },
                    handling: Handling {
                        time: Span::from_millis(handling),
                        times: Vec::new(),
                        fails: Vec::new(),
                        on_error: failing::OnError::STOP,
                        pool: None,
                        commit: match policy.when {
                            CommitWhen::AfterRecords(_) => {
                                CommitPolicy { when: CommitWhen::AfterRecords(commit), ..policy }
                            }
                            _ => policy,
                        },
                        writes_to: sink.then_some(SinkId(0)),
                        offset_store: None,
                    },
                }
            },
        )
        .boxed()
}

/// When the consumers of a group commit, always after processing; and the interval of auto commit, if it is on.
fn committing() -> impl Strategy<Value = (CommitPolicy, Option<Span>)> {
    let policy = (0..3u8, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(when, sync, on_revoke, on_close)| {
        let when = match when {
            0 => CommitWhen::AfterBatch,
            1 => CommitWhen::Never,
            _ => CommitWhen::AfterRecords(1),
        };
        CommitPolicy {
            when,
            how: if sync { CommitHow::Sync } else { CommitHow::Async },
            on_revoke,
            on_close,
            offset: CommitOffset::Contiguous,
        }
    });
    let auto_commit = prop_oneof![Just(None), (0..=10_000u64).prop_map(|millis| Some(Span::from_millis(millis)))];
    // Most worlds commit after every few records, as the simplest application does.
    prop_oneof![Just((CommitPolicy::after_records(1), None)), (policy, auto_commit)]
}

/// Something that can be done to a world with this many consumers; whether it is possible is another question.
pub fn action(consumers: usize) -> BoxedStrategy<Action> {
    prop_oneof![2 => harmless(consumers), 3 => harmful(consumers)].boxed()
}

/// What leaves every group whole: nothing is processed out of order or by two members at once, and nothing is lost.
fn harmless(consumers: usize) -> impl Strategy<Value = Action> {
    let producer = ClientId::Producer(ProducerId(0));
    let of_consumer = (0..6u8, 0..consumers, place()).prop_map(|(kind, consumer, place)| {
        let consumer = ConsumerId::at(consumer);
        match kind {
            0 => Action::Crash(consumer.into()),
            1 => Action::Close(consumer.into()),
            2 => Action::Start(consumer.into()),
            3 => Action::Restart(consumer),
            4 => Action::Pause(consumer, place),
            _ => Action::Resume(consumer, place),
        }
    });
    let produce = (0..3u32).prop_map(|key| Action::Produce {
        producer: ProducerId(0),
        key: Some(KeyId(key)),
        value: ValueId(0),
        partition: None,
    });
    let others = prop::sample::select(vec![
        Action::Join(GroupId(0)),
        Action::Close(producer),
        Action::Start(producer),
        Action::RestartProducer(ProducerId(0)),
        Action::AddPartitions { topic: TopicId(0), to: 1 },
    ]);
    prop_oneof![6 => of_consumer, 1 => produce, 1 => others]
}

fn place() -> impl Strategy<Value = TopicPartition> {
    (0..3u16).prop_map(|number| TopicPartition { topic: TopicId(0), number })
}

/// The rest: a process that stands still, lost messages, other positions, other settings.
fn harmful(consumers: usize) -> impl Strategy<Value = Action> {
    let client = prop_oneof![
        4 => (0..consumers).prop_map(|consumer| ClientId::Consumer(ConsumerId::at(consumer))),
        1 => Just(ClientId::Producer(ProducerId(0))),
    ];
    let message = (prop::sample::select(Api::ALL.to_vec()), any::<bool>(), client, 0..2u16)
        .prop_map(|(api, is_answer, client, nth)| MessageRef { kind: MessageKind { api, is_answer }, client, nth });
    let on_message = (message, any::<bool>(), 1..90_000u64).prop_map(|(message, drops, by)| match drops {
        true => Action::Drop(message),
        false => Action::Delay { message, by: Span::from_millis(by) },
    });
    let of_consumer = (0..4u8, 0..consumers, place(), 0..20u32).prop_map(|(kind, consumer, partition, to)| {
        let consumer = ConsumerId::at(consumer);
        match kind {
            0 | 1 => Action::Freeze(consumer),
            2 => Action::Thaw(consumer),
            _ => Action::Seek { consumer, partition, to },
        }
    });
    let change = (0..12u8, 0..consumers, place(), 1..3000u64).prop_map(|(kind, consumer, place, millis)| {
        let (consumer, span) = (ConsumerId::at(consumer), Span::from_millis(millis));
        let setting = |setting| Change::Setting { consumer, setting };
        let of_producer = |setting| Change::ProducerSetting { producer: ProducerId(0), setting };
        Action::Set(match kind {
            0 => Change::HandlingTime { consumer, of: HandlingOf::Every, time: span },
            1 => Change::HandlingTime { consumer, of: HandlingOf::Partition(place), time: span },
            2 => Change::Latency { broker: BrokerId(0), latency: span },
            3 => Change::Rate { producer: ProducerId(0), per_second: millis as u32 },
            4 => setting(ConsumerSetting::MaxPollRecords(millis as u32 % 9 + 1)),
            5 => setting(ConsumerSetting::EnableAutoCommit(millis % 2 == 0)),
            6 => {
                let assignors = Assignor::ALL.map(|assignor| [assignor, Assignor::Range]);
                let list = &assignors[millis as usize % 4][usize::from(millis % 4 == 0)..];
                setting(ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(list)))
            }
            7 => of_producer(ProducerSetting::Linger(span)),
            8 => of_producer(ProducerSetting::BatchSize(millis as u32)),
            9 => Change::UniqueKey { sink: SinkId(0), is_unique: millis % 2 == 0 },
            10 => Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(span)),
            _ => Change::Commit { consumer, policy: late(millis) },
        })
    });
    let reset = (prop::option::of(place()), 0..4u8, 0..20u32).prop_map(|(partition, kind, offset)| {
        let to = match kind {
            0 => ResetTo::Earliest,
            1 => ResetTo::Latest,
            2 => ResetTo::Offset(offset),
            _ => ResetTo::ShiftBy(offset as i32 - 10),
        };
        Action::ResetOffsets { group: GroupId(0), partition, to }
    });
    let others = (0..3u16, 2..9u16).prop_map(|(kind, to)| match kind {
        0 => Action::Crash(ClientId::Producer(ProducerId(0))),
        1 => Action::AddPartitions { topic: TopicId(0), to },
        _ => {
            Action::Produce { producer: ProducerId(0), key: Some(KeyId(0)), value: ValueId(0), partition: Some(to % 3) }
        }
    });
    prop_oneof![3 => of_consumer, 3 => on_message, 1 => change, 1 => reset, 1 => others]
}

/// Some way to commit after processing.
fn late(number: u64) -> CommitPolicy {
    let when = match number % 3 {
        0 => CommitWhen::AfterBatch,
        _ => CommitWhen::AfterRecords(number as u32 % 5 + 1),
    };
    let how = if number.is_multiple_of(2) { CommitHow::Sync } else { CommitHow::Async };
    CommitPolicy {
        when,
        how,
        on_revoke: number.is_multiple_of(7),
        on_close: number.is_multiple_of(5),
        offset: CommitOffset::Contiguous,
    }
}

/// True if what is done can break the order of a key: a jump back to what was passed over, or another partition for it.
pub fn may_break_order(action: Action) -> bool {
    matches!(
        action,
        Action::Seek { .. }
            | Action::ResetOffsets { .. }
            | Action::AddPartitions { .. }
            | Action::Produce { partition: Some(_), .. }
    )
}

/// At the end of the busy time of a world, whatever is paused goes on.
fn resumed(consumers: usize, at: u64) -> impl Iterator<Item = PlannedAction> {
    (0..consumers).flat_map(move |consumer| {
        (0..3u16).map(move |number| PlannedAction {
            when: When::At(millis(at)),
            action: Action::Resume(ConsumerId::at(consumer), TopicPartition { topic: TopicId(0), number }),
        })
    })
}

fn planned(consumers: usize, last: u64, kind: Kind) -> impl Strategy<Value = PlannedAction> {
    let condition = (0..consumers, 1..20u32, 0..6u8, 0..2000u64).prop_map(|(consumer, records, kind, wait)| {
        let consumer = ConsumerId::at(consumer);
        let condition = match kind {
            0 => Condition::Processed { consumer, records },
            1 => Condition::Crashed(consumer),
            2 => Condition::Assigned(consumer),
            3 => Condition::SessionExpired(consumer),
            4 => Condition::RebalanceStarted(GroupId(0)),
            _ => Condition::Generation(GroupId(0), records % 5 + 1),
        };
        // At once, which is the very next step, or a little later.
        When::After(condition, if wait < 700 { Span::ZERO } else { Span::from_millis(wait) })
    });
    let when = prop_oneof![(0..last).prop_map(|at| When::At(millis(at))), condition];
    let action = if kind == Kind::Sane { harmless(consumers).boxed() } else { action(consumers) };
    (when, action).prop_map(|(when, action)| PlannedAction { when, action })
}

/// One topic `orders`, one record a second to each partition from 5 s on for half a minute, one group whose members all
/// start at 0 s; Kafka's defaults.
pub fn plain(partitions: u16, members: usize) -> Setup {
    let keys = one_key_for_each(partitions);
    let records = (0..30)
        .flat_map(|second| (0..u32::from(partitions)).map(move |key| (5000 + second * 1000, key)))
        .map(|(at, key)| PlannedRecord {
            at: millis(at),
            key: Some(KeyId(key)),
            value: ValueId(0),
            value_bytes: 5,
            partition: None,
        })
        .collect();
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
            time: Span::from_millis(100),
            times: Vec::new(),
            fails: Vec::new(),
            on_error: failing::OnError::STOP,
            pool: None,
            commit: CommitPolicy::after_records(5),
            writes_to: Some(SinkId(0)),
            offset_store: None,
        },
    });
    Setup {
        seed: 7,
        ends_at: millis(180_000),
        brokers: vec![BrokerSetup { latency: Span::from_millis(4) }],
        cluster: ClusterSettings {
            group_initial_rebalance_delay: Span::from_millis(3000),
            ..ClusterSettings::default()
        },
        topics: vec![TopicSetup { name: "orders".into(), partitions }],
        producers: vec![ProducerSetup {
            name: "shop".into(),
            topic: TopicId(0),
            settings: ProducerSettings::JAVA.with_linger(Span::from_millis(5)),
            source: Source::Records(records),
        }],
        groups: vec![GroupSetup { name: "billing".into(), committed: Vec::new() }],
        consumers: (1..=members)
            .map(|n| ConsumerSetup {
                name: format!("c{n}").into(),
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
        values: vec!["paid".into()],
        actions: Vec::new(),
    }
}

fn one_key_for_each(partitions: u16) -> Vec<Key> {
    let goes_to = |key: &Key, partition: u32| {
        hash::partition_for_hash(hash::murmur2(key.text.as_bytes()), u32::from(partitions)) == partition
    };
    let key_for = |partition: u32| {
        (0..).map(|n| Key::new(&format!("order-{n}"))).find(|key| goes_to(key, partition)).expect("there are many keys")
    };
    (0..u32::from(partitions)).map(key_for).collect()
}

/// One partition, one consumer, and this many records that arrive together.
pub fn at_once(records: usize) -> Setup {
    let mut setup = crate::common::story();
    setup.actions.clear();
    setup.topics[0].partitions = 1;
    setup.consumers.truncate(1);
    let record =
        PlannedRecord { at: millis(10_000), key: Some(KeyId(0)), value: ValueId(0), value_bytes: 1, partition: None };
    setup.producers[0].source = Source::Records(vec![record; records]);
    setup
}
