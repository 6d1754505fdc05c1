//! The sequence diagram: what it tells of messages is what the network carried, and everything that it draws has its place.

mod common;

use common::story;
use logstep::scenario;
use logstep::scene::sequence::{BarKind, Drawing, End, For, Item, Label, Lifeline, Sequence, place, read};
use logstep::sim::network::{self, InFlight};
use logstep::sim::setup::{BrokerSetup, Setup};
use logstep::sim::*;
use logstep::text::{Lang, sequence as words};
use std::collections::BTreeMap;
use std::rc::Rc;

/// All files of worlds that there are.
fn worlds() -> Vec<(String, Rc<Setup>)> {
    let folders = ["tests/cases", "tests/scenes", "static/scenarios"];
    let mut files: Vec<_> = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder")).collect();
    files.sort_by_key(|file| file.as_ref().expect("a file").path());
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.expect("a file").path();
        let source = std::fs::read_to_string(&path).ok()?;
        Some((path.display().to_string(), scenario::read(&source).ok()?.setup))
    };
    let mut worlds: Vec<(String, Rc<Setup>)> = files.into_iter().filter_map(read).collect();
    let brokers = [4, 9, 2].map(|millis| BrokerSetup { latency: Span::from_millis(millis) }).into();
    worlds.push(("three brokers".to_owned(), Rc::new(Setup { brokers, ..story() })));
    worlds.push(("disturbed".to_owned(), Rc::new(with_disturbed_messages())));
    worlds
}

const ANSWER_TO_COMMIT: MessageKind = MessageKind { api: Api::OffsetCommit, is_answer: true };
const JOIN: MessageKind = MessageKind { api: Api::JoinGroup, is_answer: false };

/// The story, in which c1's request to join comes late and c3's first commit is not answered.
fn with_disturbed_messages() -> Setup {
    let first = |kind, consumer: u16| MessageRef { kind, client: ConsumerId(consumer).into(), nth: 0 };
    let at_once = |action| PlannedAction { when: When::At(Time::ZERO), action };
    let delay = Action::Delay { message: first(JOIN, 0), by: Span::from_millis(700) };
    let actions = vec![at_once(delay), at_once(Action::Drop(first(ANSWER_TO_COMMIT, 2)))];
    Setup { actions, ..story() }
}

/// Messages that the network has delivered, by the step that sent them, each with the last step before its arrival or the
/// step that this brought about.
type Delivered = BTreeMap<StepNo, Vec<(InFlight, StepNo)>>;

/// Steps through a run and calls `check` every so many steps and at the end, with what has been delivered so far.
fn watch(setup: &Setup, mut check: impl FnMut(&Simulation, &Delivered)) {
    let mut run = Simulation::new(setup.clone());
    let (mut delivered, mut before): (Delivered, Vec<InFlight>) = (Delivered::new(), Vec::new());
    while let Progress::Step(step) = run.step() {
        let after: Vec<InFlight> = run.in_flight().map(|(_, sent)| sent.clone()).collect();
        // What these take from the network does not arrive.
        let takes_away = matches!(
            step.event,
            Event::HeartbeatsSkipped { .. }
                | Event::MessageDropped { .. }
                | Event::MessageDelayed { .. }
                | Event::RequestTimedOut { .. }
        );
        for sent in before.iter().filter(|sent| !takes_away && sent.due_at <= step.at && !after.contains(sent)) {
            delivered.entry(sent.sent_by).or_default().push((sent.clone(), StepNo(run.steps() - 1)));
        }
        before = after;
        if run.steps().is_multiple_of(487) {
            check(&run, &delivered);
        }
    }
    check(&run, &delivered);
}

fn messages(sequence: &Sequence) -> impl Iterator<Item = &logstep::scene::sequence::Message> {
    sequence.items.iter().filter_map(|item| match item {
        Item::Message(message) => Some(message),
        _ => None,
    })
}

#[test]
fn what_arrives_is_what_the_network_delivered() {
    let mut compared = 0;
    for (name, setup) in worlds() {
        watch(&setup, |run, delivered| {
            for message in messages(&read(run, true)) {
                let End::Arrived(at, _) = message.end else { continue };
                let sent = delivered.get(&message.sent).map_or(&[][..], |sent| sent);
                let is_it = |(sent, _): &&(InFlight, StepNo)| {
                    let broker = network::Node::Broker(message.broker);
                    (sent.kind(), sent.client()) == (message.kind, message.client)
                        && (sent.from == broker || sent.to == broker)
                };
                let found = sent.iter().find(is_it);
                let (sent, _) =
                    found.unwrap_or_else(|| panic!("{name}, step {}: never delivered: {message:?}", run.steps()));
                assert!(sent.is_held || at.at == sent.due_at, "{name}: due {:?}: {message:?}", sent.due_at);
                compared += 1;
            }
        });
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn what_the_network_delivered_is_there() {
    for (name, setup) in worlds() {
        watch(&setup, |run, delivered| {
            let sequence = read(run, true);
            let begins = sequence.begins.unwrap_or(StepNo(0));
            let is_another = |client: ClientId| match client {
                ClientId::Consumer(consumer) => {
                    run.consumer(consumer).client().is_none() || run.consumer(consumer).incarnation > 1
                }
                ClientId::Producer(producer) => run.producer(producer).incarnation > 1,
            };
            let later = delivered.range(begins..).flat_map(|(_, sent)| sent);
            for (sent, _) in later.filter(|(_, by)| *by >= begins) {
                let is_there = messages(&sequence).any(|message| {
                    (message.kind, message.client, message.sent) == (sent.kind(), sent.client(), sent.sent_by)
                });
                let says_nothing = sent.is_held || sent.is_orphan || is_another(sent.client());
                assert!(is_there || says_nothing, "{name}, step {}: not there: {sent:?}", run.steps());
            }
        });
    }
}

/// What is drawn at a moment, with its words, in both languages.
fn drawn(run: &Simulation, with_chatter: bool) -> [(Sequence, Vec<String>, Drawing); 2] {
    Lang::ALL.map(|lang| {
        let sequence = read(run, with_chatter);
        let labels: Vec<String> = sequence.items.iter().map(|item| words::label(lang, run, item)).collect();
        let widths: Vec<i32> = labels.iter().map(|label| words::width(label)).collect();
        let drawing = place(run, &sequence, &widths);
        (sequence, labels, drawing)
    })
}

/// Calls `check` at moments of every world, with what is drawn there.
fn at_many_moments(mut check: impl FnMut(&str, &Sequence, &[String], &Drawing)) {
    for (name, setup) in worlds() {
        let mut run = Simulation::new((*setup).clone());
        while let Progress::Step(_) = run.step() {
            if run.steps().is_multiple_of(613) || run.steps() < 60 {
                for (sequence, labels, drawing) in drawn(&run, run.steps().is_multiple_of(2)) {
                    check(&name, &sequence, &labels, &drawing);
                }
            }
        }
    }
}

/// The words with where they are at a width, from left to right.
fn boxes(drawing: &Drawing, labels: &[String], width: i32) -> Vec<(i32, i32, i32, String)> {
    let of_arrows = drawing.arrows.iter().filter_map(|arrow| Some((arrow.item, arrow.label?)));
    let of_marks = drawing.marks.iter().map(|mark| (mark.item, mark.label));
    let of = |(item, label): (usize, Label)| {
        let x = label.at.x * width / 1000 + label.beside;
        let long = words::width(&labels[item]);
        let (left, right) = if label.ends { (x - long, x) } else { (x, x + long) };
        (label.at.y, left, right, labels[item].clone())
    };
    of_arrows.chain(of_marks).map(of).collect()
}

#[test]
fn arrows_never_go_up_and_end_at_lifelines() {
    at_many_moments(|name, sequence, _, drawing| {
        let x = |on: Lifeline| drawing.lanes.iter().find(|lane| lane.on == on).expect("everybody has a lifeline").x;
        for arrow in &drawing.arrows {
            let Item::Message(message) = &sequence.items[arrow.item] else { panic!("{name}: an arrow is a message") };
            assert!(arrow.to.y > arrow.from.y, "{name}: {message:?}, {arrow:?}");
            assert!(arrow.to.y <= drawing.present, "{name}: beyond the present: {arrow:?}");
            assert_eq!(arrow.from.x, x(message.sender()), "{name}: {message:?}");
            match message.end {
                End::Arrived(..) | End::Unheard(_) => {
                    assert_eq!(arrow.to.x, x(message.receiver()), "{name}: {message:?}")
                }
                End::OnItsWay { .. } | End::Dropped(..) => {
                    let way = (arrow.to.x - arrow.from.x) * (x(message.receiver()) - arrow.from.x).signum();
                    assert!(way > 0 && arrow.to.x != x(message.receiver()), "{name}: {message:?}");
                }
            }
        }
    });
}

#[test]
fn words_lie_inside_and_none_upon_another() {
    at_many_moments(|name, _, labels, drawing| {
        for width in [drawing.least_width, drawing.least_width * 3 / 2] {
            let boxes = boxes(drawing, labels, width);
            for (place, (y, left, right, label)) in boxes.iter().enumerate() {
                assert!(*left >= 0 && *right <= width, "{name}: {label} from {left} to {right} of {width}");
                let upon = boxes[place + 1..]
                    .iter()
                    .find(|(other, begins, ends, _)| (other - y).abs() < 12 && begins < right && left < ends);
                assert_eq!(upon, None, "{name}: upon {label}");
            }
        }
        let rows = |width: &[(i32, logstep::sim::Time)]| width.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 12);
        assert!(rows(&drawing.times), "{name}: times");
    });
}

/// Goes on up to the moment after the first step that is so.
fn go_on(run: &mut Simulation, mut is_it: impl FnMut(&Event) -> bool) {
    while let Progress::Step(step) = run.step() {
        if is_it(&step.event) {
            return;
        }
    }
    panic!("there is no such step");
}

/// A run up to the moment after the first step that is so.
fn until(setup: Setup, is_it: impl FnMut(&Event) -> bool) -> Simulation {
    let mut run = Simulation::new(setup);
    go_on(&mut run, is_it);
    run
}

fn count(sequence: &Sequence, api: Api, is_answer: bool) -> usize {
    messages(sequence).filter(|message| message.kind == MessageKind { api, is_answer }).count()
}

/// Who waits for whom from a time on, in order.
fn waits(sequence: &Sequence, since: Time) -> Vec<(ConsumerId, For)> {
    let waits = |item: &Item| match item {
        Item::Waiting { consumer, waits_for, at, .. } if at.at >= since => Some((*consumer, waits_for.clone())),
        _ => None,
    };
    sequence.items.iter().filter_map(waits).collect()
}

#[test]
fn what_is_delayed_or_dropped_is_shown_so() {
    let delayed = until(with_disturbed_messages(), |event| matches!(event, Event::MessageDelayed { .. }));
    let sequence = read(&delayed, false);
    let late: Vec<_> = messages(&sequence).filter(|message| message.is_delayed).collect();
    assert!(
        matches!(late[..], [message] if message.kind == JOIN && matches!(message.end, End::OnItsWay { .. })),
        "{late:?}"
    );
    let dropped = until(with_disturbed_messages(), |event| matches!(event, Event::MessageDropped { .. }));
    let sequence = read(&dropped, false);
    let lost: Vec<_> = messages(&sequence).filter(|message| matches!(message.end, End::Dropped(..))).collect();
    assert!(matches!(lost[..], [message] if message.kind == ANSWER_TO_COMMIT), "{lost:?}");
}

#[test]
fn an_eager_rebalance_of_three_shows_its_requests_and_answers() {
    let mut assigned = 0;
    let all_assigned = |event: &Event| {
        assigned += u32::from(matches!(event, Event::PartitionsAssigned { .. }));
        assigned == 3
    };
    let run = until(story(), all_assigned);
    let sequence = read(&run, false);
    assert_eq!(sequence.begins, None);
    // The first JoinGroup of each is answered with its member id.
    assert_eq!([count(&sequence, Api::JoinGroup, false), count(&sequence, Api::JoinGroup, true)], [6, 6]);
    assert_eq!(messages(&sequence).filter(|message| message.error == Some("MEMBER_ID_REQUIRED")).count(), 3);
    assert_eq!([count(&sequence, Api::SyncGroup, false), count(&sequence, Api::SyncGroup, true)], [3, 3]);
    let [c1, c2, c3] = [ConsumerId(0), ConsumerId(1), ConsumerId(2)];
    assert_eq!(waits(&sequence, Time::ZERO), [c1, c2, c3].map(|consumer| (consumer, For::Newcomers)));
    let waiting = sequence.bars.iter().filter(|bar| bar.kind == BarKind::Waits);
    assert!(waiting.clone().all(|bar| bar.until.is_some()), "each got its answer");
    assert_eq!(waiting.count(), 3);
}

#[test]
fn who_has_joined_again_waits_for_those_who_have_not() {
    let mut has_expired = false;
    let joins_again = |event: &Event| {
        has_expired |= matches!(event, Event::SessionExpired { .. });
        has_expired && matches!(event, Event::MemberJoined { .. })
    };
    let mut run = until(story(), joins_again);
    let first = run.step_at(StepNo(run.steps() - 1)).and_then(|step| step.event.consumer()).expect("somebody joins");
    let other = ConsumerId(1 - first.0);
    // Nothing is known yet of how long; a moment later it has waited.
    let joined_at = run.now();
    assert_eq!(waits(&read(&run, false), joined_at), []);
    while run.now() == joined_at {
        run.step();
    }
    assert_eq!(waits(&read(&run, false), joined_at), [(first, For::Members(vec![other]))]);
    go_on(&mut run, |event| matches!(event, Event::PartitionsAssigned { .. }));
    assert_eq!(
        waits(&read(&run, false), joined_at),
        [(first, For::Members(vec![other]))],
        "and afterwards it has waited for the same one"
    );
}

#[test]
fn a_crash_ends_the_lifeline_and_survivors_wait_for_each_other() {
    let c3 = Lifeline::Consumer(ConsumerId(2));
    let run = until(story(), |event| matches!(event, Event::ConsumerCrashed { .. }));
    let at = run.now();
    let lives = |sequence: &Sequence, on: Lifeline| {
        sequence.bars.iter().filter(|bar| bar.on == on && bar.kind == BarKind::Lives).copied().collect::<Vec<_>>()
    };
    let ends: Vec<_> = lives(&read(&run, false), c3).iter().map(|bar| bar.until.map(|until| until.at)).collect();
    assert_eq!(ends, [Some(at)]);
    assert!(lives(&read(&run, false), Lifeline::Consumer(ConsumerId(0))).iter().all(|bar| bar.until.is_none()));
}
