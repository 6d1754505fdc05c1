//! Long quiet whiles: where nothing but heartbeats would happen, they are not made one by one.
//!
//! Where every living member is in a settled group and was last heard by its heartbeat, the world repeats itself: one
//! period later - the least common multiple of the heartbeat intervals - everything is as it is now, only later. So the
//! world is moved on by whole periods in one hidden step, up to shortly before the next thing that is no heartbeat.
//! Steps before and after are the same, at the same times, as if each heartbeat had been made.

use super::Simulation;
use crate::sim::consumer::Client;
use crate::sim::effect::Context;
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{Message, Node};
use crate::sim::order;
use crate::sim::queue::{Due, Entry, MemberKey};
use crate::sim::setup::GroupProtocol;
use crate::sim::step::Causes;
use crate::sim::time::{Span, Time};

/// The shortest quiet while of which heartbeats are skipped. Shorter ones are lived through, as they belong to what
/// people look at: the session timeout of Kafka's defaults is 45 s.
const SHORTEST: Span = Span::from_secs(120);

/// Heartbeats of each member at the end of a quiet while that are steps again, so that a member's last heartbeat
/// before something happens is found there.
const KEPT_HEARTBEATS: u64 = 2;

/// A while in which nothing but heartbeats happens.
#[derive(Debug)]
pub(super) struct Quiet {
    /// How far the world is moved on: a multiple of every member's heartbeat interval.
    span: Span,
    heartbeats: u32,
    members: Vec<MemberKey>,
}

/// What a quiet while does to something that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is one of the heartbeats, or belongs to one: it moves on with them.
    Moves,
    /// It does nothing any more.
    Void,
    /// It ends the quiet while at this moment.
    Ends(Time),
}

impl Simulation {
    /// The quiet while that lies ahead, if the next thing is a heartbeat and the while is long enough. Where it is not,
    /// nobody looks again before the thing that ends it.
    #[inline]
    pub(super) fn quiet_while(&mut self) -> Option<Quiet> {
        let next = self.state.queue.peek()?;
        if !matches!(next.due, Due::Heartbeat(..)) || next.at < self.state.not_quiet_before || !self.skips_heartbeats {
            return None;
        }
        // The next heartbeat may be the message that somebody is to delay or drop.
        if !self.state.script.in_wait.is_empty() {
            return None;
        }
        let soon = self.state.queue.iter().filter(|entry| self.is_soon_and_no_heartbeat(entry));
        let last = soon.map(|entry| entry.at).max();
        if let Some(last) = last {
            self.state.not_quiet_before = last;
            return None;
        }
        let members = self.members_that_only_send_heartbeats();
        let end_by = |entry| match self.fate(entry, &members) {
            Fate::Ends(at) => Some(at),
            Fate::Moves | Fate::Void => None,
        };
        let end = self.state.queue.iter().filter_map(end_by).min();
        let end = end.unwrap_or(self.setup.ends_at).min(self.setup.ends_at);
        let quiet = self.quiet_while_until(end, members);
        if quiet.is_none() {
            self.state.not_quiet_before = end;
        }
        quiet
    }

    fn quiet_while_until(&self, end: Time, members: Vec<MemberKey>) -> Option<Quiet> {
        let intervals = || members.iter().map(|key| self.heartbeat_interval(key.consumer).as_micros());
        let period = intervals().try_fold(1, least_common_multiple)?;
        let kept = intervals().max()? * KEPT_HEARTBEATS;
        let ahead = end.since(self.state.now).as_micros();
        let span = ahead.saturating_sub(kept) / period * period;
        if ahead < SHORTEST.as_micros() || span == 0 {
            return None;
        }
        let heartbeats = intervals().map(|interval| span / interval).sum::<u64>();
        Some(Quiet {
            span: Span::from_micros(span),
            heartbeats: u32::try_from(heartbeats).unwrap_or(u32::MAX),
            members,
        })
    }

    /// Moves the world on to the end of a quiet while.
    #[inline(never)]
    pub(super) fn skip_heartbeats(&mut self, quiet: Quiet) {
        let Quiet { span, heartbeats, members } = quiet;
        let mut queue = std::mem::take(&mut self.state.queue);
        let mut messages = Vec::new();
        queue.reschedule(|entry| match self.fate(entry, &members) {
            Fate::Moves => {
                messages.extend(if let Due::Deliver(slot) = entry.due { Some(slot) } else { None });
                Some(entry.at + span)
            }
            Fate::Void => None,
            Fate::Ends(at) => Some(at),
        });
        self.state.queue = queue;
        let Simulation { setup, state, out, .. } = self;
        let ctx = Context {
            now: state.now + span,
            step: StepNo(state.steps),
            setup,
            topics: &state.topics,
            sinks: &state.sinks,
        };
        for slot in messages {
            state.network.put_off(slot, span, ctx.step);
        }
        for member in state.groups.iter_mut().flat_map(|group| &mut group.members) {
            if members.contains(&member.key) {
                member.skip_heartbeats(span, ctx.step);
            }
        }
        for key in members {
            if let Some(client) = state.consumers[key.consumer.index()].client_mut(key.incarnation) {
                client.skip_heartbeats(span, ctx.step);
            }
        }
        for consumer in &mut state.consumers {
            if let Some(client) = consumer.client_mut(consumer.incarnation) {
                client.settle_poll_check();
                client.settle_auto_commit();
            }
        }
        state.now = ctx.now;
        out.event(Event::HeartbeatsSkipped { heartbeats, span }, Causes::NONE);
    }

    /// A quick look that spares the thorough one wherever something goes on.
    fn is_soon_and_no_heartbeat(&self, entry: &Entry) -> bool {
        if entry.at >= self.state.now + SHORTEST {
            return false;
        }
        match entry.due {
            Due::Deliver(slot) => !self.carries_heartbeat(slot),
            Due::SessionCheck(group, key) => {
                let stopped = self.consumer(key.consumer).end_of(key.incarnation).is_some();
                stopped && self.group(group).waits_for(entry.due, entry.at)
            }
            Due::PollCheck(consumer, incarnation) => {
                self.poll_overdue_at(consumer, incarnation, entry.at).is_some_and(|at| at < self.state.now + SHORTEST)
            }
            Due::AutoCommit(consumer, incarnation) => self.auto_commits(consumer, incarnation),
            Due::Heartbeat(..)
            | Due::PendingCheck(..)
            | Due::RevocationCheck(..)
            | Due::JoinPhase(..)
            | Due::SyncCheck(..) => false,
            _ => true,
        }
    }

    fn carries_heartbeat(&self, slot: u32) -> bool {
        let message = self.state.network.get(slot).map(|sent| &sent.message);
        matches!(
            message,
            Some(
                Message::Heartbeat { .. }
                    | Message::HeartbeatAnswer { error: ErrorCode::None }
                    | Message::ConsumerGroupHeartbeat { epoch: 1.., owned: None, .. }
                    | Message::ConsumerGroupHeartbeatAnswer { error: ErrorCode::None, assignment: None, .. }
            )
        )
    }

    /// When the poll check that is due at `at` strikes, unless the application polls before; it may come too early.
    fn poll_overdue_at(&self, consumer: ConsumerId, incarnation: Incarnation, at: Time) -> Option<Time> {
        let process = self.consumer(consumer);
        let client =
            process.client().filter(|client| process.incarnation == incarnation && client.is_poll_check(at))?;
        client.poll_overdue_at()
    }

    /// True if a consumer's periodic commit that is due will find something to commit.
    fn auto_commits(&self, consumer: ConsumerId, incarnation: Incarnation) -> bool {
        let process = self.consumer(consumer);
        let client = process.client().filter(|_| process.incarnation == incarnation);
        client.is_some_and(|client| client.waits_for_auto_commit())
    }

    fn heartbeat_interval(&self, consumer: ConsumerId) -> Span {
        let settings = &self.consumer(consumer).config().settings;
        match settings.group_protocol {
            GroupProtocol::Classic => settings.heartbeat_pause(),
            GroupProtocol::Consumer { .. } => self.setup.cluster.consumer_groups.heartbeat_interval,
        }
    }

    /// The living members of settled groups of which the coordinator heard last by a heartbeat. Sorted.
    fn members_that_only_send_heartbeats(&self) -> Vec<MemberKey> {
        let mut keys = Vec::new();
        let partitions = self.state.topics.partition_count();
        for group in self.state.groups.iter().filter(|group| group.is_settled() && group.has_seen(partitions)) {
            for member in &group.members {
                let consumer = self.consumer(member.key.consumer);
                let is_meant =
                    |client: &&Client| consumer.incarnation == member.key.incarnation && client.freeze.is_none();
                let Some(client) = consumer.client().filter(is_meant) else {
                    continue;
                };
                let interval = self.heartbeat_interval(consumer.id);
                let latency = self.latency(group.broker);
                // In the consumer protocol one heartbeat is under way at most: a slow answer holds up the next one.
                if client.is_modern() && latency + latency >= interval {
                    continue;
                }
                let sent = client.heartbeats_only(group.generation);
                if let (Some(sent), Some(heard)) = (sent, member.heard_within(interval))
                    && interval > Span::ZERO
                    && self.is_heard_of(group.broker, sent, heard, interval)
                {
                    keys.push(member.key);
                }
            }
        }
        order::by_number(&mut keys, |key| order::pair(u32::from(key.consumer.0), u32::from(key.incarnation)));
        keys
    }

    /// True if what the coordinator heard last is the heartbeat sent last or, while that is on its way, the one before.
    fn is_heard_of(&self, coordinator: BrokerId, sent: Time, heard: Time, interval: Span) -> bool {
        let arrives = sent + self.latency(coordinator);
        heard == arrives || (arrives >= self.state.now && heard + interval == arrives)
    }

    fn fate(&self, entry: &Entry, members: &[MemberKey]) -> Fate {
        let is_quiet = |key: MemberKey| members.binary_search(&key).is_ok();
        let moves_if = |moves: bool| if moves { Fate::Moves } else { Fate::Ends(entry.at) };
        match entry.due {
            Due::Heartbeat(consumer, incarnation, thread) => {
                let key = MemberKey { consumer, incarnation };
                let process = self.consumer(consumer);
                let client = process.client().filter(|_| process.incarnation == incarnation);
                match client.is_some_and(|client| client.runs_heartbeat_thread(thread)) {
                    true => moves_if(is_quiet(key)),
                    false => Fate::Void,
                }
            }
            Due::Deliver(slot) => {
                let sent = self.state.network.get(slot).filter(|_| self.carries_heartbeat(slot));
                let client = sent.and_then(|sent| match (sent.from, sent.to) {
                    (Node::Consumer(key), Node::Broker(_)) | (Node::Broker(_), Node::Consumer(key)) => Some(key),
                    _ => None,
                });
                moves_if(client.is_some_and(is_quiet))
            }
            Due::PollCheck(consumer, incarnation) => {
                self.poll_overdue_at(consumer, incarnation, entry.at).map_or(Fate::Void, Fate::Ends)
            }
            Due::AutoCommit(consumer, incarnation) => match self.auto_commits(consumer, incarnation) {
                true => Fate::Ends(entry.at),
                false => Fate::Void,
            },
            Due::SessionCheck(group, key) if self.group(group).waits_for(entry.due, entry.at) => {
                moves_if(is_quiet(key))
            }
            Due::SessionCheck(group, _)
            | Due::PendingCheck(group, _)
            | Due::JoinPhase(group, _)
            | Due::RevocationCheck(group, _)
            | Due::SyncCheck(group, _) => match self.group(group).waits_for(entry.due, entry.at) {
                true => Fate::Ends(entry.at),
                false => Fate::Void,
            },
            _ => Fate::Ends(entry.at),
        }
    }
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a.checked_div(x)?.checked_mul(b)
}
