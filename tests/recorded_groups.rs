//! Rebalances against recordings of real Java clients and a real broker: what a third member moves, eager and
//! cooperative, and what a static member's restart leaves alone.

mod common;

use common::{finished, story};
use logstep::sim::assignor::Assignor;
use logstep::sim::setup::{CommitPolicy, ConsumerSettings, ConsumerSetup, OffsetReset, Setup};
use logstep::sim::*;
use serde_json::{Value, json};

const GROUP: GroupId = GroupId(0);
const NAMES: [&str; 3] = ["c1", "c2", "c3"];

fn recorded(file: &str, entry: &str) -> Value {
    let text = std::fs::read_to_string(format!("tests/reference/{file}.json")).expect("the copy is there");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let summary = all["observed"][entry]["summary"].clone();
    assert!(summary.is_object(), "{entry} is recorded");
    summary
}

/// The settings of the recordings: heartbeat 1 s, session 6 s; c3 comes when the others have long been there.
fn measured(partitions: u16, assignor: Assignor) -> Setup {
    let mut setup = story();
    setup.actions.clear();
    setup.cluster.group_initial_rebalance_delay = Span::from_millis(500);
    setup.topics[0].partitions = partitions;
    setup.configure(GROUP, |config| {
        config.settings = ConsumerSettings {
            session_timeout: Span::from_secs(6),
            heartbeat_interval: Span::from_secs(1),
            auto_offset_reset: OffsetReset::Earliest,
            assignors: [assignor].into(),
            enable_auto_commit: false,
            release: (3, 6),
            ..ConsumerSettings::default()
        };
        config.handling.commit = CommitPolicy::after_records(5);
    });
    setup
}

fn numbers(run: &Simulation, partitions: &[PartitionId]) -> Vec<u16> {
    let mut numbers: Vec<u16> = partitions.iter().map(|&partition| run.place(partition).number).collect();
    numbers.sort_unstable();
    numbers
}

fn assignment(run: &Simulation) -> Value {
    let owned = |n: usize| -> Vec<PartitionId> {
        let client = run.consumer(ConsumerId::at(n)).client().expect("it runs");
        client.owned.iter().map(|owned| owned.partition).collect()
    };
    Value::Object((0..3).map(|n| (NAMES[n].to_owned(), json!(numbers(run, &owned(n))))).collect())
}

/// What each listener was told after a moment, member by member.
fn callbacks(run: &Simulation, after: Time) -> Value {
    let of = |member: usize| {
        (0..run.steps()).map(StepNo).filter_map(move |number| {
            let step = run.step_at(number).filter(|step| step.at > after)?;
            let word = match step.event {
                Event::PartitionsAssigned { .. } | Event::MorePartitionsAssigned { .. } => "assign",
                Event::PartitionsRevoked { .. } | Event::SomePartitionsRevoked { .. } => "revoke",
                _ => return None,
            };
            (step.event.consumer() == Some(ConsumerId::at(member)))
                .then(|| json!([NAMES[member], word, numbers(run, run.partitions_at(number))]))
        })
    };
    Value::Array((0..3).flat_map(of).collect())
}

#[test]
fn a_third_member_moves_what_was_measured() {
    let starts = Time::from_micros(20_000_000);
    for (assignor, entry) in
        [(Assignor::Range, "Java: range (eager)"), (Assignor::CooperativeSticky, "Java: cooperative-sticky")]
    {
        let recorded = recorded("07-eager-vs-cooperative-java", entry);
        let mut setup = measured(6, assignor);
        setup.consumers[2].starts_at = starts;
        let run = finished(setup);
        assert_eq!(assignment(&run), recorded["assignment_after"], "{entry}");
        assert_eq!(callbacks(&run, starts), recorded["callback_shape"], "{entry}");
        let given_up = (0..6u16).filter(|&number| {
            let partition = run.topics().partitions_of(TopicId(0))[usize::from(number)];
            run.ledger(GROUP).partitions[partition.index()].unowned(run.now()) > Span::ZERO
        });
        assert_eq!(json!(given_up.collect::<Vec<_>>()), recorded["partitions_revoked_at_least_once"], "{entry}");
    }
}

/// The two that move are without an owner for about a heartbeat interval.
#[test]
fn cooperative_leaves_what_moves_without_an_owner_for_about_a_heartbeat_interval() {
    for seed in 0..50 {
        let mut setup = Setup { seed, ..measured(6, Assignor::CooperativeSticky) };
        setup.consumers[2].starts_at = Time::from_micros(20_000_000);
        let run = finished(setup);
        for partition in &run.topics().partitions_of(TopicId(0))[4..] {
            let unowned = run.ledger(GROUP).partitions[partition.index()].unowned(run.now());
            assert!((Span::from_millis(400)..=Span::from_millis(1_500)).contains(&unowned), "{seed}: {unowned:?}");
        }
    }
}

#[test]
fn a_static_member_that_is_back_in_time_is_no_rebalance() {
    for (stop, entry) in [
        (Action::Close(ConsumerId(2).into()), "Java: static close"),
        (Action::Crash(ConsumerId(2).into()), "Java: static kill"),
    ] {
        let recorded = recorded("08-static-membership-java", entry);
        let mut setup = measured(3, Assignor::Range);
        let named = |(n, consumer): (usize, &mut ConsumerSetup)| {
            consumer.instance_id = Some(format!("instance-{n}").into());
        };
        setup.consumers.iter_mut().enumerate().for_each(named);
        setup.actions = [(stop, 20_000_000), (Action::Start(ConsumerId(2).into()), 21_500_000)]
            .map(|(action, at)| PlannedAction { when: When::At(Time::from_micros(at)), action })
            .into();
        let run = finished(setup);
        assert_eq!(json!(run.ledger(GROUP).rebalances > 0), recorded["rebalanced"], "{entry}");
        assert_eq!(assignment(&run), recorded["assignment_after"], "{entry}");
    }
}
