//! Quiet whiles: hours without anything but heartbeats cost a few steps, and change nothing else.

use crate::harness::{steps, tail};
use crate::random::cases;
use crate::world::{Kind, plain, worlds};
use logstep::sim::*;
use proptest::prelude::*;

fn finished(mut run: Simulation) -> Simulation {
    while let Progress::Step(_) = run.step() {}
    run
}

fn visible(run: &Simulation) -> Vec<(Time, Event)> {
    steps(run).filter(|step| step.event.is_visible()).map(|step| (step.at, step.event)).collect()
}

fn skipped(run: &Simulation) -> u64 {
    let heartbeats = steps(run).map(|step| match step.event {
        Event::HeartbeatsSkipped { heartbeats, .. } => u64::from(heartbeats),
        _ => 0,
    });
    heartbeats.sum()
}

fn heartbeats(run: &Simulation) -> u64 {
    steps(run).filter(|step| matches!(step.event, Event::HeartbeatSent { .. })).count() as u64
}

proptest! {
    #![proptest_config(cases(module_path!(), 4))]

    #[test]
    fn skipping_heartbeats_changes_no_visible_step(setup in worlds(Kind::Quiet)) {
        let with = finished(Simulation::new(setup.clone()));
        let without = finished(Simulation::new(setup).with_every_heartbeat());
        let (a, b) = (visible(&with), visible(&without));
        let differs = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
        prop_assert!(a == b, "visible step {differs}: {:?} {:?}\n{}", a.get(differs), b.get(differs), tail(&with, 20));
        prop_assert_eq!(skipped(&with) + heartbeats(&with), heartbeats(&without));
    }
}

#[test]
fn thirty_idle_days_are_a_few_steps() {
    let mut setup = plain(3, 3);
    setup.ends_at = Time::ZERO + setup::bounds::DURATION;
    let run = finished(Simulation::new(setup));
    assert!(run.has_ended() && run.steps() < 2_000, "{} steps", run.steps());
    assert!(skipped(&run) > 2_500_000);
}

#[test]
fn thirty_days_with_a_record_every_ten_minutes_stay_far_below_the_bound() {
    let mut setup = plain(3, 3);
    setup.ends_at = Time::ZERO + setup::bounds::DURATION;
    let setup::Source::Records(records) = &mut setup.producers[0].source else {
        unreachable!("plain lists its records")
    };
    let record = records[0].clone();
    *records = (0..30 * 24 * 6)
        .map(|n| setup::PlannedRecord { at: Time::ZERO + Span::from_secs(60 + n * 600), ..record.clone() })
        .collect();
    let run = finished(Simulation::new(setup));
    assert!(run.has_ended() && run.steps() < setup::bounds::STEPS / 2, "{} steps", run.steps());
    assert_eq!(run.ledger(GroupId(0)).processed, 30 * 24 * 6);
}

#[test]
fn many_members_of_many_groups_are_skipped_together() {
    let mut setup = plain(5, 256);
    setup.groups = (0..16).map(|n| setup::GroupSetup { name: format!("g{n}").into(), committed: Vec::new() }).collect();
    for (n, consumer) in setup.consumers.iter_mut().enumerate() {
        consumer.group = GroupId::at(n % 16);
        consumer.starts_at = Time::ZERO + Span::from_millis(n as u64 * 37 % 20_000);
    }
    setup.ends_at = Time::ZERO + Span::from_secs(24 * 3600);
    let run = finished(Simulation::new(setup));
    assert!(run.has_ended() && run.steps() < 200_000, "{} steps", run.steps());
}

#[test]
fn the_story_keeps_every_heartbeat() {
    let run = finished(Simulation::new(crate::common::story()));
    assert_eq!(skipped(&run), 0);
}

#[test]
fn a_crash_after_a_quiet_while_is_noticed_a_session_after_the_last_heartbeat() {
    let mut setup = plain(3, 3);
    setup.ends_at = Time::ZERO + Span::from_secs(20_000);
    let crash_at = Time::ZERO + Span::from_secs(10_000);
    setup.actions = vec![PlannedAction { when: When::At(crash_at), action: Action::Crash(ConsumerId(2).into()) }];
    let run = finished(Simulation::new(setup));
    assert!(skipped(&run) > 0);
    let expired = steps(&run).find(|step| matches!(step.event, Event::SessionExpired { .. })).expect("it expires");
    let after = expired.at.since(crash_at);
    assert!(after > Span::from_secs(42) && after <= Span::from_secs(45), "{after:?}");
    let last_heard = expired.causes.with_role(Role::DecidedValue).and_then(|step| run.step_at(step));
    assert!(matches!(last_heard, Some(Step { event: Event::HeartbeatReceived { .. }, .. })), "{last_heard:?}");
}

#[test]
fn heartbeats_are_skipped_while_a_record_takes_hours_but_a_late_poll_is_noticed_in_time() {
    for (poll, late) in [(10_000, true), (20_000, false)] {
        let mut setup = plain(1, 1);
        setup.ends_at = Time::ZERO + Span::from_secs(40_000);
        setup.configure(GroupId(0), |config| config.settings.max_poll_interval = Span::from_secs(poll));
        setup.configure(GroupId(0), |config| config.handling.time = Span::from_secs(15_000));
        // The first batch is one record, and so is the second: the check of the first comes too early for it.
        setup.configure(GroupId(0), |config| config.settings.max_poll_records = 1);
        let with = finished(Simulation::new(setup.clone()));
        let without = finished(Simulation::new(setup).with_every_heartbeat());
        assert_eq!(visible(&with), visible(&without));
        assert!(skipped(&with) > 0 && with.steps() < 1_000, "{} steps", with.steps());
        let timed_out = steps(&with).any(|step| matches!(step.event, Event::PollTimedOut { .. }));
        assert_eq!(timed_out, late);
    }
}
