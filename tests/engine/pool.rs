//! Records handed over to a pool of workers.

use crate::common::{finished, steps};
use crate::world::at_once;
use logstep::sim::setup::*;
use logstep::sim::*;

const GROUP: GroupId = GroupId(0);

/// One partition, thirty records that arrive together, one consumer with a pool.
fn world(pool: Pool, handling: Span) -> Setup {
    let mut setup = at_once(30);
    setup.configure(GROUP, |config| {
        config.handling.time = handling;
        config.handling.pool = Some(pool);
        config.handling.commit = CommitPolicy::after_records(1);
        config.settings.max_poll_records = 5;
    });
    setup
}

fn pool(workers: u16, queue: u32) -> Pool {
    Pool { workers, queue, revoked: Revoked::Stops }
}

#[test]
fn so_many_records_are_handled_at_once_as_there_are_workers() {
    for workers in [1, 2, 4] {
        let run = finished(world(pool(workers, 100), Span::from_millis(100)));
        let done: Vec<Time> = steps(&run)
            .filter(|(_, step)| matches!(step.event, Event::RecordProcessed { .. }))
            .map(|(_, step)| step.at)
            .collect();
        assert_eq!(done.len(), 30);
        let took = done[29].since(done[0]).as_millis();
        let rounds = 30u64.div_ceil(u64::from(workers)) - 1;
        assert_eq!(took / 100, rounds, "{workers} workers");
        assert_eq!(run.group(GROUP).committed(PartitionId(0)).map(|committed| committed.offset), Some(30));
    }
}

#[test]
fn while_the_queue_is_full_poll_returns_nothing_and_the_member_stays_in_its_group() {
    let mut setup = world(pool(1, 3), Span::from_secs(2));
    setup.configure(GROUP, |config| config.settings.max_poll_interval = Span::from_secs(5));
    let mut run = Simulation::new(setup);
    let mut most = 0;
    while let Progress::Step(step) = run.step() {
        assert!(!matches!(step.event, Event::PollTimedOut { .. }), "it polls all the time");
        if let Some(client) = run.consumer(ConsumerId(0)).client() {
            most = most.max(client.workers.waiting());
        }
    }
    // Two are left when the next five come.
    assert_eq!(most, 2 + 5);
    assert_eq!(run.ledger(GROUP).processed, 30);
}

#[test]
fn workers_finish_in_any_order_and_the_contiguous_commit_waits_for_the_slow_one() {
    let mut setup = world(pool(3, 100), Span::from_millis(100));
    let place = TopicPartition { topic: TopicId(0), number: 0 };
    setup.configure(GROUP, |config| config.handling.set_time(HandlingOf::Record(place, 2), Span::from_secs(20)));
    let mut run = Simulation::new(setup);
    let mut stood_still = false;
    while let Progress::Step(_) = run.step() {
        let committed = run.group(GROUP).committed(PartitionId(0)).map_or(0, |committed| committed.offset);
        let third = run.record_at(PartitionId(0), 2);
        if third.is_some_and(|third| run.ledger(GROUP).delivery(third).times == 0) {
            assert!(committed <= 2, "{committed}");
            stood_still |= run.ledger(GROUP).processed == 29;
        }
    }
    assert!(stood_still, "all others were done before it");
    assert_eq!(run.ledger(GROUP).out_of_order, 1, "only the slow one comes after later ones of its key");
    assert_eq!(run.group(GROUP).committed(PartitionId(0)).map(|committed| committed.offset), Some(30));
}

#[test]
fn auto_commit_commits_what_is_polled_and_a_crash_loses_the_rest() {
    let mut setup = world(pool(2, 100), Span::from_secs(1));
    setup.configure(GROUP, |config| {
        config.settings.enable_auto_commit = true;
        config.settings.auto_commit_interval = Span::from_secs(5);
        config.handling.commit = CommitPolicy { when: CommitWhen::Never, ..CommitPolicy::after_records(1) };
    });
    setup.actions = vec![PlannedAction {
        when: When::After(Condition::Processed { consumer: ConsumerId(0), records: 12 }, Span::ZERO),
        action: Action::Crash(ConsumerId(0).into()),
    }];
    let run = finished(setup);
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).skipped_by_commit), (12, 18));
}

#[test]
fn close_waits_for_the_workers_and_lets_the_queue_go() {
    let mut setup = world(pool(2, 100), Span::from_secs(2));
    setup.actions = vec![PlannedAction {
        when: When::At(Time::from_micros(11_000_000)),
        action: Action::Close(ConsumerId(0).into()),
    }];
    let run = finished(setup);
    assert_eq!((run.ledger(GROUP).processed, run.lost(GROUP).total()), (2, 0));
    assert_eq!(run.group(GROUP).committed(PartitionId(0)).map(|committed| committed.offset), Some(2));
}

#[test]
fn a_seek_lets_go_what_waits_and_nothing_finished_before_counts_for_it() {
    let mut run = Simulation::new(world(pool(2, 100), Span::from_secs(1)));
    while run.ledger(GROUP).processed < 4 {
        run.step();
    }
    let place = TopicPartition { topic: TopicId(0), number: 0 };
    run.apply(Action::Seek { consumer: ConsumerId(0), partition: place, to: 0 }).expect("it owns it");
    while let Progress::Step(_) = run.step() {}
    let ledger = run.ledger(GROUP);
    assert_eq!((ledger.processed, ledger.duplicates_of_rewinds > 0, run.lost(GROUP).total()), (30, true, 0));
    assert_eq!(run.group(GROUP).committed(PartitionId(0)).map(|committed| committed.offset), Some(30));
}
