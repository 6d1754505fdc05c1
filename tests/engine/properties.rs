//! Random worlds: what holds in all of them.

use crate::harness::{check, steps};
use crate::random::cases;
use crate::world::{Kind, may_break_order, worlds};
use logstep::sim::event::{EpochReason, Fault, RowOutcome};
use logstep::sim::failing::{Counts, Failing, GivesUp, OnError, Retry};
use logstep::sim::property::{COMMIT_AFTER_PROCESSING, EARLIEST, SETTLED, TELLING};
use logstep::sim::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

proptest! {
    #![proptest_config(cases(module_path!(), 8))]

    #[test]
    fn with_earliest_nothing_is_lost_and_everything_settles(setup in worlds(Kind::Sane)) {
        let all = COMMIT_AFTER_PROCESSING.iter().chain(EARLIEST).chain(SETTLED);
        let outcome = check(&setup, all);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }

    #[test]
    fn safety_holds_whatever_the_timing(setup in worlds(Kind::Any)) {
        let orderly = !setup.actions.iter().any(|planned| may_break_order(planned.action));
        let safe = safe_whatever_the_timing().filter(|property| orderly || property.name != "order_is_kept_within_a_key");
        let outcome = check(&setup, safe);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }

    #[test]
    fn replays_are_identical(setup in worlds(Kind::Any)) {
        let digest = |setup: &setup::Setup| check(setup, []).map(|run| (run.steps(), run.digest()));
        prop_assert_eq!(digest(&setup), digest(&setup));
    }

    #[test]
    fn the_accounts_are_what_the_steps_add_up_to(setup in worlds(Kind::Any)) {
        let mut run = Simulation::new(setup);
        let mut recount = Recount::new(&run);
        while let Progress::Step(step) = run.step() {
            recount.note(&run, step);
        }
        recount.compare(&run)?;
    }

    #[test]
    fn the_accounts_hold_where_handling_fails(setup in failing_worlds()) {
        let digest = || check(&setup, []).map(|run| (run.steps(), run.digest()));
        prop_assert_eq!(digest(), digest());
        let mut run = Simulation::new(setup);
        let mut recount = Recount::new(&run);
        let mut failures = BTreeMap::new();
        while let Progress::Step(step) = run.step() {
            if let Event::HandlingFailed { after, .. } = step.event {
                *failures.entry(after as u8).or_insert(0) += 1;
            }
            recount.note(&run, step);
        }
        recount.compare(&run)?;
        for group in (0..run.setup().groups.len()).map(GroupId::at) {
            let lost = run.lost(group);
            let gives_up = run.consumers_of(group).any(|consumer| consumer.config().handling.on_error.then != GivesUp::Stop);
            prop_assert!(gives_up || lost.skipped_by_error == 0, "{:?} {:?}", lost, failures);
        }
    }
}

/// Random worlds in which some records fail, for a while or for ever, and applications that do something about it.
fn failing_worlds() -> impl Strategy<Value = Setup> {
    let failing = (0..8u32, 0..60_000u64, 0..=60_000u64).prop_map(|(key, from, lasts)| Failing {
        of: HandlingOf::Key(KeyId(key)),
        from: Time::from_micros(from * 1000),
        until: if lasts == 0 { Time::NEVER } else { Time::from_micros((from + lasts) * 1000) },
    });
    let retry = prop::sample::select(vec![Retry::InPlace, Retry::SeekBack]);
    let then = prop::sample::select(vec![GivesUp::Stop, GivesUp::Skip, GivesUp::LeaveLoop]);
    let counts = prop::sample::select(vec![Counts::EachPartition, Counts::OneRecord]);
    let tries = prop::sample::select(vec![1, 2, 5, OnError::FOR_EVER]);
    let on_error = (retry, tries, 1..=2000u64, counts, then).prop_map(|(retry, tries, back_off, counts, then)| {
        OnError { retry, tries, back_off: Span::from_millis(back_off), counts, then }
    });
    let pool = (1..=4u16, 1..=6u32, any::<bool>()).prop_map(|(workers, queue, goes_on)| setup::Pool {
        workers,
        queue,
        revoked: if goes_on { setup::Revoked::GoesOn } else { setup::Revoked::Stops },
    });
    let pool = prop_oneof![2 => Just(None), 1 => pool.prop_map(Some)];
    (worlds(Kind::Any), prop::collection::vec(failing, 1..=3), on_error, pool).prop_map(
        |(mut setup, fails, on_error, pool)| {
            for group in (0..setup.groups.len()).map(GroupId::at) {
                setup.configure(group, |config| {
                    config.handling.fails.clone_from(&fails);
                    config.handling.on_error = on_error;
                    config.handling.pool = pool;
                    if pool.is_some() {
                        // What a worker can do: it does not reach the loop around `poll()`.
                        let then = if on_error.then == GivesUp::LeaveLoop { GivesUp::Skip } else { on_error.then };
                        config.handling.on_error = OnError { retry: Retry::InPlace, then, ..on_error };
                    }
                });
            }
            setup
        },
    )
}

/// A frozen member that still believes it owns a partition may overlap with the new owner, and so may come in between.
pub fn safe_whatever_the_timing() -> impl Iterator<Item = &'static property::Property> {
    COMMIT_AFTER_PROCESSING.iter().filter(|property| property.name != "no_two_members_hold_one_record")
}

#[test]
fn the_main_story_shows_what_it_is_about() {
    let setup = crate::common::story();
    check(&setup, COMMIT_AFTER_PROCESSING.iter().chain(EARLIEST).chain(SETTLED).chain(TELLING)).unwrap();
}

/// The accounts of a run, kept once more from nothing but its steps.
struct Recount {
    incarnation: Vec<Incarnation>,
    /// Who ended, and in which step it had last given up its partitions.
    ended: BTreeMap<(ConsumerId, Incarnation), Option<u32>>,
    gave_up: BTreeMap<(ConsumerId, Incarnation), u32>,
    /// The same for single partitions.
    gave_up_some: BTreeMap<(ConsumerId, Incarnation, PartitionId), u32>,
    /// Those that left because `poll()` was overdue and have not noticed.
    zombies: Vec<ConsumerId>,
    sent: u32,
    ends: BTreeMap<PartitionId, Offset>,
    groups: Vec<GroupRecount>,
    rows: u32,
    absorbed: u32,
}

#[derive(Default)]
struct GroupRecount {
    times: BTreeMap<RecordId, u16>,
    by: BTreeMap<RecordId, ((ConsumerId, Incarnation), u32)>,
    of_stopped: u32,
    of_survivors: u32,
    out_of_order: u32,
    swaps: u32,
    newest: BTreeMap<(TopicId, Option<KeyId>), RecordId>,
    committed: BTreeMap<PartitionId, Offset>,
    rebalances: u32,
    generation: Generation,
}

impl Recount {
    fn new(run: &Simulation) -> Self {
        Recount {
            incarnation: vec![0; run.consumers().len()],
            ended: BTreeMap::new(),
            gave_up: BTreeMap::new(),
            gave_up_some: BTreeMap::new(),
            zombies: Vec::new(),
            sent: 0,
            ends: BTreeMap::new(),
            groups: run.setup().groups.iter().map(|_| GroupRecount::default()).collect(),
            rows: 0,
            absorbed: 0,
        }
    }

    fn note(&mut self, run: &Simulation, step: Step) {
        match step.event {
            Event::ConsumerStarted { consumer, incarnation } => {
                // One that joins by hand is new.
                self.incarnation.resize(run.consumers().len(), 0);
                self.incarnation[consumer.index()] = incarnation;
            }
            Event::ConsumerCrashed { consumer, .. }
            | Event::ConsumerClosed { consumer, .. }
            | Event::ConsumerFailed { consumer, .. } => {
                let key = (consumer, self.incarnation[consumer.index()]);
                let is_zombie = self.zombies.contains(&consumer);
                self.zombies.retain(|&zombie| zombie != consumer);
                let gave_up = if is_zombie { Some(run.steps() - 1) } else { self.gave_up.get(&key).copied() };
                self.ended.insert(key, gave_up);
            }
            Event::SomePartitionsRevoked { consumer, partitions, .. }
            | Event::ReconciliationRevoked { consumer, partitions, .. } => {
                let number = StepNo(run.steps() - 1);
                let gone = run.partitions_at(number).to_vec();
                assert_eq!(gone.len(), partitions as usize);
                for partition in gone {
                    let key = (consumer, self.incarnation[consumer.index()], partition);
                    self.gave_up_some.insert(key, number.0);
                }
            }
            Event::PollTimedOut { consumer, .. } => self.zombies.push(consumer),
            Event::PartitionsRevoked { consumer, .. } | Event::PartitionsLost { consumer, .. } => {
                self.zombies.retain(|&zombie| zombie != consumer);
                self.gave_up.insert((consumer, self.incarnation[consumer.index()]), run.steps() - 1);
            }
            Event::RecordSent { record, .. } => {
                assert_eq!(record, RecordId(self.sent));
                self.sent += 1;
            }
            Event::RecordAppended { partition, offset, .. } => {
                let end = self.ends.entry(partition).or_default();
                assert_eq!(offset, *end, "offsets have no gaps");
                *end += 1;
            }
            Event::OffsetCommitted { group, partition, offset, .. }
            | Event::OffsetReset { group, partition, offset, .. } => {
                self.groups[group.index()].committed.insert(partition, offset);
            }
            Event::RebalanceStarted { group, generation, .. } => {
                self.groups[group.index()].rebalances += u32::from(generation > 0);
            }
            Event::GroupEpochBumped { group, epoch, reason, members, .. } => {
                let group = &mut self.groups[group.index()];
                group.rebalances += u32::from(members > 0 && reason != EpochReason::GroupCreated);
                group.generation = epoch;
            }
            Event::GenerationStarted { group, generation, .. } => self.groups[group.index()].generation = generation,
            Event::RecordProcessed { consumer, record, partition, times, row, fault, .. } => {
                self.rows += u32::from(row == RowOutcome::Inserted);
                self.absorbed += u32::from(row == RowOutcome::AlreadyThere);
                let by = (consumer, self.incarnation[consumer.index()]);
                let group = &mut self.groups[run.consumer(consumer).group.index()];
                let before = group.by.insert(record, (by, run.steps() - 1));
                let ended_with_it = |(by, processed): ((ConsumerId, Incarnation), u32)| {
                    let gave_up_it = self.gave_up_some.get(&(by.0, by.1, partition)).copied();
                    let gave_up = self.ended.get(&by).map(|gave_up| (*gave_up).max(gave_up_it));
                    gave_up.is_some_and(|gave_up| gave_up.is_none_or(|gave_up| gave_up < processed))
                };
                let expected = match before {
                    None => Fault::None,
                    Some(before) if ended_with_it(before) => Fault::Stopped,
                    Some(_) => Fault::Survivor,
                };
                // What somebody wanted again is nobody's fault; that it was wanted is another test's claim.
                assert!(fault == expected || (fault == Fault::Rewound && before.is_some()), "{fault:?} {expected:?}");
                group.note_processed(run, record, partition, times, fault);
            }
            _ => {}
        }
    }

    fn compare(&self, run: &Simulation) -> Result<(), TestCaseError> {
        prop_assert_eq!(run.records(), self.sent);
        for (&partition, &end) in &self.ends {
            prop_assert_eq!(run.partition(partition).end, end);
        }
        prop_assert_eq!(run.sink(SinkId(0)).rows, self.rows);
        prop_assert_eq!(run.sink(SinkId(0)).absorbed, self.absorbed);
        for (index, recount) in self.groups.iter().enumerate() {
            let group = GroupId::at(index);
            let ledger = run.ledger(group);
            prop_assert_eq!(ledger.processed as usize, recount.times.len());
            let duplicates: u32 = recount.times.values().map(|&times| u32::from(times) - 1).sum();
            prop_assert_eq!(ledger.duplicates(), duplicates);
            prop_assert_eq!(ledger.duplicates_of_stopped, recount.of_stopped);
            prop_assert_eq!(ledger.duplicates_of_survivors, recount.of_survivors);
            let repeated = recount.times.values().filter(|&&times| times > 1).count();
            prop_assert_eq!(ledger.records_duplicated as usize, repeated);
            prop_assert_eq!((ledger.out_of_order, ledger.swaps), (recount.out_of_order, recount.swaps));
            prop_assert_eq!(ledger.rebalances, recount.rebalances);
            prop_assert!(run.group(group).generation >= recount.generation);
            for partition in run.partitions_of_group(group) {
                let committed = run.group(group).committed(partition).map(|committed| committed.offset);
                prop_assert_eq!(committed, recount.committed.get(&partition).copied());
                recount.compare_lost(run, group, partition)?;
            }
            for (&record, &times) in &recount.times {
                prop_assert_eq!(ledger.delivery(record).times, times);
                let told = run.history_of(record).filter(|&step| {
                    let step = run.step_at(step).expect("a fact names a step");
                    matches!(step.event, Event::RecordProcessed { consumer, .. } if run.consumer(consumer).group == group)
                });
                prop_assert_eq!(told.count(), usize::from(times));
            }
        }
        prop_assert_eq!(steps(run).filter(|step| step.event.is_visible()).count(), run.visible_steps() as usize);
        Ok(())
    }
}

impl GroupRecount {
    fn note_processed(&mut self, run: &Simulation, record: RecordId, partition: PartitionId, times: u16, fault: Fault) {
        let counted = self.times.entry(record).or_default();
        *counted += 1;
        assert_eq!(*counted, times);
        match fault {
            Fault::None => {
                let topic = run.place(partition).topic;
                let key = run.record(record).key;
                self.swaps += self.is_late((topic, None), record);
                if key.is_some() {
                    self.out_of_order += self.is_late((topic, key), record);
                }
            }
            Fault::Stopped => self.of_stopped += 1,
            Fault::Survivor => self.of_survivors += 1,
            Fault::Rewound => {}
            Fault::Shared => unreachable!("these worlds only subscribe"),
        }
    }

    fn is_late(&mut self, of: (TopicId, Option<KeyId>), record: RecordId) -> u32 {
        let newest = self.newest.entry(of).or_insert(record);
        let late = record < *newest;
        *newest = record.max(*newest);
        u32::from(late)
    }

    /// What lies before the reach of a group and was never processed is lost, by whatever.
    fn compare_lost(&self, run: &Simulation, group: GroupId, partition: PartitionId) -> Result<(), TestCaseError> {
        let Some(reach) = run.reach(group, partition) else { return Ok(()) };
        let records = (0..reach).filter_map(|offset| run.record_at(partition, offset));
        let undone = records.filter(|record| !self.times.contains_key(record)).count();
        prop_assert_eq!(run.ledger(group).lost_in(partition, Some(reach)).total() as usize, undone);
        Ok(())
    }
}
