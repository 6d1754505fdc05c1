//! Static members (KIP-345): a process that comes with a known `group.instance.id` takes the place of the one before.

use super::{Group, GroupState};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, Event, RebalanceReason};
use crate::sim::ids::*;
use crate::sim::network::{JoinRequest, Message, Node};
use crate::sim::queue::MemberKey;
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

impl Group {
    /// `updateStaticMemberThenRebalanceOrCompleteJoin`: the place gets a new member id, and the process that had it is
    /// fenced from now on.
    ///
    /// A Stable group goes on as it is, with the same generation and assignment, unless the members would now choose
    /// another assignor. What the new process subscribes to plays no part in that: if it is something else than before,
    /// the assignment follows at the next rebalance only.
    #[inline(never)]
    pub(super) fn replace_static(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        place: usize,
        (key, id): (MemberKey, Rc<str>),
        request: &Rc<JoinRequest>,
        out: &mut Out,
    ) {
        let (group, broker) = (self.id, self.broker);
        let member = &mut self.members[place];
        let (previous, heard) = (member.key, member.heard);
        member.answer_sync(ctx, ErrorCode::FencedInstanceId, Rc::new([]), ctx.step, (group, broker), out);
        if std::mem::take(&mut member.joined) {
            let answer = Message::JoinGroupAnswer(Err(ErrorCode::FencedInstanceId));
            out.send(Node::Broker(broker), Node::Consumer(previous), answer);
        }
        (member.key, member.id, member.request) = (key, id, request.clone());
        member.check_at = None;
        member.hear(ctx, group, out);
        let was_leader = self.leader == Some(previous);
        if was_leader {
            self.leader = Some(key);
        }
        let keeps_assignment = self.state_met() == GroupState::Stable && self.choose_assignor() == self.assignor;
        out.event(
            Event::MemberReplaced {
                group,
                consumer: key.consumer,
                previous: previous.consumer,
                generation: self.generation,
                keeps_assignment,
            },
            Causes::triggered_by(sent_by).and(Role::DecidedValue, heard),
        );
        self.note_removed(ctx, previous);
        if keeps_assignment {
            // Before KIP-814 the answer names the member id that the leader had before, so that the new process does not
            // know that it leads: nobody looks for new partitions until the next rebalance.
            let is_told = was_leader && request.may_skip_assignment;
            let joined = self.joined(is_told, is_told);
            return self.answer_join(key, joined, out);
        }
        self.members[place].joined = true;
        self.rebalance.last_join = Some(ctx.step);
        match self.state {
            GroupState::PreparingRebalance => self.maybe_complete_join(ctx, out),
            _ => self.need_rebalance(ctx, RebalanceReason::StaticMemberChanged, key.consumer, out),
        }
    }
}
