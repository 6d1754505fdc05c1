//! Committed offsets: what a group keeps when all of its members are gone.

use super::{Group, GroupState};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{Committed, Message, Node, PartitionOffset};
use crate::sim::queue::{Due, MemberKey};
use crate::sim::step::{Causes, Role};
use crate::sim::time::Time;
use std::collections::VecDeque;
use std::rc::Rc;

/// A group's part of `__consumer_offsets`, which is durable, and the commits that are being written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// By partition.
    pub(super) committed: Vec<Option<Committed>>,
    storing: VecDeque<Commit>,
}

/// A commit whose offsets are being stored.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Commit {
    member: MemberKey,
    offsets: Rc<[PartitionOffset]>,
    next: usize,
    sent_by: StepNo,
}

/// What has been stored of a commit in a step.
struct Stored {
    member: MemberKey,
    sent_by: StepNo,
    /// The offset that is another one than before, if there is one.
    changed: Option<PartitionOffset>,
    /// How many partitions the commit names.
    partitions: u32,
    /// True if the commit is stored as a whole.
    is_last: bool,
}

impl Offsets {
    /// Nothing is committed.
    pub fn new(partitions: usize) -> Self {
        Offsets { committed: vec![None; partitions], storing: VecDeque::new() }
    }

    /// The committed offset of a partition.
    pub fn committed(&self, partition: PartitionId) -> Option<Committed> {
        self.committed[partition.index()]
    }

    /// What a commit that is accepted, and of which other partitions are stored first, is about to commit.
    pub(super) fn being_stored(&self, partition: PartitionId) -> Option<Offset> {
        let open = self.storing.iter().flat_map(|commit| &commit.offsets[commit.next..]);
        open.rev().find(|(of, _)| *of == partition).map(|&(_, offset)| offset)
    }

    /// There is a partition more.
    pub(super) fn add_partition(&mut self) {
        self.committed.push(None);
    }

    /// A commit is to be stored, behind those before it. True if it is the next.
    fn accept(&mut self, commit: Commit) -> bool {
        self.storing.push_back(commit);
        self.storing.len() == 1
    }

    /// Stores the next offset of the commit in hand that changes something, and around it those that do not: of these
    /// only the time of the commit is new.
    fn store_next(&mut self, at: Time, step: StepNo) -> Option<Stored> {
        let commit = self.storing.front_mut()?;
        let mut changed = None;
        while let Some(&(partition, offset)) = commit.offsets.get(commit.next) {
            match &mut self.committed[partition.index()] {
                Some(same) if same.offset == offset => same.at = at,
                _ if changed.is_some() => break,
                other => {
                    *other = Some(Committed { offset, at, step: Some(step) });
                    changed = Some((partition, offset));
                }
            }
            commit.next += 1;
        }
        let (is_last, partitions) = (commit.next == commit.offsets.len(), commit.offsets.len() as u32);
        let stored = Stored { member: commit.member, sent_by: commit.sent_by, changed, partitions, is_last };
        if is_last {
            self.storing.pop_front();
        }
        Some(stored)
    }

    fn is_storing(&self) -> bool {
        !self.storing.is_empty()
    }
}

impl Group {
    /// OffsetCommit: checked against member and generation, then stored, one partition a step.
    pub fn handle_commit(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        key: MemberKey,
        generation: Option<Generation>,
        offsets: Rc<[PartitionOffset]>,
        out: &mut Out,
    ) {
        let error = match self.is_modern() {
            true => self.modern_commit_error(ctx, key, generation, &offsets),
            false => self.commit_error(ctx, key, generation),
        };
        if error != ErrorCode::None {
            let generation = generation.unwrap_or(0);
            let because = self.made_a_stranger(key, error).or(self.generation_step);
            out.event(
                Event::CommitRejected { group: self.id, consumer: key.consumer, generation, error },
                Causes::triggered_by(sent_by).and_maybe(Role::DecidedValue, because),
            );
            let answer = Message::OffsetCommitAnswer { request: sent_by, error };
            return out.send(Node::Broker(self.broker), Node::Consumer(key), answer);
        }
        let id = self.id;
        // In the consumer protocol only heartbeats count.
        let is_modern = self.is_modern();
        if let Some(member) = self.member_mut(key).filter(|_| !is_modern) {
            member.hear(ctx, id, out);
        }
        if self.offsets.accept(Commit { member: key, offsets, next: 0, sent_by }) {
            self.store_offset(ctx, out);
        }
    }

    /// A tool sets the committed offset of a partition. Returns what was committed before.
    pub fn reset_offset(
        &mut self,
        ctx: Context<'_>,
        (partition, offset): PartitionOffset,
        out: &mut Out,
    ) -> Option<Committed> {
        self.plan_offsets_check(ctx, out);
        let to = Committed { offset, at: ctx.now, step: Some(ctx.step) };
        self.offsets.committed[partition.index()].replace(to)
    }

    /// `ClassicGroup#validateOffsetCommit`: who is no member may only commit while the group has none at all.
    fn commit_error(&self, ctx: Context<'_>, key: MemberKey, generation: Option<Generation>) -> ErrorCode {
        match (generation, self.state_met()) {
            (None, GroupState::Empty) => ErrorCode::None,
            (None, _) => ErrorCode::UnknownMemberId,
            _ if self.member(key).is_none() => self.error_of_stranger(ctx, key),
            (Some(generation), _) if generation != self.generation => ErrorCode::IllegalGeneration,
            (_, GroupState::CompletingRebalance) => ErrorCode::RebalanceInProgress,
            _ => ErrorCode::None,
        }
    }

    /// Stores the next offset of the commit in hand.
    pub fn store_offset(&mut self, ctx: Context<'_>, out: &mut Out) {
        let Some(stored) = self.offsets.store_next(ctx.now, ctx.step) else {
            return;
        };
        let Stored { member, sent_by, changed, partitions, is_last } = stored;
        let (group, consumer) = (self.id, member.consumer);
        let event = match changed {
            Some((partition, offset)) => Event::OffsetCommitted { group, consumer, partition, offset },
            None => Event::CommitRepeated { group, consumer, partitions },
        };
        out.event(event, Causes::triggered_by(sent_by));
        if is_last {
            out.send(
                Node::Broker(self.broker),
                Node::Consumer(member),
                Message::OffsetCommitAnswer { request: sent_by, error: ErrorCode::None },
            );
        }
        self.plan_offsets_check(ctx, out);
        if self.offsets.is_storing() {
            out.wake(ctx.now, Due::StoreOffset(self.id));
        }
    }

    /// OffsetFetch: where the group has committed.
    pub fn handle_offset_fetch(&mut self, sent_by: StepNo, key: MemberKey, partitions: &[PartitionId], out: &mut Out) {
        let committed: Rc<[_]> = partitions.iter().map(|&partition| (partition, self.committed(partition))).collect();
        out.event(
            Event::OffsetFetchAnswered { group: self.id, consumer: key.consumer, partitions: committed.len() as u32 },
            Causes::triggered_by(sent_by),
        );
        let answer = Message::OffsetFetchAnswer { request: sent_by, committed };
        out.send(Node::Broker(self.broker), Node::Consumer(key), answer);
    }
}
