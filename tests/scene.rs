//! The scene is a pure function of the moment, and everything that it draws has its place.

use logstep::explain;
use logstep::history::History;
use logstep::scenario::{self, library};
use logstep::scene::Seen;
use logstep::scene::density::{Density, Tiles};
use logstep::scene::drawn::Rows;
use logstep::scene::geometry::Rect;
use logstep::scene::names::partition_ranges;
use logstep::scene::pace::{self, Beat};
use logstep::scene::stage::{Shape, Stage, Status, TileState};
use logstep::scene::{Subject, choices, marks, stage};
use logstep::sim::setup::Setup;
use logstep::sim::*;
use logstep::text::{Lang, action, sentence};
use std::collections::BTreeSet;
use std::rc::Rc;

const SHAPES: [Shape; 3] = [Shape::Wide, Shape::Narrow, Shape::Columns];

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

/// Three topics, three producers and three groups, of which one has more members than partitions.
fn several() -> Rc<Setup> {
    scenario::read(include_str!("scenes/several.json")).expect("sound").setup
}

/// Worlds of many sizes: topics with partitions, producers, groups with members, tables.
fn worlds() -> Vec<(String, Rc<Setup>)> {
    let of_sizes = |topics: &[u32], producers: usize, groups: &[u32], sinks: usize| {
        let list = |count: usize, item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(",");
        let topic_list = list(topics.len(), &|n| format!(r#"{{ "name": "t{n}", "partitions": {} }}"#, topics[n]));
        let producer_list = list(producers, &|n| {
            let workload = r#"{ "from": "5s", "per_second": 5, "records": 20, "keys": 9 }"#;
            let (topic, prefix) = (n % topics.len(), format!("key-{n}-"));
            let workload = workload.replace("9 }", &format!(r#"9, "key_prefix": "{prefix}" }}"#));
            format!(r#"{{ "name": "p{n}", "topic": "t{topic}", "workload": {workload} }}"#)
        });
        let group_list = list(groups.len(), &|n| {
            let members = list(groups[n] as usize, &|member| format!(r#"{{ "name": "g{n}-{member}" }}"#));
            let table = if sinks == 0 { String::new() } else { format!(r#", "writes_to": "s{}""#, n % sinks) };
            format!(
                r#"{{ "name": "g{n}", "topics": ["t{}"],
                    "settings": {{ "enable.auto.commit": false, "auto.offset.reset": "earliest", "partition.assignment.strategy": "range" }},
                    "handling": {{ "time": "300ms", "commit": {{ "after_records": 2 }}{table} }}, "members": [{members}] }}"#,
                n % topics.len()
            )
        });
        let sink_list = list(sinks, &|n| format!(r#"{{ "name": "s{n}", "unique_key": null }}"#));
        let source = format!(
            r#"{{ "format": "logstep/1", "title": "A world", "ends_at": "20s", "cluster": {{ "kafka": "4.0" }}, "topics": [{topic_list}],
                "producers": [{producer_list}], "groups": [{group_list}], "sinks": [{sink_list}] }}"#
        );
        let name = format!("topics {topics:?}, {producers} producers, groups {groups:?}, {sinks} sinks");
        let setup = scenario::read(&source).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}\n{source}")).setup;
        (name, setup)
    };
    vec![
        ("several".to_owned(), several()),
        of_sizes(&[1], 1, &[3], 1),
        of_sizes(&[3], 0, &[], 0),
        of_sizes(&[12], 1, &[12], 1),
        of_sizes(&[4], 6, &[6], 0),
        of_sizes(&[1, 12, 2], 5, &[1, 1, 9], 3),
        of_sizes(&[2], 2, &[2, 2, 2, 2, 2, 2], 6),
        of_sizes(&[12], 1, &[128], 1),
        of_sizes(&[1; 16], 16, &[1; 16], 16),
    ]
}

/// Calls `check` with the name of each world, at moments all over its run.
fn in_every_world(mut check: impl FnMut(&str, &Simulation)) {
    for (name, setup) in worlds() {
        let mut run = Simulation::new(setup);
        let mut steps = 0_u32;
        while !run.has_ended() {
            if steps.is_multiple_of(293) {
                check(&name, &run);
            }
            run.step();
            steps += 1;
        }
        check(&name, &run);
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
    let hashes = stage.producers.iter().filter_map(|producer| Some(producer.hash.as_ref()?.rect));
    let producers = stage.producers.iter().map(|producer| producer.rect).chain(hashes);
    let topics = stage.topics.iter().map(|topic| topic.rect);
    let groups = stage.groups.iter().map(|group| group.rect);
    producers.chain(topics).chain(groups).chain(stage.sinks.iter().map(|sink| sink.rect)).collect()
}

#[test]
fn forward_and_back_give_the_same_picture() {
    let mut history = History::new(story());
    while !history.advance(1_000).complete {}
    let draw = |run: &Simulation| stage(run, run.now(), Shape::Wide, None);
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
        in_every_world(|world, run| {
            let stage = stage(run, run.now(), shape, None);
            let drawing = Rect { x: 0, y: 0, w: stage.width, h: stage.height };
            let frames = frames(&stage);
            assert!(stage.producers.iter().all(|of| is_inside(of.bar, of.rect)), "{world}, {shape:?}");
            for (index, &frame) in frames.iter().enumerate() {
                assert!(is_inside(frame, drawing), "{world}, {shape:?}: {frame:?} in {drawing:?}");
                let covers = frames[..index].iter().find(|&&other| overlap(frame, other));
                assert_eq!(covers, None, "{world}, {shape:?}: {frame:?}");
            }
        });
    }
}

#[test]
fn every_member_and_every_partition_is_drawn_once_in_its_frame_and_covers_no_other() {
    for shape in SHAPES {
        in_every_world(|world, run| {
            let stage = stage(run, run.now(), shape, None);
            let mut members: Vec<(ConsumerId, Rect)> = Vec::new();
            for group in &stage.groups {
                for member in &group.members {
                    assert_eq!(run.consumer(member.consumer).group, group.group);
                    assert!(is_inside(member.rect, group.rect), "{world}, {shape:?}: {}", member.name);
                    members.push((member.consumer, member.rect));
                }
            }
            let mut tapes: Vec<(PartitionId, Rect)> = Vec::new();
            for tape in &stage.tapes {
                let topic = &stage.topics[run.place(tape.partition).topic.index()];
                // With the caret above, and the flag or the offsets below.
                let Rect { x, y, w, h } = tape.rect;
                let offsets = tape.ghost.is_some_and(|ghost| ghost.shows_offset);
                let (above, below) = match tape.density {
                    Density::Roomy => (15, 34),
                    Density::Close => (15, 18),
                    Density::Dense => (13, if offsets { 12 } else { 2 }),
                };
                let tape_with_marks = Rect { x, y: y - above, w, h: above + h + below };
                assert!(is_inside(tape_with_marks, topic.rect), "{world}, {shape:?}: {}", tape.name);
                tapes.push((tape.partition, tape_with_marks));
            }
            assert_eq!(members.len(), run.consumers().len());
            assert_eq!(tapes.len(), run.partition_count());
            no_two_meet(&members);
            no_two_meet(&tapes);
        });
    }
}

fn no_two_meet<T: PartialEq + std::fmt::Debug>(boxes: &[(T, Rect)]) {
    for (index, (thing, rect)) in boxes.iter().enumerate() {
        for (other, of_other) in &boxes[..index] {
            assert!(thing != other && !overlap(*rect, *of_other), "{thing:?} and {other:?}");
        }
    }
}

#[test]
fn partitions_show_the_progress_of_the_chosen_group_where_it_reads_them() {
    let mut run = Simulation::new(several());
    while !run.has_ended() {
        run.step();
    }
    for chosen in (0..3).map(GroupId) {
        let stage = stage(&run, run.now(), Shape::Wide, Some(chosen));
        let is_chosen: Vec<Option<bool>> = stage.groups.iter().map(|group| group.is_chosen).collect();
        assert_eq!(is_chosen, (0..3).map(|group| Some(GroupId(group) == chosen)).collect::<Vec<_>>());
        for tape in &stage.tapes {
            let topic = run.place(tape.partition).topic;
            let reads = |group: &GroupId| run.topics_of(*group).contains(&topic);
            let seen_by =
                Some(chosen).filter(reads).or_else(|| (0..3).map(GroupId).find(reads)).expect("somebody reads it");
            let name = &run.setup().groups[seen_by.index()].name;
            assert_eq!(&stage.topics[topic.index()].seen_by, name);
            assert_eq!(tape.lag, run.lag(seen_by, tape.partition).records);
            for tile in &tape.tiles {
                assert_eq!(tile.times, run.ledger(seen_by).delivery(tile.chip.record).times);
            }
            for flag in &tape.flags {
                assert_eq!(flag.tag.is_none(), flag.group != seen_by);
            }
        }
    }
}

#[test]
fn members_without_a_partition_say_that_they_are_idle() {
    let mut run = Simulation::new(several());
    let mut most = 0;
    while !run.has_ended() {
        run.step();
        let stage = stage(&run, run.now(), Shape::Wide, None);
        let idle = stage.groups[0].members.iter().filter(|member| member.status == Status::Idle);
        most = most.max(idle.clone().count());
        assert!(idle.clone().all(|member| member.partitions.is_empty()));
    }
    // Six members for four partitions.
    assert_eq!(most, 2);
}

#[test]
fn no_two_flights_have_one_key() {
    let mut most = 0;
    for (world, setup) in worlds().into_iter().take(2) {
        let mut run = Simulation::new(setup);
        while !run.has_ended() {
            run.step();
            let middles: Vec<_> = (run.in_flight())
                .map(|(_, sent)| sent.sent_at + Span::from_micros(sent.due_at.since(sent.sent_at).as_micros() / 2))
                .filter(|&middle| middle >= run.now())
                .collect();
            for at in middles {
                let flights = stage(&run, at, Shape::Wide, None).flights;
                let keys: BTreeSet<u64> = flights.iter().map(|flight| flight.key).collect();
                assert_eq!(keys.len(), flights.len(), "{world} at {at:?}");
                most = most.max(keys.len());
            }
        }
    }
    assert!(most >= 8, "{most} flights at once");
}

#[test]
fn partitions_are_listed_in_few_words() {
    let check = |setup: Rc<Setup>, partitions: &[u16], listed: &[&str]| {
        let partitions: Vec<PartitionId> = partitions.iter().map(|&partition| PartitionId(partition)).collect();
        assert_eq!(partition_ranges(&Simulation::new(setup), &partitions), listed);
    };
    // Four partitions of orders, two of returns, two of clicks.
    check(several(), &[3, 0, 1, 2, 5], &["orders 0–3", "returns 1"]);
    check(several(), &[3, 4, 7, 6], &["orders 3", "returns 0", "clicks 0–1"]);
    check(library::BUILT_IN[0].read().expect("sound").setup, &[2, 0], &["P0", "P2"]);
    check(library::BUILT_IN[0].read().expect("sound").setup, &[2, 1], &["P1–P2"]);
    check(several(), &[], &[]);
}

#[test]
fn tiles_lie_on_their_tape_members_in_their_group_rows_in_their_table() {
    for shape in SHAPES {
        at_every_step(|run| {
            let stage = stage(run, run.now(), shape, None);
            for tape in &stage.tapes {
                for tile in &tape.tiles {
                    let Tiles { w, h, .. } = tape.density.tiles();
                    let rect = Rect { x: tile.chip.at.x, y: tile.chip.at.y, w, h };
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
        for tape in &stage(run, run.now(), Shape::Narrow, None).tapes {
            let end = run.partition(tape.partition).end;
            assert_eq!(tape.folded_before + tape.tiles.len() as u32 + tape.folded_after, end);
            assert!(tape.flags.iter().all(|flag| flag.offset >= tape.folded_before));
        }
    });
}

#[test]
fn what_is_in_hand_is_drawn_and_no_line_stands_at_a_false_offset() {
    let two = |more: &str| {
        scenario::read(&format!(
            r#"{{ "format": "logstep/1", "title": "A slow and a quick group", "ends_at": "40s", "cluster": {{ "kafka": "4.0" }},
                "topics": [{{ "name": "orders", "partitions": 2 }}],
                "producers": [{{ "name": "shop", "topic": "orders", "workload": {{ "from": "5s", "per_second": 20, "records": 400, "keys": 9 }} }}],
                "groups": [
                    {{ "name": "quick", "topics": ["orders"], "settings": {{ "enable.auto.commit": false, "auto.offset.reset": "earliest" }},
                       "handling": {{ "time": "60ms", "commit": {{ {more} }} }}, "members": [{{ "name": "q1" }}, {{ "name": "q2" }}] }},
                    {{ "name": "slow", "topics": ["orders"], "settings": {{ "enable.auto.commit": false, "auto.offset.reset": "earliest" }},
                       "handling": {{ "time": "900ms", "commit": {{ "after_records": 50 }} }}, "members": [{{ "name": "s1" }}] }}] }}"#
        ))
        .expect("sound")
        .setup
    };
    let file = |source| scenario::read(source).expect("sound").setup;
    let mut all: Vec<Rc<Setup>> = worlds().into_iter().map(|(_, setup)| setup).collect();
    all.extend([r#""after_records": 5"#, r#""after_records": 60"#, r#""when": "before_batch""#].map(two));
    all.extend([file(include_str!("scenes/loss.json")), file(include_str!("scenes/two-groups.json"))]);
    let (mut held, mut before, mut behind) = (0, 0, 0);
    let (mut ends, mut hidden) = (0, 0);
    for setup in all {
        let groups = (0..setup.groups.len()).map(GroupId::at).map(Some).chain([None]);
        let chosen: Vec<Option<GroupId>> = groups.collect();
        let mut run = Simulation::new(setup);
        while let Progress::Step(_) = run.step() {
            if !run.steps().is_multiple_of(61) {
                continue;
            }
            for (shape, &chosen) in
                SHAPES.into_iter().flat_map(|shape| chosen.iter().map(move |chosen| (shape, chosen)))
            {
                let drawn = stage(&run, run.now(), shape, chosen);
                for tape in &drawn.tapes {
                    let Tiles { w, .. } = tape.density.tiles();
                    let end = run.partition(tape.partition).end;
                    if tape.folded_after > 0 {
                        let is_drawn = tape.tiles.last().is_some_and(|tile| tile.offset + 1 == end);
                        if is_drawn { ends += 1 } else { hidden += 1 }
                    }
                    let in_hand =
                        run.consumers().iter().filter(|of| Some(of.group) == chosen).filter_map(|of| of.client());
                    for range in in_hand.filter_map(|client| client.batch.front()) {
                        let is_drawn = tape.tiles.iter().any(|tile| tile.offset == range.from);
                        assert!(range.partition != tape.partition || is_drawn, "{range:?}: {tape:?}");
                        held += 1;
                    }
                    let flags = tape.flags.iter().map(|flag| (flag.offset, flag.at.x));
                    for (offset, x) in tape.carets.iter().map(|caret| (caret.offset, caret.at.x)).chain(flags) {
                        for tile in &tape.tiles {
                            let at = tile.chip.at.x;
                            assert!(if tile.offset < offset { at + w <= x } else { x <= at }, "{offset}: {tape:?}");
                        }
                        if offset < tape.folded_before {
                            assert_eq!(x, tape.rect.x, "{offset}: {tape:?}");
                            before += 1;
                        }
                        let behind_it =
                            tape.tiles.iter().filter(|tile| tile.chip.at.x > tape.folded_at.x).count() as u32;
                        if offset + behind_it + tape.folded_after > end && offset + behind_it < end {
                            assert!(tape.folded_at.x < x && x < tape.folded_at.x + w, "{offset}: {tape:?}");
                            behind += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(held > 1_000 && before > 100 && behind > 100, "{held} {before} {behind}");
    // The end of a long tape is in sight wherever what comes first leaves it a slot.
    assert!(ends > 4 * hidden, "{ends} {hidden}");
}

#[test]
fn what_a_viewer_has_asked_for_is_drawn_on_each_tape() {
    let mut run = story();
    while let Progress::Step(_) = run.step() {}
    let group = GroupId(0);
    let (mut asked, mut unseen) = (0, 0);
    for verdict in explain::verdicts(&run, group) {
        let concerned = explain::concerned(&run, group, &verdict);
        let seen = Seen { chosen: Some(group), rows: Rows::All, concerned: &concerned };
        for shape in SHAPES {
            let usual = stage(&run, run.now(), shape, Some(group)).tapes;
            for (tape, usual) in stage(&run, run.now(), shape, seen).tapes.iter().zip(usual) {
                let own = concerned.iter().filter(|&&record| run.record(record).partition == tape.partition);
                let Some(first) = own.filter_map(|&record| run.offset_of(record)).min() else {
                    assert_eq!(*tape, usual);
                    continue;
                };
                assert!(tape.tiles.iter().any(|tile| tile.offset == first), "{verdict:?}: {tape:?}");
                asked += 1;
                unseen += u32::from(usual.tiles.iter().all(|tile| tile.offset != first));
            }
        }
    }
    assert!(asked > 0 && unseen > 0, "{asked} {unseen}");
}

#[test]
fn a_tile_says_what_the_ledger_says() {
    at_every_step(|run| {
        for tape in &stage(run, run.now(), Shape::Wide, None).tapes {
            for tile in &tape.tiles {
                let times = run.ledger(logstep::sim::GroupId(0)).delivery(tile.chip.record).times;
                assert_eq!(tile.times, times);
                assert_eq!(tile.state == TileState::Waiting, times == 0 && tile.state != TileState::InHand);
            }
        }
    });
}

#[test]
fn what_is_lost_is_crossed_out_told_and_marked_in_the_step_that_lost_it() {
    let mut run = Simulation::new(scenario::read(include_str!("scenes/loss.json")).expect("sound").setup);
    let (group, mut told, mut before) = (GroupId(0), Vec::new(), 0);
    while let Progress::Step(step) = run.step() {
        let number = StepNo(run.steps() - 1);
        let lost = run.lost(group).total();
        assert_eq!(run.lost_at(number), lost.saturating_sub(before), "{step:?}");
        if lost > before {
            told.push((sentence(Lang::En, &run, number), lost - before));
            let drawn = stage(&run, run.now(), Shape::Wide, None);
            let tiles = drawn.tapes.iter().flat_map(|tape| &tape.tiles);
            let crossed = tiles.filter(|tile| tile.state == TileState::Lost).count();
            assert_eq!(crossed as u32, lost, "all of it is in sight");
            assert!(marks::marks(&run).iter().any(|mark| mark.step == number && mark.kind == marks::MarkKind::Loss));
        }
        before = lost;
    }
    let [(told, lost)] = &told[..] else { panic!("one crash: {told:?}") };
    assert!(*lost > 1 && told.starts_with("c1 crashes"), "{told}");
    assert!(told.ends_with(&format!("What it had committed but not processed is lost: {lost} records.")), "{told}");
    let shown = marks::nearest(&run, 0, marks::Wanted::Loss, marks::Way::Ahead).expect("there is one");
    assert_eq!(Some(shown), marks::nearest(&run, 0, marks::Wanted::Crash, marks::Way::Ahead));
    assert_eq!(Some(shown), marks::nearest(&run, run.visible_steps(), marks::Wanted::Loss, marks::Way::Back));
}

#[test]
fn the_silence_of_the_crashed_member_grows_to_the_session_timeout() {
    let mut longest = None;
    at_every_step(|run| {
        let stage = stage(run, run.now(), Shape::Wide, None);
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
                seen += stage(&run, halfway, Shape::Wide, None).flights.len();
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
fn repetitions_never_drive_the_mark_of_what_they_come_from_off_the_timeline() {
    let source = r#"{ "format": "logstep/1", "title": "Many duplicates", "ends_at": "100s", "cluster": { "kafka": "4.0" },
        "topics": [{ "name": "orders", "partitions": 2 }],
        "producers": [{ "name": "shop", "topic": "orders", "workload": { "from": "5s", "per_second": 100, "records": 6000, "keys": 9 } }],
        "groups": [{ "name": "billing", "topics": ["orders"],
            "settings": { "enable.auto.commit": false, "auto.offset.reset": "earliest" },
            "handling": { "time": "1ms", "commit": { "after_records": 2000 } }, "members": [{ "name": "c1" }, { "name": "c2" }] }],
        "actions": [{ "crash": "c1", "at": "20s" }] }"#;
    let mut run = Simulation::new(scenario::read(source).expect("sound").setup);
    while let Progress::Step(_) = run.step() {}
    let duplicates = run.ledger(GroupId(0)).duplicates() as usize;
    let marks = marks::marks(&run);
    assert!(duplicates > 400 && marks.len() <= 400, "{duplicates} {}", marks.len());
    let mut checked = 0;
    for wanted in [marks::Wanted::Crash, marks::Wanted::Rebalance] {
        let mut shown = 0;
        while let Some(next) = marks::nearest(&run, shown, wanted, marks::Way::Ahead) {
            let is_marked =
                |mark: &marks::Mark| mark.position == next && !matches!(mark.kind, marks::MarkKind::Duplicate(_));
            assert!(marks.iter().any(is_marked), "{wanted:?} at {next}");
            (shown, checked) = (next, checked + 1);
        }
    }
    assert!(checked >= 3, "{checked}");
    assert!(marks.iter().any(|mark| mark.kind == marks::MarkKind::Timeout));
    assert!(marks.iter().filter(|mark| matches!(mark.kind, marks::MarkKind::Duplicate(_))).count() > 100);
}

#[test]
fn marks_of_one_kind_that_would_cover_each_other_are_one() {
    use marks::{Mark, MarkKind, spans};
    let mark = |position, kind| Mark { position, step: StepNo(position), kind };
    let refused = MarkKind::Rejected;
    let spans = spans(
        vec![
            mark(100, refused),
            mark(105, MarkKind::Crash),
            mark(110, refused),
            mark(120, refused),
            mark(160, refused),
            mark(161, MarkKind::Commit),
            mark(162, MarkKind::Commit),
        ],
        1000,
    );
    let spans: Vec<_> = spans.iter().map(|&(mark, until)| (mark.position, until, mark.kind)).collect();
    assert_eq!(
        spans,
        [
            (100, 120, refused),
            (105, 105, MarkKind::Crash),
            (160, 160, refused),
            (161, 161, MarkKind::Commit),
            (162, 162, MarkKind::Commit)
        ]
    );
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
    let drawn = stage(&run, run.now(), Shape::Wide, None);
    let member = &drawn.groups[0].members[1];
    let stands = run.now().since(since);
    assert!(matches!(member.status, Status::Frozen { for_long, silence: Some(_) } if for_long == stands), "{member:?}");
    let mut tapes = drawn.tapes.iter().filter(|tape| member.partitions.contains(&tape.name));
    assert!(!member.partitions.is_empty() && tapes.all(|tape| tape.unowned == Some(stands)));
}

#[test]
fn a_record_that_goes_to_a_partition_of_the_future_is_shown_before_there_is_one() {
    let mut setup = Setup::clone(story().setup());
    let action = Action::AddPartitions { topic: TopicId(0), to: 9 };
    setup.actions = vec![PlannedAction { when: When::At(Time::from_micros(1)), action }];
    let mut history = History::new(Simulation::new(setup));
    while !history.advance(1_000).complete {}
    history.seek(0);
    let run = history.now();
    let next = run.next_record_of(ProducerId(0)).expect("it is known");
    assert!(run.record(next).partition.index() >= run.partition_count());
    for shape in SHAPES {
        let scene = stage(run, run.now(), shape, None);
        assert!(scene.producers[0].record.is_some() && scene.producers[0].hash.is_none());
    }
}
