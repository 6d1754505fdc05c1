//! A rebalance as the group's coordinator sees it: what is to come from whom, and how long it waits.

use super::geometry::{PerMille, share};
use crate::sim::consumer::{Client, Membership};
use crate::sim::coordinator::modern::MemberState;
use crate::sim::coordinator::{Group, GroupState, Member};
use crate::sim::{ConsumerId, GroupId, MemberKey, PartitionId, Simulation, Span, StepNo, Time};

/// What a rebalance waits for from a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It does not know of the rebalance, or says nothing.
    Missing,
    /// It knows, and has not come yet.
    Asked,
    /// It leads, and computes the assignment.
    Assigns,
    /// Consumer protocol: it is to give partitions up.
    GivesUp,
    /// Consumer protocol: it waits for what others give up.
    Awaits,
    /// Nothing: it has done its part.
    Done,
}

/// Time that runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// How much of it is left.
    pub left: Span,
    /// The same as a part of the whole.
    pub part: PerMille,
}

/// What is to come from each process that the coordinator counts in.
pub fn turns(run: &Simulation, group: GroupId) -> Vec<(ConsumerId, Turn)> {
    run.consumers_of(group).filter_map(|consumer| Some((consumer.id, turn(run, consumer.id)?))).collect()
}

/// What is to come from a consumer in a rebalance, if the coordinator counts its process in.
pub fn turn(run: &Simulation, consumer: ConsumerId) -> Option<Turn> {
    let consumer = run.consumer(consumer);
    let (key, group) = (consumer.key(), run.group(consumer.group));
    if matches!(group.state, GroupState::Empty | GroupState::Stable) {
        return None;
    }
    let Some(member) = group.member(key) else {
        return group.is_pending(key).then_some(Turn::Asked);
    };
    let client = run.consumer(key.consumer).client();
    // Once it has given up what it had, its JoinGroup is on the way.
    let has_heard = |client: &Client| client.rejoin.is_some() || client.membership != Membership::Stable;
    let is_asked = client.is_some_and(|client| client.freeze.is_none() && has_heard(client));
    Some(match group.state {
        GroupState::PreparingRebalance if member.joined => Turn::Done,
        GroupState::PreparingRebalance if is_asked => Turn::Asked,
        GroupState::CompletingRebalance if group.leader == Some(key) => Turn::Assigns,
        GroupState::CompletingRebalance if member.has_synced() => Turn::Done,
        GroupState::CompletingRebalance if client.is_some() => Turn::Asked,
        GroupState::Assigning | GroupState::Reconciling => modern_turn(group, member),
        _ => Turn::Missing,
    })
}

/// How far a member of the consumer protocol has come.
#[inline(never)]
fn modern_turn(group: &Group, member: &Member) -> Turn {
    match member.current.state {
        MemberState::UnrevokedPartitions => Turn::GivesUp,
        MemberState::UnreleasedPartitions => Turn::Awaits,
        MemberState::Stable if member.current.is_reconciled_to(group.generation) => Turn::Done,
        MemberState::Stable => Turn::Missing,
    }
}

/// What a member of the consumer protocol is still to give up, or to get.
pub fn exchange(run: &Simulation, group: GroupId, key: MemberKey) -> Option<(Turn, Vec<PartitionId>)> {
    let group = run.group(group);
    let member = group.member(key).filter(|_| group.is_modern())?;
    let partitions = match member.current.state {
        MemberState::Stable => return None,
        MemberState::UnrevokedPartitions => member.current.revoking().collect(),
        MemberState::UnreleasedPartitions => group.awaited_by(member),
    };
    Some((modern_turn(group, member), partitions))
}

/// How long the coordinator still waits, at the moment `at`, for members that do not do what they should.
pub fn time_left(run: &Simulation, group: GroupId, at: Time) -> Option<TimeLeft> {
    let group = run.group(group);
    let left = |(began, until): (StepNo, Time)| {
        let began = run.step_at(began)?.at;
        let (left, whole) = (until.since(at), until.since(began));
        Some(TimeLeft { left, part: share(left.as_micros(), whole.as_micros()) })
    };
    if group.is_modern() {
        let revocations = group.members.iter().filter_map(|member| member.current.revocation());
        return revocations.min_by_key(|&(_, until)| until).and_then(left);
    }
    left((group.rebalance_began_at()?, group.join_phase_ends()?))
}
