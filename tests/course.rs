//! The lessons of the course, as scenario files: each reads, says everything in both languages, asks what its run answers,
//! and comes to what it claims.

use logstep::scenario::condition::first;
use logstep::scenario::{self, Beat, Localized, Question, Scenario};
use logstep::sim::{Condition, Simulation};
use logstep::text::{Lang, mistake};
use std::fs;

/// The lessons by the names of their files, in the order of the course.
fn lessons() -> Vec<(String, Scenario)> {
    let mut names: Vec<String> = fs::read_dir("static/course")
        .expect("the folder of lessons")
        .map(|entry| entry.expect("an entry of the folder").file_name().into_string().expect("a plain name"))
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "there are lessons");
    names.into_iter().map(|name| (name.clone(), read(&name))).collect()
}

fn read(name: &str) -> Scenario {
    let source = fs::read_to_string(format!("static/course/{name}")).expect("a lesson is readable");
    scenario::read(&source).unwrap_or_else(|mistakes| {
        let texts: Vec<String> = mistakes
            .iter()
            .map(|found| format!("{name}:{}:{}: {}", found.line, found.column, mistake::mistake(Lang::En, found)))
            .collect();
        panic!("{texts:#?}")
    })
}

fn questions(lesson: &Scenario) -> impl Iterator<Item = &Question> {
    lesson.story.iter().filter_map(|beat| match beat {
        Beat::Ask(question) => Some(question),
        Beat::Say { .. } => None,
    })
}

/// Of all lessons at once, so that one run of the test shows everything that is left to mend.
fn complaints(of: impl Fn(&Scenario, &Simulation) -> Vec<String>) {
    let found: Vec<String> = lessons()
        .iter()
        .flat_map(|(name, lesson)| {
            let complaints = of(lesson, &lesson.run());
            complaints.into_iter().map(move |complaint| format!("{name}: {complaint}"))
        })
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_lesson_comes_to_what_it_claims() {
    complaints(|lesson, run| {
        let refused = lesson.expectations.unexpected_refusals(run);
        let differences = lesson.expectations.check(run);
        let mut found: Vec<String> =
            refused.iter().chain(&differences).map(|differs| mistake::difference(Lang::En, differs)).collect();
        if lesson.expectations.len() < 6 {
            found.push("it claims too little".to_owned());
        }
        found
    });
}

#[test]
fn no_lesson_is_warned_of() {
    complaints(|lesson, _| lesson.warnings.iter().map(|warning| mistake::mistake(Lang::En, warning)).collect());
}

#[test]
fn every_text_of_a_lesson_has_both_languages() {
    complaints(|lesson, _| {
        let beats = lesson.story.iter().map(|beat| match beat {
            Beat::Say { text, .. } => text,
            Beat::Ask(question) => &question.text,
        });
        let about = lesson.about.as_ref().expect("a lesson says what it is about");
        let in_both = |text: &&Localized| match text {
            Localized::Plain(_) => false,
            Localized::Both { ja, en } => {
                en.is_ascii() && ja.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}'))
            }
        };
        beats.chain([&lesson.title, about]).filter(|text| !in_both(text)).map(|text| format!("{text:?}")).collect()
    });
}

#[test]
fn every_beat_of_a_lesson_has_its_moment_and_they_come_in_order() {
    complaints(|lesson, run| {
        let mut found = Vec::new();
        let mut before = lesson.opens_at.and_then(|opens_at| first(run, opens_at, None));
        for (place, beat) in lesson.story.iter().enumerate() {
            let step = beat.moment().find(run);
            if step.is_none() || step < before {
                found.push(format!("beat {place} at {step:?}, after {before:?}"));
            }
            before = step;
        }
        found
    });
}

#[test]
fn every_lesson_is_short_and_ends_with_the_sentence_to_take_home() {
    complaints(|lesson, run| {
        let mut found = Vec::new();
        let (beats, steps) = (lesson.story.len(), run.visible_steps());
        if !(8..=20).contains(&beats) || !(20..=150).contains(&steps) {
            found.push(format!("{beats} beats, {steps} steps"));
        }
        let is_at_end = |beat: &Beat| beat.moment().condition == Condition::Ended;
        let ends: Vec<usize> = (0..beats).filter(|&place| is_at_end(&lesson.story[place])).collect();
        if ends != [beats - 1] || !matches!(lesson.story.last(), Some(Beat::Say { .. })) {
            found.push(format!("beats at the end: {ends:?} of {beats}"));
        }
        found
    });
}

#[test]
fn every_lesson_asks_what_its_run_answers_otherwise_than_one_is_tempted_to() {
    complaints(|lesson, run| {
        let mut found = Vec::new();
        if questions(lesson).count() == 0 {
            found.push("it asks nothing".to_owned());
        }
        for question in questions(lesson) {
            let asked = question.text.en();
            let Some(choices) = question.choices(run) else {
                found.push(format!("no two answers: {asked}"));
                continue;
            };
            let tempting = question.tempting.iter().map(|wrong| wrong.value(run, choices.decisive));
            if tempting.into_iter().any(|wrong| wrong.is_none_or(|wrong| wrong == choices.answer)) {
                found.push(format!("a wrong answer that is right, or none: {asked}"));
            }
        }
        found
    });
}
