//! Who handles what is due, and what arrives.

use super::Simulation;
use crate::sim::consumer::{HeartbeatAnswer, RecordLookup as _};
use crate::sim::coordinator::{Group, HeartbeatRequest};
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
        if self.state.frozen > 0 && self.hold(entry.due) {
            return;
        }
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        match entry.due {
            Due::Deliver(slot) => {
                let message = state.network.take(slot);
                out.unreachable = message.is_orphan.then_some(message.from);
                self.deliver(message);
            }
            Due::Send(producer) => self.send_record(producer),
            Due::Sender(producer) => state.producers[producer.index()].handle_wake(ctx, out),
            Due::StartProducer(producer) => state.producers[producer.index()].start_in_time(ctx, &mut state.rng, out),
            Due::Metadata(producer) => state.producers[producer.index()].handle_metadata(ctx, out),
            Due::Append(partition) => {
                state.brokers.append_next(ctx, logs, partition, out);
            }
            Due::AnswerFetch(broker, consumer) => state.brokers.answer_fetch(broker, consumer, out),
            Due::FetchExpires(broker, consumer, received) => {
                state.brokers.handle_fetch_expires(broker, consumer, received, out);
            }
            Due::StartConsumer(consumer) => {
                let consumer = &mut state.consumers[consumer.index()];
                consumer.start_in_time(ctx, state.groups[consumer.group.index()].broker, out);
            }
            Due::Application(consumer, incarnation) => match state.consumers[consumer.index()].letter(incarnation) {
                None => state.consumers[consumer.index()].go_on(ctx, incarnation, logs, out),
                Some(letter) => self.send_letter((consumer, incarnation), letter, None),
            },
            Due::HandlingDone(consumer, incarnation) => self.finish_handling(consumer, incarnation),
            Due::Worker(consumer, incarnation, worker) => self.worker_goes_on((consumer, incarnation), worker),
            Due::Heartbeat(consumer, incarnation, thread) => {
                if let Some(client) = state.consumers[consumer.index()].client_mut(incarnation) {
                    client.handle_heartbeat_due(ctx, thread, out);
                }
            }
            Due::PollCheck(consumer, incarnation) => {
                if let Some(client) = state.consumers[consumer.index()].client_mut(incarnation)
                    && let Some(at) = client.handle_poll_check(ctx, out)
                {
                    state.queue.put_off(entry, at);
                }
            }
            Due::MetadataRefresh(consumer, incarnation) => {
                if let Some(client) = state.consumers[consumer.index()].client_mut(incarnation) {
                    client.handle_metadata_due(ctx, out);
                }
            }
            Due::AutoCommit(consumer, incarnation) => {
                if let Some(client) = state.consumers[consumer.index()].client_mut(incarnation)
                    && let Some(at) = client.handle_auto_commit_due(ctx, out)
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
            | Due::HeartbeatInHand(group)
            | Due::RevocationCheck(group, _)
            | Due::OffsetsCheck(group)
            | Due::SyncCheck(group, _) => self.dispatch_to_coordinator(group, entry),
            Due::Script(index) => self.run_due(index),
            Due::ResetOffset(group) => self.reset_next_offset(group, Causes::NONE),
            Due::RequestTimeout(consumer, incarnation, request) => {
                self.time_out_request(MemberKey { consumer, incarnation }, request);
            }
        }
    }

    fn dispatch_to_coordinator(&mut self, group: GroupId, entry: Entry) {
        let Simulation { setup, state, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let group = &mut state.groups[group.index()];
        let consumers = &state.consumers;
        // What has kept a member from being heard again.
        let stopped = |group: &Group, key: MemberKey| {
            let heard = group.member(key).map_or((ctx.step, ctx.now), |member| (member.heard, member.heard_at));
            consumers[key.consumer.index()].silenced_since(key.incarnation, heard)
        };
        match entry.due {
            Due::PendingCheck(_, key) => group.handle_pending_check(ctx, key, out),
            Due::SessionCheck(_, key) => {
                let stopped = stopped(group, key);
                let again = group.handle_session_check(ctx, key, stopped, out);
                if let Some(at) = again {
                    state.queue.put_off(entry, at);
                }
            }
            Due::JoinPhase(_, round) => group.handle_join_phase(ctx, round, out),
            Due::BeginRebalance(_) => group.begin_rebalance(ctx, out),
            Due::CompleteJoin(_) => group.handle_all_joined(ctx, out),
            Due::StoreOffset(_) => group.store_offset(ctx, out),
            Due::HeartbeatInHand(_) => group.go_on_with_heartbeats(ctx, out),
            Due::RevocationCheck(_, key) => {
                let stopped = stopped(group, key);
                group.handle_revocation_check(ctx, key, stopped, out);
            }
            Due::OffsetsCheck(_) => {
                let subscribes = |member: MemberKey, topic: TopicId| {
                    consumers[member.consumer.index()].config().reads.topics().contains(&topic)
                };
                group.handle_offsets_check(ctx, subscribes, out);
            }
            Due::SyncCheck(_, generation) => {
                group.handle_sync_check(ctx, generation, out);
            }
            _ => unreachable!("not the coordinator's"),
        }
    }

    fn deliver(&mut self, sent: InFlight) {
        match sent.to {
            Node::Broker(broker) => self.deliver_to_broker(broker, sent),
            Node::Producer(producer) => {
                let Simulation { setup, state, out, .. } = self;
                let ctx = Context {
                    now: state.now,
                    step: StepNo(state.steps),
                    setup,
                    topics: &state.topics,
                    sinks: &state.sinks,
                };
                if let (Message::ProduceAnswer { crashes, batches, base_offset }, Node::Broker(broker)) =
                    (sent.message, sent.from)
                {
                    let client = &mut state.producers[producer.index()];
                    client.handle_answer(ctx, (broker, sent.sent_by), (crashes, &batches, base_offset), out);
                }
            }
            Node::Consumer(key) => self.deliver_to_consumer(key, sent),
        }
    }

    fn deliver_to_broker(&mut self, broker: BrokerId, sent: InFlight) {
        let Simulation { setup, state, logs, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let sent_by = sent.sent_by;
        let consumers = &state.consumers;
        let group_of = |key: MemberKey| consumers[key.consumer.index()].group.index();
        let sender = match sent.from {
            Node::Consumer(key) => key,
            Node::Producer(_) | Node::Broker(_) => MemberKey::default(),
        };
        match sent.message {
            Message::Produce(request) => {
                state.brokers.handle_produce(ctx, logs, (broker, sent_by), request, out);
            }
            Message::JoinGroup { member, has_member_id: false, request } => {
                let name = request.instance_id.as_ref().unwrap_or(&consumers[member.consumer.index()].name);
                let id = member_id(name, &mut state.rng);
                state.groups[group_of(member)].handle_first_join(ctx, sent_by, (member, id), &request, out);
            }
            Message::JoinGroup { member, has_member_id: true, request } => {
                state.groups[group_of(member)].handle_join(ctx, sent_by, member, &request, out);
            }
            Message::SyncGroup { member, generation, assignment } => {
                state.groups[group_of(member)].handle_sync(ctx, sent_by, member, generation, assignment, out);
            }
            Message::Heartbeat { member, generation } => {
                state.groups[group_of(member)].handle_heartbeat(ctx, sent_by, member, generation, out);
            }
            Message::ConsumerGroupHeartbeat { member, attempt, epoch, owned, full } => {
                let request = HeartbeatRequest { attempt, epoch, owned, full };
                state.groups[group_of(member)].handle_consumer_heartbeat(ctx, sent_by, member, request, out);
            }
            Message::LeaveGroup { member } => state.groups[group_of(member)].handle_leave(ctx, sent_by, member, out),
            Message::OffsetFetch { partitions, .. } => {
                state.groups[group_of(sender)].handle_offset_fetch(sent_by, sender, &partitions, out);
            }
            Message::OffsetCommit { member, generation, offsets } => {
                state.groups[group_of(member)].handle_commit(ctx, sent_by, member, generation, offsets, out);
            }
            Message::ListOffsets { partitions, source, since, .. } => {
                let is_since = |record: RecordId| logs.records.get(record.0).is_some_and(|record| record.at >= since);
                let first_since = |partition: PartitionId, end: Offset| {
                    (0..end).find(|&offset| is_since(logs.record_at(partition, offset)))
                };
                let asked = (&*partitions, source);
                state.brokers.handle_list_offsets(sent_by, (broker, sender), asked, first_since, out);
            }
            Message::Fetch { positions, max_wait, .. } => {
                state.brokers.handle_fetch(ctx, sent_by, (broker, sender), (positions, max_wait), out);
            }
            Message::ProduceAnswer { .. }
            | Message::JoinGroupAnswer(_)
            | Message::SyncGroupAnswer { .. }
            | Message::HeartbeatAnswer { .. }
            | Message::ConsumerGroupHeartbeatAnswer { .. }
            | Message::OffsetFetchAnswer { .. }
            | Message::ListOffsetsAnswer { .. }
            | Message::FetchAnswer { .. }
            | Message::OffsetCommitAnswer { .. } => unreachable!("answers go to clients"),
        }
    }

    fn deliver_to_consumer(&mut self, key: MemberKey, sent: InFlight) {
        let Simulation { setup, state, out, .. } = self;
        let ctx =
            Context { now: state.now, step: StepNo(state.steps), setup, topics: &state.topics, sinks: &state.sinks };
        let sent_by = sent.sent_by;
        let consumer = &mut state.consumers[key.consumer.index()];
        let Node::Broker(broker) = sent.from else { unreachable!("consumers hear from brokers only") };
        // A process that has ended hears nothing: what was on its way to it is gone.
        let Some(client) = consumer.client_mut(key.incarnation) else {
            return;
        };
        match sent.message {
            Message::JoinGroupAnswer(answer) => client.handle_join_answer(ctx, sent_by, answer, out),
            Message::SyncGroupAnswer { error, partitions, decided } => {
                client.handle_sync_answer(ctx, sent_by, error, (partitions, decided), out);
            }
            Message::ConsumerGroupHeartbeatAnswer { attempt, error, epoch, assignment, decided } => {
                let answer = HeartbeatAnswer { attempt, error, epoch, assignment, decided };
                client.handle_consumer_heartbeat_answer(ctx, sent_by, answer, out);
            }
            Message::HeartbeatAnswer { error } => client.handle_heartbeat_answer(ctx, sent_by, error, out),
            Message::OffsetFetchAnswer { request, committed } => {
                client.handle_committed(ctx, sent_by, (request, &committed), out);
            }
            Message::ListOffsetsAnswer { request, offsets, source } => {
                client.handle_offsets(ctx, sent_by, (broker, request), (&offsets, source), out);
            }
            Message::FetchAnswer { request, ranges, out_of_range } => {
                client.handle_fetched(ctx, sent_by, (broker, request), (&ranges, out_of_range), out);
            }
            Message::OffsetCommitAnswer { request, error } => {
                client.handle_commit_answer(ctx, sent_by, (request, error), out);
            }
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
