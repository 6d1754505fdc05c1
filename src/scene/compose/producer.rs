//! Producers: what they are about to send, and where it goes.

use super::{Composer, last_event, look};
use crate::scene::density::Density;
use crate::scene::geometry::{Curve, Point, Rect, share};
use crate::scene::stage::{Batch, HashPill, ProducerBox, Shape};
use crate::sim::network::Message;
use crate::sim::{BrokerId, Event, PartitionId, ProducerId, RecordId, Span};

/// Records of a batch that are shown by their marks.
const MOST_MARKS: u32 = 3;

impl Composer<'_> {
    pub(super) fn producer(&self, producer: ProducerId) -> ProducerBox {
        let run = self.run;
        let setup = &run.setup().producers[producer.index()];
        let rect = self.layout.producers[producer.index()];
        let chip_at = match self.layout.shape() {
            Shape::Wide => Point { x: rect.x + 12, y: rect.y + 48 },
            Shape::Narrow | Shape::Columns => Point { x: rect.x + 124, y: rect.y + 9 },
        };
        let last_sent =
            (0..run.records()).rev().map(RecordId).take(1_000).find(|&id| run.record(id).producer == producer);
        let in_batch = last_sent.filter(|&record| {
            let number = run.place(run.record(record).partition).number;
            run.producer(producer).waiting(usize::from(number)) > 0
        });
        let next = run.next_record_of(producer);
        // The next one may go to a partition that the topic does not have yet.
        let has_place = |&record: &RecordId| run.record(record).partition.index() < run.partition_count();
        ProducerBox {
            producer,
            rect,
            name: setup.name.clone(),
            record: in_batch.or(next).map(|record| self.chip(record, chip_at, Density::Roomy)),
            process: run.producer(producer).process,
            is_next: in_batch.is_none(),
            batch: in_batch.and_then(|record| self.batch(producer, record)),
            bar: match self.layout.shape() {
                Shape::Wide if self.layout.shows_batches => {
                    Rect { x: rect.x + 12, y: rect.y + 107, w: rect.w - 24, h: 4 }
                }
                Shape::Wide => Rect { x: rect.x + 12, y: rect.y + rect.h - 6, w: rect.w - 24, h: 3 },
                Shape::Narrow | Shape::Columns => Rect { x: rect.x + 12, y: rect.y + rect.h - 6, w: 104, h: 3 },
            },
            shows_waiting: self.layout.shows_batches,
            in_flight: (0..run.setup().brokers.len())
                .map(|broker| run.producer(producer).in_flight(BrokerId::at(broker)))
                .sum(),
            ways: self.ways(producer),
            // That of the record beside it, so that nobody takes it for another's.
            hash: in_batch.or(next).or(last_sent).filter(has_place).map(|record| self.hash(producer, record)),
        }
    }

    /// The lines along which what has been sent travels.
    fn ways(&self, producer: ProducerId) -> Vec<Curve> {
        let mut partitions: Vec<PartitionId> = (self.run.in_flight())
            .filter_map(|(_, sent)| match &sent.message {
                Message::Produce(request) if request.producer == producer => Some(request),
                _ => None,
            })
            .flat_map(|request| request.batches.iter())
            .filter_map(|batch| {
                let record = self.run.queued(producer, batch.partition, batch.from)?;
                Some(self.run.record(record).partition)
            })
            .collect();
        partitions.sort_unstable();
        partitions.dedup();
        partitions.into_iter().map(|partition| self.produce_line(producer, partition)).collect()
    }

    /// The batch that a record waits in, the last one of its partition.
    fn batch(&self, producer: ProducerId, record: RecordId) -> Option<Batch> {
        let run = self.run;
        let number = usize::from(run.place(run.record(record).partition).number);
        let filling = run.producer(producer).filling(number)?;
        let settings = run.producer(producer).settings.batching;
        let waited = self.at.since(filling.opened_at);
        let shown = filling.from..filling.to.min(filling.from + MOST_MARKS);
        let queued = shown.filter_map(|index| run.queued(producer, number as u16, index));
        Some(Batch {
            looks: queued.map(|record| look(run.record(record))).collect(),
            records: filling.to - filling.from,
            elsewhere: run.producer(producer).all_waiting() - (filling.to - filling.from),
            full: share(u64::from(filling.bytes), u64::from(filling.limit)),
            lingers: match settings.linger {
                Span::ZERO => 0,
                linger => 1000 - share(waited.as_micros(), linger.as_micros()),
            },
        })
    }

    fn hash(&self, producer: ProducerId, record: RecordId) -> HashPill {
        let setup = self.run.setup();
        let found = self.run.record(record);
        let number = self.run.place(found.partition).number;
        let is_now = matches!(last_event(self.run), Some(Event::RecordSent { record: last, .. }) if last == record);
        HashPill {
            rect: self.layout.hashes[producer.index()],
            key: found.key.map(|key| setup.keys[key.index()].text.clone()),
            choice: found.choice,
            partitions: u32::from(found.known_partitions),
            number: u32::from(number),
            curve: self.produce_line(producer, found.partition),
            is_now,
        }
    }

    /// The line from a producer to the topic, at the height of a partition.
    fn produce_line(&self, producer: ProducerId, partition: PartitionId) -> Curve {
        let topic = self.layout.topics[self.run.place(partition).topic.index()];
        let to = Point { x: topic.x, y: self.layout.tapes[partition.index()].left().y };
        match self.layout.shape() {
            Shape::Wide => self.produce_curve(producer, to),
            // Along the edge, clear of the names of the partitions above.
            Shape::Narrow | Shape::Columns => {
                let producer = self.layout.producers[producer.index()];
                let from = Point { x: producer.x + 12, y: producer.y + producer.h };
                Curve {
                    from,
                    control: [Point { x: 2, y: from.y + 24 }, Point { x: 4, y: to.y }],
                    to: Point { x: 8, y: to.y },
                }
            }
        }
    }

    /// The way of a record from a producer to its place at the end of a tape.
    pub(super) fn produce_way(&self, producer: ProducerId, partition: PartitionId) -> Curve {
        let (window, tiles) = (self.window(partition), self.layout.density.tiles());
        let end = window.slot_of(self.run.partition(partition).end).min(self.layout.slots as i32 - 1);
        let slot = self.layout.slot(partition.index(), end);
        self.produce_curve(producer, Point { x: slot.x + tiles.w / 2, y: slot.y + tiles.h / 2 })
    }

    fn produce_curve(&self, producer: ProducerId, to: Point) -> Curve {
        let from = self.layout.producers[producer.index()];
        match self.layout.shape() {
            Shape::Wide => Curve::horizontal(from.right(), to),
            Shape::Narrow | Shape::Columns => Curve {
                from: from.bottom(),
                control: [Point { x: 24, y: from.y + from.h + 30 }, Point { x: 20, y: to.y - 30 }],
                to,
            },
        }
    }
}
