//! The reconciliation of one member: from what it has to what it is to have.

use super::super::{Group, Member};
use super::{Heartbeat, Held, MemberState};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{MemberEpoch, Message, Node};
use crate::sim::queue::Due;
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

/// What a heartbeat brings a member to.
struct Next {
    epoch: MemberEpoch,
    state: MemberState,
    held: Vec<Held>,
    revoking: Vec<Held>,
}

/// The partitions of a list.
fn partitions(held: &[Held]) -> Rc<[PartitionId]> {
    held.iter().map(|&(partition, _)| partition).collect()
}

impl Group {
    /// The next state of a member, if there is one.
    ///
    /// Source: `CurrentAssignmentBuilder#build`, `#computeNextAssignment`.
    fn next_of(&self, member: &Member, owned: Option<&[PartitionId]>) -> Option<Next> {
        let current = &member.current;
        let target_epoch = self.target_epoch();
        let still_owns = |given_up: &[Held]| {
            owned.is_none_or(|owned| given_up.iter().any(|(partition, _)| owned.contains(partition)))
        };
        match current.state {
            MemberState::Stable if current.is_reconciled_to(target_epoch) => return None,
            MemberState::UnrevokedPartitions if still_owns(&current.revoking) => return None,
            _ => {}
        }
        let target = self.target_of(member.key);
        let is_target = |held: &&Held| target.contains(&held.0);
        let mut held: Vec<Held> = current.held.iter().filter(is_target).copied().collect();
        let revoking: Vec<Held> = current.held.iter().filter(|held| !is_target(held)).copied().collect();
        if !revoking.is_empty() && still_owns(&revoking) {
            return Some(Next { epoch: current.epoch, state: MemberState::UnrevokedPartitions, held, revoking });
        }
        let mut state = MemberState::Stable;
        for &partition in target.iter() {
            if held.iter().any(|&(of, _)| of == partition) {
                continue;
            }
            if self.is_held_by_another(partition, member) {
                state = MemberState::UnreleasedPartitions;
            } else {
                held.push((partition, target_epoch));
            }
        }
        Some(Next { epoch: target_epoch as MemberEpoch, state, held, revoking: Vec::new() })
    }

    /// True if another member has the partition, or has not said yet that it gave it up.
    fn is_held_by_another(&self, partition: PartitionId, member: &Member) -> bool {
        self.members.iter().filter(|other| other.key != member.key).any(|other| {
            let current = &other.current;
            current.held.iter().chain(current.revoking.iter()).any(|&(of, _)| of == partition)
        })
    }

    /// Brings the member as far as it can come, and answers its heartbeat.
    pub(super) fn reconcile(&mut self, ctx: Context<'_>, heartbeat: &Heartbeat, out: &mut Out) {
        let key = heartbeat.member;
        let Some(place) = self.members.iter().position(|member| member.key == key) else {
            return;
        };
        let causes = Causes::triggered_by(heartbeat.because);
        let next = self.next_of(&self.members[place], heartbeat.owned.as_deref());
        let Some(next) = next.filter(|next| !self.members[place].is_already(next)) else {
            let event = Event::HeartbeatReceived { group: self.id, consumer: key.consumer, error: ErrorCode::None };
            out.event(event, causes);
            return self.answer(ctx, place, heartbeat, heartbeat.is_full, out);
        };
        let decided = self.assignment_step;
        let released = self.target.as_ref().and_then(|target| target.released);
        let (group, consumer) = (self.id, key.consumer);
        let member = &mut self.members[place];
        let current = &mut member.current;
        let before = if heartbeat.joins { Rc::new([]) } else { current.held.clone() };
        let given_up = std::mem::replace(&mut current.revoking, next.revoking.into());
        let was = std::mem::replace(&mut current.state, next.state);
        current.previous_epoch = std::mem::replace(&mut current.epoch, next.epoch);
        current.held = next.held.into();
        member.assigned = partitions(&current.held);
        current.revoke_by = None;
        let epoch = current.epoch as Generation;
        let target: u32 = self.target_of(key).len() as u32;
        let member = &mut self.members[place];
        let (held, revoking) = (member.current.held.clone(), member.current.revoking.clone());
        let has = |list: &[Held], partition| list.iter().any(|&(of, _)| of == partition);
        let added: Rc<[PartitionId]> =
            partitions(&held).iter().copied().filter(|&partition| !has(&before, partition)).collect();
        let is_answer_to_revocation = was == MemberState::UnrevokedPartitions;
        if next.state == MemberState::UnrevokedPartitions {
            let until = ctx.now + member.request.rebalance_timeout;
            member.current.revoke_by = Some(until);
            member.current.told = Some(ctx.step);
            out.wake(until, Due::RevocationCheck(group, key));
            out.effects.push(Effect::Concerns(partitions(&revoking)));
            out.event(
                Event::RevocationRequested { group, consumer, epoch, partitions: revoking.len() as u32 },
                causes.and_maybe(Role::DecidedValue, decided),
            );
        } else if is_answer_to_revocation && added.is_empty() {
            out.effects.push(Effect::Concerns(partitions(&given_up)));
            out.event(
                Event::RevocationAcknowledged { group, consumer, epoch, partitions: given_up.len() as u32 },
                causes.and_maybe(Role::WaitedFor, member.current.told),
            );
        } else if !added.is_empty() || heartbeat.joins {
            let waiting = target - held.len() as u32;
            let waited_for = released.filter(|_| was == MemberState::UnreleasedPartitions);
            out.effects.push(Effect::Concerns(added.clone()));
            out.event(
                Event::AssignmentGiven { group, consumer, epoch, partitions: added.len() as u32, waiting },
                causes.and_maybe(Role::DecidedValue, decided).and_maybe(Role::WaitedFor, waited_for),
            );
        } else {
            let waiting = target - held.len() as u32;
            out.event(
                Event::MemberEpochRaised { group, consumer, epoch, waiting },
                causes.and_maybe(Role::DecidedValue, decided),
            );
        }
        if is_answer_to_revocation && let Some(target) = &mut self.target {
            target.released = Some(ctx.step);
        }
        let has_changed = held.len() != before.len() || !added.is_empty();
        self.answer(ctx, place, heartbeat, heartbeat.is_full || has_changed, out);
        self.update_state(out);
    }

    fn answer(&self, ctx: Context<'_>, place: usize, heartbeat: &Heartbeat, tells_assignment: bool, out: &mut Out) {
        let member = &self.members[place];
        let answer = Message::ConsumerGroupHeartbeatAnswer {
            attempt: heartbeat.attempt,
            error: ErrorCode::None,
            epoch: member.current.epoch,
            assignment: tells_assignment.then(|| member.assigned.clone()),
            decided: self.assignment_step.unwrap_or(ctx.step),
        };
        out.send(Node::Broker(self.broker), Node::Consumer(member.key), answer);
    }
}

impl Member {
    fn is_already(&self, next: &Next) -> bool {
        let current = &self.current;
        current.epoch == next.epoch
            && current.state == next.state
            && *current.held == *next.held
            && *current.revoking == *next.revoking
    }
}
