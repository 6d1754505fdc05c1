//! Links: old ones stay readable, every place survives its link, and nothing that comes from outside does harm.

use logstep::link::{Beginning, CHECK, Deed, Link, LinkProblem, MOST_BYTES, Opened, deeds, names_what_exists};
use logstep::sim::assignor::{Assignor, AssignorList};
use logstep::sim::setup::{CommitHow, CommitPolicy, CommitWhen, OffsetReset};
use logstep::sim::*;
use logstep::stories;
use proptest::prelude::*;

#[path = "common/random.rs"]
mod random;

fn at(micros: u64, nth: u32, action: Action) -> Deed {
    Deed { at: Time::from_micros(micros), nth, action }
}

/// One of each kind, as a link of the first version has them. They never change: a new kind is added at the end.
fn one_of_each() -> Vec<(Action, &'static str)> {
    let (consumer, producer) = (ConsumerId(2), ProducerId(1));
    let place = TopicPartition { topic: TopicId(0), number: 2 };
    let message =
        MessageRef { kind: MessageKind { api: Api::Heartbeat, is_answer: true }, client: consumer.into(), nth: 1 };
    vec![
        (Action::Crash(consumer.into()), "AQAAAQIA"),
        (Action::Close(producer.into()), "AQABAAEA"),
        (Action::Start(consumer.into()), "AQACAQIA"),
        (Action::Restart(consumer), "AQADAgA"),
        (Action::Freeze(consumer), "AQAEAgA"),
        (Action::Thaw(consumer), "AQAFAgA"),
        (Action::Join(GroupId(0)), "AQAGAAA"),
        (Action::Pause(consumer, place), "AQAHAgAAAAIA"),
        (Action::Resume(consumer, place), "AQAIAgAAAAIA"),
        (Action::Seek { consumer, partition: place, to: 7 }, "AQAJAgAAAAIABwAAAA"),
        (
            Action::ResetOffsets { group: GroupId(0), partition: Some(place), to: ResetTo::ShiftBy(-3) },
            "AQAKAAABAAACAAP9____",
        ),
        (Action::AddPartitions { topic: TopicId(0), to: 4 }, "AQALAAAEAA"),
        (Action::Produce { producer, key: Some(KeyId(3)), value: ValueId(1), partition: None }, "AQAMAQABAwAAAAEAAAAA"),
        (Action::Delay { message, by: Span::from_millis(500) }, "AQANDAEBAgABACChBwAAAAAA"),
        (Action::Drop(message), "AQAODAEBAgABAA"),
        (
            Action::Set(Change::HandlingTime { consumer, of: HandlingOf::Every, time: Span::from_secs(1) }),
            "AQAPAAIAAEBCDwAAAAAA",
        ),
        (Action::Set(Change::Latency { broker: BrokerId(0), latency: Span::from_millis(40) }), "AQAPAQAAQJwAAAAAAAA"),
        (Action::Set(Change::Rate { producer, per_second: 20 }), "AQAPAgEAFAAAAA"),
        (
            Action::Set(Change::Setting { consumer, setting: ConsumerSetting::AutoOffsetReset(OffsetReset::Earliest) }),
            "AQAPAwIABAA",
        ),
        (Action::Set(Change::Setting { consumer, setting: ConsumerSetting::EnableAutoCommit(true) }), "AQAPAwIABwE"),
        (
            Action::Set(Change::Setting {
                consumer,
                setting: ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(&[
                    Assignor::Range,
                    Assignor::CooperativeSticky,
                ])),
            }),
            "AQAPAwIACAEAAQMAAA",
        ),
        (
            Action::Set(Change::ProducerSetting { producer, setting: ProducerSetting::Linger(Span::from_millis(100)) }),
            "AQAPBAEAAKCGAQAAAAAA",
        ),
        (
            Action::Set(Change::ProducerSetting { producer, setting: ProducerSetting::BatchSize(16_384) }),
            "AQAPBAEAAQBAAAA",
        ),
        (Action::Set(Change::Commit { consumer, policy: CommitPolicy::after_records(1) }), "AQAPBQIAAgEAAAAAAAAA"),
        (Action::Set(Change::UniqueKey { sink: SinkId(0), is_unique: true }), "AQAPBgAAAQ"),
        (
            Action::Set(Change::BrokerSetting(BrokerSetting::GroupInitialRebalanceDelay(Span::ZERO))),
            "AQAPBwAAAAAAAAAAAA",
        ),
        (Action::RestartProducer(producer), "AQAQAQA"),
        (
            Action::Set(Change::Commit {
                consumer,
                policy: CommitPolicy {
                    when: CommitWhen::RecordsOrTime { records: 10, time: Span::from_secs(5) },
                    how: CommitHow::AsyncRetry,
                    ..CommitPolicy::after_records(1)
                },
            }),
            "AQAPBQIABAoAAABAS0wAAAAAAAIAAAA",
        ),
        (Action::Set(Change::SinkDown { sink: SinkId(0), is_down: true }), "AQAPCAAAAQ"),
    ]
}

#[test]
fn a_link_of_the_first_version_means_what_it_meant() {
    for (action, text) in one_of_each() {
        let deed = at(1, 0, action);
        assert_eq!(deeds::to_text(&[deed]), text, "{action:?}");
        assert_eq!(deeds::from_text(text), Some(vec![deed]));
    }
    let old = "#v=1&scenario=crash-before-commit&do=iNjXAwMAAQAA&step=46&t=7000000&check=00c0ffee&events=all&lang=ja";
    let link = Link {
        opened: Some(Opened::Builtin("crash-before-commit".to_owned())),
        beginning: Beginning::default(),
        done: vec![at(7_728_136, 3, Action::Crash(ConsumerId(0).into()))],
        step: Some(46),
        at: Some(Time::from_micros(7_000_000)),
        check: Some("00c0ffee".to_owned()),
        every_event: true,
        lang: Some("ja".to_owned()),
    };
    assert_eq!(Link::from_fragment(old), Ok(Some(link.clone())));
    assert_eq!(format!("#{}", link.to_fragment()), old);
    let other = Link { beginning: Beginning { seed: Some(7), without_crashes: true }, ..link };
    assert!(other.to_fragment().contains("&seed=7&without=crashes&"), "{}", other.to_fragment());
    assert_eq!(Link::from_fragment(&other.to_fragment()), Ok(Some(other)));
    assert_eq!(Link::from_fragment("#scenario=a&seed=x"), Err(LinkProblem::Damaged("seed")));
}

#[test]
fn a_simple_link_can_be_written_by_hand() {
    let link = Link::from_fragment("#scenario=crash-before-commit&step=58").unwrap().unwrap();
    assert_eq!(link.opened, Some(Opened::Builtin("crash-before-commit".to_owned())));
    assert_eq!((link.step, link.at, link.check, link.done), (Some(58), None, None, Vec::new()));
    assert_eq!(Link::from_fragment("#step=3").unwrap().unwrap().opened, None);
    for nothing in ["", "#", "#stage", "#later=1"] {
        assert_eq!(Link::from_fragment(nothing), Ok(None), "{nothing}");
    }
}

#[test]
fn a_query_beside_a_link_has_the_last_word() {
    let told =
        || Link::from_fragment("v=1&scenario=a&do=iNjXAwMAAQAA&step=46&t=7&check=00c0ffee&lang=ja").unwrap().unwrap();
    assert_eq!(told().led_by(None, None), told());
    assert_eq!(told().led_by(Some("a".to_owned()), None), told());
    assert_eq!(told().led_by(Some("a".to_owned()), Some(5)), Link { step: Some(5), at: None, check: None, ..told() });
    let other = Link { opened: Some(Opened::Builtin("b".to_owned())), ..Link::default() };
    assert_eq!(told().led_by(Some("b".to_owned()), None), other);
    assert_eq!(told().led_by(Some("b".to_owned()), Some(5)), Link { step: Some(5), ..other });
    assert_eq!(Link::default().led_by(None, None), Link::default());
}

#[test]
fn a_bad_link_says_what_is_wrong() {
    for (fragment, problem) in [
        ("v=2&scenario=a".to_owned(), LinkProblem::Newer),
        ("v=0&scenario=a".to_owned(), LinkProblem::Damaged("v")),
        ("v=x&scenario=a".to_owned(), LinkProblem::Damaged("v")),
        ("scenario=a&step=-1".to_owned(), LinkProblem::Damaged("step")),
        ("scenario=a&step=1&t=99999999999999999999".to_owned(), LinkProblem::Damaged("t")),
        ("scenario=a&do=!".to_owned(), LinkProblem::Damaged("do")),
        ("scenario=a&do=AQAAAQI".to_owned(), LinkProblem::Damaged("do")),
        ("scenario=a&do=AQD_".to_owned(), LinkProblem::Damaged("do")),
        (format!("file={}", "A".repeat(MOST_BYTES)), LinkProblem::TooLong),
    ] {
        assert_eq!(Link::from_fragment(&fragment), Err(problem), "{}", &fragment[..fragment.len().min(80)]);
    }
    let too_many = vec![at(0, 0, Action::Join(GroupId(0))); deeds::MOST + 1];
    assert_eq!(deeds::from_text(&deeds::to_text(&too_many)), None);
    assert!(deeds::from_text(&deeds::to_text(&too_many[1..])).is_some());
}

#[test]
fn a_hundred_deeds_in_a_built_in_story_stay_below_2000_characters() {
    let kinds: Vec<Action> = one_of_each().into_iter().map(|(action, _)| action).collect();
    let done = (0..100).map(|number| at(79_999_999 * number / 100, 40, kinds[number as usize % kinds.len()])).collect();
    let longest = stories::all().into_iter().map(|story| story.name).max_by_key(String::len).unwrap();
    let link = Link {
        opened: Some(Opened::Builtin(longest)),
        beginning: Beginning { seed: Some(u64::MAX), without_crashes: true },
        done,
        step: Some(1_000_000),
        at: Some(Time::from_micros(79_999_999)),
        check: Some("0".repeat(CHECK)),
        every_event: true,
        lang: Some("ja".to_owned()),
    };
    let length = link.to_fragment().len();
    assert!(length < 1_950, "{length}");
    assert_eq!(Link::from_fragment(&link.to_fragment()), Ok(Some(link)));
}

fn any_action() -> impl Strategy<Value = Action> {
    // Whatever bytes can say: most of it names what is not there.
    prop::collection::vec(any::<u8>(), 40).prop_filter_map("no action", |mut bytes| {
        bytes[0] %= 17;
        let text = deeds::to_text(&[at(0, 0, Action::Join(GroupId(0)))]);
        let mut raw = base64_decode(&text);
        raw.truncate(2);
        raw.extend(bytes);
        (3..raw.len()).find_map(|end| deeds::from_text(&base64_encode(&raw[..end]))).map(|deeds| deeds[0].action)
    })
}

fn base64_decode(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap()
}

fn base64_encode(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

proptest! {
    #![proptest_config(random::cases(module_path!(), 16))]

    #[test]
    fn deeds_survive_their_text(times in prop::collection::vec((0..1u64 << 40, any::<u32>()), 0..20), actions in prop::collection::vec(any_action(), 20)) {
        let mut times = times;
        times.sort_unstable();
        let deeds: Vec<Deed> = times.iter().zip(actions).map(|(&(micros, nth), action)| at(micros, nth, action)).collect();
        prop_assert_eq!(deeds::from_text(&deeds::to_text(&deeds)), Some(deeds));
    }

    #[test]
    fn whatever_a_link_names_does_no_harm(actions in prop::collection::vec(any_action(), 1..10), steps in 0..400u32) {
        let mut run = Simulation::new(stories::all()[0].scenario().setup.clone());
        for _ in 0..steps {
            run.step();
        }
        for action in actions {
            if names_what_exists(&run, action) {
                let _ = run.apply(action);
            }
        }
        while matches!(run.step(), Progress::Step(_)) {
            prop_assert!(run.steps() < 200_000);
        }
    }

    #[test]
    fn no_text_is_more_than_refused(text in "[#&=vscendoitpf0-9A-Za-z_%+-]{0,200}") {
        let _ = Link::from_fragment(&text);
    }
}
