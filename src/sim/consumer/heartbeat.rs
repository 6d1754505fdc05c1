//! The heartbeat thread: shows that the process lives, and leaves the group where `poll()` is overdue.

use super::{Application, Client, Membership};
use crate::sim::effect::{Context, Out};
use crate::sim::event::{ErrorCode, Event};
use crate::sim::ids::*;
use crate::sim::network::Message;
use crate::sim::queue::Due;
use crate::sim::step::{Causes, Role};
use crate::sim::time::{Span, Time};

impl Client {
    /// The heartbeat thread wakes up.
    pub fn handle_heartbeat_due(&mut self, ctx: Context<'_>, thread: u32, out: &mut Out) {
        if thread != self.heartbeats {
            return;
        }
        if self.is_modern() {
            return self.handle_consumer_heartbeat_due(ctx, thread, out);
        }
        if !self.has_heartbeat_thread() {
            return self.handle_empty_fetch_due(ctx, out);
        }
        self.heartbeat_sent = Some((ctx.now, ctx.step));
        out.event(Event::HeartbeatSent { consumer: self.consumer(), generation: self.generation }, Causes::NONE);
        self.send_to_coordinator(Message::Heartbeat { member: self.key, generation: self.generation }, out);
        out.wake(
            ctx.now + self.config.settings.heartbeat_interval,
            Due::Heartbeat(self.consumer(), self.key.incarnation, thread),
        );
    }

    /// The answer to a heartbeat; it may ask to join again, which the next `poll()` does.
    pub fn handle_heartbeat_answer(&mut self, ctx: Context<'_>, sent_by: StepNo, error: ErrorCode, out: &mut Out) {
        out.event(Event::HeartbeatAnswered { consumer: self.consumer(), error }, Causes::triggered_by(sent_by));
        if !self.has_heartbeat_thread() {
            self.note_heartbeat_answered(ctx, out);
        }
        if error == ErrorCode::None || self.membership != Membership::Stable {
            return;
        }
        self.note_group_error(ctx.step, error);
        if (self.application == Application::Polling && self.batch.is_empty()) || self.coordinates_beside() {
            self.again(ctx, out);
        }
    }

    /// True if this number names the heartbeat thread's present start.
    pub fn runs_heartbeat_thread(&self, thread: u32) -> bool {
        thread == self.heartbeats
    }

    /// When it last sent a heartbeat, if it is in this generation and has nothing to do in its group but to send more.
    pub fn heartbeats_only(&self, generation: Generation) -> Option<Time> {
        let settled = self.membership == Membership::Stable
            && self.rejoin.is_none()
            && self.generation == generation
            && !self.is_reconciling();
        self.heartbeat_sent.filter(|_| settled).map(|(at, _)| at)
    }

    /// Its heartbeats go on for `span` within `step`.
    pub fn skip_heartbeats(&mut self, span: Span, step: StepNo) {
        if let Some((at, by)) = &mut self.heartbeat_sent {
            *at += span;
            *by = step;
        }
    }

    /// The heartbeat thread looks whether `poll()` is overdue (`Heartbeat#pollTimeoutExpired`), and leaves the group if
    /// so: `maybeLeaveGroup`, which forgets member id and generation. Returns when to look again, if it is too early.
    pub fn handle_poll_check(&mut self, ctx: Context<'_>, out: &mut Out) -> Option<Time> {
        if !self.is_poll_check(ctx.now) {
            return None;
        }
        self.poll_check_at = self.poll_overdue_at().filter(|&at| at > ctx.now);
        if self.poll_check_at.is_some() || self.poll_overdue_at().is_none() {
            return self.poll_check_at;
        }
        let (polled_at, polled_in) = self.polled;
        out.event(
            Event::PollTimedOut {
                consumer: self.consumer(),
                generation: self.generation,
                unpolled: ctx.now.since(polled_at),
            },
            Causes::NONE.and(Role::DecidedValue, polled_in),
        );
        if self.is_modern() {
            self.send_leaving_heartbeat(out);
        } else if !self.is_static() {
            self.send_to_coordinator(Message::LeaveGroup { member: self.key }, out);
        }
        self.timed_out = Some(ctx.step);
        self.membership = Membership::Unjoined;
        self.heartbeats += 1;
        self.note_group_error(ctx.step, ErrorCode::UnknownMemberId);
        if self.coordinates_beside() {
            self.again(ctx, out);
        }
        None
    }

    /// When `poll()` is overdue, if the application does not call it before. Nothing while it is inside `poll()`, or
    /// where there is no membership to lose.
    pub fn poll_overdue_at(&self) -> Option<Time> {
        let is_member = matches!(self.membership, Membership::Syncing | Membership::Stable);
        let counts = is_member && self.has_member_id && !self.is_in_poll() && self.has_heartbeat_thread();
        counts.then_some(self.polled.0 + self.config.settings.max_poll_interval)
    }

    /// True if a check at this moment is the one that is under way.
    pub fn is_poll_check(&self, at: Time) -> bool {
        self.poll_check_at == Some(at)
    }

    /// The check that is under way is the one for the present batch, or none.
    pub fn settle_poll_check(&mut self) {
        self.poll_check_at = self.poll_check_at.and_then(|_| self.poll_overdue_at());
    }

    /// One check is under way at most; it puts itself off when it comes too early, so that a poll costs nothing.
    pub(super) fn restart_poll_clock(&mut self, ctx: Context<'_>, out: &mut Out) {
        self.polled = (ctx.now, ctx.step);
        if self.poll_check_at.is_none() && self.has_heartbeat_thread() {
            let at = ctx.now + self.config.settings.max_poll_interval;
            self.poll_check_at = Some(at);
            out.wake(at, Due::PollCheck(self.consumer(), self.key.incarnation));
        }
    }

    /// True while the application thread is inside `poll()`, where it cannot be too late for it.
    pub(super) fn is_in_poll(&self) -> bool {
        (self.revocation.is_some() && !self.coordinates_beside())
            || (self.application == Application::Polling && self.batch.is_empty())
    }
}
