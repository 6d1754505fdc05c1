mod common;

use common::story;
use logstep::sim::*;

#[test]
fn prints() {
    let mut run = Simulation::new(story());
    let mut n = 0;
    while let Progress::Step(step) = run.step() {
        if !matches!(
            step.event,
            Event::HeartbeatSent { .. } | Event::HeartbeatReceived { .. } | Event::HeartbeatAnswered { .. }
        ) {
            println!(
                "{n:4} {} {:>10} {:?}  <- {:?}",
                if step.event.is_visible() { "*" } else { " " },
                step.at.as_micros() / 1000,
                step.event,
                step.causes.iter().map(|c| (c.role, c.step.0)).collect::<Vec<_>>()
            );
        }
        n += 1;
    }
    println!("{} {} {}", run.steps(), run.visible_steps(), run.digest());
}
