//! Answers that do not arrive: whatever is lost, somebody asks again, and every partition is read in the end.

use crate::harness::{World, check};
use crate::random::cases;
use crate::world::{Kind, plain, worlds};
use logstep::sim::assignor::Assignor;
use logstep::sim::property::SETTLED;
use logstep::sim::setup::*;
use logstep::sim::target::{Api, ClientId, MessageKind, MessageRef};
use logstep::sim::*;
use proptest::prelude::*;
use std::rc::Rc;

const C1: ConsumerId = ConsumerId(0);
const C2: ConsumerId = ConsumerId(1);
const C3: ConsumerId = ConsumerId(2);
const GROUP: GroupId = GroupId(0);

fn at(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

fn planned(millis: u64, action: Action) -> PlannedAction {
    PlannedAction { when: When::At(at(millis)), action }
}

fn answer_to_c1(api: Api, nth: u16) -> MessageRef {
    MessageRef { kind: MessageKind { api, is_answer: true }, client: ClientId::Consumer(C1), nth }
}

fn timed_out(api: Api) -> impl Fn(&Event) -> bool {
    move |event| matches!(*event, Event::RequestTimedOut { consumer: C1, api: of, .. } if of == api)
}

#[test]
fn each_of_several_lost_list_offsets_answers_is_asked_for_again() {
    let mut setup = plain(3, 1);
    // Each partition has a leader of its own.
    setup.brokers = (0..3).map(|_| BrokerSetup { latency: Span::from_millis(4) }).collect();
    let mut world = World::new(setup);
    world.until("the answers", |event| matches!(event, Event::ListOffsetsAnswered { .. }));
    world.until("the answers", |event| matches!(event, Event::ListOffsetsAnswered { .. }));
    for _ in 0..2 {
        world.act(Action::Drop(answer_to_c1(Api::ListOffsets, 0)));
    }
    let lost = world.run.now();
    for _ in 0..2 {
        let noticed = world.until("a time-out", timed_out(Api::ListOffsets));
        assert_eq!(noticed.since(lost), Span::from_millis(29_996));
    }
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 90);
}

/// C3 crashes, C1 gets some of its partitions and misses what is committed there; before it notices, C2 goes, too.
fn two_assignments(change: impl Fn(&mut ConsumerConfig)) -> World {
    let mut setup = plain(6, 3);
    setup.ends_at = at(300_000);
    setup.configure(GROUP, change);
    setup.actions = vec![planned(15_000, Action::Crash(C3.into()))];
    let mut world = World::new(setup);
    world.until("the crash", |event| matches!(event, Event::ConsumerCrashed { .. }));
    world.until("what is committed", |event| matches!(event, Event::OffsetFetchAnswered { consumer: C1, .. }));
    world.act(Action::Drop(answer_to_c1(Api::OffsetFetch, 0)));
    let at = world.run.now() + Span::from_secs(2);
    world.until_time(at);
    world.act(Action::Close(C2.into()));
    world.until("what else is committed", |event| matches!(event, Event::OffsetFetchAnswered { consumer: C1, .. }));
    world
}

#[test]
fn a_lost_offset_fetch_answer_is_asked_for_again_although_there_has_been_another() {
    let cooperative = |config: &mut ConsumerConfig| {
        config.settings.assignors = Rc::new([Assignor::CooperativeSticky]);
        config.settings.session_timeout = Span::from_secs(6);
        config.settings.heartbeat_interval = Span::from_secs(1);
    };
    let modern = |config: &mut ConsumerConfig| {
        config.settings.group_protocol = GroupProtocol::Consumer { remote_assignor: None };
    };
    for mut world in [two_assignments(cooperative), two_assignments(modern)] {
        world.until("the time-out", timed_out(Api::OffsetFetch));
        world.finish();
        assert_eq!(world.run.ledger(GROUP).processed, 180, "{}", world.tail(40));
    }
}

#[test]
fn a_late_fetch_of_an_ended_process_does_not_take_the_place_of_its_successors() {
    let mut world = World::new(plain(1, 1));
    world.until_time(at(20_500));
    let fetch = MessageRef { kind: MessageKind { api: Api::Fetch, is_answer: false }, ..answer_to_c1(Api::Fetch, 0) };
    while world.run.find_message(fetch).is_err() {
        world.run.step();
    }
    world.act(Action::Delay { message: fetch, by: Span::from_secs(60) });
    world.act(Action::Restart(C1));
    world.until("all records to be read", |event| matches!(event, Event::RecordProcessed { offset: 29, .. }));
    world.until_time(at(100_000));
    world.act(Action::Produce { producer: ProducerId(0), key: Some(KeyId(0)), value: ValueId(0), partition: None });
    world.finish();
    assert_eq!(world.run.ledger(GROUP).processed, 31, "{}", world.tail(20));
}

/// Something that goes wrong with a consumer, or a topic that grows while one starts again.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    Loses(MessageKind, usize),
    Late(MessageKind, usize, Span),
    StandsStill(usize, Span),
    Grows { to: u16, restarts: usize, after: Span },
}

fn trouble() -> impl Strategy<Value = Trouble> {
    let apis: Vec<Api> = Api::ALL.into_iter().filter(|&api| api != Api::Produce).collect();
    let kind = (prop::sample::select(apis), any::<bool>()).prop_map(|(api, is_answer)| MessageKind { api, is_answer });
    let of = 0..5usize;
    let by = prop::sample::select(vec![50, 3_000, 20_000, 50_000]).prop_map(Span::from_millis);
    let still = prop::sample::select(vec![500, 8_000, 30_000]).prop_map(Span::from_millis);
    // In the consumer protocol everything is said by heartbeats, and few of their answers say anything new.
    let tells_assignment = MessageKind { api: Api::ConsumerGroupHeartbeat, is_answer: true };
    prop_oneof![
        3 => of.clone().prop_map(move |of| Trouble::Loses(tells_assignment, of)),
        5 => (kind.clone(), of.clone()).prop_map(|(kind, of)| Trouble::Loses(kind, of)),
        2 => (kind, of.clone(), by).prop_map(|(kind, of, by)| Trouble::Late(kind, of, by)),
        1 => (of.clone(), still).prop_map(|(of, still)| Trouble::StandsStill(of, still)),
        1 => (6..9u16, of, 0..1_000u64)
            .prop_map(|(to, restarts, after)| Trouble::Grows { to, restarts, after: Span::from_millis(after) }),
    ]
}

/// When it happens: at some time, or while a group deals its partitions anew.
fn moment() -> impl Strategy<Value = When> {
    let condition = prop_oneof![
        (0..2usize).prop_map(|group| Condition::RebalanceStarted(GroupId::at(group))),
        (0..2usize, 2..6u32).prop_map(|(group, generation)| Condition::Generation(GroupId::at(group), generation)),
    ];
    prop_oneof![
        (0..60_000u64).prop_map(|millis| When::At(at(millis))),
        (condition, 0..3_000u64).prop_map(|(condition, millis)| When::After(condition, Span::from_millis(millis))),
    ]
}

fn later(when: When, by: Span) -> When {
    match when {
        When::At(at) => When::At(at + by),
        When::After(condition, span) => When::After(condition, span + by),
    }
}

/// A world in which messages get lost and processes stand still for a while, and then nothing more is done for long.
fn troubled() -> impl Strategy<Value = Setup> {
    (worlds(Kind::Sane), prop::collection::vec((moment(), trouble()), 1..=10)).prop_map(|(mut setup, troubles)| {
        // What is paused when nothing more is done stays unread.
        setup.actions.retain(|planned| !matches!(planned.action, Action::Pause(..) | Action::Resume(..)));
        if setup.seed % 2 == 0 {
            // Where a session outlasts `request.timeout.ms`, as it does by default, it is no way out of a lost answer.
            setup.cluster.consumer_groups.session_timeout = Span::from_secs(45);
        }
        let (count, groups) = (setup.consumers.len(), setup.groups.len());
        let consumer = |of: usize| ConsumerId::at(of % count);
        let message = |kind, of| MessageRef { kind, client: ClientId::Consumer(consumer(of)), nth: 0 };
        for (when, trouble) in troubles {
            if matches!(when, When::After(Condition::RebalanceStarted(group) | Condition::Generation(group, _), _)
                if group.index() >= groups)
            {
                continue;
            }
            let mut plan = |when, action| setup.actions.push(PlannedAction { when, action });
            match trouble {
                Trouble::Loses(kind, of) => plan(when, Action::Drop(message(kind, of))),
                Trouble::Late(kind, of, by) => plan(when, Action::Delay { message: message(kind, of), by }),
                Trouble::StandsStill(of, still) => {
                    plan(when, Action::Freeze(consumer(of)));
                    plan(later(when, still), Action::Thaw(consumer(of)));
                }
                Trouble::Grows { to, restarts, after } => {
                    plan(when, Action::AddPartitions { topic: TopicId(0), to });
                    plan(later(when, after), Action::Restart(consumer(restarts)));
                    // A static member of the classic protocol that comes back as its group's leader takes the partitions
                    // that there are for known, as Kafka's client does: nobody deals those that came meanwhile.
                    let is_classic =
                        |setup: &&mut ConsumerSetup| setup.config.settings.group_protocol == GroupProtocol::Classic;
                    setup.consumers.iter_mut().filter(is_classic).for_each(|setup| setup.instance_id = None);
                }
            }
        }
        setup.ends_at = at(1_500_000);
        setup
    })
}

proptest! {
    #![proptest_config(cases(module_path!(), 32))]

    #[test]
    fn whatever_gets_lost_every_partition_is_read_in_the_end(setup in troubled()) {
        let outcome = check(&setup, SETTLED);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }
}
