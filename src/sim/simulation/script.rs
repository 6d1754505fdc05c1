//! The script: what happens at its time, and what happens when a condition comes true.

use super::Simulation;
use crate::sim::action::{Refusal, When};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::order;
use crate::sim::queue::{Due, Queue};
use crate::sim::setup::Setup;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// What of the script is still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// How many timed actions have been scheduled.
    pub(super) timed_done: u32,
    /// The place of the first of them among what is due at one time.
    pub(super) first_place: u64,
    /// Actions whose condition has not come true.
    pub(super) open: Vec<u32>,
    /// Actions that are the very next steps, with the step that made their condition true.
    pub(super) ready: VecDeque<(u32, StepNo)>,
    /// The same for those that wait a while.
    pub(super) met: Vec<(u32, StepNo)>,
    /// Those that are due and wait for a message that is not on its way yet.
    pub(super) in_wait: Vec<u32>,
}

impl Script {
    /// The script of a setup before the run, and its timed actions in the order in which they are due.
    pub(super) fn new(setup: &Setup, queue: &mut Queue) -> (Self, Rc<[u32]>) {
        let when = |index: u32| setup.actions[index as usize].when;
        let (mut timed, open): (Vec<u32>, Vec<u32>) =
            (0..setup.actions.len() as u32).partition(|&index| matches!(when(index), When::At(_)));
        order::by_number(&mut timed, |&index| if let When::At(at) = when(index) { at.as_micros() } else { 0 });
        let script = Script { first_place: queue.reserve(timed.len() as u64), open, ..Script::default() };
        (script, timed.into())
    }
}

impl Simulation {
    /// Only the next timed action of the script is in the queue, so that a moment is small however long the script is.
    pub(super) fn schedule_next_timed(&mut self) {
        let script = &mut self.state.script;
        if let Some(&index) = self.timed.get(script.timed_done as usize)
            && let When::At(at) = self.setup.actions[index as usize].when
        {
            let place = script.first_place + u64::from(script.timed_done);
            script.timed_done += 1;
            self.state.queue.push_at_place(at, place, Due::Script(index));
        }
    }

    /// An action of the script is due.
    pub(super) fn run_due(&mut self, index: u32) {
        if matches!(self.setup.actions[index as usize].when, When::At(_)) {
            return self.run_timed(index);
        }
        let met = &mut self.state.script.met;
        let because = met.iter().position(|&(met, _)| met == index).map(|place| met.remove(place).1);
        self.run_script(index, Causes::NONE.and_maybe(Role::Triggered, because));
    }

    pub(super) fn run_script(&mut self, index: u32, causes: Causes) {
        let action = self.setup.actions[index as usize].action;
        match self.can_apply(action) {
            Ok(()) => self.act(action, causes),
            Err(Refusal::NothingInFlight) => self.state.script.in_wait.push(index),
            // Nothing can happen any more.
            Err(Refusal::RunEnded) => {}
            Err(refusal) => self.refuse(index, refusal, causes),
        }
    }

    fn refuse(&mut self, index: u32, refusal: Refusal, causes: Causes) {
        self.out.event(Event::ActionRefused { action: index as u16, refusal }, causes);
    }

    /// The run is about to end: says of the next action that has waited for a message that none came. False if there is
    /// none.
    pub(super) fn refuse_next_in_wait(&mut self) -> bool {
        if self.state.script.in_wait.is_empty() {
            return false;
        }
        let index = self.state.script.in_wait.remove(0);
        self.refuse(index, Refusal::NothingInFlight, Causes::NONE);
        true
    }

    fn run_timed(&mut self, index: u32) {
        self.schedule_next_timed();
        self.run_script(index, Causes::NONE);
    }

    /// Looks whether a step makes conditions of the script true.
    pub(super) fn look_for_conditions(&mut self, step_no: StepNo, event: &Event) {
        let Simulation { setup, state, logs, .. } = self;
        let (consumers, producers) = (&state.consumers, &state.producers);
        let script = &mut state.script;
        let (queue, now) = (&mut state.queue, state.now);
        script.open.retain(|&index| {
            let When::After(condition, wait) = setup.actions[index as usize].when else {
                return false;
            };
            let met = condition.is_met_by(
                event,
                |consumer| consumers[consumer.index()].processed,
                |record| {
                    let sent = logs.records.get(record.0).expect("a record that was sent");
                    (sent.producer, producers[sent.producer.index()].sent)
                },
                |consumer| consumers[consumer.index()].group,
                |partition| state.topics.place(partition),
            );
            if met && wait == Span::ZERO {
                script.ready.push_back((index, step_no));
            } else if met {
                script.met.push((index, step_no));
                queue.push(now + wait, Due::Script(index));
            }
            !met
        });
    }
}
