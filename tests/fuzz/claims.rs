//! What holds for every file, whatever is in it.

use logstep::explain::{Why, verdicts, why};
use logstep::history::History;
use logstep::scenario::{Beat, Mistake, Outcome, Scenario, read};
use logstep::scene::stage::Shape;
use logstep::scene::{marks, pace, stage};
use logstep::sim::{GroupId, Progress, Simulation, StepNo, Time};
use logstep::text::{self, Lang, mistake};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The most steps that a run is followed for. Worlds are small, and most come to their end before.
const MOST_STEPS: u32 = 6_000;
/// The most steps that are looked at with all that is said of them.
const MOST_TOLD: u32 = 250;
/// The most moments that are drawn.
const MOST_DRAWN: u32 = 12;
/// The most steps that may happen in one microsecond of a small world; more would be time standing still.
const MOST_AT_ONCE: u32 = 4_000;
/// A file that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Checks everything; true if the file could be read.
pub fn check(source: &str) -> bool {
    let (done, is_done) = channel::<()>();
    let file = source.to_owned();
    let watchman = std::thread::spawn(move || {
        if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            eprintln!("hangs:\n{file}");
            std::process::abort();
        }
    });
    let scenario = read(source);
    match &scenario {
        Ok(scenario) => {
            check_run(scenario);
            check_mistakes(source, &scenario.warnings);
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty());
            check_mistakes(source, mistakes);
        }
    }
    drop(done);
    watchman.join().expect("it only waits");
    scenario.is_ok()
}

/// Every mistake or warning has a place in the file and is said in both languages.
fn check_mistakes(source: &str, mistakes: &[Mistake]) {
    let lines = source.split('\n').count();
    for found in mistakes {
        assert!((1..=lines).contains(&(found.line as usize)), "{found:?}");
        let longest = source.split('\n').nth(found.line as usize - 1).map_or(0, |line| line.chars().count());
        assert!((1..=longest + 1).contains(&(found.column as usize)), "{found:?} in a line of {longest}");
        for lang in Lang::ALL {
            assert!(!mistake::mistake(lang, found).is_empty());
        }
    }
}

fn check_run(scenario: &Scenario) {
    let run = followed(scenario);
    assert_eq!(followed(scenario).digest(), run.digest(), "a second run is another one");
    check_causes(&run);
    check_words(scenario, &run);
    check_pictures(&run);
    check_seeking(scenario, &run);
    for lang in Lang::ALL {
        for difference in scenario.expectations.check(&run) {
            assert!(!mistake::difference(lang, &difference).is_empty());
        }
    }
    assert!(!Outcome::of(&run).to_json().is_empty());
}

/// A run to its end or as far as it is followed. Time goes on and no step is lost.
fn followed(scenario: &Scenario) -> Simulation {
    let mut run = Simulation::new(scenario.setup.clone());
    let (mut now, mut at_once) = (Time::ZERO, 0);
    while run.steps() < MOST_STEPS {
        let before = run.steps();
        let Progress::Step(step) = run.step() else {
            assert!(run.has_ended(), "it stopped after {} steps", run.steps());
            assert!(run.now() <= scenario.setup.ends_at);
            break;
        };
        assert_eq!(run.steps(), before + 1);
        assert!(step.at >= now && step.at <= scenario.setup.ends_at, "{step:?} after {now:?}");
        at_once = if step.at == now { at_once + 1 } else { 0 };
        assert!(at_once < MOST_AT_ONCE, "time stands still at {now:?}: {step:?}");
        now = step.at;
    }
    run
}

fn check_causes(run: &Simulation) {
    for number in (0..run.steps()).map(StepNo) {
        let step = run.step_at(number).expect("it has been made");
        assert!(step.causes.iter().all(|cause| cause.step < number), "{number:?} {step:?}");
    }
}

/// Numbers below a count: all, or some that are evenly apart, the last one among them.
fn some(count: u32, most: u32) -> impl Iterator<Item = u32> {
    (0..count).rev().step_by(count.div_ceil(most).max(1) as usize)
}

fn check_words(scenario: &Scenario, run: &Simulation) {
    for number in some(run.steps(), MOST_TOLD).map(StepNo) {
        let step = run.step_at(number).expect("it has been made");
        let reasons = why(run, number);
        assert!(reasons.reasons.iter().all(|reason| reason.step < number));
        for lang in Lang::ALL {
            let told = [text::sentence, text::headline, text::past].map(|say| say(lang, run, number));
            assert!(told.iter().all(|text| !text.is_empty()), "{step:?}");
            text::rule(lang, run, &step.event);
            check_why(lang, run, &reasons);
        }
    }
    for beat in &scenario.story {
        beat.moment().find(run);
        if let Beat::Ask(question) = beat {
            question.choices(run);
        }
    }
}

fn check_why(lang: Lang, run: &Simulation, why: &Why) {
    for cause in &why.reasons {
        assert!(!text::reason(lang, run, cause).is_empty());
    }
    for used in &why.settings {
        assert!(!text::setting(lang, used).is_empty());
    }
    if let Some(calculation) = &why.calculation {
        assert!(text::calculation(lang, run, calculation).iter().all(|line| !line.is_empty()));
    }
}

fn check_pictures(run: &Simulation) {
    marks::marks(run);
    marks::breaks(run);
    marks::ticks(run);
    let groups = run.setup().groups.len();
    let mut history = History::new(Simulation::new(run.setup().clone()));
    history.advance(MOST_STEPS);
    for position in some(history.known().steps + 1, MOST_DRAWN) {
        history.seek(position);
        let now = history.now();
        for shape in [Shape::Wide, Shape::Narrow, Shape::Columns] {
            stage(now, now.now(), shape, None);
            (0..groups).for_each(|group| drop(stage(now, now.now(), shape, Some(GroupId::at(group)))));
        }
        pace::beat(now, now.visible_steps());
        for lang in Lang::ALL {
            text::twin(lang, now);
            text::outcome(lang, now);
            for verdict in (0..groups).flat_map(|group| verdicts(now, GroupId::at(group))) {
                assert!(!text::verdict_value(lang, &verdict).is_empty());
                assert!(!text::verdict_explanation(lang, &verdict).is_empty());
            }
        }
    }
}

/// The time machine comes to the same moments as a run that goes straight there.
fn check_seeking(scenario: &Scenario, run: &Simulation) {
    let steps = run.steps().min(2_000);
    let mut history = History::new(Simulation::new(scenario.setup.clone()));
    history.advance(steps);
    for position in [steps / 2, steps, steps / 3] {
        let mut straight = Simulation::new(scenario.setup.clone());
        while straight.steps() < position && matches!(straight.step(), Progress::Step(_)) {}
        history.seek(position);
        assert!(history.now().mark() == straight.mark(), "the moment after {position} steps differs");
    }
}
