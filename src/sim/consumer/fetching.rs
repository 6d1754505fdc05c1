//! Records on their way from the broker to the application.

use super::{Application, Client, Owned};
use crate::sim::effect::{Context, Out};
use crate::sim::event::Event;
use crate::sim::ids::*;
use crate::sim::network::{Message, Node, PartitionOffset, Range};
use crate::sim::queue::MemberKey;
use crate::sim::step::{Causes, Role};
use crate::sim::time::Span;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::rc::Rc;

/// `fetch.max.wait.ms`, as it is by default.
const FETCH_MAX_WAIT: Span = Span::from_millis(500);

impl Client {
    /// Hands fetched records of one partition to the application, as far as `max.poll.records` leaves room.
    pub(super) fn poll_returns_more(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some(place) = self.buffer.iter().position(|(range, _)| !self.is_paused(range.partition)) else {
            return false;
        };
        let (fetched, fetched_by) = &mut self.buffer[place];
        let to = fetched.to.min(fetched.from + self.batch_room);
        let range = Range { to, ..*fetched };
        let fetched_by = *fetched_by;
        fetched.from = to;
        if fetched.is_empty() {
            self.buffer.remove(place);
        }
        self.batch_room -= range.len();
        self.batch.push_back(range);
        self.batch_is_new = true;
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
        self.restart_poll_clock(ctx, out);
        self.again(ctx, out);
        true
    }

    /// Nothing to hand over: a Fetch to each broker, unless one is under way there.
    pub(super) fn fetch(&mut self, ctx: Context<'_>, out: &mut Out) {
        let partitions = self.send_fetch(ctx, out);
        if partitions > 0 {
            out.event(
                Event::FetchSent { consumer: self.consumer(), partitions },
                Causes::NONE.and_maybe(Role::DecidedValue, self.owned.iter().map(|owned| owned.position_step).max()),
            );
        }
    }

    /// Sends a Fetch to each broker that leads partitions without records in the buffer, unless one is under way there.
    /// One that leaves out a partition comes back after [`FETCH_MAX_WAIT`], so that the next one can ask for that
    /// partition too. Returns for how many partitions.
    fn send_fetch(&mut self, ctx: Context<'_>, out: &mut Out) -> u32 {
        let mut partitions = 0;
        for broker in (0..ctx.setup.brokers.len()).map(BrokerId::at) {
            if self.fetches.iter().any(|&(busy, _)| busy == broker) {
                continue;
            }
            let is_led =
                |owned: &&Owned| owned.position.is_some() && !owned.paused && ctx.leader(owned.partition) == broker;
            let led = || self.owned.iter().filter(is_led);
            let positions: Rc<[PartitionOffset]> = led()
                .filter(|owned| {
                    owned.position.is_some() && !self.buffer.iter().any(|(range, _)| range.partition == owned.partition)
                })
                .map(|owned| (owned.partition, owned.fetched_to))
                .collect();
            if positions.is_empty() {
                continue;
            }
            let positions = match self.library().shuffles_fetches() {
                true => shuffled(ctx, self.key, &positions),
                false => positions,
            };
            let max_wait = (positions.len() < led().count()).then_some(FETCH_MAX_WAIT);
            partitions += positions.len() as u32;
            self.fetches.push((broker, ctx.step));
            let message = Message::Fetch { consumer: self.consumer(), positions, max_wait };
            out.send(self.node(), Node::Broker(broker), message);
        }
        partitions
    }

    /// Fetched records arrive. Records of a partition that was given up meanwhile are dropped.
    pub fn handle_fetched(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        (broker, request): (BrokerId, StepNo),
        (ranges, out_of_range): (&[Range], Option<PartitionOffset>),
        out: &mut Out,
    ) {
        let Some(place) = self.fetches.iter().position(|&fetch| fetch == (broker, request)) else {
            return;
        };
        self.fetches.swap_remove(place);
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
        let consumer = self.consumer();
        let lost = out_of_range.and_then(|(partition, end)| Some((partition, self.owned(partition)?.position?, end)));
        match lost {
            Some((partition, offset, end)) if offset > end => {
                self.lose_position(partition, ctx.step);
                out.event(Event::OffsetOutOfRange { consumer, partition, offset, end }, Causes::triggered_by(sent_by));
            }
            _ => out.event(Event::RecordsFetched { consumer, records }, Causes::triggered_by(sent_by)),
        }
        if self.application == Application::Polling && self.batch.is_empty() {
            self.again(ctx, out);
        }
    }
}

/// The partitions of a Fetch in the order in which kafkajs names them, which is also that of the answer: any
/// (`Broker#fetch`, KIP-74).
#[inline(never)]
fn shuffled(ctx: Context<'_>, member: MemberKey, positions: &[PartitionOffset]) -> Rc<[PartitionOffset]> {
    let of = (u64::from(ctx.step.0) << 16) | u64::from(member.consumer.0);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(ctx.setup.seed ^ of.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut left = positions.to_vec();
    let mut drawn = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let place = rng.random_range(0..left.len() as u32) as usize;
        drawn.push(left.remove(place));
    }
    drawn.into()
}
