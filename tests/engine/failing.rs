//! Handling that fails: what each way of dealing with it does to the positions, the commits and the accounts.

use crate::common::steps;
use crate::world::at_once;
use logstep::sim::event::AfterFailure;
use logstep::sim::failing::{Counts, Failing, GivesUp, OnError, Retry};
use logstep::sim::setup::*;
use logstep::sim::*;

const GROUP: GroupId = GroupId(0);

/// One partition, ten records that arrive together, one consumer; the record at offset `fails` fails until `until`.
fn world(fails: Offset, until: Time, on_error: OnError) -> Setup {
    let mut setup = at_once(10);
    let place = TopicPartition { topic: TopicId(0), number: 0 };
    setup.configure(GROUP, |config| {
        config.handling.time = Span::from_millis(100);
        config.handling.commit = CommitPolicy {
            when: CommitWhen::AfterBatch,
            how: CommitHow::Sync,
            on_revoke: false,
            on_close: false,
            offset: CommitOffset::Contiguous,
        };
        config.handling.fails = vec![Failing { of: HandlingOf::Record(place, fails), from: Time::ZERO, until }];
        config.handling.on_error = on_error;
    });
    setup
}

fn run(setup: Setup) -> Simulation {
    crate::common::finished(setup)
}

fn failures(run: &Simulation) -> Vec<(Time, u32, AfterFailure, u32)> {
    let failed = |(_, step): (StepNo, Step)| match step.event {
        Event::HandlingFailed { tries, after, given_up, .. } => Some((step.at, tries, after, given_up)),
        _ => None,
    };
    steps(run).filter_map(failed).collect()
}

fn committed(run: &Simulation) -> Option<Offset> {
    run.group(GROUP).committed(PartitionId(0)).map(|committed| committed.offset)
}

#[test]
fn an_unexpected_exception_closes_the_consumer_and_commits_nothing_behind_the_record() {
    let run = run(world(3, Time::NEVER, OnError::STOP));
    assert!(matches!(failures(&run)[..], [(_, 1, AfterFailure::Stops, 0)]));
    assert!(matches!(run.consumer(ConsumerId(0)).process, consumer::Process::Closed(_)));
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).total()), (3, 0));
    // The loop commits behind the batch, which it has left.
    assert_eq!(committed(&run), None);
}

#[test]
fn auto_commit_in_close_commits_what_poll_has_returned_failed_or_not() {
    let mut setup = world(3, Time::NEVER, OnError::STOP);
    setup.configure(GROUP, |config| {
        config.settings.enable_auto_commit = true;
        config.settings.auto_commit_interval = Span::from_secs(60);
        config.handling.commit.when = CommitWhen::Never;
    });
    let run = run(setup);
    assert_eq!((committed(&run), run.lost(GROUP).skipped_by_commit), (Some(10), 7));
}

#[test]
fn a_record_that_is_skipped_is_lost_once_a_later_one_is_committed() {
    let run = run(world(3, Time::NEVER, OnError { then: GivesUp::Skip, ..OnError::STOP }));
    assert!(matches!(failures(&run)[..], [(_, 1, AfterFailure::Skips, 1)]));
    let lost = run.lost(GROUP);
    assert_eq!((run.ledger(GROUP).processed, lost.skipped_by_error, lost.total()), (9, 1, 1));
    assert_eq!(committed(&run), Some(10));
    let when = steps(&run).find(|&(number, _)| run.lost_at(number) > 0).map(|(_, step)| step.event);
    assert!(matches!(when, Some(Event::OffsetCommitted { offset: 10, .. })), "{when:?}");
}

#[test]
fn leaving_the_loop_leaves_the_rest_of_the_poll_behind() {
    let mut setup = world(3, Time::NEVER, OnError { then: GivesUp::LeaveLoop, ..OnError::STOP });
    setup.configure(GROUP, |config| {
        config.settings.enable_auto_commit = true;
        config.settings.auto_commit_interval = Span::from_secs(1);
        config.handling.commit.when = CommitWhen::Never;
    });
    let run = run(setup);
    assert!(matches!(failures(&run)[..], [(_, 1, AfterFailure::LeavesLoop, 7)]));
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).skipped_by_error), (3, 7));
}

#[test]
fn a_record_is_tried_again_in_place_until_the_service_is_back() {
    let until = Time::from_micros(14_000_000);
    let back_off = Span::from_secs(1);
    let on_error = OnError { tries: OnError::FOR_EVER, back_off, ..OnError::STOP };
    let run = run(world(0, until, on_error));
    let tries = failures(&run);
    assert!(tries.windows(2).all(|two| two[1].0.since(two[0].0) == Span::from_millis(1100)), "{tries:?}");
    assert!(
        tries.iter().zip(1..).all(|(&(_, tries, after, _), nth)| tries == nth && after == AfterFailure::TriesAgain)
    );
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).total(), committed(&run)), (10, 0, Some(10)));
}

#[test]
fn seeking_back_returns_the_record_and_those_behind_it_once_more() {
    let until = Time::from_micros(14_000_000);
    let on_error =
        OnError { retry: Retry::SeekBack, tries: OnError::FOR_EVER, back_off: Span::from_secs(1), ..OnError::STOP };
    let run = run(world(3, until, on_error));
    assert!(failures(&run).len() > 2);
    let sought =
        steps(&run).filter(|(_, step)| matches!(step.event, Event::PositionSought { from: 10, offset: 3, .. }));
    assert_eq!(sought.count(), failures(&run).len());
    let ledger = run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.duplicates(), run.lost(GROUP).total()), (10, 0, 0));
}

/// A producer that writes to a topic of its own.
fn with_dead_letters(mut setup: Setup) -> Setup {
    setup.topics.push(TopicSetup { name: "orders.DLT".into(), partitions: 1 });
    setup.producers.push(ProducerSetup {
        name: "dlt".into(),
        topic: TopicId(1),
        settings: ProducerSettings::JAVA,
        source: Source::Records(Vec::new()),
    });
    setup
}

#[test]
fn after_the_last_try_a_copy_goes_to_the_dead_letter_topic() {
    let on_error = OnError { tries: 3, then: GivesUp::SetAside(ProducerId(1)), ..OnError::STOP };
    let run = run(with_dead_letters(world(3, Time::NEVER, on_error)));
    let after: Vec<AfterFailure> = failures(&run).iter().map(|failure| failure.2).collect();
    assert_eq!(after, [AfterFailure::TriesAgain, AfterFailure::TriesAgain, AfterFailure::SetsAside]);
    let ledger = run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.set_aside, run.lost(GROUP).total()), (9, 1, 0));
    assert_eq!((run.partition(PartitionId(1)).end, committed(&run)), (1, Some(10)));
    let copy = run.record_at(PartitionId(1), 0).expect("it is in the log");
    let original = run.record_at(PartitionId(0), 3).expect("it is in the log");
    assert_eq!((run.record(copy).key, run.record(copy).value), (run.record(original).key, run.record(original).value));
}

#[test]
fn who_seeks_back_behind_each_bad_record_polls_once_for_each() {
    let on_error = OnError { retry: Retry::SeekBack, then: GivesUp::SetAside(ProducerId(1)), ..OnError::STOP };
    let mut setup = with_dead_letters(world(0, Time::NEVER, on_error));
    setup.configure(GROUP, |config| config.handling.fails[0].of = HandlingOf::Every);
    let run = run(setup);
    let polls = steps(&run).filter(|(_, step)| matches!(step.event, Event::RecordsPolled { .. }));
    assert_eq!((polls.count(), run.partition(PartitionId(1)).end, committed(&run)), (10, 10, Some(10)));
}

#[test]
fn a_crash_between_the_copy_and_the_commit_makes_a_second_copy_and_loses_nothing() {
    let on_error = OnError { then: GivesUp::SetAside(ProducerId(1)), ..OnError::STOP };
    let mut setup = with_dead_letters(world(3, Time::NEVER, on_error));
    let at = |secs: u64, action| PlannedAction { when: When::At(Time::from_micros(secs * 1_000_000)), action };
    let c1 = ConsumerId(0).into();
    setup.actions = vec![
        PlannedAction {
            when: When::After(Condition::Processed { consumer: ConsumerId(0), records: 5 }, Span::ZERO),
            action: Action::Crash(c1),
        },
        at(15, Action::Start(c1)),
    ];
    let run = run(setup);
    let ledger = run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.set_aside, run.lost(GROUP).total()), (9, 1, 0));
    assert_eq!(run.partition(PartitionId(1)).end, 2);
}

#[test]
fn two_records_that_fail_in_turn_never_end_where_only_one_is_counted() {
    let with = |counts| {
        let on_error = OnError {
            retry: Retry::SeekBack,
            tries: 3,
            counts,
            then: GivesUp::SetAside(ProducerId(1)),
            back_off: Span::from_millis(10),
        };
        let mut setup = with_dead_letters(world(0, Time::NEVER, on_error));
        setup.topics[0].partitions = 2;
        if let Source::Records(records) = &mut setup.producers[0].source {
            for (number, record) in records.iter_mut().enumerate() {
                record.partition = Some((number % 2) as u16);
            }
        }
        setup.configure(GROUP, |config| {
            config.settings.max_poll_records = 1;
            let fails = |number| Failing {
                of: HandlingOf::Record(TopicPartition { topic: TopicId(0), number }, 0),
                from: Time::ZERO,
                until: Time::NEVER,
            };
            config.handling.fails = vec![fails(0), fails(1)];
        });
        run(setup)
    };
    assert_eq!(with(Counts::EachPartition).ledger(GROUP).set_aside, 2);
    let stuck = with(Counts::OneRecord);
    assert_eq!((stuck.ledger(GROUP).set_aside, stuck.ledger(GROUP).processed), (0, 0));
    assert!(failures(&stuck).len() > 100);
}

#[test]
fn who_waits_for_too_long_before_the_next_try_is_out_of_the_group() {
    let on_error = OnError { tries: OnError::FOR_EVER, back_off: Span::from_secs(20), ..OnError::STOP };
    let mut setup = world(0, Time::NEVER, on_error);
    setup.configure(GROUP, |config| config.settings.max_poll_interval = Span::from_secs(15));
    let run = run(setup);
    assert!(steps(&run).any(|(_, step)| matches!(step.event, Event::PollTimedOut { .. })));
    assert_eq!(run.ledger(GROUP).processed, 0);
}

/// Twenty records that arrive together for four workers; the record at offset `fails` fails until `until`.
fn in_pool(fails: Offset, until: Time, on_error: OnError) -> Setup {
    let mut setup = at_once(20);
    let place = TopicPartition { topic: TopicId(0), number: 0 };
    setup.configure(GROUP, |config| {
        config.handling.time = Span::from_millis(100);
        config.handling.pool = Some(Pool { workers: 4, queue: 100, revoked: Revoked::Stops });
        config.handling.commit = CommitPolicy::after_records(1);
        config.handling.fails = vec![Failing { of: HandlingOf::Record(place, fails), from: Time::ZERO, until }];
        config.handling.on_error = on_error;
    });
    setup
}

#[test]
fn a_worker_that_tries_again_holds_up_the_commit_and_none_of_the_others() {
    let on_error = OnError { tries: OnError::FOR_EVER, back_off: Span::from_secs(1), ..OnError::STOP };
    let mut run = Simulation::new(in_pool(2, Time::from_micros(30_000_000), on_error));
    let mut all_but_it = false;
    while let Progress::Step(_) = run.step() {
        if run.now() < Time::from_micros(30_000_000) {
            assert!(committed(&run).unwrap_or(0) <= 2);
            all_but_it |= run.ledger(GROUP).processed == 19;
        }
    }
    assert!(all_but_it);
    let tries = failures(&run);
    assert!(tries.len() > 10 && tries.windows(2).all(|two| two[1].0.since(two[0].0) == Span::from_millis(1100)));
    assert_eq!((run.ledger(GROUP).processed, committed(&run), run.ledger(GROUP).overlaps), (20, Some(20), 0));
}

#[test]
fn a_worker_skips_a_record_and_the_contiguous_commit_goes_past_it() {
    let on_error = OnError { tries: 3, then: GivesUp::Skip, ..OnError::STOP };
    let run = run(in_pool(2, Time::NEVER, on_error));
    let tries: Vec<u32> = failures(&run).iter().map(|&(_, tries, ..)| tries).collect();
    assert_eq!(tries, [1, 2, 3]);
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).skipped_by_error, committed(&run)), (19, 1, Some(20)));
}

#[test]
fn a_record_that_no_worker_can_process_stops_the_consumer_behind_what_is_at_work() {
    let run = run(in_pool(2, Time::NEVER, OnError::STOP));
    assert!(matches!(run.consumer(ConsumerId(0)).process, consumer::Process::Closed(_)));
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).total()), (3, 0));
    assert_eq!(committed(&run), Some(2));
}

#[test]
fn a_consumer_that_is_closed_does_not_wait_for_a_worker_that_tries_without_end() {
    let on_error = OnError { tries: OnError::FOR_EVER, back_off: Span::from_secs(1), ..OnError::STOP };
    let mut setup = in_pool(2, Time::NEVER, on_error);
    let at = Time::from_micros(20_000_000);
    setup.actions = vec![PlannedAction { when: When::At(at), action: Action::Close(ConsumerId(0).into()) }];
    let run = run(setup);
    assert!(matches!(run.consumer(ConsumerId(0)).process, consumer::Process::Closed(_)));
    assert_eq!((run.ledger(GROUP).processed, committed(&run)), (19, Some(2)));
}

#[test]
fn a_worker_sends_a_copy_once_the_producer_runs_and_the_others_go_on_meanwhile() {
    let on_error = OnError { tries: 2, then: GivesUp::SetAside(ProducerId(1)), ..OnError::STOP };
    let mut setup = with_dead_letters(in_pool(2, Time::NEVER, on_error));
    let at = |secs: u64, action| PlannedAction { when: When::At(Time::from_micros(secs * 1_000_000)), action };
    let dlt = ProducerId(1).into();
    setup.actions = vec![at(1, Action::Crash(dlt)), at(30, Action::Start(dlt))];
    let mut run = Simulation::new(setup);
    let mut all_but_it = false;
    while let Progress::Step(_) = run.step() {
        all_but_it |= run.ledger(GROUP).processed == 19 && run.ledger(GROUP).set_aside == 0;
    }
    assert!(all_but_it);
    let ledger = run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.set_aside, run.lost(GROUP).total()), (19, 1, 0));
    assert_eq!((run.partition(PartitionId(1)).end, committed(&run)), (1, Some(20)));
}
