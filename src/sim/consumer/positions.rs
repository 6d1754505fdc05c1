//! Where to begin reading a partition.

use super::Client;
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
        if !committed.iter().any(|&(partition, _)| self.lacks_position(partition)) {
            return;
        }
        self.because = sent_by;
        for &(partition, committed) in committed {
            match committed {
                _ if !self.lacks_position(partition) => {}
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
        let wanted = offsets.iter().filter(|&&(partition, _)| self.lacks_position(partition));
        let due: Vec<_> = wanted.map(|&(partition, offset)| (partition, offset, source, None)).collect();
        if due.is_empty() {
            return;
        }
        self.because = sent_by;
        self.positions_due.extend(due);
        self.again(ctx, out);
    }

    /// True for a partition that it owns, by the newest assignment, and whose first position is not set.
    fn lacks_position(&self, partition: PartitionId) -> bool {
        self.owned(partition).is_some_and(|owned| owned.position.is_none())
    }

    /// Sets the next first position, or asks for what it needs. False if there is nothing to do.
    pub(super) fn next_position(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        if let Some((partition, offset, source, committed_by)) = self.positions_due.pop_front() {
            self.set_position(ctx, partition, offset, source == PositionSource::Committed);
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
            let partitions = std::mem::take(&mut self.resets_due);
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
        self.owned.iter().any(|owned| owned.position.is_none())
    }

    fn set_position(&mut self, ctx: Context<'_>, partition: PartitionId, offset: Offset, is_committed: bool) {
        if let Some(owned) = self.owned.iter_mut().find(|owned| owned.partition == partition) {
            owned.position = Some(offset);
            owned.position_step = ctx.step;
            owned.started_at = ctx.step;
            owned.fetched_to = offset;
            owned.next = offset;
            owned.commit_sent = offset;
            owned.committed = offset;
            owned.is_committed = is_committed;
        }
    }
}
