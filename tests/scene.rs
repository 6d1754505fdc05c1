//! The scene is a pure function of the moment, and everything that it draws has its place.

use logstep::history::History;
use logstep::scenario::library;
use logstep::scene::geometry::Rect;
use logstep::scene::pace::{self, Beat};
use logstep::scene::stage::{Shape, Stage, Status, TileState};
use logstep::scene::{Subject, choices, marks, stage};
use logstep::sim::*;
use logstep::text::{Lang, action};

const SHAPES: [Shape; 2] = [Shape::Wide, Shape::Narrow];

fn story() -> Simulation {
    Simulation::new(library::BUILT_IN[0].read().expect("a built-in scenario is sound").setup)
}

/// Calls `check` after every step of the story, hidden ones included.
fn at_every_step(mut check: impl FnMut(&Simulation)) {
    let mut history = History::new(story());
    while !history.advance(1_000).complete {}
    for position in 0..=history.known().steps {
        history.seek(position);
        check(history.now());
    }
}

fn is_inside(inner: Rect, outer: Rect) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.x + inner.w <= outer.x + outer.w
        && inner.y + inner.h <= outer.y + outer.h
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/// The frames and boxes that may not cover each other.
fn frames(stage: &Stage) -> Vec<Rect> {
    let producers = stage.producers.iter().map(|producer| producer.rect);
    let topics = stage.topics.iter().map(|topic| topic.rect);
    let groups = stage.groups.iter().map(|group| group.rect);
    producers.chain(topics).chain(groups).chain(stage.sinks.iter().map(|sink| sink.rect)).collect()
}

#[test]
fn forward_and_back_give_the_same_picture() {
    let mut history = History::new(story());
    while !history.advance(1_000).complete {}
    let draw = |run: &Simulation| stage(run, run.now(), Shape::Wide);
    let mut pictures = Vec::new();
    for position in 0..=history.known().steps {
        history.seek(position);
        pictures.push(draw(history.now()));
    }
    for position in (0..=history.known().steps).rev() {
        history.seek(position);
        assert_eq!(draw(history.now()), pictures[position as usize], "after {position} steps");
    }
}

#[test]
fn frames_do_not_cover_each_other_and_stay_on_the_drawing() {
    for shape in SHAPES {
        at_every_step(|run| {
            let stage = stage(run, run.now(), shape);
            let drawing = Rect { x: 0, y: 0, w: stage.width, h: stage.height };
            let frames = frames(&stage);
            for (index, &frame) in frames.iter().enumerate() {
                assert!(is_inside(frame, drawing), "{shape:?}: {frame:?} in {drawing:?}");
                assert!(frames[..index].iter().all(|&other| !overlap(frame, other)), "{shape:?}: {frame:?}");
            }
        });
    }
}

#[test]
fn tiles_lie_on_their_tape_members_in_their_group_rows_in_their_table() {
    for shape in SHAPES {
        at_every_step(|run| {
            let stage = stage(run, run.now(), shape);
            for tape in &stage.tapes {
                for tile in &tape.tiles {
                    let rect = Rect { x: tile.chip.at.x, y: tile.chip.at.y, w: 42, h: 40 };
                    assert!(is_inside(rect, tape.rect), "{shape:?}: offset {} of {}", tile.offset, tape.name);
                }
            }
            for group in &stage.groups {
                assert!(group.members.iter().all(|member| is_inside(member.rect, group.rect)), "{shape:?}");
            }
            for sink in &stage.sinks {
                assert!(sink.rows.iter().all(|row| is_inside(row.rect, sink.rect)), "{shape:?}");
            }
        });
    }
}

#[test]
fn every_record_of_a_log_is_shown_or_counted_as_folded_and_the_committed_offset_is_in_sight() {
    at_every_step(|run| {
        for tape in &stage(run, run.now(), Shape::Narrow).tapes {
            let end = run.partition(tape.partition).end;
            assert_eq!(tape.folded_before + tape.tiles.len() as u32 + tape.folded_after, end);
            assert!(tape.flags.iter().all(|flag| flag.offset >= tape.folded_before));
        }
    });
}

#[test]
fn a_tile_says_what_the_ledger_says() {
    at_every_step(|run| {
        for tape in &stage(run, run.now(), Shape::Wide).tapes {
            for tile in &tape.tiles {
                let times = run.ledger(logstep::sim::GroupId(0)).delivery(tile.chip.record).times;
                assert_eq!(tile.times, times);
                assert_eq!(tile.state == TileState::Waiting, times == 0 && tile.state != TileState::InHand);
            }
        }
    });
}

#[test]
fn the_silence_of_the_crashed_member_grows_to_the_session_timeout() {
    let mut longest = None;
    at_every_step(|run| {
        let stage = stage(run, run.now(), Shape::Wide);
        for member in &stage.groups[0].members {
            if let Status::Crashed { silence: Some(silence), .. } = member.status {
                assert!(silence.silent <= silence.timeout);
                longest = longest.max(Some(silence.silent));
            }
        }
    });
    assert!(longest.is_some_and(|longest| longest.as_millis() > 40_000), "{longest:?}");
}

#[test]
fn inside_a_step_simulated_time_never_runs_back_and_ends_at_the_step() {
    let mut run = story();
    while !run.has_ended() {
        run.step();
    }
    let mut before = logstep::sim::Time::ZERO;
    for number in 0..run.known_visible_steps() {
        let beat: Beat = pace::beat(&run, number).expect("a known step has a beat");
        assert!(beat.millis >= 200 && beat.millis <= 3_000, "{beat:?}");
        for elapsed in 0..=beat.millis {
            let time = beat.time_at(elapsed);
            assert!(time >= before);
            before = time;
        }
        let step = run.visible_step(number).and_then(|step| run.step_at(step)).expect("known");
        assert_eq!(before, step.at);
    }
}

#[test]
fn records_are_seen_on_their_way_between_sending_and_appending() {
    let mut run = story();
    let mut seen = 0;
    while !run.has_ended() {
        run.step();
        for (_, message) in run.in_flight() {
            let halfway = message.sent_at
                + logstep::sim::Span::from_micros(message.due_at.since(message.sent_at).as_micros() / 2);
            if halfway >= run.now() {
                seen += stage(&run, halfway, Shape::Wide).flights.len();
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn the_timeline_marks_the_crash_the_timeout_the_rebalances_and_each_duplicate() {
    let mut run = story();
    while !run.has_ended() {
        run.step();
    }
    let marks = marks::marks(&run);
    let count = |is: fn(&marks::MarkKind) -> bool| marks.iter().filter(|mark| is(&mark.kind)).count();
    assert_eq!(count(|kind| matches!(kind, marks::MarkKind::Crash)), 1);
    assert_eq!(count(|kind| matches!(kind, marks::MarkKind::Timeout)), 1);
    assert_eq!(count(|kind| matches!(kind, marks::MarkKind::Rebalance)), 2);
    assert_eq!(count(|kind| matches!(kind, marks::MarkKind::Duplicate(_))), 3);
    for mark in &marks {
        assert_eq!(run.visible_steps_before(StepNo(mark.step.0 + 1)), mark.position);
    }
    assert!(!marks::breaks(&run).is_empty());
}

#[test]
fn menus_are_short_and_say_each_thing_once() {
    let mut run = story();
    let mut open = true;
    while let Progress::Step(step) = run.step() {
        if step.at > Time::ZERO + Span::from_secs(9) && open {
            run.apply(Action::Freeze(ConsumerId(0))).expect("it runs");
            run.apply(Action::Crash(ProducerId(0).into())).expect("it runs");
            open = false;
        }
        let subjects = [Subject::Member(ConsumerId(0)), Subject::Producer(ProducerId(0)), Subject::Group(GroupId(0))];
        let partitions = (0..run.partition_count()).map(|index| Subject::Partition(PartitionId::at(index)));
        let messages = run.in_flight().filter_map(|(slot, _)| run.message_name(slot)).map(Subject::Message);
        for subject in subjects.into_iter().chain(partitions).chain(messages) {
            let actions: Vec<Action> = choices(&run, subject).concat();
            assert!((1..=13).contains(&actions.len()), "{subject:?}: {actions:?}");
            for lang in Lang::ALL {
                let labels: Vec<String> = actions.iter().map(|&of| action(lang, &run, of)).collect();
                let distinct: std::collections::BTreeSet<&String> = labels.iter().collect();
                assert_eq!(distinct.len(), labels.len(), "{labels:?}");
            }
        }
    }
}

#[test]
fn every_message_on_its_way_is_found_by_its_name() {
    let mut run = story();
    while let Progress::Step(_) = run.step() {
        for (slot, sent) in run.in_flight() {
            let name = run.message_name(slot).expect("it is on its way");
            assert_eq!((run.find_message(name), name.kind, name.client), (Ok(slot), sent.kind(), sent.client()));
        }
    }
}

#[test]
fn the_stage_shows_who_stands_still_and_for_how_long_nobody_reads() {
    let mut run = story();
    while run.now() < Time::ZERO + Span::from_secs(8) {
        run.step();
    }
    run.apply(Action::Freeze(ConsumerId(1))).expect("it runs");
    let since = run.now();
    while run.now().since(since) < Span::from_secs(3) {
        run.step();
    }
    let drawn = stage(&run, run.now(), Shape::Wide);
    let member = &drawn.groups[0].members[1];
    let stands = run.now().since(since);
    assert!(matches!(member.status, Status::Frozen { for_long, silence: Some(_) } if for_long == stands), "{member:?}");
    let mut tapes = drawn.tapes.iter().filter(|tape| member.partitions.contains(&tape.name));
    assert!(!member.partitions.is_empty() && tapes.all(|tape| tape.unowned == Some(stands)));
}
