//! A run with the verbs that a test needs.

use logstep::sim::property::{Property, Watch};
use logstep::sim::*;

pub struct World {
    pub run: Simulation,
}

impl World {
    pub fn new(setup: setup::Setup) -> Self {
        World { run: Simulation::new(setup) }
    }

    /// Steps until an event is as wanted, and returns when that was.
    #[track_caller]
    pub fn until(&mut self, what: &str, wanted: impl Fn(&Event) -> bool) -> Time {
        while let Progress::Step(step) = self.run.step() {
            if wanted(&step.event) {
                return step.at;
            }
        }
        panic!("the run ended without {what}\n{}", self.tail(30));
    }

    /// Steps until this moment.
    pub fn until_time(&mut self, at: Time) {
        while !self.run.has_ended() {
            let before = self.run.fork();
            self.run.step();
            if self.run.now() >= at {
                self.run = before;
                return;
            }
        }
    }

    #[track_caller]
    pub fn act(&mut self, action: Action) -> Step {
        self.run.apply(action).unwrap_or_else(|refusal| panic!("{action:?} refused: {refusal:?}\n{}", self.tail(30)))
    }

    pub fn finish(&mut self) {
        while let Progress::Step(_) = self.run.step() {}
    }

    pub fn count(&self, wanted: impl Fn(&Event) -> bool) -> usize {
        steps(&self.run).filter(|step| wanted(&step.event)).count()
    }

    /// The last steps, heartbeats left out, for the message of a failing test.
    pub fn tail(&self, count: usize) -> String {
        tail(&self.run, count)
    }
}

/// The steps made so far.
pub fn steps(run: &Simulation) -> impl DoubleEndedIterator<Item = &Step> + '_ {
    (0..run.steps()).filter_map(|number| run.step_at(StepNo(number)))
}

pub fn tail(run: &Simulation, count: usize) -> String {
    let is_heartbeat = |event: &Event| {
        matches!(event, Event::HeartbeatSent { .. } | Event::HeartbeatReceived { .. } | Event::HeartbeatAnswered { .. })
    };
    let lines = steps(run).rev().filter(|step| !is_heartbeat(&step.event)).take(count);
    let mut lines: Vec<String> = lines.map(|step| format!("{:>12} {:?}", step.at.as_micros(), step.event)).collect();
    lines.reverse();
    lines.join("\n")
}

/// Everything that a step goes back to, for the message of a failing test.
pub fn origins(run: &Simulation, step: StepNo) -> String {
    let (mut numbers, mut found) = (vec![step], std::collections::BTreeSet::new());
    while let Some(number) = numbers.pop() {
        if found.insert(number)
            && let Some(step) = run.step_at(number)
        {
            numbers.extend(step.causes.iter().map(|cause| cause.step));
        }
    }
    let line = |number: StepNo| {
        let step = run.step_at(number).expect("a cause is an earlier step");
        let causes: Vec<_> = step.causes.iter().map(|cause| (cause.role, cause.step.0)).collect();
        format!("{:>6} {:>12} {:?} {causes:?}", number.0, step.at.as_micros(), step.event)
    };
    found.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Runs to the end and tells which properties did not hold.
pub fn check<'a>(
    setup: &setup::Setup,
    properties: impl IntoIterator<Item = &'a Property>,
) -> Result<Simulation, String> {
    let mut run = Simulation::new(setup.clone());
    let mut watch = Watch::new(properties);
    while let Progress::Step(_) = run.step() {
        watch.note(&run);
    }
    let broken = watch.finish(&run);
    if !run.has_ended() {
        return Err(format!("no end after {} steps\n{}", run.steps(), tail(&run, 40)));
    }
    if broken.is_empty() {
        return Ok(run);
    }
    let first = broken[0].1.saturating_sub(1);
    let mut again = Simulation::new(setup.clone());
    while again.steps() <= first && matches!(again.step(), Progress::Step(_)) {}
    Err(format!("{broken:?}\n{}", tail(&again, 40)))
}
