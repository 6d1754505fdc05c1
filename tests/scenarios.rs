//! Every built-in scenario comes to what its file expects, in exactly the recorded steps.
//!
//! `UPDATE_DIGESTS=1 cargo test --test scenarios` records the digests anew; the commit says why they changed.

use logstep::scenario::library::{BUILT_IN, find};
use logstep::scenario::{Beat, Localized, Scenario, Watch};
use logstep::sim::{Event, Progress, Simulation, SinkId, StepNo};
use logstep::text::{Lang, mistake};
use std::fmt::Write as _;

const DIGESTS: &str = "tests/digests.txt";

fn read(name: &str) -> Scenario {
    let built_in = find(name).unwrap_or_else(|| panic!("there is no {name}"));
    built_in.read().unwrap_or_else(|mistakes| {
        let texts: Vec<String> = mistakes.iter().map(|found| mistake::mistake(Lang::En, found)).collect();
        panic!("{name}: {texts:#?}")
    })
}

fn all() -> impl Iterator<Item = (&'static str, Scenario)> {
    BUILT_IN.iter().map(|built_in| (built_in.name, read(built_in.name)))
}

#[test]
fn every_built_in_scenario_comes_to_what_it_expects() {
    for (name, scenario) in all() {
        let differences = scenario.expectations.check(&scenario.run());
        let texts: Vec<String> = differences.iter().map(|differs| mistake::difference(Lang::En, differs)).collect();
        assert_eq!(texts, Vec::<String>::new(), "{name}");
        assert!(scenario.expectations.len() > 5, "{name} is a test too");
    }
}

#[test]
fn every_built_in_scenario_takes_the_recorded_steps() {
    let mut digests = String::new();
    for (name, scenario) in all() {
        let _ = writeln!(digests, "{name} {}", scenario.run().digest());
    }
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        std::fs::write(DIGESTS, &digests).expect("digests are written");
    }
    let recorded = std::fs::read_to_string(DIGESTS).expect("digests have been recorded");
    assert_eq!(digests, recorded, "UPDATE_DIGESTS=1 records them anew");
}

#[test]
fn every_text_of_a_built_in_scenario_has_both_languages() {
    for (name, scenario) in all() {
        let beats = scenario.story.iter().map(|beat| match beat {
            Beat::Say { text, .. } => text,
            Beat::Ask(question) => &question.text,
        });
        let texts = beats.chain([&scenario.title]).chain(&scenario.about);
        for text in texts {
            let Localized::Both { ja, en } = text else {
                panic!("{name}: {text:?} has one language");
            };
            assert!(ja.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}')), "{name}: {ja} is not Japanese");
            assert!(en.is_ascii(), "{name}: {en} is not English");
        }
    }
}

#[test]
fn every_beat_of_a_built_in_scenario_has_its_moment_and_they_come_in_order() {
    for (name, scenario) in all() {
        let run = scenario.run();
        let steps: Vec<_> = scenario.story.iter().map(|beat| beat.moment().find(&run)).collect();
        assert!(steps.iter().all(Option::is_some), "{name}: {steps:?}");
        assert!(steps.is_sorted(), "{name}: {steps:?}");
        let opens_at = scenario.opens_at.expect("a built-in scenario says where it opens");
        assert!(logstep::scenario::condition::first(&run, opens_at, None) <= steps[0], "{name} opens too late");
    }
}

#[test]
fn the_question_of_the_story_is_answered_by_the_committed_offset() {
    let scenario = read("crash-before-commit");
    let run = scenario.run();
    let questions = scenario.story.iter().filter_map(|beat| match beat {
        Beat::Ask(question) => Some(question),
        Beat::Say { .. } => None,
    });
    let choices: Vec<_> = questions.map(|question| question.choices(&run).expect("the run comes to it")).collect();
    let [only] = &choices[..] else {
        panic!("one question, not {choices:?}");
    };
    assert_eq!((only.answer, &only.choices[..]), (3, &[3, 5, 6, 9][..]));
    assert!(matches!(run.step_at(only.decisive).expect("it is known").event, Event::PositionSet { offset: 3, .. }));
}

#[test]
fn the_unique_key_changes_rows_and_nothing_else() {
    let (plain, keyed) = (read("crash-before-commit").run(), read("crash-before-commit-unique-key").run());
    assert_eq!(plain.steps(), keyed.steps());
    let times = |run: &Simulation| -> Vec<_> {
        (0..run.steps()).filter_map(|step| run.step_at(StepNo(step))).map(|step| step.at).collect()
    };
    assert_eq!(times(&plain), times(&keyed));
    let sink = SinkId(0);
    assert_eq!(plain.sink(sink).rows, keyed.sink(sink).rows + keyed.sink(sink).absorbed);
}

#[test]
fn the_main_story_is_short_enough_to_step_through() {
    let run = read("crash-before-commit").run();
    assert!((120..=180).contains(&run.visible_steps()), "{}", run.visible_steps());
}

/// Every repetition, and every loss if there were one, has the crash among the causes of its causes.
#[test]
fn every_duplicate_leads_back_to_the_crash() {
    for (name, scenario) in all() {
        let run = scenario.run();
        let steps = || (0..run.steps()).map(StepNo);
        let event = |step| run.step_at(step).expect("known").event;
        let duplicates: Vec<StepNo> =
            steps().filter(|&step| matches!(event(step), Event::RecordProcessed { times: 2.., .. })).collect();
        assert_eq!(duplicates.len(), 3, "{name}");
        for duplicate in duplicates {
            let mut open = vec![duplicate];
            let mut seen = std::collections::BTreeSet::new();
            while let Some(step) = open.pop() {
                if seen.insert(step) {
                    open.extend(run.step_at(step).expect("known").causes.iter().map(|cause| cause.step));
                }
            }
            assert!(seen.iter().all(|&step| step <= duplicate), "{name}: a cause comes first");
            assert!(
                seen.iter().any(|&step| matches!(event(step), Event::ConsumerCrashed { .. })),
                "{name}: {duplicate:?}"
            );
        }
    }
}

#[test]
fn a_watch_finds_the_same_however_often_it_looks() {
    let scenario = read("crash-before-commit");
    let moments = || scenario.story.iter().map(|beat| *beat.moment());
    let mut run = Simulation::new(scenario.setup.clone());
    let mut watch = Watch::new(&run, moments());
    while let Progress::Step(_) = run.step() {
        watch.advance(&run);
    }
    for (place, moment) in moments().enumerate() {
        assert!(watch.step_of(place).is_some());
        assert_eq!(watch.step_of(place), moment.find(&run), "{place}");
    }
}
