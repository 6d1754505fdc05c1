//! What is on its way.

use super::{Composer, is_heartbeat};
use crate::scene::geometry::{Curve, Point, eased, share};
use crate::scene::stage::{Chip, Flight, Load, Shape};
use crate::sim::network::{InFlight, Message, Node};
use crate::sim::{ClientId, ConsumerId, RecordId, Span};

/// Records drawn of one message on its way; the others travel behind the last.
const MOST_IN_FLIGHT: u32 = 6;

impl Composer<'_> {
    pub(super) fn flights(&self) -> Vec<Flight> {
        let mut flights = Vec::new();
        for (slot, sent) in self.run.in_flight() {
            let t = eased(share(self.at.since(sent.sent_at).as_micros(), sent.due_at.since(sent.sent_at).as_micros()));
            // What has just been sent is still at its sender; what has been delayed is there to be seen all the time.
            if (t == 0 && sent.delayed == Span::ZERO) || t >= 1000 {
                continue;
            }
            self.fly(slot, sent, t, &mut flights);
        }
        flights
    }

    fn fly(&self, slot: u32, sent: &InFlight, t: u32, flights: &mut Vec<Flight>) {
        // A message is told from others by its slot, which is its own while it is under way; what it carries by the
        // record, or by the partition of a commit.
        let key = |n: u32| (u64::from(slot) << 32) | u64::from(n);
        let Some(message) = self.run.message_name(slot) else {
            return;
        };
        let is_delayed = sent.delayed > Span::ZERO;
        let flight = |key, at, load| Flight { key, at, message, is_delayed, load };
        match (&sent.message, sent.to) {
            (Message::Produce(request), _) => {
                for batch in request.batches.iter() {
                    for index in batch.from..batch.to.min(batch.from + MOST_IN_FLIGHT) {
                        let Some(record) = self.run.queued(request.producer, batch.partition, index) else { continue };
                        let curve = self.produce_way(request.producer, self.run.record(record).partition);
                        let chip = self.flying_chip(record, curve, t, index - batch.from);
                        flights.push(flight(key(record.0), chip.at, Load::Record(chip)));
                    }
                }
            }
            (Message::FetchAnswer { ranges, .. }, Node::Consumer(to)) => {
                for range in ranges.iter() {
                    let curve = self.ribbon_curve(range.partition, to.consumer);
                    for offset in range.from..range.to.min(range.from + MOST_IN_FLIGHT) {
                        let Some(record) = self.run.record_at(range.partition, offset) else { continue };
                        let chip = self.flying_chip(record, curve, t, offset - range.from);
                        flights.push(flight(key(record.0), chip.at, Load::Record(chip)));
                    }
                }
            }
            (Message::OffsetCommit { member, offsets, .. }, _) => {
                for &(partition, offset) in offsets.iter() {
                    let curve = self.ribbon_curve(partition, member.consumer);
                    let at = curve.at(1000 - t);
                    flights.push(flight(key(u32::from(partition.0)), at, Load::Commit(offset)));
                }
            }
            (message, _)
                if let ClientId::Consumer(consumer) = sent.client()
                    && sent.kind().api.goes_to_coordinator() =>
            {
                let is_heartbeat = is_heartbeat(message);
                // Of those that are summed up, only what is not said all the time.
                if self.drawn.has_member(consumer) || !is_heartbeat {
                    let kind = sent.kind();
                    let way = self.coordinator_way(consumer);
                    let at = way.at(if kind.is_answer { 1000 - t } else { t });
                    flights.push(flight(key(0), at, Load::Protocol { kind, is_heartbeat }));
                }
            }
            _ => {}
        }
    }

    /// The way from a member to its coordinator, which is where the group's state stands: up beside the boxes, clear of all words.
    fn coordinator_way(&self, consumer: ConsumerId) -> Curve {
        let member = self.layout.members[consumer.index()];
        let group = self.layout.groups[self.run.consumer(consumer).group.index()];
        let x = member.x + member.w + 5;
        let head = match self.layout.shape() {
            Shape::Wide | Shape::Columns => 14,
            Shape::Narrow => 47,
        };
        Curve::straight(Point { x, y: member.right().y }, Point { x, y: group.y + head })
    }

    /// Records of one message travel one close behind the other.
    fn flying_chip(&self, record: RecordId, curve: Curve, t: u32, place: u32) -> Chip {
        let at = curve.at(t.saturating_sub(place * 40));
        let density = self.layout.density;
        let tiles = density.tiles();
        self.chip(record, Point { x: at.x - tiles.w / 2, y: at.y - tiles.h / 2 }, density)
    }
}
