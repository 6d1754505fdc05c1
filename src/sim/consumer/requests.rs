//! Requests whose answer does not come.
//!
//! Source: `NetworkClient#handleTimedOutRequests`: after `request.timeout.ms` the client closes the connection, and
//! everything that waits on it fails with a disconnection; what needs an answer is sent again. `AbstractCoordinator` waits
//! longer for JoinGroup (`sendJoinGroupRequest`). A heartbeat is not sent again: the next one comes after the interval.
//! Looking for the coordinator and `retry.backoff.ms` are left out.

use super::{Client, Membership};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::{Message, Node};
use crate::sim::step::Causes;
use crate::sim::target::Api;
use crate::sim::time::{Span, Time};
use std::rc::Rc;

/// `request.timeout.ms`, as it is by default.
pub const REQUEST_TIMEOUT: Span = Span::from_secs(30);
/// `default.api.timeout.ms`, as it is by default: `commitSync()` gives up after it.
const DEFAULT_API_TIMEOUT: Span = Span::from_secs(60);
/// `AbstractCoordinator.JOIN_GROUP_TIMEOUT_LAPSE`: how much longer than the rebalance timeout a client waits for the answer
/// to JoinGroup.
const JOIN_GROUP_TIMEOUT_LAPSE: Span = Span::from_secs(5);

/// The requests that an answer is waited for, by the step that sent them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Awaited {
    /// JoinGroup or SyncGroup: the last one.
    pub(super) group: Option<StepNo>,
    /// OffsetFetch and ListOffsets: all, as each asks for partitions of its own.
    offsets: Vec<Asked>,
}

/// A request for where to begin in some partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    request: Request,
    partitions: Rc<[PartitionId]>,
}

/// A request by the step that sent it; one step may send one to each of several brokers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which sort.
    pub api: Api,
    /// Whom it asks.
    pub broker: BrokerId,
    /// The step that sent it.
    pub step: StepNo,
}

impl Client {
    /// The step that sent the request of this kind that an answer is waited for, where the answer does not name it.
    pub fn awaits(&self, api: Api) -> Option<StepNo> {
        match api {
            Api::JoinGroup | Api::SyncGroup => self.awaited.group,
            Api::ConsumerGroupHeartbeat => self.awaited_heartbeat(),
            Api::OffsetFetch
            | Api::ListOffsets
            | Api::OffsetCommit
            | Api::Produce
            | Api::Fetch
            | Api::Heartbeat
            | Api::LeaveGroup => None,
        }
    }

    /// How long it waits for an answer; nothing where it does not notice that none comes.
    pub fn request_timeout(&self, api: Api) -> Option<Span> {
        match api {
            Api::JoinGroup => {
                Some(REQUEST_TIMEOUT.max(self.config.settings.max_poll_interval + JOIN_GROUP_TIMEOUT_LAPSE))
            }
            Api::SyncGroup
            | Api::OffsetFetch
            | Api::ListOffsets
            | Api::OffsetCommit
            | Api::Fetch
            | Api::ConsumerGroupHeartbeat => Some(REQUEST_TIMEOUT),
            Api::Produce | Api::Heartbeat | Api::LeaveGroup => None,
        }
    }

    /// Sends a request for where to begin in these partitions.
    pub(super) fn ask_for_offsets(
        &mut self,
        ctx: Context<'_>,
        broker: BrokerId,
        (message, partitions): (Message, Rc<[PartitionId]>),
        out: &mut Out,
    ) {
        let request = Request { api: message.kind().api, broker, step: ctx.step };
        self.awaited.offsets.push(Asked { request, partitions });
        out.send(self.node(), Node::Broker(broker), message);
    }

    /// Asks the coordinator where the group has committed, unless the application knows better.
    pub(super) fn fetch_committed(&mut self, ctx: Context<'_>, mut partitions: Rc<[PartitionId]>, out: &mut Out) {
        if let Some(store) = self.config.handling.offset_store {
            partitions = self.seek_to_stored(ctx, store, partitions, out);
            if partitions.is_empty() {
                return;
            }
        }
        let message = Message::OffsetFetch { consumer: self.consumer(), partitions: partitions.clone() };
        self.ask_for_offsets(ctx, self.coordinator, (message, partitions), out);
    }

    /// The request is answered, or given up.
    pub(super) fn forget_offsets_request(&mut self, request: Request) -> Option<Rc<[PartitionId]>> {
        let place = self.awaited.offsets.iter().position(|asked| asked.request == request)?;
        Some(self.awaited.offsets.remove(place).partitions)
    }

    /// The answer to a request has not come. Returns true if it was waited for: it is then asked for again.
    pub fn handle_request_timeout(&mut self, ctx: Context<'_>, request: Request, sent_at: Time, out: &mut Out) -> bool {
        let Request { api, broker, step } = request;
        let open: Rc<[PartitionId]> = match self.forget_offsets_request(request) {
            Some(asked) => asked.iter().copied().filter(|&partition| self.waits_for_position(partition)).collect(),
            None => Rc::new([]),
        };
        let waits = match api {
            Api::JoinGroup => self.membership == Membership::Joining && self.awaits(api) == Some(step),
            Api::SyncGroup => self.membership == Membership::Syncing && self.awaits(api) == Some(step),
            Api::OffsetFetch | Api::ListOffsets => !open.is_empty(),
            Api::OffsetCommit => self.waits_for_commit(step).is_some(),
            Api::ConsumerGroupHeartbeat => self.awaited_heartbeat() == Some(step),
            Api::Fetch => self.fetches.contains(&(broker, step)),
            Api::Produce | Api::Heartbeat | Api::LeaveGroup => false,
        };
        if !waits {
            return false;
        }
        let waited = ctx.now.since(sent_at);
        if api == Api::OffsetCommit && self.gives_up_commit(ctx, step) {
            self.handle_commit_answer(ctx, step, (step, ErrorCode::RequestTimedOut), out);
            return true;
        }
        out.event(Event::RequestTimedOut { consumer: self.consumer(), api, waited }, Causes::triggered_by(step));
        self.ask_again(ctx, request, open, out);
        true
    }

    /// `commitSync()` throws in the end; `commitAsync()` is not tried again at all.
    fn gives_up_commit(&self, ctx: Context<'_>, request: StepNo) -> bool {
        let called_at = self.waits_for_commit(request).flatten();
        called_at.is_none_or(|called_at| ctx.now.since(called_at) >= DEFAULT_API_TIMEOUT)
    }

    fn ask_again(&mut self, ctx: Context<'_>, request: Request, open: Rc<[PartitionId]>, out: &mut Out) {
        let Request { api, broker, step } = request;
        match api {
            Api::JoinGroup | Api::SyncGroup => {
                self.membership = Membership::Unjoined;
                self.heartbeats += 1;
                self.join_because = ctx.step;
                self.again(ctx, out);
            }
            Api::OffsetFetch => self.fetch_committed(ctx, open, out),
            Api::ListOffsets => {
                self.because = ctx.step;
                self.resets_due.extend(open.iter().copied());
                self.again(ctx, out);
            }
            Api::OffsetCommit => self.send_commit_again(ctx, step, out),
            Api::ConsumerGroupHeartbeat => self.send_heartbeat_again(ctx, out),
            Api::Fetch => {
                self.fetches.retain(|&fetch| fetch != (broker, step));
                self.again(ctx, out);
            }
            Api::Produce | Api::Heartbeat | Api::LeaveGroup => {}
        }
    }
}
