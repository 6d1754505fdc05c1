//! Sweeps: that their rows are what single runs come to, and what holds at every crash point of random worlds.

mod common;
#[path = "common/random.rs"]
mod random;

use common::{finished, story};
use logstep::scenario::library;
use logstep::sim::failing::{Failing, GivesUp, OnError};
use logstep::sim::setup::*;
use logstep::sim::*;
use logstep::sweep::variation::{Problem, vary};
use logstep::sweep::{Case, Decisive, Ending, Row, Sweep, Totals};
use proptest::prelude::*;
use random::cases;
use std::rc::Rc;

fn crashes(setup: &Setup) -> Vec<Row> {
    let mut sweep = Sweep::of_crashes(setup);
    sweep.finish();
    assert_eq!(sweep.ending(), Some(Ending::Complete));
    sweep.rows().to_vec()
}

#[test]
fn a_row_is_what_a_run_of_its_own_comes_to() {
    let calm = Setup { actions: Vec::new(), ..story() };
    let rows = crashes(&story());
    let visible = finished(calm.clone()).visible_steps();
    assert!(rows.len() as u32 > 2 * visible, "each of three members after nearly each of {visible} steps");
    for row in rows.iter().step_by(7) {
        let Case::Crash { consumer, after, at } = row.case else { panic!("a crash") };
        let mut run = Simulation::new(calm.clone());
        while run.visible_steps() < after {
            run.step();
        }
        assert_eq!(run.now(), at);
        run.apply(Action::Crash(consumer.into())).expect("it runs");
        while let Progress::Step(_) = run.step() {}
        assert_eq!(Totals::of(&run), row.totals, "{:?}", row.case);
        if let Some(Decisive { step, number, .. }) = row.decided_by {
            let event = run.step_at(step).expect("a step of this run").event;
            assert!(matches!(event, Event::RecordProcessed { times: 2.., .. }), "{event:?}");
            assert_eq!(run.visible_step(number - 1), Some(step));
        }
        assert_eq!(row.decided_by.is_some(), row.totals.duplicates + row.totals.lost + row.totals.out_of_order > 0);
    }
}

#[test]
fn the_standstill_is_how_long_nobody_works_where_the_crashed_one_did() {
    let rows = crashes(&story());
    let c3 = ConsumerId(2);
    let while_all_work = Time::from_micros(7_000_000)..Time::from_micros(40_000_000);
    let is_c3 = |row: &&Row| matches!(&row.case, Case::Crash { consumer, at, .. } if *consumer == c3 && while_all_work.contains(at));
    let of_c3: Vec<&Row> = rows.iter().filter(is_c3).collect();
    assert!(of_c3.len() > 10);
    for row in of_c3 {
        // session.timeout.ms, then up to a heartbeat of the others.
        assert!((42..=48).contains(&(row.standstill.span.as_millis() / 1000)), "{row:?}");
        assert!(row.standstill.is_over);
    }
    let cut_short = crashes(&Setup { ends_at: Time::from_micros(45_000_000), ..story() });
    let last = cut_short.last().expect("rows");
    assert!(!last.standstill.is_over, "nobody takes over before the run ends: {last:?}");
}

#[test]
fn a_sweep_can_be_made_in_slices() {
    let whole = crashes(&story());
    let mut sweep = Sweep::of_crashes(&story());
    let mut slices = 0;
    while sweep.advance(1000) {
        slices += 1;
    }
    assert!(slices > 20, "{slices}");
    assert_eq!(sweep.rows(), whole);
}

#[test]
fn seeds_run_from_the_first_to_the_last() {
    let setup = Rc::new(story());
    let mut sweep = Sweep::of_seeds(&setup, 5, 8);
    sweep.finish();
    for (row, seed) in sweep.rows().iter().zip(5..=8) {
        let run = finished(Setup { seed, ..story() });
        assert_eq!((&row.case, row.totals), (&Case::Seed(seed), Totals::of(&run)));
    }
    assert_eq!(sweep.rows().len(), 4);
}

#[test]
fn a_setting_is_varied_wherever_it_stands_and_refused_as_in_a_file() {
    let source = library::find("crash-before-commit").expect("built in").source;
    let values = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let setups = vary(source, "commit.after_records", &values(&["1", "5"])).expect("it may be varied");
    let after = |setup: &Setup| setup.consumers[0].config.handling.commit.when;
    assert_eq!(after(&setups[0].1), CommitWhen::AfterRecords(1));
    assert_eq!(after(&setups[1].1), CommitWhen::AfterRecords(5));
    let setups = vary(source, "max.poll.records", &values(&["1"])).expect("it may be varied");
    assert!(setups[0].1.consumers.iter().all(|consumer| consumer.config.settings.max_poll_records == 1));
    let setups = vary(source, "linger.ms", &values(&["100"])).expect("it may be varied");
    assert_eq!(setups[0].1.producers[0].settings.batching.linger, Span::from_millis(100));
    let setups = vary(source, "group.initial.rebalance.delay.ms", &values(&["0"])).expect("it may be varied");
    assert_eq!(setups[0].1.cluster.group_initial_rebalance_delay, Span::ZERO);
    let setups = vary(source, "unique_key", &values(&["event_id", "null"])).expect("it may be varied");
    assert!(setups[0].1.sinks[0].is_unique);
    assert!(!setups[1].1.sinks[0].is_unique);
    let pool = include_str!("../docs/examples/pool.json");
    let handling = |name: &str, value: &str| {
        let setups = vary(pool, name, &values(&[value])).unwrap_or_else(|problem| panic!("{name}: {problem:?}"));
        setups[0].1.consumers[0].config.handling.clone()
    };
    let workers = |handling: Handling| handling.pool.map(|pool| (pool.workers, pool.queue, pool.revoked));
    assert_eq!(workers(handling("pool.workers", "2")), Some((2, 10, Revoked::Stops)));
    assert_eq!(workers(handling("pool.queue", "7")), Some((4, 7, Revoked::Stops)));
    assert_eq!(workers(handling("pool.revoked", "go_on")), Some((4, 10, Revoked::GoesOn)));
    assert_eq!(handling("on_error.tries", "3").on_error.tries, 3);
    assert_eq!(handling("on_error.back_off", "2s").on_error.back_off, Span::from_secs(2));
    assert_eq!(handling("on_error.then", "skip").on_error.then, GivesUp::Skip);
    assert_ne!(handling("commit.offset", "highest").commit, handling("commit.offset", "contiguous").commit);
    assert_ne!(handling("commit.how", "async").commit, handling("commit.how", "sync").commit);
    let setups = vary(source, "commit.when", &values(&["before_batch"])).expect("it takes the place of after_records");
    assert_eq!(after(&setups[0].1), CommitWhen::BeforeBatch);
    let Err(Problem::NoSuchSetting(allowed)) = vary(source, "pool.workers", &values(&["2"])) else { panic!("no pool") };
    assert!(!allowed.iter().any(|name| name.starts_with("pool.")));
    let Err(Problem::NoSuchSetting(allowed)) = vary(source, "retries", &values(&["1"])) else { panic!("not modelled") };
    assert!(allowed.iter().any(|name| name == "max.poll.records"));
    let refused = vary(source, "max.poll.records", &values(&["5", "0"]));
    let Err(Problem::Refused(value, mistakes)) = refused else { panic!("0 is refused") };
    assert_eq!((&*value, &*mistakes[0].path), ("0", "groups[0].settings.max.poll.records"));
}

/// A small world in which nothing is done, with everything that the claims below ask for: `earliest`, no reset, no seek, and
/// time enough to settle after a crash anywhere.
fn small(commit: CommitPolicy, unique_key: bool) -> impl Strategy<Value = Setup> {
    let records = prop::collection::vec((0..12_000u64, 0..5u32), 1..16);
    (any::<u64>(), records, 1..=4u16, 1..=3usize, 1..=40u64, prop::sample::select(vec![1u32, 2, 500])).prop_map(
        move |(seed, mut records, partitions, members, tens, max_poll_records)| {
            records.sort_unstable();
            let record = |(at, key)| PlannedRecord {
                at: Time::from_micros((5_000 + at) * 1000),
                key: Some(KeyId(key)),
                value: ValueId(0),
                value_bytes: 1,
                partition: None,
            };
            let mut setup = story();
            setup.seed = seed;
            setup.actions.clear();
            setup.ends_at = Time::from_micros(70_000_000);
            setup.topics[0].partitions = partitions;
            setup.producers[0].source = Source::Records(records.into_iter().map(record).collect());
            setup.keys = (0..5).map(|n| Key::new(&format!("key-{n}"))).collect();
            setup.values = vec!["value".into()];
            setup.consumers.truncate(members);
            setup.sinks[0].is_unique = unique_key;
            setup.configure(GroupId(0), |config| {
                config.settings.session_timeout = Span::from_secs(10);
                config.settings.max_poll_records = max_poll_records;
                config.handling.time = Span::from_millis(10 * tens);
                config.handling.commit = commit;
            });
            setup
        },
    )
}

fn policy(when: CommitWhen) -> CommitPolicy {
    CommitPolicy { when, how: CommitHow::Sync, on_revoke: false, on_close: false, offset: CommitOffset::Contiguous }
}

/// So many eighths of 256: a hundred worlds and a few more.
const HUNDRED: u32 = 4;

proptest! {
    #![proptest_config(cases(module_path!(), HUNDRED))]

    #[test]
    fn who_commits_after_processing_loses_nothing(setup in (1..=4u32).prop_flat_map(|n| small(policy(CommitWhen::AfterRecords(n)), false))) {
        for row in crashes(&setup) {
            prop_assert_eq!(row.totals.lost, 0, "{:?}", row.case);
        }
    }

    #[test]
    fn who_commits_after_the_batch_loses_nothing(setup in small(policy(CommitWhen::AfterBatch), false)) {
        for row in crashes(&setup) {
            prop_assert_eq!(row.totals.lost, 0, "{:?}", row.case);
        }
    }

    #[test]
    fn who_commits_before_processing_repeats_nothing(setup in small(policy(CommitWhen::BeforeBatch), false)) {
        for row in crashes(&setup) {
            prop_assert_eq!(row.totals.duplicates, 0, "{:?}", row.case);
        }
    }

    #[test]
    fn who_commits_what_is_finished_without_a_gap_loses_nothing_with_a_pool(
        setup in (1..=4u32).prop_flat_map(|n| small(policy(CommitWhen::AfterRecords(n)), false)),
        workers in 1..=5u16,
        queue in 1..=8u32,
        slow in prop::collection::vec(0..5u32, 0..3),
        fails in prop::collection::vec(0..5u32, 0..2),
    ) {
        let mut setup = setup;
        setup.configure(GroupId(0), |config| {
            config.handling.pool = Some(Pool { workers, queue, revoked: Revoked::Stops });
            for &key in &slow {
                config.handling.set_time(HandlingOf::Key(KeyId(key)), Span::from_millis(900));
            }
            for &key in &fails {
                let (from, until) = (Time::ZERO, Time::from_micros(20_000_000));
                config.handling.fails.push(Failing { of: HandlingOf::Key(KeyId(key)), from, until });
            }
            config.handling.on_error =
                OnError { tries: OnError::FOR_EVER, back_off: Span::from_millis(700), ..OnError::STOP };
        });
        for row in crashes(&setup) {
            prop_assert_eq!(row.totals.lost, 0, "{:?}", row.case);
        }
    }

    #[test]
    fn offsets_in_one_transaction_with_each_row_lose_nothing_and_make_no_row_twice(
        setup in small(policy(CommitWhen::Never), false),
        adds_when_seeking in any::<bool>(),
    ) {
        let mut setup = setup;
        let (holds, seeks) =
            if adds_when_seeking { (Holds::Last, Seeks::OneAfter) } else { (Holds::Next, Seeks::AsStored) };
        setup.configure(GroupId(0), |config| {
            config.handling.offset_store = Some(OffsetStore { when: StoreWhen::WithRow, holds, seeks });
        });
        for row in crashes(&setup) {
            let totals = row.totals;
            prop_assert_eq!((totals.lost, totals.duplicates), (0, 0), "{:?}", row.case);
            prop_assert!(totals.rows <= records(&setup), "{:?}", row);
        }
    }

    #[test]
    fn offsets_that_are_stored_after_the_rows_lose_nothing(
        setup in (1..=4u32).prop_flat_map(|n| small(policy(CommitWhen::AfterRecords(n)), false)),
    ) {
        let mut setup = setup;
        setup.configure(GroupId(0), |config| {
            let (when, holds, seeks) = (StoreWhen::LikeCommits, Holds::Next, Seeks::AsStored);
            config.handling.offset_store = Some(OffsetStore { when, holds, seeks });
        });
        for row in crashes(&setup) {
            prop_assert_eq!(row.totals.lost, 0, "{:?}", row.case);
        }
    }

    #[test]
    fn a_unique_key_absorbs_every_duplicate(setup in (1..=4u32).prop_flat_map(|n| small(policy(CommitWhen::AfterRecords(n)), true))) {
        for row in crashes(&setup) {
            prop_assert!(row.totals.rows <= records(&setup), "{:?}", row);
        }
    }
}

/// How many records there are.
fn records(setup: &Setup) -> u32 {
    match &setup.producers[0].source {
        Source::Records(records) => records.len() as u32,
        Source::Workload(_) => 0,
    }
}

#[test]
fn the_opposite_policies_do_lose_and_repeat_somewhere() {
    let with = |when| {
        let mut setup = story();
        setup.configure(GroupId(0), |config| config.handling.commit = policy(when));
        crashes(&setup)
    };
    assert!(with(CommitWhen::BeforeBatch).iter().any(|row| row.totals.lost > 0));
    let after = with(CommitWhen::AfterBatch);
    assert!(after.iter().any(|row| row.totals.duplicates > 0));
    assert!(after.iter().any(|row| row.totals.rows > records(&story())), "nothing absorbs them");
    let mut pool = story();
    pool.configure(GroupId(0), |config| {
        config.handling.pool = Some(Pool { workers: 3, queue: 10, revoked: Revoked::Stops });
        let third = HandlingOf::Record(TopicPartition { topic: TopicId(0), number: 2 }, 2);
        config.handling.set_time(third, Span::from_secs(3));
        config.handling.commit = CommitPolicy { offset: CommitOffset::Highest, ..policy(CommitWhen::AfterRecords(1)) };
    });
    assert!(crashes(&pool).iter().any(|row| row.totals.lost > 0), "the highest finished one is no safe commit");
}
