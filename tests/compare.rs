//! What if: runs beside each other, in what they part, and the sentence that sums it up.

use logstep::explain::compare::{Because, Comparison, Outcome, Quantity, differing, partings};
use logstep::scenario::{self, Scenario, library};
use logstep::sim::assignor::{Assignor, AssignorList};
use logstep::sim::setup::{CommitPolicy, CommitWhen};
use logstep::sim::*;
use logstep::text::{Lang, compare};
use std::fs;
use std::rc::Rc;

const GROUP: GroupId = GroupId(0);

type Done = Vec<(Time, Action)>;

fn file(path: &str) -> Scenario {
    let source = fs::read_to_string(path).expect("a file is readable");
    scenario::read(&source).unwrap_or_else(|mistakes| panic!("{path}: {mistakes:?}"))
}

fn story() -> Scenario {
    library::BUILT_IN[0].read().expect("the story reads well")
}

/// A run in which this is done by hand, each thing once its time has come, up to a moment.
fn run_until(scenario: &Scenario, done: &Done, until: Time) -> Simulation {
    let mut run = Simulation::new(scenario.setup.clone());
    let mut next = done.iter().peekable();
    loop {
        while let Some((_, action)) = next.next_if(|(at, _)| run.now() >= *at) {
            run.apply(*action).expect("it is possible");
        }
        let before = run.fork();
        match run.step() {
            Progress::Step(step) if step.at > until => return before,
            Progress::Step(_) => {}
            _ => return run,
        }
    }
}

fn whole(scenario: &Scenario, done: &Done) -> Simulation {
    run_until(scenario, done, Time::NEVER)
}

fn compared(scenario: &Scenario, runs: &[Done]) -> Comparison {
    let outcomes = runs.iter().map(|done| Outcome::whole(&whole(scenario, done), GROUP)).collect();
    Comparison::new(GROUP, partings(&scenario.setup, runs), outcomes)
}

fn said(scenario: &Scenario, runs: &[Done]) -> [String; 2] {
    let (run, comparison) = (Simulation::new(scenario.setup.clone()), compared(scenario, runs));
    [Lang::En, Lang::Ja].map(|lang| compare::sentence(lang, &run, &comparison))
}

fn titles(scenario: &Scenario, runs: &[Done]) -> Vec<String> {
    let (run, partings) = (Simulation::new(scenario.setup.clone()), partings(&scenario.setup, runs));
    (0..runs.len()).map(|index| compare::title(Lang::En, &run, &partings, index)).collect()
}

/// A change for all members of the group, from the beginning.
fn for_all(scenario: &Scenario, change: impl Fn(ConsumerId) -> Change) -> Done {
    let members = (0..scenario.setup.consumers.len()).map(ConsumerId::at);
    members.map(|member| (Time::ZERO, Action::Set(change(member)))).collect()
}

fn commits(scenario: &Scenario, when: CommitWhen) -> Done {
    for_all(scenario, |consumer| {
        let policy = scenario.setup.consumers[consumer.index()].config.handling.commit;
        Change::Commit { consumer, policy: CommitPolicy { when, ..policy } }
    })
}

fn strategy(scenario: &Scenario, assignor: Assignor) -> Done {
    let setting = ConsumerSetting::PartitionAssignmentStrategy(AssignorList::new(&[assignor]));
    for_all(scenario, |consumer| Change::Setting { consumer, setting })
}

#[test]
fn print() {
    let story = story();
    println!("{:#?}", said(&story, &[Done::new(), commits(&story, CommitWhen::BeforeBatch)]));
    let slow = file("tests/scenes/slow-member.json");
    println!("{:#?}", said(&slow, &[Done::new(), strategy(&slow, Assignor::CooperativeSticky)]));
    for o in compared(&slow, &[Done::new(), strategy(&slow, Assignor::CooperativeSticky)]).outcomes {
        println!("{}", format!("{o:?}").split("keys").next().unwrap());
    }
    let few = file("tests/scenes/three-partitions.json");
    println!(
        "{:#?}",
        said(&few, &[Done::new(), vec![(Time::ZERO, Action::AddPartitions { topic: TopicId(0), to: 6 })]])
    );
    println!(
        "{:#?}",
        titles(&few, &[Done::new(), vec![(Time::ZERO, Action::AddPartitions { topic: TopicId(0), to: 6 })]])
    );
}
