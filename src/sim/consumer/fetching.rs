//! Records on their way from the broker to the application.

use super::{Application, Client};
use crate::sim::effect::{Context, Out};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::network::{Message, PartitionOffset, Range};
use crate::sim::setup::GroupSetup;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use std::rc::Rc;

/// `fetch.max.wait.ms`, as it is by default.
const FETCH_MAX_WAIT: Span = Span::from_millis(500);

impl Client {
    /// Hands fetched records of one partition to the application, as far as `max.poll.records` leaves room.
    pub(super) fn poll_returns_more(&mut self, ctx: Context<'_>, group: &GroupSetup, out: &mut Out) -> bool {
        let Some((fetched, fetched_by)) = self.buffer.front_mut() else {
            return false;
        };
        let to = fetched.to.min(fetched.from + self.batch_room);
        let range = Range { to, ..*fetched };
        let fetched_by = *fetched_by;
        fetched.from = to;
        if fetched.is_empty() {
            self.buffer.pop_front();
        }
        self.batch_room -= range.len();
        self.batch.push_back(range);
        let consumer = self.consumer();
        let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == range.partition) else {
            return false;
        };
        let causes = Causes::triggered_by(fetched_by).and(Role::DecidedValue, owned.position_step);
        owned.position = Some(to);
        owned.position_step = ctx.step;
        out.event(
            Event::RecordsPolled { consumer, partition: range.partition, from: range.from, position: to },
            causes,
        );
        self.send_fetch(ctx, out);
        self.restart_poll_clock(ctx, group, out);
        self.again(ctx, out);
        true
    }

    /// Nothing to hand over: a Fetch, unless one is under way.
    pub(super) fn fetch(&mut self, ctx: Context<'_>, out: &mut Out) {
        if let Some(partitions) = self.send_fetch(ctx, out) {
            out.event(
                Event::FetchSent { consumer: self.consumer(), partitions },
                Causes::NONE.and_maybe(Role::DecidedValue, self.owned.iter().map(|owned| owned.position_step).max()),
            );
        }
    }

    /// Sends a Fetch for all partitions without records in the buffer, unless one is under way. One that leaves out a
    /// partition comes back after [`FETCH_MAX_WAIT`], so that the next one can ask for that partition too.
    fn send_fetch(&mut self, ctx: Context<'_>, out: &mut Out) -> Option<u32> {
        if self.fetch_sent.is_some() {
            return None;
        }
        let positions: Rc<[PartitionOffset]> = self
            .owned
            .iter()
            .filter(|owned| !self.buffer.iter().any(|(range, _)| range.partition == owned.partition))
            .map(|owned| (owned.partition, owned.fetched_to))
            .collect();
        if positions.is_empty() {
            return None;
        }
        self.fetch_sent = Some(ctx.step);
        let partitions = positions.len() as u32;
        let max_wait = (positions.len() < self.owned.len()).then_some(FETCH_MAX_WAIT);
        out.send_to_broker(self.node(), Message::Fetch { consumer: self.consumer(), positions, max_wait });
        Some(partitions)
    }

    /// Fetched records arrive. Records of a partition that was given up meanwhile are dropped.
    pub fn handle_fetched(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (request, ranges): (StepNo, &[Range]),
        out: &mut Out,
    ) {
        if self.fetch_sent != Some(request) {
            return;
        }
        self.fetch_sent = None;
        let mut records = 0;
        for &range in ranges {
            if let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == range.partition)
                && owned.fetched_to == range.from
            {
                owned.fetched_to = range.to;
                records += range.len();
                self.buffer.push_back((range, ctx.step));
            }
        }
        out.event(Event::RecordsFetched { consumer: self.consumer(), records }, Causes::triggered_by(sent_by));
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }
}
