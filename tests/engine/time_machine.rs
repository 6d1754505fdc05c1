//! The time machine over the simulator: every moment is what a run that went straight to it would be.

use crate::common::{finished, story};
use crate::harness::steps;
use crate::random::cases;
use crate::world::{Kind, action, worlds};
use logstep::history::History;
use logstep::sim::*;
use proptest::prelude::*;

/// The moment after so many steps of a run in which these things were done by hand, each at its position.
fn straight(setup: &setup::Setup, by_hand: &[(u32, Action)], position: u32) -> State {
    let mut run = Simulation::new(setup.clone());
    let mut by_hand = by_hand.iter();
    let mut next = by_hand.next();
    while run.steps() < position {
        match next {
            Some(&(at, action)) if at == run.steps() => {
                run.apply(action).expect("it was possible before");
                next = by_hand.next();
            }
            _ => assert!(matches!(run.step(), Progress::Step(_)), "the run ended before {position}"),
        }
    }
    run.mark()
}

#[test]
fn seeking_to_any_step_of_the_story_equals_that_many_steps() {
    let mut run = Simulation::new(story());
    let mut moments = vec![run.mark()];
    while let Progress::Step(_) = run.step() {
        moments.push(run.mark());
    }
    let mut history = History::new(Simulation::new(story()));
    // Forwards, backwards, and in leaps to and fro.
    let count = moments.len();
    let leaps = (0..count).map(|n| n * 389 % count);
    for position in (0..count).chain((0..count).rev()).chain(leaps) {
        history.seek(position as u32);
        assert!(history.now().mark() == moments[position], "the moment after {position} steps differs");
    }
}

/// Something that a person does with the time machine.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// Go to this part, in 1/1000, of what is known.
    Seek(u32),
    /// Go on from the present moment.
    Step(u32),
    Advance(u32),
    Act(Action),
    Switch(usize),
}

fn deeds(consumers: usize) -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        3 => (0..=1000u32).prop_map(Deed::Seek),
        2 => (0..3000u32).prop_map(Deed::Step),
        2 => (0..9000u32).prop_map(Deed::Advance),
        4 => action(consumers).prop_map(Deed::Act),
        1 => (0..6usize).prop_map(Deed::Switch),
    ];
    prop::collection::vec(deed, 1..16)
}

fn worlds_and_deeds() -> impl Strategy<Value = (setup::Setup, Vec<Deed>)> {
    worlds(Kind::Any).prop_flat_map(|setup| {
        let deeds = deeds(setup.consumers.len());
        (Just(setup), deeds)
    })
}

proptest! {
    #![proptest_config(cases(module_path!(), 2))]

    #[test]
    fn whatever_is_done_every_moment_of_every_branch_equals_a_straight_run((setup, deeds) in worlds_and_deeds()) {
        let mut history = History::new(Simulation::new(setup.clone()));
        for deed in deeds {
            match deed {
                Deed::Seek(part) => history.seek(history.known().steps * part / 1000),
                Deed::Step(count) => history.seek(history.position() + count),
                Deed::Advance(budget) => drop(history.advance(budget)),
                Deed::Act(action) => drop(history.act(action)),
                Deed::Switch(branch) => history.switch(branch),
            }
            let expected = straight(&setup, history.actions(history.current()), history.position());
            prop_assert!(history.now().mark() == expected, "after {deed:?} at {}", history.position());
        }
        for branch in 0..history.branch_count() {
            history.switch(branch);
            let known = history.known().steps;
            for position in [known, known / 2, known / 3, known - known / 7] {
                history.seek(position);
                let expected = straight(&setup, history.actions(branch), position);
                prop_assert!(history.now().mark() == expected, "branch {branch} at {position}");
            }
        }
    }

    #[test]
    fn a_fork_leaves_the_old_branch_reachable_and_unchanged(at in 0..=1000u32, which in action(3)) {
        let whole = finished(story());
        let mut history = History::new(Simulation::new(story()));
        while !history.advance(1000).complete {}
        history.seek(whole.steps() * at / 1000);
        let position = history.position();
        let forked = history.act(which).is_ok();
        while !history.advance(1000).complete {}
        history.seek(u32::MAX);
        prop_assert_eq!(history.branch_count(), 1 + usize::from(forked));
        let common = steps(history.now()).zip(steps(&whole)).take(position as usize);
        prop_assert!(common.into_iter().all(|(a, b)| a == b), "the past is shared");
        history.switch(0);
        history.seek(u32::MAX);
        prop_assert_eq!(history.now().digest(), whole.digest());
    }
}
