//! Random worlds under every way to commit, on several brokers: what each way promises when one consumer crashes.

use crate::harness::{check, origins, steps, tail};
use crate::properties::safe_whatever_the_timing;
use crate::random::cases;
use crate::world::{Kind, may_break_order, worlds};
use logstep::explain::{leads_back_to_action_or_fault, roots};
use logstep::history::History;
use logstep::sim::property::{COMMIT_AFTER_PROCESSING, EARLIEST, Property, SETTLED, Watch};
use logstep::sim::setup::*;
use logstep::sim::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What may be committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    /// Only what has been processed: nothing is lost.
    AtLeastOnce,
    /// Whatever has been returned, before the first record of it is handled: nothing is processed twice.
    AtMostOnce,
    /// Any of these.
    Any,
}

/// A way to commit, and `auto.commit.interval.ms` if `poll()` commits by itself.
fn policy(promise: Promise) -> BoxedStrategy<(CommitPolicy, Option<Span>)> {
    let when = prop_oneof![
        Just(CommitWhen::Never),
        (1..=7u32).prop_map(CommitWhen::AfterRecords),
        Just(CommitWhen::AfterBatch),
        (prop::sample::select(vec![1, 5, CommitWhen::NO_COUNT]), 100..9_000u64)
            .prop_map(|(records, millis)| CommitWhen::RecordsOrTime { records, time: Span::from_millis(millis) }),
    ];
    let how = prop::sample::select(vec![CommitHow::Sync, CommitHow::Async, CommitHow::AsyncRetry]);
    let auto = prop_oneof![Just(None), (100..9_000u64).prop_map(|interval| Some(Span::from_millis(interval)))];
    let after = (when, how, any::<bool>(), any::<bool>(), auto).prop_map(|(when, how, on_revoke, on_close, auto)| {
        (CommitPolicy { when, how, on_revoke, on_close, offset: CommitOffset::Contiguous }, auto)
    });
    let (when, how) = (CommitWhen::BeforeBatch, CommitHow::Sync);
    let before = (any::<bool>(), any::<bool>()).prop_map(move |(on_revoke, on_close)| {
        (CommitPolicy { when, how, on_revoke, on_close, offset: CommitOffset::Contiguous }, None)
    });
    match promise {
        Promise::AtLeastOnce => after.boxed(),
        Promise::AtMostOnce => before.boxed(),
        Promise::Any => prop_oneof![3 => after, 1 => before].boxed(),
    }
}

/// Offsets in the database of the table, now and then, where both sides agree on who adds one.
fn offset_store() -> impl Strategy<Value = Option<OffsetStore>> {
    let sides = prop::sample::select(vec![(Holds::Next, Seeks::AsStored), (Holds::Last, Seeks::OneAfter)]);
    let when = prop::sample::select(vec![StoreWhen::WithRow, StoreWhen::LikeCommits]);
    prop::option::weighted(0.3, (when, sides).prop_map(|(when, (holds, seeks))| OffsetStore { when, holds, seeks }))
}

/// A random world in which each group commits in its own way, on one to three brokers.
fn varied(kind: Kind, promise: Promise) -> impl Strategy<Value = Setup> {
    let brokers = prop::collection::vec(prop::sample::select(vec![0, 500, 4_000, 90_000]), 0..=2);
    let policies = prop::collection::vec((policy(promise), offset_store()), 2);
    (worlds(kind), policies, brokers).prop_map(|(mut setup, policies, brokers)| {
        let latency = |micros| BrokerSetup { latency: Span::from_micros(micros) };
        setup.brokers.extend(brokers.into_iter().map(latency));
        for (group, ((commit, auto), store)) in (0..setup.groups.len()).zip(policies) {
            setup.configure(GroupId::at(group), |config| {
                config.handling.commit = commit;
                config.handling.offset_store = store.filter(|_| config.handling.writes_to.is_some());
                config.settings.enable_auto_commit = auto.is_some();
                config.settings.auto_commit_interval = auto.unwrap_or(config.settings.auto_commit_interval);
                // A commit before the batch, on a slow connection, has to fit into the interval too.
                config.settings.max_poll_interval += Span::from_secs(2);
            });
        }
        setup
    })
}

/// A world to which nothing is done but this: one consumer crashes at some moment, and perhaps starts again.
#[derive(Clone, Debug)]
struct Crash {
    setup: Setup,
    /// The moment, in 1/1000 of the visible steps.
    at: u32,
    consumer: ConsumerId,
    restarts: bool,
}

fn crashes(promise: Promise) -> impl Strategy<Value = Crash> {
    (varied(Kind::Sane, promise), 0..1000u32, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(setup, at, consumer, restarts)| {
            let consumer = ConsumerId::at(consumer.index(setup.consumers.len()));
            Crash { setup: Setup { actions: Vec::new(), ..setup }, at, consumer, restarts }
        },
    )
}

impl Crash {
    /// Runs to the end, and calls `look` after every step. True if there was somebody to crash.
    fn run(&self, mut look: impl FnMut(&Simulation)) -> Option<Simulation> {
        let calm = check(&self.setup, []).expect("a calm world comes to its end");
        let moment = calm.visible_step(calm.visible_steps() * self.at / 1000)?;
        let mut run = Simulation::new(self.setup.clone());
        while run.steps() <= moment.0 {
            run.step();
            look(&run);
        }
        run.apply(Action::Crash(self.consumer.into())).ok()?;
        look(&run);
        if self.restarts {
            run.apply(Action::Start(self.consumer.into())).ok()?;
            look(&run);
        }
        while let Progress::Step(_) = run.step() {
            look(&run);
        }
        Some(run)
    }

    fn holds<'a>(&self, properties: impl Iterator<Item = &'a Property>) -> Result<(), TestCaseError> {
        let mut watch = Watch::new(properties);
        let Some(run) = self.run(|run| watch.note(run)) else {
            return Ok(());
        };
        let broken = watch.finish(&run);
        prop_assert!(broken.is_empty(), "{broken:?}\n{}", tail(&run, 30));
        Ok(())
    }
}

/// True if a repetition begins with a consumer that comes into the group, as planned, beside the one that processed the
/// record before.
fn begins_with_another(run: &Simulation, repetition: &Step, number: StepNo) -> bool {
    let event_of = |step: StepNo| run.step_at(step).map(|step| step.event);
    let before = repetition.causes.with_role(Role::Repeated).and_then(event_of).and_then(|event| event.consumer());
    roots(run, number)
        .into_iter()
        .any(|root| matches!(event_of(root), Some(Event::ConsumerStarted { consumer, .. }) if Some(consumer) != before))
}

/// The most steps that may happen in one microsecond: these worlds are small.
const MOST_AT_ONCE: u32 = 5_000;

proptest! {
    #![proptest_config(cases(module_path!(), 8))]

    #[test]
    fn commits_after_processing_lose_nothing_wherever_a_consumer_crashes(crash in crashes(Promise::AtLeastOnce)) {
        crash.holds(COMMIT_AFTER_PROCESSING.iter().chain(EARLIEST).chain(SETTLED))?;
    }

    #[test]
    fn commits_before_processing_repeat_nothing_wherever_a_consumer_crashes(crash in crashes(Promise::AtMostOnce)) {
        let mut reached = Reached::default();
        if let Some(run) = crash.run(|run| reached.note(run)) {
            for group in (0..run.setup().groups.len()).map(GroupId::at) {
                prop_assert_eq!(run.ledger(group).duplicates(), 0, "{}", tail(&run, 30));
            }
        }
        crash.holds(SETTLED.iter())?;
    }

    #[test]
    fn what_is_lost_by_a_crash_leads_back_to_it(crash in crashes(Promise::AtMostOnce)) {
        let (mut lost, mut decisive) = (0, Vec::new());
        let run = crash.run(|run| {
            let now: u32 = (0..run.setup().groups.len()).map(|group| run.lost(GroupId::at(group)).total()).sum();
            if now > lost {
                decisive.push(StepNo(run.steps() - 1));
            }
            lost = now;
        });
        for step in decisive {
            let run = run.as_ref().expect("it ran");
            let event = run.step_at(step).expect("it has been made").event;
            let is_of_the_crash = match event {
                // The second is a commit that was on its way.
                Event::ConsumerCrashed { .. } => true,
                Event::OffsetCommitted { consumer, .. } => consumer == crash.consumer,
                _ => false,
            };
            prop_assert!(is_of_the_crash || leads_back_to_action_or_fault(run, step), "{step:?} {event:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(module_path!(), 4))]

    #[test]
    fn time_goes_on_whatever_is_committed(setup in varied(Kind::Any, Promise::Any)) {
        let mut run = Simulation::new(setup);
        let (mut now, mut at_once) = (Time::ZERO, 0);
        while let Progress::Step(step) = run.step() {
            at_once = if step.at == now { at_once + 1 } else { 0 };
            now = step.at;
            prop_assert!(at_once < MOST_AT_ONCE && run.steps() < 200_000, "{} steps\n{}", run.steps(), tail(&run, 40));
        }
    }

    #[test]
    fn safety_holds_with_every_commit_after_processing(setup in varied(Kind::Any, Promise::AtLeastOnce)) {
        // A frozen or late member may overlap with the next owner, and come in between.
        let orderly = !setup.actions.iter().any(|planned| may_break_order(planned.action));
        let safe = safe_whatever_the_timing().filter(|property| orderly || property.name != "order_is_kept_within_a_key");
        let outcome = check(&setup, safe);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }

    #[test]
    fn every_duplicate_leads_back_to_an_action_or_a_fault(setup in varied(Kind::Any, Promise::Any)) {
        let run = check(&setup, []).expect("it comes to its end");
        for (number, step) in (0..).map(StepNo).zip(steps(&run)) {
            prop_assert!(step.causes.iter().all(|cause| cause.step < number), "{number:?} {step:?}");
            if let Event::RecordProcessed { times: 2.., .. } = step.event {
                let is_explained = leads_back_to_action_or_fault(&run, number) || begins_with_another(&run, step, number);
                prop_assert!(is_explained, "{number:?}\n{}", origins(&run, number));
            }
        }
    }

    #[test]
    fn the_past_is_always_the_same(setup in varied(Kind::Any, Promise::Any), places in prop::collection::vec(0..1000u32, 1..5)) {
        let run = check(&setup, []).expect("it comes to its end");
        let again = check(&setup, []).expect("it comes to its end");
        prop_assert_eq!(run.digest(), again.digest());
        let mut history = History::new(Simulation::new(setup.clone()));
        while !history.advance(5_000).complete {}
        for place in places {
            let position = run.steps() * place / 1000;
            history.seek(position);
            let mut straight = Simulation::new(setup.clone());
            while straight.steps() < position {
                straight.step();
            }
            prop_assert!(history.now().mark() == straight.mark(), "the moment after {position} steps differs");
        }
    }
}

/// How far `poll()` has come in each group and partition: nothing behind that is ever committed.
#[derive(Default)]
struct Reached {
    positions: BTreeMap<(GroupId, PartitionId), Offset>,
}

impl Reached {
    fn note(&mut self, run: &Simulation) {
        for consumer in run.consumers() {
            for owned in consumer.client().into_iter().flat_map(|client| &client.owned) {
                let reached = self.positions.entry((consumer.group, owned.partition)).or_default();
                *reached = (*reached).max(owned.position.unwrap_or(0));
            }
        }
        let last = run.step_at(StepNo(run.steps() - 1)).map(|step| step.event);
        if let Some(Event::OffsetCommitted { group, partition, offset, .. }) = last {
            let reached = self.positions.get(&(group, partition)).copied().unwrap_or(0);
            assert!(offset <= reached, "{offset} of {partition:?} is committed, {reached} is the position");
        }
    }
}
