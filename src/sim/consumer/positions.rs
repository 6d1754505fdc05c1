//! Where to begin reading a partition.

use super::{Client, Membership};
use crate::sim::effect::{Context, Effect, Out};
use crate::sim::event::{Event, PositionSource};
use crate::sim::ids::*;
use crate::sim::network::{Committed, Message, Node, PartitionOffset};
use crate::sim::setup::OffsetReset;
use crate::sim::step::{Causes, Role};
use std::rc::Rc;

impl Client {
    /// The answer to OffsetFetch.
    pub fn handle_committed(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        committed: &[(PartitionId, Option<Committed>)],
        out: &mut Out,
    ) {
        if self.membership != Membership::Stable {
            return;
        }
        self.because = sent_by;
        for &(partition, committed) in committed {
            match committed {
                Some(committed) => self.positions_due.push_back((
                    partition,
                    committed.offset,
                    PositionSource::Committed,
                    Some(committed.step),
                )),
                None => self.resets_due.push(partition),
            }
        }
        self.again(ctx, out);
    }

    /// The answer to ListOffsets.
    pub fn handle_offsets(
        &mut self,
        ctx: Context<'_>,
        sent_by: StepNo,
        offsets: &[PartitionOffset],
        source: PositionSource,
        out: &mut Out,
    ) {
        if self.membership != Membership::Stable {
            return;
        }
        self.because = sent_by;
        self.positions_due.extend(offsets.iter().map(|&(partition, offset)| (partition, offset, source, None)));
        self.again(ctx, out);
    }

    /// Sets the next first position, or asks for what it needs. False if there is nothing to do.
    pub(super) fn next_position(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        while let Some((partition, offset, source, committed_by)) = self.positions_due.pop_front() {
            // It was given up since it was asked about.
            if !self.lacks_position(partition) {
                continue;
            }
            self.set_position(ctx, partition, offset);
            let step = committed_by.unwrap_or(self.because);
            out.event(
                Event::PositionSet { consumer: self.consumer(), partition, offset, source },
                Causes::NONE.and(Role::DecidedValue, step).and(Role::Triggered, self.assigned_step),
            );
            out.effects.push(Effect::Position { member: self.key, partition, offset });
            self.again(ctx, out);
            return true;
        }
        if !self.resets_due.is_empty() {
            let mut partitions = std::mem::take(&mut self.resets_due);
            partitions.retain(|&partition| self.lacks_position(partition));
            let source = match self.config.settings.auto_offset_reset {
                OffsetReset::Earliest => PositionSource::Earliest,
                OffsetReset::Latest => PositionSource::Latest,
            };
            let consumer = self.consumer();
            out.event(
                Event::ListOffsetsSent { consumer, partitions: partitions.len() as u32 },
                Causes::triggered_by(self.because),
            );
            for broker in (0..ctx.setup.brokers.len()).map(BrokerId::at) {
                let led: Rc<[PartitionId]> =
                    partitions.iter().copied().filter(|&partition| ctx.leader(partition) == broker).collect();
                if !led.is_empty() {
                    let message = Message::ListOffsets { consumer, partitions: led, source };
                    out.send(self.node(), Node::Broker(broker), message);
                }
            }
            return true;
        }
        // A member that keeps partitions while it gets others reads on in them.
        let mut lacking = self.owned.iter().map(|owned| owned.position.is_none());
        if self.is_modern() { !self.owned.is_empty() && lacking.all(|lacks| lacks) } else { lacking.any(|lacks| lacks) }
    }

    fn lacks_position(&self, partition: PartitionId) -> bool {
        self.owned.iter().any(|owned| owned.partition == partition && owned.position.is_none())
    }

    fn set_position(&mut self, ctx: Context<'_>, partition: PartitionId, offset: Offset) {
        if let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == partition) {
            owned.position = Some(offset);
            owned.position_step = ctx.step;
            owned.started_at = ctx.step;
            owned.fetched_to = offset;
            owned.next = offset;
            owned.commit_sent = offset;
            owned.committed = offset;
            // The Fetch under way does not ask for this partition: the next one takes its place.
            self.fetches.clear();
        }
    }
}
