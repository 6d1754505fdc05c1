//! A producer's process and what it knows, without a world around it.

use super::*;
use crate::sim::effect::Effect;
use crate::sim::event::{Event, SentBecause};
use crate::sim::network::{Message, Produce};
use crate::sim::partitioner::Partitioner;
use crate::sim::setup::{BrokerSetup, ClusterSettings, Key, ProducerSettings, Setup, TopicSetup};
use crate::sim::step::Causes;
use crate::sim::time::Span;
use crate::sim::topics::Topics;
use rand::SeedableRng as _;

const TOPIC: TopicId = TopicId(0);
const BROKER: BrokerId = BrokerId(0);
const SHOP: ProducerId = ProducerId(0);

/// A producer and the moment that it lives in.
struct Client {
    setup: Setup,
    topics: Topics,
    rng: Xoshiro256PlusPlus,
    producer: Producer,
    now: Time,
    step: u32,
}

/// What one step came to.
struct Done {
    event: Option<Event>,
    sent: Vec<Produce>,
    wakes: Vec<(Time, Due)>,
}

impl Client {
    fn new(partitions: u16, settings: ProducerSettings, keys: impl Iterator<Item = String>) -> Self {
        let producer =
            ProducerSetup { name: "shop".into(), topic: TOPIC, settings, source: Source::Records(Vec::new()) };
        let setup = Setup {
            seed: 1,
            ends_at: Time::ZERO,
            brokers: vec![BrokerSetup { latency: Span::from_millis(1) }],
            cluster: ClusterSettings::default(),
            topics: vec![TopicSetup { name: "orders".into(), partitions }],
            producers: vec![producer],
            groups: Vec::new(),
            consumers: Vec::new(),
            sinks: Vec::new(),
            keys: keys.map(|key| Key::new(&key)).collect(),
            values: vec!["paid".into()],
            actions: Vec::new(),
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let producer = Producer::new(SHOP, &setup.producers[0], &mut rng);
        Client { topics: Topics::new(&setup), setup, rng, producer, now: Time::ZERO, step: 0 }
    }

    fn at(&mut self, millis: u64) -> &mut Self {
        self.now = Time::from_micros(millis * 1_000);
        self
    }

    fn step<T>(
        &mut self,
        does: impl FnOnce(&mut Producer, Context<'_>, &mut Xoshiro256PlusPlus, &mut Out) -> T,
    ) -> (T, Done) {
        let mut out = Out::default();
        let ctx =
            Context { now: self.now, step: StepNo(self.step), setup: &self.setup, topics: &self.topics, sinks: &[] };
        self.step += 1;
        let found = does(&mut self.producer, ctx, &mut self.rng, &mut out);
        let mut done = Done { event: out.event.map(|(event, _)| event), sent: Vec::new(), wakes: Vec::new() };
        for effect in out.effects {
            match effect {
                Effect::Send { message: Message::Produce(request), .. } => done.sent.push(request),
                Effect::Wake { at, due } => done.wakes.push((at, due)),
                other => panic!("{other:?}"),
            }
        }
        (found, done)
    }

    fn send(&mut self, key: u32) -> Placed {
        let draft = Draft { key: Some(KeyId(key)), value: ValueId(0), value_bytes: 4, partition: None };
        self.step(|producer, ctx, rng, out| producer.send(ctx, draft, rng, out)).0
    }

    fn wake(&mut self) -> Done {
        self.step(|producer, ctx, _, out| producer.handle_wake(ctx, out)).1
    }

    fn answer(&mut self, request: &Produce) -> Done {
        self.step(|producer, ctx, _, out| {
            let answer = (request.crashes, &request.batches[..], 0);
            producer.handle_answer(ctx, (BROKER, ctx.step), answer, out);
        })
        .1
    }

    fn crash(&mut self) -> Done {
        self.step(|producer, _, _, out| producer.crash(Causes::NONE, out)).1
    }

    fn start(&mut self) -> Done {
        self.step(|producer, ctx, rng, out| producer.start(ctx, rng, Causes::NONE, out)).1
    }

    fn close(&mut self) -> Done {
        self.step(|producer, ctx, _, out| producer.close(ctx, false, Causes::NONE, out)).1
    }
}

fn one_key() -> impl Iterator<Item = String> {
    ["123".to_owned()].into_iter()
}

fn with_linger(millis: u64) -> ProducerSettings {
    ProducerSettings::JAVA.with_linger(Span::from_millis(millis))
}

#[test]
fn what_waits_dies_with_the_process_and_what_is_in_flight_is_answered_to_nobody() {
    let mut client = Client::new(1, with_linger(10), one_key());
    client.send(0);
    let request = client.at(10).wake().sent.remove(0);
    for _ in 0..3 {
        client.send(0);
    }
    let event = client.crash().event;
    assert_eq!(event, Some(Event::ProducerCrashed { producer: SHOP, unsent: 3 }));
    assert_eq!((client.producer.never_sent, client.producer.in_flight(BROKER)), (3, 0));
    assert!(client.at(20).wake().event.is_none(), "nobody is there to wake");
    assert!(client.answer(&request).event.is_none());

    client.at(30).start();
    assert!(client.answer(&request).event.is_none(), "the answer was for the process before");
    // The queue goes on behind the records that were lost.
    assert_eq!(client.send(0).index, 4);
    let request = client.at(40).wake().sent.remove(0);
    assert_eq!((request.batches[0].from, request.batches[0].to), (4, 5));
    assert!(client.answer(&request).event.is_some());
}

#[test]
fn closing_sends_what_waits_at_once_within_the_limit_of_requests() {
    let mut settings = with_linger(1_000);
    (settings.batching.max_in_flight, settings.batching.batch_size) = (1, 100);
    let mut client = Client::new(1, settings, one_key());
    for _ in 0..4 {
        client.send(0);
    }
    let done = client.close();
    assert_eq!(done.event, Some(Event::ProducerClosed { producer: SHOP, waiting: 4 }));
    let (mut sent, mut rounds) = (0, 0);
    while sent < 4 {
        let done = client.wake();
        assert!(matches!(done.event, Some(Event::ProduceSent { because: SentBecause::Closing, .. })));
        let [request] = &done.sent[..] else { panic!("one request at a time") };
        assert!(client.wake().sent.is_empty(), "the limit holds");
        sent += request.batches.iter().map(|batch| batch.len()).sum::<u32>();
        rounds += 1;
        client.answer(request);
    }
    assert!(rounds > 1);
    assert_eq!(client.producer.never_sent, 0);
}

/// kafka-python 374: the hash of the language is salted when its process starts.
#[test]
fn a_salted_hash_sends_a_key_elsewhere_after_a_restart() {
    let settings = ProducerSettings { partitioner: Partitioner::SaltedHash, ..with_linger(0) };
    let mut client = Client::new(12, settings, one_key());
    let mut used = Vec::new();
    for _ in 0..10 {
        let first = client.send(0).number;
        assert!((0..5).all(|_| client.send(0).number == first), "it stays within a process");
        used.push(first);
        client.crash();
        let Some(Event::ProducerStarted { incarnation, .. }) = client.start().event else { panic!("it starts") };
        assert_eq!(usize::from(incarnation), used.len() + 1);
    }
    used.sort_unstable();
    used.dedup();
    assert!(used.len() > 3, "{used:?}");
}

/// Stack Overflow 39608714, with keys and numbers of ours: partitions are added, and eight of twelve keys move.
#[test]
fn new_partitions_are_used_once_metadata_are_as_old_as_they_may_be() {
    const WITH_4: [u16; 12] = [2, 0, 0, 3, 3, 0, 2, 3, 1, 2, 0, 0];
    const WITH_6: [u16; 12] = [0, 0, 4, 3, 3, 4, 0, 1, 5, 4, 0, 4];
    let mut client = Client::new(4, with_linger(5), (1001..=1012).map(|number| format!("order-{number}")));
    let all = |client: &mut Client| -> [u16; 12] { std::array::from_fn(|key| client.send(key as u32).number) };
    assert_eq!(all(client.at(1_000)), WITH_4);
    client.at(10_000);
    for _ in 0..2 {
        client.topics.add_to(TOPIC);
    }
    let (refreshed_at, _) = client.step(|producer, ctx, _, _| producer.expect_partitions(ctx));
    assert_eq!(refreshed_at, Some(Time::from_micros(300_000_000)), "five minutes after the start");
    assert_eq!(all(client.at(299_000)), WITH_4);
    client.at(300_000);
    let refresh = |client: &mut Client| client.step(|producer, ctx, _, out| producer.handle_metadata(ctx, out)).1;
    let event = refresh(&mut client).event;
    assert_eq!(event, Some(Event::ProducerMetadataRefreshed { producer: SHOP, from: 4, partitions: 6 }));
    assert_eq!(all(&mut client), WITH_6);
    assert!(refresh(&mut client).event.is_none(), "it brings nothing new");
    assert!(client.send(0).refreshed.is_some());
}

/// The first `send()` of a process asks for the partitions of its topic.
#[test]
fn a_process_that_starts_later_knows_new_partitions_at_once() {
    let mut client = Client::new(4, with_linger(5), (1001..=1012).map(|number| format!("order-{number}")));
    client.send(0);
    client.topics.add_to(TOPIC);
    client.crash();
    client.start();
    assert_eq!(client.send(0).known, 5);
}
