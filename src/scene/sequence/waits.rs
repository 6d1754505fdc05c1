//! Who waits for whom in the classic group protocol: the coordinator holds back answers until others have come.

use crate::sim::{ConsumerId, Event, GroupId, Simulation, StepNo, Time};

/// For whom a member waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum For {
    /// For the JoinGroup of these.
    Members(Vec<ConsumerId>),
    /// For more members, as long as the group's first rebalance is delayed.
    Newcomers,
    /// For the assignment of the leader.
    Leader(ConsumerId),
}

/// The most steps that are looked at to find for whom somebody waits.
const MOST_STEPS: u32 = 20_000;

/// For whom a member waits from this step on. Nothing if it gets its answer in the same moment.
pub(super) fn waits_for(run: &Simulation, number: StepNo) -> Option<(ConsumerId, For)> {
    let step = run.step_at(number)?;
    match step.event {
        Event::MemberJoined { group, consumer, .. } => {
            joins(run, number, step.at, group).map(|found| (consumer, found))
        }
        Event::SyncGroupReceived { group, consumer, stable: false, .. } => {
            syncs(run, number, step.at, group).map(|found| (consumer, found))
        }
        _ => None,
    }
}

/// The steps behind this one, up to the present.
fn later(run: &Simulation, number: StepNo) -> impl Iterator<Item = (Time, Event)> + '_ {
    let steps = number.0 + 1..run.steps().min(number.0 + MOST_STEPS);
    steps.filter_map(|number| run.step_at(StepNo(number))).map(|step| (step.at, step.event))
}

fn joins(run: &Simulation, number: StepNo, joined: Time, of: GroupId) -> Option<For> {
    let mut awaited: Vec<ConsumerId> = Vec::new();
    let mut ends = None;
    for (at, event) in later(run, number) {
        match event {
            Event::GenerationStarted { group, .. } | Event::GroupEmptied { group, .. } if group == of => {
                ends = Some(at);
                break;
            }
            // Whoever joins, or is waited for in vain.
            Event::MemberJoined { group, consumer, .. }
            | Event::SessionExpired { group, consumer, .. }
            | Event::RebalanceTimedOut { group, consumer, .. }
            | Event::MemberLeft { group, consumer, .. }
                if group == of && at > joined && !awaited.contains(&consumer) =>
            {
                awaited.push(consumer);
            }
            _ => {}
        }
    }
    let has_waited = ends.unwrap_or(run.now()) > joined;
    let group = run.group(of);
    if ends.is_none() {
        let missing = group.members.iter().filter(|member| !member.joined).map(|member| member.key.consumer);
        awaited.extend(missing.filter(|consumer| !awaited.contains(consumer)).collect::<Vec<_>>());
    }
    match awaited.is_empty() || (ends.is_none() && group.waits_for_newcomers()) {
        _ if !has_waited => None,
        true => Some(For::Newcomers),
        false => Some(For::Members(awaited)),
    }
}

fn syncs(run: &Simulation, number: StepNo, synced: Time, of: GroupId) -> Option<For> {
    let ends = later(run, number).find(|(_, event)| match *event {
        Event::SyncGroupReceived { group, stable: true, .. } | Event::RebalanceStarted { group, .. } => group == of,
        _ => false,
    });
    let leader =
        (0..number.0).rev().take(MOST_STEPS as usize).find_map(|before| match run.step_at(StepNo(before))?.event {
            Event::GenerationStarted { group, leader, .. } if group == of => Some(leader),
            _ => None,
        })?;
    (ends.map_or(run.now(), |(at, _)| at) > synced).then_some(For::Leader(leader))
}
