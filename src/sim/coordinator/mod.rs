//! The group coordinator: the classic group protocol and committed offsets.
//!
//! Source: `org.apache.kafka.coordinator.group.GroupMetadataManager` (the `classicGroup...` methods),
//! `classic.ClassicGroup`, `OffsetMetadataManager#validateOffsetCommit`. What the coordinator stores in
//! `__consumer_offsets` ([`Offsets`]) is durable and outlives every member; the rest of a [`Group`] is who is in it at
//! present. In this world the broker itself does not fail.

mod expiry;
mod join;
pub mod modern;
mod offsets;
mod rebalance;
mod session;
mod static_members;
mod sync;
#[cfg(test)]
mod tests;

pub use modern::HeartbeatRequest;
pub use offsets::Offsets;

use super::assignor::Assignor;
use super::effect::Context;
use super::event::{ErrorCode, RebalanceReason};
use super::ids::*;
use super::network::{Committed, JoinRequest};
use super::queue::{Due, MemberKey};
use super::setup::ClusterSettings;
use super::time::{Span, Time};
use std::rc::Rc;

/// The state of a group, as in `ClassicGroupState` and `ConsumerGroupState`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// No members.
    Empty = 0,
    /// Waits for the JoinGroup of every member.
    PreparingRebalance = 1,
    /// Waits for the leader's SyncGroup.
    CompletingRebalance = 2,
    /// Running.
    Stable = 3,
    /// Consumer protocol: the target assignment is to be computed.
    Assigning = 4,
    /// Consumer protocol: some member has not come to its target.
    Reconciling = 5,
}

/// A consumer group, as its coordinator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    id: GroupId,
    /// The broker that coordinates it.
    pub broker: BrokerId,
    /// How long its first rebalance waits for more members: `group.initial.rebalance.delay.ms` of the brokers.
    pub initial_rebalance_delay: Span,
    /// Its state.
    pub state: GroupState,
    /// The generation id; 0 before the first. In the consumer protocol the group epoch.
    pub generation: Generation,
    /// The step that started the generation, or raised the group epoch.
    pub generation_step: Option<StepNo>,
    /// The step that computed the assignment of the generation.
    pub assignment_step: Option<StepNo>,
    /// The assignor that the generation uses; nothing before the first.
    pub assignor: Option<Assignor>,
    /// Its members, in the order in which they came.
    pub members: Vec<Member>,
    /// The member that computes the assignment.
    pub leader: Option<MemberKey>,
    /// What it has committed: outlives every member.
    offsets: Offsets,
    /// Since when it has no members, after it had some, and in which step that was.
    empty_since: Option<(Time, StepNo)>,
    /// When committed offsets are looked at, if that is scheduled.
    offsets_check: Option<Time>,
    /// Processes that have been given a member id and have not used it yet.
    pending: Vec<Pending>,
    /// The last process of each consumer that is no member any more, and the step in which it lost its place.
    removed: Vec<(MemberKey, StepNo)>,
    rebalance: Rebalance,
    /// The target assignment, if its members use the consumer protocol.
    target: Option<Box<modern::Target>>,
}

/// A process with a member id that it has not used yet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pending {
    key: MemberKey,
    id: Rc<str>,
    /// When the coordinator forgets it.
    until: Time,
}

/// What the coordinator remembers of the rebalance under way, or of the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rebalance {
    /// Counts join phases; a check that was scheduled for an earlier one does nothing.
    round: u32,
    /// Set from the moment that makes a rebalance necessary until it begins.
    reason: Option<(RebalanceReason, ConsumerId, StepNo)>,
    started: Option<StepNo>,
    /// When the join phase ends, whoever has joined.
    deadline: Time,
    /// The join phase of an empty group: how long the present delay is and how much more may be added.
    initial: Option<InitialDelay>,
    completing: bool,
    last_join: Option<StepNo>,
}

/// See `tryCompleteInitialRebalanceElseSchedule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InitialDelay {
    delay: Span,
    remaining: Span,
    new_member_added: bool,
}

/// A member, as the coordinator knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Which process.
    pub key: MemberKey,
    /// `client.id` and a UUID: assignors deal in the order of these.
    pub id: Rc<str>,
    /// True while its JoinGroup waits for an answer.
    pub joined: bool,
    /// True until a generation has begun with it.
    is_new: bool,
    /// True while its SyncGroup waits for an answer.
    syncing: bool,
    /// True once it has sent SyncGroup for this generation.
    synced: bool,
    /// When the coordinator looks whether its session has expired, if that is scheduled.
    check_at: Option<Time>,
    /// What it said when it last joined.
    pub request: Rc<JoinRequest>,
    /// When its session expires, if the coordinator does not hear it before.
    pub session_ends: Time,
    /// When the coordinator last heard it.
    pub heard_at: Time,
    /// In which step.
    pub heard: StepNo,
    /// Its partitions in the present generation; in the consumer protocol those that it may work on.
    pub assigned: Rc<[PartitionId]>,
    /// Its part in the consumer protocol.
    pub current: modern::Current,
}

/// Partitions of `__consumer_offsets`: `offsets.topic.num.partitions`, as it is by default.
const OFFSETS_TOPIC_PARTITIONS: u32 = 50;

/// The broker that coordinates a group: the leader of the partition of `__consumer_offsets` that the group's name belongs
/// to, as in `GroupCoordinatorService#partitionFor`. The hash is that of a Java string.
pub fn broker_of(group: &str, brokers: usize) -> BrokerId {
    let hash = group.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    // `Utils.abs`: the smallest number has no opposite.
    let partition = hash.checked_abs().unwrap_or(0).unsigned_abs() % OFFSETS_TOPIC_PARTITIONS;
    BrokerId::at(partition as usize % brokers)
}

impl Group {
    /// An empty group.
    pub fn new(id: GroupId, broker: BrokerId, partitions: usize, cluster: &ClusterSettings) -> Self {
        Group {
            id,
            broker,
            initial_rebalance_delay: cluster.group_initial_rebalance_delay,
            state: GroupState::Empty,
            generation: 0,
            generation_step: None,
            assignment_step: None,
            assignor: None,
            members: Vec::new(),
            leader: None,
            offsets: Offsets::new(partitions),
            empty_since: None,
            offsets_check: None,
            pending: Vec::new(),
            removed: Vec::new(),
            rebalance: Rebalance::default(),
            target: None,
        }
    }

    /// There is a partition more.
    pub fn add_partition(&mut self) {
        self.offsets.add_partition();
    }

    /// The committed offset of a partition.
    pub fn committed(&self, partition: PartitionId) -> Option<Committed> {
        self.offsets.committed(partition)
    }

    /// The committed offset of a partition, or the one that an accepted commit is about to store in this moment.
    pub fn committed_soon(&self, partition: PartitionId) -> Option<Offset> {
        self.offsets.being_stored(partition).or_else(|| self.committed(partition).map(|committed| committed.offset))
    }

    /// A member by its key.
    pub fn member(&self, key: MemberKey) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }

    /// The member id that was given to a process, as long as the coordinator knows it.
    pub fn member_id(&self, key: MemberKey) -> Option<&str> {
        let pending = || self.pending.iter().rfind(|pending| pending.key == key).map(|pending| &pending.id);
        self.member(key).map(|member| &member.id).or_else(pending).map(|id| &**id)
    }

    /// How many members a join phase still waits for.
    pub fn missing(&self) -> u32 {
        (self.members.iter().filter(|member| !member.joined).count() + self.pending.len()) as u32
    }

    /// True if this process has been given a member id and has not joined with it yet.
    pub fn is_pending(&self, key: MemberKey) -> bool {
        self.pending.iter().any(|pending| pending.key == key)
    }

    /// True while the join phase of a group that was empty waits for more members, whoever has joined.
    pub fn waits_for_newcomers(&self) -> bool {
        self.state == GroupState::PreparingRebalance && self.rebalance.initial.is_some()
    }

    /// The step that began the rebalance under way, or the last one.
    pub fn rebalance_began_at(&self) -> Option<StepNo> {
        self.rebalance.started
    }

    /// When the join phase under way ends at the latest.
    pub fn join_phase_ends(&self) -> Option<Time> {
        (self.state == GroupState::PreparingRebalance).then_some(self.rebalance.deadline)
    }

    /// True if a generation runs and nothing is about to end it, as far as the coordinator knows.
    pub fn is_settled(&self) -> bool {
        self.state == GroupState::Stable && self.rebalance.reason.is_none() && !self.has_lost_a_member()
    }

    /// True if what is due will do something; a timer is not taken back when its cause has gone.
    pub fn waits_for(&self, due: Due, at: Time) -> bool {
        match due {
            Due::PendingCheck(_, key) => self.pending.iter().any(|pending| pending.key == key && pending.until == at),
            Due::SessionCheck(_, key) => self.member(key).is_some_and(|member| member.check_at == Some(at)),
            Due::JoinPhase(_, round) => self.state == GroupState::PreparingRebalance && round == self.rebalance.round,
            Due::SyncCheck(_, generation) => {
                let running = matches!(self.state, GroupState::CompletingRebalance | GroupState::Stable);
                running && generation == self.generation && self.members.iter().any(|member| !member.synced)
            }
            _ => self.waits_for_modern(due, at),
        }
    }

    /// What a request of a process without a place in the group is answered: another process may have taken the place
    /// that its `group.instance.id` has (`ClassicGroup#validateMember`).
    fn error_of_stranger(&self, ctx: Context<'_>, key: MemberKey) -> ErrorCode {
        let instance = ctx.setup.consumers.get(key.consumer.index()).and_then(|setup| setup.instance_id.as_ref());
        match instance.is_some_and(|instance| self.static_member(instance).is_some()) {
            true => ErrorCode::FencedInstanceId,
            false => ErrorCode::UnknownMemberId,
        }
    }

    /// The step that made a process the stranger that it is told to be.
    fn made_a_stranger(&self, key: MemberKey, error: ErrorCode) -> Option<StepNo> {
        let is_stranger = matches!(error, ErrorCode::UnknownMemberId | ErrorCode::FencedInstanceId);
        let removed = self.removed.iter().find(|&&(removed, _)| removed == key && is_stranger);
        removed.map(|&(_, step)| step)
    }

    fn note_removed(&mut self, ctx: Context<'_>, key: MemberKey) {
        self.removed.retain(|(removed, _)| removed.consumer != key.consumer);
        self.removed.push((key, ctx.step));
    }

    /// The place of a static member in the list.
    fn static_member(&self, instance: &str) -> Option<usize> {
        self.members.iter().position(|member| member.request.instance_id.as_deref() == Some(instance))
    }

    fn member_mut(&mut self, key: MemberKey) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.key == key)
    }
}
