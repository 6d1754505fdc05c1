//! What is said to happen if a member stopped now is what happens when it does.

use logstep::explain::{Resumes, stakes};
use logstep::scenario::{self, library};
use logstep::sim::event::PositionSource;
use logstep::sim::setup::OffsetReset;
use logstep::sim::*;
use std::fs;
use std::path::PathBuf;

/// How many moments of a run are tried.
const MOMENTS: u32 = 40;

fn runs() -> Vec<Simulation> {
    let built_in = library::BUILT_IN.iter().map(|built_in| built_in.read().expect("a scenario"));
    let files = fs::read_dir("tests/cases").expect("the folder of cases").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    let cases = files.iter().map(|file| {
        let source = fs::read_to_string(file).expect("a case is readable");
        scenario::read(&source).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", file.display()))
    });
    built_in.chain(cases).map(|scenario| scenario.run()).collect()
}

/// Where a partition of a group is next read after a member has crashed, unless something else has changed that meanwhile.
fn read_on_after_crash(
    run: &Simulation,
    consumer: ConsumerId,
    partition: PartitionId,
) -> Option<(Offset, PositionSource)> {
    let group = run.consumer(consumer).group;
    let mut crashed = run.fork();
    crashed.apply(Action::Crash(consumer.into())).ok()?;
    while let Progress::Step(step) = crashed.step() {
        match step.event {
            Event::PositionSet { consumer: by, partition: of, offset, source, was_out_of_range }
                if of == partition && crashed.consumer(by).group == group =>
            {
                return (!was_out_of_range).then_some((offset, source));
            }
            Event::OffsetCommitted { group: of_group, partition: of, consumer: by, .. }
                if of_group == group && of == partition && by != consumer =>
            {
                return None;
            }
            Event::OffsetReset { .. } | Event::OffsetExpired { .. } => return None,
            _ => {}
        }
    }
    None
}

#[test]
fn a_partition_is_read_on_where_it_is_said() {
    let (mut with_commit, mut in_table, mut without) = (0, 0, 0);
    for whole in runs() {
        let stride = (whole.known_steps() / MOMENTS).max(1);
        let mut run = Simulation::new(whole.setup().clone());
        while let Progress::Step(_) = run.step() {
            if !run.steps().is_multiple_of(stride) {
                continue;
            }
            for consumer in (0..run.consumers().len()).map(ConsumerId::at) {
                for stake in stakes(&run, consumer) {
                    let Some(found) = read_on_after_crash(&run, consumer, stake.partition) else { continue };
                    match stake.resumes {
                        Resumes::Committed(offset) => {
                            assert_eq!(
                                found,
                                (offset, PositionSource::Committed),
                                "{stake:?} of {consumer:?} after {} steps: {}",
                                run.steps(),
                                run.digest()
                            );
                            with_commit += 1;
                        }
                        Resumes::Stored(offset) => {
                            assert_eq!(
                                found,
                                (offset, PositionSource::Stored),
                                "{stake:?} of {consumer:?} after {} steps",
                                run.steps()
                            );
                            in_table += 1;
                        }
                        Resumes::Reset(OffsetReset::Earliest) => {
                            assert_eq!(
                                found,
                                (0, PositionSource::Earliest),
                                "{stake:?} of {consumer:?} after {} steps",
                                run.steps()
                            );
                            without += 1;
                        }
                        Resumes::Reset(_) => {}
                    }
                }
            }
        }
    }
    assert!(in_table > 30, "only {in_table} with an offset in a table were seen");
    assert!(with_commit > 300 && without > 10, "only {with_commit} with a commit and {without} without were seen");
}
