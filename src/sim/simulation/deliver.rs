//! Who handles what is due, and what arrives.

use super::Simulation;
use crate::sim::consumer::Process;
use crate::sim::effect::Context;
use crate::sim::ids::*;
use crate::sim::network::{InFlight, Message, Node};
use crate::sim::queue::{Due, Entry, MemberKey};
use crate::sim::step::Causes;
use rand::Rng as _;
use rand::rngs::Xoshiro256PlusPlus;
use std::rc::Rc;

impl Simulation {
    pub(super) fn dispatch(&mut self, entry: Entry) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        match entry.due {
            Due::Deliver(slot) => {
                let message = state.network.take(slot);
                self.deliver(message);
            }
            Due::Send(producer) => self.send_record(producer),
            Due::Linger(producer, partition) => {
                let number = usize::from(state.broker.partitions[partition.index()].number);
                state.producers[producer.index()].handle_linger(partition, number, out);
            }
            Due::Append(partition) => {
                state.broker.append_next(ctx, logs, partition, out);
            }
            Due::AnswerFetch(consumer) => state.broker.answer_fetch(consumer, out),
            Due::FetchExpires(consumer, received) => state.broker.handle_fetch_expires(consumer, received, out),
            Due::StartConsumer(consumer) => {
                let consumer = &mut state.consumers[consumer.index()];
                if matches!(consumer.process, Process::NotStarted) {
                    consumer.start(ctx, Causes::NONE, out);
                }
            }
            Due::Application(consumer, incarnation) => {
                state.consumers[consumer.index()].go_on(ctx, incarnation, logs, out);
            }
            Due::HandlingDone(consumer, incarnation) => self.finish_handling(consumer, incarnation),
            Due::Heartbeat(consumer, incarnation, thread) => {
                let consumer = &mut state.consumers[consumer.index()];
                let interval = setup.groups[consumer.group.index()].settings.heartbeat_interval;
                if let Some(client) = consumer.client_mut(incarnation) {
                    client.handle_heartbeat_due(ctx, thread, interval, out);
                }
            }
            Due::PollCheck(consumer, incarnation) => {
                let consumer = &mut state.consumers[consumer.index()];
                let settings = &setup.groups[consumer.group.index()].settings;
                if let Some(client) = consumer.client_mut(incarnation)
                    && let Some(at) = client.handle_poll_check(ctx, settings, out)
                {
                    state.queue.put_off(entry, at);
                }
            }
            Due::PendingCheck(group, _)
            | Due::SessionCheck(group, _)
            | Due::JoinPhase(group, _)
            | Due::BeginRebalance(group)
            | Due::CompleteJoin(group)
            | Due::StoreOffset(group)
            | Due::SyncCheck(group, _) => self.dispatch_to_coordinator(group, entry),
            Due::Script(index) => self.run_due(index),
        }
    }

    fn dispatch_to_coordinator(&mut self, group: GroupId, entry: Entry) {
        let Simulation { setup, state, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let group = &mut state.groups[group.index()];
        match entry.due {
            Due::PendingCheck(_, key) => group.handle_pending_check(ctx, key, out),
            Due::SessionCheck(_, key) => {
                let stopped = state.consumers[key.consumer.index()].end_of(key.incarnation);
                let again = group.handle_session_check(ctx, key, stopped, out);
                if let Some(at) = again {
                    state.queue.put_off(entry, at);
                }
            }
            Due::JoinPhase(_, round) => group.handle_join_phase(ctx, round, out),
            Due::BeginRebalance(_) => group.begin_rebalance(ctx, out),
            Due::CompleteJoin(_) => group.handle_all_joined(ctx, out),
            Due::StoreOffset(_) => group.store_offset(ctx, out),
            Due::SyncCheck(_, generation) => {
                group.handle_sync_check(ctx, generation, out);
            }
            _ => unreachable!("not the coordinator's"),
        }
    }

    fn deliver(&mut self, sent: InFlight) {
        match sent.to {
            Node::Broker => self.deliver_to_broker(sent),
            Node::Producer(producer) => {
                if let Message::ProduceAnswer { partition, records, base_offset } = sent.message {
                    self.state.producers[producer.index()].handle_answer(
                        sent.sent_by,
                        partition,
                        records,
                        base_offset,
                        &mut self.out,
                    );
                }
            }
            Node::Consumer(key) => self.deliver_to_consumer(key, sent),
        }
    }

    fn deliver_to_broker(&mut self, sent: InFlight) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let sent_by = sent.sent_by;
        let group_of = |key: MemberKey| setup.consumers[key.consumer.index()].group.index();
        let sender = match sent.from {
            Node::Consumer(key) => key,
            Node::Producer(_) | Node::Broker => MemberKey::default(),
        };
        match sent.message {
            Message::Produce { producer, partition, from, to } => {
                state.broker.handle_produce(ctx, logs, sent_by, producer, partition, (from, to), out);
            }
            Message::JoinGroup { member, has_member_id: false } => {
                let name = &setup.consumers[member.consumer.index()].name;
                let id = member_id(name, &mut state.rng);
                state.groups[group_of(member)].handle_first_join(ctx, sent_by, member, id, out);
            }
            Message::JoinGroup { member, has_member_id: true } => {
                state.groups[group_of(member)].handle_join(ctx, sent_by, member, out);
            }
            Message::SyncGroup { member, generation, assignment } => {
                state.groups[group_of(member)].handle_sync(ctx, sent_by, member, generation, assignment, out);
            }
            Message::Heartbeat { member, generation } => {
                state.groups[group_of(member)].handle_heartbeat(ctx, sent_by, member, generation, out);
            }
            Message::LeaveGroup { member } => state.groups[group_of(member)].handle_leave(ctx, sent_by, member, out),
            Message::OffsetFetch { partitions, .. } => {
                state.groups[group_of(sender)].handle_offset_fetch(sent_by, sender, &partitions, out);
            }
            Message::OffsetCommit { member, generation, offsets } => {
                state.groups[group_of(member)].handle_commit(ctx, sent_by, member, generation, offsets, out);
            }
            Message::ListOffsets { partitions, source, .. } => {
                state.broker.handle_list_offsets(sent_by, sender, &partitions, source, out);
            }
            Message::Fetch { positions, max_wait, .. } => {
                state.broker.handle_fetch(ctx, sent_by, sender, (positions, max_wait), out);
            }
            Message::ProduceAnswer { .. }
            | Message::JoinGroupAnswer { .. }
            | Message::SyncGroupAnswer { .. }
            | Message::HeartbeatAnswer { .. }
            | Message::OffsetFetchAnswer { .. }
            | Message::ListOffsetsAnswer { .. }
            | Message::FetchAnswer { .. }
            | Message::OffsetCommitAnswer { .. } => unreachable!("answers go to clients"),
        }
    }

    fn deliver_to_consumer(&mut self, key: MemberKey, sent: InFlight) {
        let Simulation { setup, state, out, .. } = self;
        let ctx = Context { now: state.now, step: StepNo(state.steps), setup };
        let sent_by = sent.sent_by;
        let consumer = &mut state.consumers[key.consumer.index()];
        let (group, phase) = (consumer.group, consumer.phase);
        // A process that has ended hears nothing: what was on its way to it is gone.
        let Some(client) = consumer.client_mut(key.incarnation) else {
            return;
        };
        match sent.message {
            Message::JoinGroupAnswer { error, generation, members } => {
                client.handle_join_answer(ctx, sent_by, (error, generation, members), (group, phase), out);
            }
            Message::SyncGroupAnswer { error, partitions, decided } => {
                client.handle_sync_answer(ctx, sent_by, error, (partitions, decided), out);
            }
            Message::HeartbeatAnswer { error } => client.handle_heartbeat_answer(ctx, sent_by, error, out),
            Message::OffsetFetchAnswer { committed } => client.handle_committed(ctx, sent_by, &committed, out),
            Message::ListOffsetsAnswer { offsets, source } => {
                client.handle_offsets(ctx, sent_by, &offsets, source, out);
            }
            Message::FetchAnswer { request, ranges } => client.handle_fetched(ctx, sent_by, (request, &ranges), out),
            Message::OffsetCommitAnswer { error } => client.handle_commit_answer(ctx, sent_by, error, out),
            _ => unreachable!("requests go to the broker"),
        }
    }
}

/// A member id as the coordinator makes it: the client id and a random (version 4) UUID.
fn member_id(client_id: &str, rng: &mut Xoshiro256PlusPlus) -> Rc<str> {
    let (a, b) = (rng.next_u64(), rng.next_u64());
    format!(
        "{client_id}-{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        0x8000 | ((b >> 48) & 0x3fff),
        b & 0xffff_ffff_ffff
    )
    .into()
}
