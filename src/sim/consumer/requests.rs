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
use crate::sim::network::Message;
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

/// The last request of each sort that an answer is waited for, by the step that sent it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Awaited {
    /// JoinGroup or SyncGroup.
    pub(super) group: Option<StepNo>,
    /// OffsetFetch or ListOffsets.
    pub(super) offsets: Option<StepNo>,
}

impl Client {
    /// The step that sent the request of this kind that an answer is waited for.
    pub fn awaits(&self, api: Api) -> Option<StepNo> {
        match api {
            Api::JoinGroup | Api::SyncGroup => self.awaited.group,
            Api::OffsetFetch | Api::ListOffsets => self.awaited.offsets,
            Api::ConsumerGroupHeartbeat => self.awaited_heartbeat(),
            Api::OffsetCommit | Api::Produce | Api::Fetch | Api::Heartbeat | Api::LeaveGroup => None,
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

    /// The answer to the request sent in this step has not come. Returns true if it was waited for: it is then asked for
    /// again.
    pub fn handle_request_timeout(
        &mut self,
        ctx: Context<'_>,
        (api, request): (Api, StepNo),
        sent_at: Time,
        out: &mut Out,
    ) -> bool {
        let waits = match api {
            Api::JoinGroup => self.membership == Membership::Joining,
            Api::SyncGroup => self.membership == Membership::Syncing,
            Api::OffsetFetch | Api::ListOffsets => {
                self.membership == Membership::Stable && self.owned.iter().any(|owned| owned.position.is_none())
            }
            Api::OffsetCommit => self.waits_for_commit(request).is_some(),
            Api::ConsumerGroupHeartbeat => self.awaited_heartbeat().is_some(),
            Api::Fetch => self.fetches.iter().any(|&(_, sent)| sent == request),
            Api::Produce | Api::Heartbeat | Api::LeaveGroup => false,
        };
        if !waits || self.awaits(api).is_some_and(|awaited| awaited != request) {
            return false;
        }
        let waited = ctx.now.since(sent_at);
        if api == Api::OffsetCommit && self.gives_up_commit(ctx, request) {
            self.handle_commit_answer(ctx, request, (request, ErrorCode::RequestTimedOut), out);
            return true;
        }
        out.event(Event::RequestTimedOut { consumer: self.consumer(), api, waited }, Causes::triggered_by(request));
        self.ask_again(ctx, (api, request), out);
        true
    }

    /// `commitSync()` throws in the end; `commitAsync()` is not tried again at all.
    fn gives_up_commit(&self, ctx: Context<'_>, request: StepNo) -> bool {
        let called_at = self.waits_for_commit(request).flatten();
        called_at.is_none_or(|called_at| ctx.now.since(called_at) >= DEFAULT_API_TIMEOUT)
    }

    fn ask_again(&mut self, ctx: Context<'_>, (api, request): (Api, StepNo), out: &mut Out) {
        match api {
            Api::JoinGroup | Api::SyncGroup => {
                self.membership = Membership::Unjoined;
                self.heartbeats += 1;
                self.join_because = ctx.step;
                self.again(ctx, out);
            }
            Api::OffsetFetch => {
                let partitions: Rc<[PartitionId]> = self.without_position().collect();
                self.awaited.offsets = Some(ctx.step);
                self.send_to_coordinator(Message::OffsetFetch { consumer: self.consumer(), partitions }, out);
            }
            Api::ListOffsets => {
                self.because = ctx.step;
                self.resets_due = self.without_position().collect();
                self.again(ctx, out);
            }
            Api::OffsetCommit => self.send_commit_again(ctx, request, out),
            Api::ConsumerGroupHeartbeat => self.send_heartbeat_again(ctx, out),
            Api::Fetch => {
                self.fetches.retain(|&(_, sent)| sent != request);
                self.again(ctx, out);
            }
            Api::Produce | Api::Heartbeat | Api::LeaveGroup => {}
        }
    }

    /// Partitions of which it does not know yet where to begin, as far as nothing tells it.
    fn without_position(&self) -> impl Iterator<Item = PartitionId> + '_ {
        let is_due = |partition: PartitionId| {
            self.positions_due.iter().any(|&(due, ..)| due == partition) || self.resets_due.contains(&partition)
        };
        let open = self.owned.iter().filter(|owned| owned.position.is_none()).map(|owned| owned.partition);
        open.filter(move |&partition| !is_due(partition))
    }
}
