//! Causes: they point backwards, and every duplicate leads back to what somebody did.

mod common;

use common::{disturbed, finished, steps, story};
use logstep::explain::{MAX_REASONS, leads_back_to_action_or_fault, roots, why};
use logstep::sim::*;

/// Runs of all kinds: the story, and the same world disturbed at many moments.
fn runs() -> Vec<Simulation> {
    let (c1, c3) = (ConsumerId(0), ConsumerId(2));
    let mut runs = vec![finished(story())];
    runs.extend(disturbed(&story(), &[Action::Crash(c3)], 3));
    runs.extend(disturbed(&story(), &[Action::Close(c3)], 5));
    runs.extend(disturbed(&story(), &[Action::Crash(c1), Action::Start(c1)], 5));
    runs.extend(disturbed(&story(), &[Action::Close(c1), Action::Start(c1), Action::Crash(c3)], 7));
    runs.push(finished(too_slow()));
    runs.push(finished(modern(too_slow())));
    runs.extend(disturbed(&modern(story()), &[Action::Crash(c3)], 5));
    runs.extend(disturbed(&modern(story()), &[Action::Close(c1), Action::Start(c1), Action::Crash(c3)], 9));
    runs
}

/// A member handles its batch for longer than `max.poll.interval.ms`, and nobody does anything to it.
fn too_slow() -> setup::Setup {
    let mut setup = story();
    setup.configure(GroupId(0), |config| config.settings.max_poll_interval = Span::from_secs(2));
    setup.configure(GroupId(0), |config| config.handling.time = Span::from_millis(1500));
    setup.actions.clear();
    setup
}

/// The same with the consumer group protocol.
fn modern(mut setup: setup::Setup) -> setup::Setup {
    let group_protocol = setup::GroupProtocol::Consumer { remote_assignor: None };
    setup.configure(GroupId(0), |config| config.settings.group_protocol = group_protocol);
    setup
}

fn duplicates(run: &Simulation) -> Vec<StepNo> {
    steps(run)
        .filter(|(_, step)| matches!(step.event, Event::RecordProcessed { times: 2.., .. }))
        .map(|(number, _)| number)
        .collect()
}

#[test]
fn causes_point_backwards() {
    for run in runs() {
        for (number, step) in steps(&run) {
            assert!(step.causes.iter().all(|cause| cause.step < number), "{number:?} {step:?}");
        }
    }
}

#[test]
fn every_duplicate_of_the_story_leads_back_to_the_crash() {
    let run = finished(story());
    let crash = steps(&run).find(|(_, step)| matches!(step.event, Event::ConsumerCrashed { .. })).unwrap().0;
    let duplicates = duplicates(&run);
    assert_eq!(duplicates.len(), 3);
    for duplicate in duplicates {
        assert!(roots(&run, duplicate).contains(&crash), "{duplicate:?} has the roots {:?}", roots(&run, duplicate));
        let reasons = why(&run, duplicate).reasons;
        assert!(reasons.iter().any(|reason| reason.step == crash), "the explanation of {duplicate:?}: {reasons:?}");
    }
}

#[test]
fn every_duplicate_leads_back_to_what_somebody_did_by_hand() {
    let mut seen = 0;
    for run in runs() {
        for duplicate in duplicates(&run) {
            assert!(leads_back_to_action_or_fault(&run, duplicate), "{duplicate:?} of {}", run.digest());
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} duplicates were looked at");
}

#[test]
fn an_explanation_is_short_in_order_and_names_each_step_once() {
    for run in runs() {
        for (number, step) in steps(&run) {
            let reasons = why(&run, number).reasons;
            assert!(reasons.len() <= MAX_REASONS);
            assert!(reasons.iter().all(|reason| reason.step < number), "{number:?}: {reasons:?}");
            assert!(reasons.windows(2).all(|pair| pair[0].step < pair[1].step), "{number:?}: {reasons:?}");
            let is_caused = step.event.is_visible() && step.causes.iter().next().is_some();
            assert!(!is_caused || !reasons.is_empty(), "{number:?} {step:?} has no reason");
        }
    }
}
