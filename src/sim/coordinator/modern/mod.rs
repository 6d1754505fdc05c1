//! The consumer group protocol (KIP-848): the coordinator assigns, and each member comes to its part on its own.
//!
//! A member's only request is the heartbeat. What changes the group raises its *group epoch*; the next heartbeat of any
//! member makes the coordinator compute a *target assignment* for that epoch. Each member is then reconciled in its own
//! heartbeats: it gives up what is no longer its own and says so, comes to the epoch of the target, and gets what others
//! have given up. Nobody waits for anybody else's answer, and who is not concerned never stops.
//!
//! Source: `GroupMetadataManager#consumerGroupHeartbeat`, `modern.consumer.{ConsumerGroup, ConsumerGroupMember,
//! CurrentAssignmentBuilder}`, `modern.TargetAssignmentBuilder`. Regular expressions and racks are not modelled, nor are
//! groups of members of both protocols.

mod heartbeat;
mod leaving;
mod reconcile;
mod target;

pub use heartbeat::HeartbeatRequest;

use super::{Group, GroupState, Member};
use crate::sim::assignor::ServerAssignor;
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{EpochReason, ErrorCode};
use crate::sim::ids::*;
use crate::sim::network::{Assignment, MemberEpoch, PartitionOffset};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::setup::{ClusterSettings, Release};
use crate::sim::time::Time;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};
use std::collections::VecDeque;
use std::rc::Rc;

/// What only a group of the consumer protocol has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The group epoch that the target assignment was computed for. The group has moved on if its own is higher.
    pub epoch: Generation,
    /// Who is to have what.
    parts: Assignment,
    /// When it was computed.
    computed_at: Option<Time>,
    /// What raises the group epoch, each in a step of its own, a moment later.
    bumps: VecDeque<(EpochReason, ConsumerId, StepNo)>,
    /// Heartbeats of this moment that are read after that.
    unread: VecDeque<Unread>,
    /// How many partitions the cluster had at the last look, and how many of them the group subscribes to.
    seen: (usize, usize),
    /// Heartbeats that are not answered yet, all of this moment.
    in_hand: VecDeque<Heartbeat>,
    /// The step in which partitions last became free.
    released: Option<StepNo>,
}

/// A heartbeat that the coordinator has in hand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heartbeat {
    member: MemberKey,
    /// What the member says that it owns, if it says so.
    owned: Option<Rc<[PartitionId]>>,
    /// True if the member joins: it owns nothing, whatever it or its predecessor had.
    joins: bool,
    /// True if the member has told everything about itself, as one does that joins or has missed an answer: then it is told
    /// its assignment, changed or not.
    is_full: bool,
    /// Which attempt of the process to be a member it belongs to.
    attempt: u32,
    /// The step that is to be named as what set the next one off.
    because: StepNo,
}

/// A heartbeat that the coordinator has not read yet, and the step that sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unread {
    member: MemberKey,
    request: HeartbeatRequest,
    sent_by: StepNo,
}

/// Where a member is on the way to its target, as in `MemberState`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemberState {
    /// It has what it should have, as far as it has been told.
    #[default]
    Stable,
    /// It has been told to give up partitions and has not said yet that it did.
    UnrevokedPartitions,
    /// It waits for partitions that other members have not given up yet.
    UnreleasedPartitions,
}

/// The first release whose groups begin with epoch 1, so that the first member is in 2 (KIP-1263), and that takes commits
/// in older epochs (KIP-1251).
const RELEASE_4_3: Release = (4, 3);

/// A partition of a member and the epoch in which it got it (KIP-1251).
type Held = (PartitionId, Generation);

/// What only a member of a group of the consumer protocol has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// Its member epoch.
    pub epoch: MemberEpoch,
    previous_epoch: MemberEpoch,
    /// Where it is on the way to its target.
    pub state: MemberState,
    /// What it may work on; the partitions are [`Member::assigned`](super::Member::assigned).
    held: Rc<[Held]>,
    /// What it has been told to give up and still owns until it says otherwise.
    revoking: Rc<[Held]>,
    /// When it is removed, if it has not given that up before.
    revoke_by: Option<Time>,
    /// The step that told it to.
    told: Option<StepNo>,
    assignor: Option<ServerAssignor>,
}

impl Target {
    /// That of a new group: nobody is to have anything.
    fn new(cluster: &ClusterSettings) -> Self {
        Target {
            epoch: u32::from(cluster.release >= RELEASE_4_3),
            parts: Rc::new([]),
            computed_at: None,
            bumps: VecDeque::new(),
            unread: VecDeque::new(),
            seen: (0, 0),
            in_hand: VecDeque::new(),
            released: None,
        }
    }
}

impl Current {
    /// The partitions that it has been told to give up.
    pub fn revoking(&self) -> impl Iterator<Item = PartitionId> + '_ {
        self.revoking.iter().map(|&(partition, _)| partition)
    }

    /// The step that told it to give partitions up, and when it is removed if it does not.
    pub fn revocation(&self) -> Option<(StepNo, Time)> {
        Some((self.told?, self.revoke_by?))
    }

    /// `isReconciledTo`.
    pub fn is_reconciled_to(&self, epoch: Generation) -> bool {
        self.state == MemberState::Stable && self.epoch == epoch as MemberEpoch
    }
}

impl Group {
    /// An empty group of the consumer protocol. Since 4.3 its first epoch, which nobody is ever in, is 1.
    pub fn new_modern(id: GroupId, broker: BrokerId, partitions: usize, cluster: &ClusterSettings) -> Self {
        let target = Target::new(cluster);
        Group {
            generation: target.epoch,
            target: Some(Box::new(target)),
            ..Group::new(id, broker, partitions, cluster)
        }
    }

    /// The group is gone; one of the same name begins anew.
    pub(super) fn forget_epochs(&mut self, ctx: Context<'_>) {
        if let Some(target) = &mut self.target {
            **target = Target::new(&ctx.setup.cluster);
            self.generation = target.epoch;
            self.generation_step = None;
        }
    }

    /// True if its members use the consumer protocol.
    pub fn is_modern(&self) -> bool {
        self.target.is_some()
    }

    /// The epoch of its target assignment; 0 in the classic protocol.
    pub fn target_epoch(&self) -> Generation {
        self.target.as_ref().map_or(0, |target| target.epoch)
    }

    /// What a member is to have in the end.
    fn target_of(&self, key: MemberKey) -> Rc<[PartitionId]> {
        let parts = self.target.iter().flat_map(|target| target.parts.iter());
        parts.into_iter().find(|(of, _)| *of == key).map_or_else(|| Rc::new([]) as Rc<[_]>, |(_, part)| part.clone())
    }

    /// What a member is to have and waits for.
    pub fn awaited_by(&self, member: &Member) -> Vec<PartitionId> {
        let target = self.target_of(member.key);
        target.iter().copied().filter(|partition| !member.assigned.contains(partition)).collect()
    }

    /// Members that are not where the group is.
    pub fn unreconciled(&self) -> u32 {
        let epoch = self.target_epoch();
        self.members.iter().filter(|member| !member.current.is_reconciled_to(epoch)).count() as u32
    }

    /// `ConsumerGroup#maybeUpdateGroupState`.
    fn update_state(&mut self, out: &mut Out) {
        let epoch = self.target_epoch();
        let was = self.state;
        self.state = match () {
            () if self.members.is_empty() => GroupState::Empty,
            () if self.generation > epoch => GroupState::Assigning,
            () if self.unreconciled() > 0 => GroupState::Reconciling,
            () => GroupState::Stable,
        };
        let is_over = |state| matches!(state, GroupState::Stable | GroupState::Empty);
        if is_over(self.state) && !is_over(was) {
            out.effects.push(Effect::RebalanceEnds { group: self.id });
        }
    }

    /// What the coordinator says to a commit in this member epoch. An older epoch counts as the present one since 4.3, for
    /// partitions that the member has had since then or longer (KIP-1251).
    ///
    /// Source: `ConsumerGroup#validateOffsetCommit`.
    #[inline(never)]
    pub(super) fn modern_commit_error(
        &self,
        ctx: Context<'_>,
        key: MemberKey,
        epoch: Option<Generation>,
        offsets: &[PartitionOffset],
    ) -> ErrorCode {
        let (Some(member), Some(epoch)) = (self.member(key), epoch) else {
            // Who is no member may only commit while the group has none at all.
            let is_free = epoch.is_none() && self.members.is_empty();
            return if is_free { ErrorCode::None } else { ErrorCode::UnknownMemberId };
        };
        let is_4_3 = ctx.setup.cluster.release >= RELEASE_4_3;
        let current = &member.current;
        let is_held = |&(partition, _): &PartitionOffset| {
            let mut held = current.held.iter().chain(current.revoking.iter());
            held.any(|&(of, since)| of == partition && since <= epoch)
        };
        let epoch = epoch as MemberEpoch;
        match () {
            () if epoch == current.epoch => ErrorCode::None,
            () if is_4_3 && epoch < current.epoch && offsets.iter().all(is_held) => ErrorCode::None,
            () => ErrorCode::StaleMemberEpoch,
        }
    }

    /// True if what is due will do something.
    pub(super) fn waits_for_modern(&self, due: Due, at: Time) -> bool {
        match due {
            Due::RevocationCheck(_, key) => self.member(key).is_some_and(|member| member.current.revoke_by == Some(at)),
            _ => true,
        }
    }
}

/// The characters of a base64 text for URLs.
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The member id that a client of the consumer protocol makes for itself when its process starts, and keeps (KIP-1082): a
/// UUID as `org.apache.kafka.common.Uuid` writes it. It is drawn from the seed and the process alone, so that the world
/// need not remember it.
fn member_id(seed: u64, key: MemberKey) -> Rc<str> {
    let of = (u64::from(key.consumer.0) << 16) | u64::from(key.incarnation);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ of.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        let high = (rng.next_u64() & !0xf000) | 0x4000;
        let low = (rng.next_u64() >> 2) | (1 << 63);
        let bits = (u128::from(high) << 64) | u128::from(low);
        // Six bits a character; the last has four zeros behind two bits.
        let characters = (0..22).map(|n| match n {
            21 => (bits << 4) & 63,
            n => (bits >> (122 - 6 * n)) & 63,
        });
        let id: String = characters.map(|six| char::from(BASE64[six as usize])).collect();
        // `Uuid#randomUuid` draws again, as tools would take it for an option.
        if !id.starts_with('-') {
            return id.into();
        }
    }
}
