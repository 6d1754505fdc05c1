//! What the model knows has one visible form each: worlds that are drawn whole, rebalances, sessions, batches, leaders.

use logstep::scenario;
use logstep::scene::Seen;
use logstep::scene::density::Density;
use logstep::scene::drawn::Rows;
use logstep::scene::geometry::{Point, Rect};
use logstep::scene::rebalance::Turn;
use logstep::scene::stage;
use logstep::scene::stage::{Flag, Flight, GroupFrame, Load, Phase, Shape, Stage, Status};
use logstep::sim::consumer::Process;
use logstep::sim::coordinator::GroupState;
use logstep::sim::*;

/// One topic, one producer and one group with a table; `more` are further settings of the group.
fn world(partitions: usize, members: usize, more: &str) -> Simulation {
    let list: Vec<String> = (1..=members).map(|n| format!(r#"{{ "name": "c{n}" }}"#)).collect();
    let source = format!(
        r#"{{ "format": "logstep/1", "title": "A world", "ends_at": "90s", "cluster": {{ "kafka": "4.0", "brokers": 2 }},
            "topics": [{{ "name": "orders", "partitions": {partitions} }}],
            "producers": [{{ "name": "shop", "topic": "orders", "settings": {{ "linger.ms": 200 }},
                "workload": {{ "from": "5s", "per_second": 20, "records": 600, "keys": 40 }} }}],
            "groups": [{{ "name": "billing", "topics": ["orders"],
                "settings": {{ "enable.auto.commit": false, "auto.offset.reset": "earliest"{more} }},
                "handling": {{ "time": "40ms", "commit": {{ "after_records": 3 }}, "writes_to": "payments" }},
                "members": [{}] }}],
            "sinks": [{{ "name": "payments", "unique_key": null }}] }}"#,
        list.join(", ")
    );
    Simulation::new(scenario::read(&source).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{source}")).setup)
}

fn draw(run: &Simulation) -> Stage {
    stage(run, run.now(), Shape::Wide, None)
}

/// Runs to `to`, and calls `check` after every step.
fn run_to(run: &mut Simulation, to: u64, mut check: impl FnMut(&Simulation)) {
    while !run.has_ended() && run.now() < Time::ZERO + Span::from_secs(to) {
        run.step();
        check(run);
    }
}

const EAGER: &str = r#", "partition.assignment.strategy": "range""#;
const COOPERATIVE: &str = r#", "partition.assignment.strategy": "cooperative-sticky""#;
const CONSUMER: &str = r#", "group.protocol": "consumer""#;

#[test]
fn worlds_of_up_to_twelve_partitions_and_members_are_seen_whole_and_large_enough_to_read() {
    // A usual screen, with the explanation open, has this much room for the stage.
    let (width, height) = (940, 500);
    for (partitions, members) in [(1, 1), (3, 3), (3, 12), (4, 2), (5, 5), (6, 12), (9, 3), (12, 1), (12, 12)] {
        let mut run = world(partitions, members, EAGER);
        run_to(&mut run, 12, |_| {});
        let drawn = draw(&run);
        // Words of 10 units are 9 pixels high then.
        assert!(drawn.width * 9 <= width * 10, "{partitions} x {members}: {} wide", drawn.width);
        assert!(drawn.height * 9 <= height * 10, "{partitions} x {members}: {} high", drawn.height);
    }
}

/// The moment as it is seen until somebody wants to see every row.
fn summed(run: &Simulation, shape: Shape) -> Stage {
    stage(run, run.now(), shape, Seen { chosen: None, rows: Rows::Summed, concerned: &[] })
}

#[test]
fn twelve_rows_are_drawn_whole_and_more_are_summed_up() {
    for shape in [Shape::Wide, Shape::Narrow, Shape::Columns] {
        let mut run = world(12, 12, EAGER);
        run_to(&mut run, 12, |_| {});
        assert_eq!(summed(&run, shape), stage(&run, run.now(), shape, None));

        let mut run = world(128, 40, EAGER);
        for second in 0..=12 {
            run_to(&mut run, second, |_| {});
            let drawn = summed(&run, shape);
            let (topic, group) = (&drawn.topics[0], &drawn.groups[0]);
            let others = topic.others.expect("there are more than twelve");
            assert_eq!((drawn.tapes.len(), others.count), (11, 117));
            let lag = |number| run.lag(GroupId(0), PartitionId::at(number)).records.unwrap_or(0);
            let own: u32 = drawn.tapes.iter().filter_map(|tape| tape.lag).sum();
            assert_eq!(own + others.lag, (0..128).map(lag).sum::<u32>());
            assert_eq!((group.members.len(), group.others.map(|others| others.count)), (11, Some(29)));
        }
    }
    // As high as one of twelve rows of each.
    let mut run = world(128, 40, EAGER);
    run_to(&mut run, 12, |_| {});
    assert_eq!(summed(&run, Shape::Wide).height, draw(&world(12, 12, EAGER)).height);
}

#[test]
fn what_is_at_hand_and_what_needs_attention_is_drawn_whichever_its_number() {
    let mut run = world(128, 40, EAGER);
    run_to(&mut run, 12, |_| {});
    let (crashed, frozen) = (ConsumerId(37), ConsumerId(25));
    let lost = run.consumer(crashed).client().expect("it runs").owned[0].partition;
    run.apply(Action::Crash(crashed.into())).expect("it runs");
    run.apply(Action::Freeze(frozen)).expect("it runs");
    run_to(&mut run, 13, |run| {
        let drawn = summed(run, Shape::Wide);
        let of_member = |of| drawn.groups[0].members.iter().any(|member| member.consumer == of);
        let of_partition = |of| drawn.tapes.iter().any(|tape| tape.partition == of);
        assert!(of_member(crashed) && of_member(frozen) && of_partition(lost));
        let last = run.visible_step(run.visible_steps() - 1).and_then(|step| run.step_at(step)).expect("known");
        assert!(last.event.consumer().is_none_or(of_member), "{:?}", last.event);
        assert!(last.event.partition().is_none_or(of_partition), "{:?}", last.event);
    });
}

#[test]
fn rows_lie_closer_the_more_there_are() {
    let densities = [3, 5, 12].map(|partitions| draw(&world(partitions, 3, EAGER)).tapes[0].density);
    assert_eq!(densities, [Density::Roomy, Density::Close, Density::Dense]);
}

#[test]
fn the_committed_offset_and_the_position_of_a_dense_tape_have_words_beside_each_other() {
    let mut run = world(12, 12, EAGER);
    let mut seen = 0;
    run_to(&mut run, 40, |run| {
        for tape in draw(run).tapes {
            let tags: Vec<Rect> = tape.flags.iter().filter_map(|flag| flag.tag).collect();
            for caret in tape.carets.iter().filter(|caret| caret.label.as_ref().is_some_and(|label| !label.at_end)) {
                // The mark is 10 wide, its number behind it.
                assert!(tags.iter().all(|tag| tag.x + tag.w <= caret.at.x - 4 || tag.x >= caret.at.x + 24), "{tape:?}");
                seen += tags.len();
            }
        }
    });
    assert!(seen > 1_000, "{seen}");
}

/// Calls `check` with the group in each step of a rebalance that a third member sets off, by leaving at 20 s.
fn while_one_leaves(more: &str, mut check: impl FnMut(&Simulation, &GroupFrame)) {
    let mut run = world(6, 3, more);
    run_to(&mut run, 20, |_| {});
    run.apply(Action::Close(ConsumerId(2).into())).expect("it runs");
    run_to(&mut run, 40, |run| {
        let drawn = draw(run);
        check(run, &drawn.groups[0]);
    });
}

#[test]
fn while_members_join_the_coordinator_shows_who_has_and_how_long_it_waits() {
    let mut seen = Vec::new();
    let mut left_before = None;
    while_one_leaves(EAGER, |run, group| {
        let coordinator = run.group(group.group);
        let is_rebalancing =
            matches!(coordinator.state, GroupState::PreparingRebalance | GroupState::CompletingRebalance);
        let turns: Vec<Turn> = group.members.iter().filter_map(|member| member.turn).collect();
        assert_eq!(!turns.is_empty(), is_rebalancing);
        assert!(is_rebalancing || group.waits.is_none());
        let Phase::Joining { joined, of } = group.phase else { return };
        assert_eq!(turns.iter().filter(|&&turn| turn == Turn::Done).count() as u32, joined);
        assert_eq!(turns.len() as u32, of);
        let left = group.waits.expect("there is a rebalance timeout").left.left;
        assert!(left_before.is_none_or(|before| left <= before), "it shrinks");
        left_before = Some(left);
        if seen.last() != Some(&turns) {
            seen.push(turns);
        }
    });
    assert_eq!(seen.first(), Some(&vec![Turn::Missing, Turn::Missing]), "nobody knows at first");
    assert!(seen.iter().flatten().any(|&turn| turn == Turn::Asked), "{seen:?}");
    assert!(seen.last().is_some_and(|turns| turns.contains(&Turn::Done)), "{seen:?}");
}

#[test]
fn while_the_leader_assigns_everybody_waits_and_says_so() {
    let (mut assigns, mut waits) = (0, 0);
    while_one_leaves(EAGER, |_, group| {
        if group.phase != Phase::Assigning {
            return;
        }
        assert!(group.leader.is_some());
        assigns += group.members.iter().filter(|member| member.turn == Some(Turn::Assigns)).count();
        waits += group.members.iter().filter(|member| matches!(member.status, Status::Joining(_))).count();
    });
    assert!(assigns > 0 && waits > 0, "{assigns} {waits}");
}

#[test]
fn members_of_the_consumer_protocol_show_what_they_give_up_and_what_they_wait_for() {
    let mut run = world(6, 3, CONSUMER);
    run_to(&mut run, 10, |_| {});
    run.apply(Action::Join(GroupId(0))).expect("there is room");
    let (mut gives_up, mut awaits) = (0, 0);
    run_to(&mut run, 40, |run| {
        for member in &draw(run).groups[0].members {
            if let Some((turn, partitions)) = &member.exchange {
                assert!(!partitions.is_empty());
                gives_up += u32::from(*turn == Turn::GivesUp);
                awaits += u32::from(*turn == Turn::Awaits);
            }
        }
    });
    assert!(gives_up > 0 && awaits > 0, "{gives_up} {awaits}");
}

#[test]
fn a_partition_that_had_a_reader_and_has_none_says_for_how_long_under_every_protocol() {
    for (more, at_most) in [(EAGER, 6), (COOPERATIVE, 2), (CONSUMER, 2)] {
        let mut most = 0;
        while_one_leaves(more, |run, _| {
            let drawn = draw(run);
            let is_read = |partition| {
                run.consumers().iter().any(|consumer| {
                    matches!(&consumer.process, Process::Running(client) if client.owned(partition).is_some_and(|owned| owned.position.is_some()))
                })
            };
            let unread = drawn.tapes.iter().filter(|tape| !is_read(tape.partition)).count();
            let unowned = drawn.tapes.iter().filter(|tape| tape.unowned.is_some()).count();
            assert_eq!(unread, unowned, "{more}");
            most = most.max(unowned);
        });
        assert_eq!(most, at_most, "{more}: eager members give up all, others only what moves");
    }
}

#[test]
fn a_session_is_full_at_a_heartbeat_and_runs_out_in_silence() {
    let mut run = world(3, 3, EAGER);
    run_to(&mut run, 12, |_| {});
    let mut most = 0;
    run_to(&mut run, 20, |run| {
        for member in &draw(run).groups[0].members {
            most = most.max(member.session.expect("the coordinator counts it").passed);
        }
    });
    assert!((1..334).contains(&most), "a healthy member is heard every three seconds of 45, or oftener: {most}");
    run.apply(Action::Crash(ConsumerId(0).into())).expect("it runs");
    let mut passed = 0;
    run_to(&mut run, 70, |run| match draw(run).groups[0].members[0].session {
        Some(session) => passed = passed.max(session.passed),
        None => assert!(run.group(GroupId(0)).members.len() == 2, "only who is out has none"),
    });
    assert!(passed > 950, "{passed}");
}

#[test]
fn a_batch_fills_while_it_lingers() {
    let mut run = world(1, 1, EAGER);
    let (mut largest, mut least_left, mut in_flight) = (0, 1_000, 0);
    run_to(&mut run, 20, |run| {
        let producer = &draw(run).producers[0];
        in_flight = in_flight.max(producer.in_flight);
        let Some(batch) = &producer.batch else { return };
        assert_eq!(batch.records + batch.elsewhere, run.producer(ProducerId(0)).all_waiting());
        assert_eq!(batch.looks.len() as u32, batch.records.min(3));
        largest = largest.max(batch.records);
        least_left = least_left.min(batch.lingers);
    });
    assert!((4..=5).contains(&largest), "20 records a second, 200 ms: {largest}");
    assert!(least_left <= 250 && in_flight == 1, "{least_left} {in_flight}");
}

#[test]
fn a_tape_names_the_broker_that_leads_it_where_there_are_several() {
    let drawn = draw(&world(5, 1, EAGER));
    let leaders: Vec<Option<BrokerId>> = drawn.tapes.iter().map(|tape| tape.leader).collect();
    assert_eq!(leaders, [0, 1, 0, 1, 0].map(|broker| Some(BrokerId(broker))));
    let single = scenario::library::BUILT_IN[0].read().expect("sound").setup;
    assert!(draw(&Simulation::new(single)).tapes.iter().all(|tape| tape.leader.is_none()));
}

/// The scene of three groups, of which two read what others read, too.
fn several() -> Simulation {
    let read = scenario::read(include_str!("scenes/several.json")).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    Simulation::new(read.setup)
}

#[test]
fn what_members_and_coordinators_say_travels_under_its_name_and_covers_no_words() {
    let mut seen = std::collections::BTreeSet::new();
    for shape in [Shape::Wide, Shape::Narrow] {
        for mut run in [world(6, 3, EAGER), world(6, 3, CONSUMER), several()] {
            run_to(&mut run, 11, |_| {});
            let leaving = ConsumerId(2).into();
            run.apply(Action::Close(leaving)).expect("it runs");
            run_to(&mut run, 30, |run| {
                let between = run.now() + Span::from_millis(1);
                let drawn = stage(run, between, shape, None);
                for flight in &drawn.flights {
                    let Load::Protocol { kind, is_heartbeat } = flight.load else { continue };
                    seen.insert((kind.api.name(), kind.is_answer, is_heartbeat));
                    for group in &drawn.groups {
                        let head = Rect { w: group.rect.w - 12, h: 42, ..group.rect };
                        let boxes = group.members.iter().map(|member| member.rect).chain([head]);
                        assert!(boxes.into_iter().all(|words| !is_over(flight.at, words)), "{flight:?} {group:?}");
                    }
                }
                for member in drawn.groups.iter().flat_map(|group| &group.members) {
                    let says = |flight: &&Flight| matches!(flight.load, Load::Protocol { is_heartbeat: false, .. });
                    let of_member = |flight: &&Flight| flight.at.x == member.rect.x + member.rect.w + 5;
                    if let Some(kind) = member.message
                        && let Some(flight) = drawn.flights.iter().filter(says).find(of_member)
                        && drawn.flights.iter().filter(says).filter(of_member).count() == 1
                        && shape == Shape::Narrow
                    {
                        assert_eq!(flight.message.kind, kind, "the box says what travels");
                    }
                }
            });
        }
    }
    for api in ["JoinGroup", "SyncGroup", "OffsetCommit", "ConsumerGroupHeartbeat"] {
        assert!(seen.contains(&(api, true, false)), "{api} is answered: {seen:?}");
    }
    for request in ["JoinGroup", "SyncGroup", "LeaveGroup", "ConsumerGroupHeartbeat"] {
        assert!(seen.contains(&(request, false, false)), "{request} is sent: {seen:?}");
    }
    assert!(seen.contains(&("Heartbeat", false, true)) && seen.contains(&("Heartbeat", true, true)), "{seen:?}");
}

/// True if a mark of 8 units at a point lies over a box.
fn is_over(at: Point, rect: Rect) -> bool {
    at.x + 4 > rect.x && at.x - 4 < rect.x + rect.w && at.y + 4 > rect.y && at.y - 4 < rect.y + rect.h
}

#[test]
fn a_step_of_another_group_than_the_one_that_is_shown_is_seen_with_its_name() {
    let mut run = several();
    let (mut flags, mut carets, mut at_hand) = (0, 0, 0);
    run_to(&mut run, 30, |run| {
        let drawn = summed(run, Shape::Wide);
        assert!(drawn.height <= 500, "all groups are seen at once: {}", drawn.height);
        at_hand += drawn.groups.iter().filter(|group| group.is_at_hand).count();
        for tape in &drawn.tapes {
            let named: Vec<&Flag> = tape.flags.iter().filter(|flag| flag.name.is_some()).collect();
            assert!(named.len() <= 1, "{tape:?}");
            for flag in &named {
                assert!(flag.is_other && flag.tag.is_some_and(|tag| tag.w > 40), "{flag:?}");
            }
            flags += named.len();
            let names = tape.carets.iter().filter_map(|caret| caret.label.as_ref()?.name.as_ref());
            carets += names.count();
        }
    });
    assert!(flags > 50 && carets > 50 && at_hand > 200, "{flags} {carets} {at_hand}");
}
