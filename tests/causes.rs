//! Causes: they point backwards, and every duplicate leads back to what somebody did.

mod common;

use common::{disturbed, finished, steps, story};
use logstep::explain::{
    IdleBecause, MAX_LINKS, MAX_REASONS, Verdict, chain, concerned, decisive_step, idle, leads_back_to_action_or_fault,
    origin, roots, verdicts, why,
};
use logstep::sim::*;

/// Runs of all kinds: the story, and the same world disturbed at many moments.
fn runs() -> Vec<Simulation> {
    let (c1, c3) = (ConsumerId(0), ConsumerId(2));
    let mut runs = vec![finished(story())];
    runs.extend(disturbed(&story(), &[Action::Crash(c3.into())], 3));
    runs.extend(disturbed(&story(), &[Action::Close(c3.into())], 5));
    runs.extend(disturbed(&story(), &[Action::Crash(c1.into()), Action::Start(c1.into())], 5));
    runs.extend(disturbed(
        &story(),
        &[Action::Close(c1.into()), Action::Start(c1.into()), Action::Crash(c3.into())],
        7,
    ));
    runs.push(finished(too_slow()));
    runs.push(finished(modern(too_slow())));
    runs.extend(disturbed(&modern(story()), &[Action::Crash(c3.into())], 5));
    runs.extend(disturbed(
        &modern(story()),
        &[Action::Close(c1.into()), Action::Start(c1.into()), Action::Crash(c3.into())],
        9,
    ));
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

#[test]
fn every_chain_is_short_in_order_and_goes_back_to_what_somebody_did_or_the_clock() {
    let stories =
        logstep::scenario::library::BUILT_IN.iter().map(|built_in| built_in.read().expect("a scenario").run());
    for run in stories.chain(runs()) {
        for (number, step) in steps(&run).filter(|(_, step)| step.event.is_visible()) {
            let links = chain(&run, number);
            assert!(links.len() <= MAX_LINKS, "{number:?}: {links:?}");
            assert!(links.iter().all(|link| link.reason.step < number), "{number:?}: {links:?}");
            assert!(links.windows(2).all(|pair| pair[0].reason.step < pair[1].reason.step), "{number:?}: {links:?}");
            let begins = origin(&run, number).is_some() || links.iter().any(|link| link.origin.is_some());
            assert!(begins, "{number:?} {step:?} comes from nowhere: {links:?}");
        }
    }
}

#[test]
fn each_record_of_a_verdict_has_the_step_that_made_it_so() {
    let group = GroupId(0);
    let mut seen = [0; 6];
    let before = |config: &mut setup::ConsumerConfig| config.handling.commit.when = setup::CommitWhen::BeforeBatch;
    let mut losing = story();
    losing.configure(group, before);
    for run in runs().into_iter().chain(disturbed(&losing, &[Action::Crash(ConsumerId(2).into())], 3)) {
        for (verdict, seen) in verdicts(&run, group).iter().zip(&mut seen) {
            for record in concerned(&run, group, verdict) {
                let event = run.step_at(decisive_step(&run, group, verdict, record)).unwrap().event;
                let is_right = match (verdict, event) {
                    (Verdict::Duplicates { .. }, Event::RecordProcessed { record: of, times, .. }) => {
                        of == record && times == 2
                    }
                    (
                        Verdict::OrderInPartition { .. } | Verdict::OrderAcrossTopic { .. },
                        Event::RecordProcessed { record: of, times, .. },
                    ) => of == record && times == 1,
                    (Verdict::Lag { .. }, Event::RecordAppended { record: of, .. }) => of == record,
                    (Verdict::Lost(_), event) => matches!(
                        event,
                        Event::OffsetCommitted { .. } | Event::ConsumerCrashed { .. } | Event::PartitionsLost { .. }
                    ),
                    _ => false,
                };
                assert!(is_right, "{verdict:?} {record:?}: {event:?}");
                *seen += 1;
            }
        }
    }
    assert!(seen[1] > 10 && seen[2] > 50 && seen[3] > 5 && seen[4] > 10, "{seen:?}");
}

#[test]
fn idle_members_have_the_step_where_that_began() {
    let run = finished(story());
    let [c3] = idle(&run, GroupId(0))[..] else { panic!("only c3 is idle") };
    assert_eq!((c3.consumer, c3.because), (ConsumerId(2), IdleBecause::Crashed));
    assert!(matches!(run.step_at(c3.step).unwrap().event, Event::ConsumerCrashed { .. }));

    let mut crowded = story();
    crowded.actions.clear();
    let mut fourth = crowded.consumers[0].clone();
    fourth.name = "c4".into();
    crowded.consumers.push(fourth);
    let run = finished(crowded);
    let [without] = idle(&run, GroupId(0))[..] else { panic!("one of four has none of three partitions") };
    assert_eq!(without.because, IdleBecause::NoPartition);
    assert!(matches!(run.step_at(without.step).unwrap().event, Event::PartitionsAssigned { partitions: 0, .. }));
}
