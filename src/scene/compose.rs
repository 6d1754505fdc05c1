//! From a moment of the world to its [`Stage`].

use super::geometry::{Curve, Point, eased, share};
use super::layout::{Layout, PITCH, TILE_H, TILE_W};
use super::names::{partition_ranges, record_name};
use super::stage::*;
use crate::sim::consumer::{Application, Client, Membership, Process};
use crate::sim::coordinator::GroupState;
use crate::sim::network::{InFlight, Message, Node};
use crate::sim::simulation::Record;
use crate::sim::{
    ConsumerId, Event, GroupId, MemberKey, Offset, PartitionId, ProducerId, RecordId, Simulation, SinkId, Time, TopicId,
};

/// The look of a record without a key; those of keys are 0 to 7.
const PLAIN_LOOK: u8 = 8;

/// Records drawn of one message on its way; the others travel behind the last.
const MOST_IN_FLIGHT: u32 = 6;

/// Draws the moment `at`, which lies at or after the last step that `run` has made and before the next. A partition shows
/// the progress of the group `chosen` if that reads it, else of the first group that does.
pub fn stage(run: &Simulation, at: Time, shape: Shape, chosen: Option<GroupId>) -> Stage {
    let composer = Composer::new(run, at, shape, chosen);
    let setup = run.setup();
    let tapes: Vec<Tape> = (0..run.partition_count()).map(|index| composer.tape(PartitionId::at(index))).collect();
    Stage {
        width: composer.layout.width,
        height: composer.layout.height,
        shape,
        producers: (0..setup.producers.len()).map(|index| composer.producer(ProducerId::at(index))).collect(),
        topics: (0..setup.topics.len()).map(|index| composer.topic(TopicId::at(index))).collect(),
        groups: (0..setup.groups.len()).map(|index| composer.group(GroupId::at(index))).collect(),
        ribbons: composer.ribbons(),
        links: composer.links(),
        sinks: (0..setup.sinks.len()).map(|index| composer.sink(SinkId::at(index))).collect(),
        flights: composer.flights(),
        tapes,
    }
}

struct Composer<'a> {
    run: &'a Simulation,
    at: Time,
    layout: Layout,
    /// The groups that read each topic; the first is the one that it is seen by.
    readers: Vec<Vec<GroupId>>,
    chosen: Option<GroupId>,
    /// Records that a member of a group has in hand.
    held: Vec<(GroupId, RecordId)>,
    /// For each partition where it is read, by whom.
    positions: Vec<Vec<(ConsumerId, Offset)>>,
}

/// The part of a tape that is shown: offsets from `from`, one a slot.
#[derive(Clone, Copy)]
struct Window {
    from: Offset,
    slots: u32,
}

impl Window {
    fn slot_of(self, offset: Offset) -> i32 {
        let slot = i64::from(offset) - i64::from(self.from);
        slot.clamp(0, i64::from(self.slots)) as i32
    }

    fn holds(self, offset: Offset) -> bool {
        (self.from..self.from + self.slots).contains(&offset)
    }
}

impl<'a> Composer<'a> {
    fn new(run: &'a Simulation, at: Time, shape: Shape, chosen: Option<GroupId>) -> Self {
        let mut readers = vec![Vec::new(); run.setup().topics.len()];
        for group in (0..run.setup().groups.len()).map(GroupId::at) {
            for topic in run.topics_of(group) {
                let readers: &mut Vec<GroupId> = &mut readers[topic.index()];
                let place = if chosen == Some(group) { 0 } else { readers.len() };
                readers.insert(place, group);
            }
        }
        let mut held = Vec::new();
        let mut positions = vec![Vec::new(); run.partition_count()];
        for consumer in run.consumers() {
            let Some(client) = consumer.client() else { continue };
            if let Application::Handling { record, .. } = client.application {
                held.push((consumer.group, record));
            }
            for owned in &client.owned {
                if let Some(offset) = owned.position {
                    positions[owned.partition.index()].push((consumer.id, offset));
                }
            }
        }
        Composer { run, at, layout: Layout::new(run, shape), readers, chosen, held, positions }
    }

    fn has_several_groups(&self) -> bool {
        self.run.setup().groups.len() > 1
    }

    /// The groups that read a partition; the first is the one that it is seen by.
    fn readers(&self, partition: PartitionId) -> &[GroupId] {
        &self.readers[self.run.place(partition).topic.index()]
    }

    fn is_other(&self, partition: PartitionId, group: GroupId) -> bool {
        self.readers(partition).first() != Some(&group)
    }

    fn last_event(&self) -> Option<Event> {
        let last = self.run.visible_step(self.run.visible_steps().checked_sub(1)?)?;
        Some(self.run.step_at(last)?.event)
    }

    fn chip(&self, record: RecordId, at: Point) -> Chip {
        let found = self.run.record(record);
        Chip {
            record,
            at,
            name: record_name(self.run, record),
            value: self.run.setup().values[found.value.index()].clone(),
            look: look(found),
        }
    }

    fn producer(&self, producer: ProducerId) -> ProducerBox {
        let run = self.run;
        let setup = &run.setup().producers[producer.index()];
        let rect = self.layout.producers[producer.index()];
        let chip_at = match self.layout.shape() {
            Shape::Wide => Point { x: rect.x + 12, y: rect.y + 48 },
            Shape::Narrow => Point { x: rect.x + 124, y: rect.y + 9 },
        };
        let last_sent =
            (0..run.records()).rev().map(RecordId).take(1_000).find(|&id| run.record(id).producer == producer);
        let in_batch = last_sent.filter(|&record| {
            let number = run.place(run.record(record).partition).number;
            run.producer(producer).waiting(usize::from(number)) > 0
        });
        let next = run.next_record_of(producer);
        ProducerBox {
            producer,
            rect,
            name: setup.name.clone(),
            record: in_batch.or(next).map(|record| self.chip(record, chip_at)),
            is_next: in_batch.is_none(),
            hash: last_sent.map(|record| self.hash(producer, record)),
        }
    }

    fn hash(&self, producer: ProducerId, record: RecordId) -> HashPill {
        let setup = self.run.setup();
        let found = self.run.record(record);
        let number = self.run.place(found.partition).number;
        let is_now = matches!(self.last_event(), Some(Event::RecordSent { record: last, .. }) if last == record);
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
        let label = self.layout.labels[partition.index()];
        let to = Point { x: label.x - 12, y: self.layout.tapes[partition.index()].left().y };
        match self.layout.shape() {
            Shape::Wide => self.produce_curve(producer, to),
            // Along the edge, clear of the names of the partitions above.
            Shape::Narrow => {
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
    fn produce_way(&self, producer: ProducerId, partition: PartitionId) -> Curve {
        let window = self.window(partition);
        let slot = self.layout.slot(partition.index(), window.slot_of(self.run.partition(partition).end));
        self.produce_curve(producer, Point { x: slot.x + TILE_W / 2, y: slot.y + TILE_H / 2 })
    }

    fn produce_curve(&self, producer: ProducerId, to: Point) -> Curve {
        let from = self.layout.producers[producer.index()];
        match self.layout.shape() {
            Shape::Wide => Curve::horizontal(from.right(), to),
            Shape::Narrow => Curve {
                from: from.bottom(),
                control: [Point { x: 24, y: from.y + from.h + 30 }, Point { x: 20, y: to.y - 30 }],
                to,
            },
        }
    }

    fn topic(&self, topic: TopicId) -> TopicFrame {
        let setup = &self.run.setup().topics[topic.index()];
        TopicFrame {
            topic,
            rect: self.layout.topics[topic.index()],
            name: setup.name.clone(),
            partitions: self.run.topics().partitions_of(topic).len() as u32,
            seen_by: match self.readers[topic.index()].first() {
                Some(group) if self.has_several_groups() => self.run.setup().groups[group.index()].name.clone(),
                _ => "".into(),
            },
        }
    }

    /// The window shows the end, but not at the price of the lowest committed offset.
    fn window(&self, partition: PartitionId) -> Window {
        let end = self.run.partition(partition).end;
        let slots = self.layout.slots;
        let with_next = (end + 1).saturating_sub(slots);
        let lowest = self
            .readers(partition)
            .iter()
            .map(|&group| self.run.group(group).committed(partition).map_or(0, |committed| committed.offset))
            .min()
            .unwrap_or(end);
        Window { from: with_next.min(lowest.saturating_sub(1)), slots }
    }

    fn tape(&self, partition: PartitionId) -> Tape {
        let run = self.run;
        let index = partition.index();
        let window = self.window(partition);
        let end = run.partition(partition).end;
        let shown_to = end.min(window.from + window.slots);
        let group = self.readers(partition).first().copied();
        let tiles = (window.from..shown_to).filter_map(|offset| self.tile(partition, offset, window, group)).collect();
        let ghost = window.holds(end).then(|| (self.layout.slot(index, window.slot_of(end)), end));
        Tape {
            partition,
            // The frame around it names the topic.
            name: format!("P{}", run.place(partition).number),
            label_at: self.layout.labels[index],
            rect: self.layout.tapes[index],
            tiles,
            ghost,
            folded_before: window.from,
            folded_after: end - shown_to,
            flags: self.flags(partition, window),
            carets: self.carets(partition, window),
            lag: group.and_then(|group| run.lag(group, partition).records),
            unowned: group.and_then(|group| {
                let since = run.ledger(group).partitions[index].unowned_since?;
                Some(self.at.since(since))
            }),
        }
    }

    fn tile(&self, partition: PartitionId, offset: Offset, window: Window, group: Option<GroupId>) -> Option<Tile> {
        let record = self.run.record_at(partition, offset)?;
        let times = group.map_or(0, |group| self.run.ledger(group).delivery(record).times);
        let in_hand = group.is_some_and(|group| self.held.contains(&(group, record)));
        Some(Tile {
            chip: self.chip(record, self.layout.slot(partition.index(), window.slot_of(offset))),
            offset,
            state: match times {
                _ if in_hand => TileState::InHand,
                0 => TileState::Waiting,
                _ => TileState::Processed,
            },
            times,
        })
    }

    /// The line between two tiles, before the one with this offset.
    fn line_x(&self, partition: PartitionId, window: Window, offset: Offset) -> i32 {
        self.layout.slot(partition.index(), window.slot_of(offset)).x - (PITCH - TILE_W) / 2
    }

    fn flags(&self, partition: PartitionId, window: Window) -> Vec<Flag> {
        let tape = self.layout.tapes[partition.index()];
        // The one that counts lies on top.
        (self.readers(partition).iter().rev())
            .filter_map(|&group| {
                let offset = self.run.group(group).committed(partition)?.offset;
                let at = Point { x: self.line_x(partition, window, offset), y: tape.y - 2 };
                let hangs_left = at.x + 90 > self.layout.tape_end(partition.index());
                Some(Flag { group, offset, at, hangs_left, is_other: self.is_other(partition, group) })
            })
            .collect()
    }

    fn carets(&self, partition: PartitionId, window: Window) -> Vec<Caret> {
        let tape = self.layout.tapes[partition.index()];
        self.positions[partition.index()]
            .iter()
            .map(|&(consumer, offset)| {
                let at = Point { x: self.line_x(partition, window, offset), y: tape.y - 2 };
                let hangs_left = at.x + 76 > self.layout.tape_end(partition.index());
                let is_other = self.is_other(partition, self.run.consumer(consumer).group);
                Caret { consumer, offset, at, hangs_left, is_other }
            })
            .collect()
    }

    fn group(&self, group: GroupId) -> GroupFrame {
        let run = self.run;
        let found = run.group(group);
        GroupFrame {
            group,
            rect: self.layout.groups[group.index()],
            name: run.setup().groups[group.index()].name.clone(),
            generation: found.generation,
            phase: match found.state {
                GroupState::Empty => Phase::Empty,
                GroupState::PreparingRebalance => Phase::Joining(found.missing()),
                GroupState::CompletingRebalance => Phase::Assigning,
                GroupState::Stable if found.is_modern() => Phase::StableEpoch,
                GroupState::Stable => Phase::Stable,
                GroupState::Assigning => Phase::AssigningEpoch,
                GroupState::Reconciling => Phase::Reconciling(found.unreconciled()),
            },
            leader: (found.leader)
                .filter(|_| found.state == GroupState::Stable)
                .map(|leader| run.consumer(leader.consumer).name.clone()),
            is_chosen: self.has_several_groups().then(|| self.chosen == Some(group)),
            members: run.consumers_of(group).map(|consumer| self.member(consumer.id)).collect(),
        }
    }

    fn member(&self, consumer: ConsumerId) -> MemberBox {
        let found = self.run.consumer(consumer);
        let client = found.client();
        let key = MemberKey { consumer, incarnation: found.incarnation };
        MemberBox {
            consumer,
            rect: self.layout.members[consumer.index()],
            name: self.run.consumer(consumer).name.clone(),
            status: self.status(consumer),
            is_small: self.layout.small,
            partitions: client.map_or_else(Vec::new, |client| {
                let owned: Vec<PartitionId> = client.owned.iter().map(|owned| owned.partition).collect();
                partition_ranges(self.run, &owned)
            }),
            uncommitted: client.map_or(0, Client::uncommitted),
            is_zombie: client.is_some_and(|client| client.timed_out.is_some()),
            is_leader: client.is_some()
                && self.run.group(found.group).state == GroupState::Stable
                && self.run.group(found.group).leader == Some(key),
        }
    }

    fn status(&self, consumer: ConsumerId) -> Status {
        let found = self.run.consumer(consumer);
        match &found.process {
            Process::NotStarted => Status::NotStarted,
            Process::Running(client) => self.running(client),
            Process::Closed(_) => Status::Closed,
            Process::Crashed(ended) | Process::Failed(ended, _) => Status::Crashed {
                generation: ended.generation,
                silence: self.silence(consumer, found.group, found.incarnation),
            },
        }
    }

    fn running(&self, client: &Client) -> Status {
        match client.application {
            Application::Handling { record, since, until, .. } => Status::Handling {
                record: record_name(self.run, record),
                look: look(self.run.record(record)),
                done: share(self.at.since(since).as_micros(), until.since(since).as_micros()),
            },
            Application::Committing => Status::Committing,
            Application::Polling if !client.batch.is_empty() => {
                Status::Holding(client.batch.iter().map(|range| range.len()).sum())
            }
            Application::Polling if client.membership != Membership::Stable => Status::Joining,
            Application::Polling if client.owned.is_empty() => Status::Idle,
            Application::Polling => Status::Polling,
        }
    }

    fn silence(&self, consumer: ConsumerId, group: GroupId, incarnation: u16) -> Option<Silence> {
        let member = self.run.group(group).member(MemberKey { consumer, incarnation })?;
        let silent = self.at.since(member.heard_at);
        let timeout = member.session_ends.since(member.heard_at);
        Some(Silence { silent, timeout, passed: share(silent.as_micros(), timeout.as_micros()) })
    }

    fn ribbons(&self) -> Vec<Ribbon> {
        let mut ribbons = Vec::new();
        for consumer in self.run.consumers() {
            match &consumer.process {
                Process::Running(client) => {
                    let busy = match client.application {
                        Application::Handling { partition, .. } => Some(partition),
                        _ => None,
                    };
                    for owned in &client.owned {
                        let kind = if busy == Some(owned.partition) { RibbonKind::Busy } else { RibbonKind::Owned };
                        ribbons.push(self.ribbon(owned.partition, consumer.id, kind));
                    }
                }
                Process::Crashed(_) | Process::Closed(_) | Process::Failed(..) => {
                    let key = MemberKey { consumer: consumer.id, incarnation: consumer.incarnation };
                    let assigned = self.run.group(consumer.group).member(key).map(|member| member.assigned.clone());
                    for &partition in assigned.iter().flat_map(|assigned| assigned.iter()) {
                        ribbons.push(self.ribbon(partition, consumer.id, RibbonKind::Gone));
                    }
                }
                Process::NotStarted => {}
            }
        }
        if self.layout.shape() == Shape::Narrow {
            // There they would run across everything in between.
            ribbons.retain(|ribbon| !ribbon.is_other);
        }
        ribbons
    }

    fn ribbon(&self, partition: PartitionId, consumer: ConsumerId, kind: RibbonKind) -> Ribbon {
        let is_other = self.is_other(partition, self.run.consumer(consumer).group);
        Ribbon { partition, consumer, curve: self.ribbon_curve(partition, consumer), kind, is_other }
    }

    fn ribbon_curve(&self, partition: PartitionId, consumer: ConsumerId) -> Curve {
        let from = self.layout.tapes[partition.index()].right();
        let member = self.layout.members[consumer.index()];
        match self.layout.shape() {
            Shape::Wide => {
                let to = member.left();
                let lanes = self.run.setup().groups.len() as i32 + 1;
                let lane = self.run.consumer(consumer).group.index() as i32 + 1;
                Curve::in_lane(from, to, from.x + (to.x - from.x) * lane / lanes)
            }
            Shape::Narrow => Curve::around(from, member.top(), 366),
        }
    }

    /// Who writes where goes without saying if there is one group and one table, and has no room where they stand one below
    /// the other.
    fn links(&self) -> String {
        let setup = self.run.setup();
        if self.layout.shape() == Shape::Narrow || setup.groups.len().max(setup.sinks.len()) == 1 {
            return String::new();
        }
        let mut links = String::new();
        for group in (0..setup.groups.len()).map(GroupId::at) {
            let from = self.layout.groups[group.index()].right();
            for sink in self.run.sinks_of(group) {
                links.push_str(&Curve::horizontal(from, self.layout.sinks[sink.index()].left()).path());
            }
        }
        links
    }

    fn sink(&self, sink: SinkId) -> SinkFrame {
        let run = self.run;
        let setup = &run.setup().sinks[sink.index()];
        let state = run.sink(sink);
        let places = &self.layout.rows[sink.index()];
        let folded = state.rows.saturating_sub(places.len() as u32);
        let last_step = run.steps().checked_sub(1);
        let rows = (folded..state.rows)
            .zip(places)
            .filter_map(|(number, &rect)| {
                let row = run.row(sink, number)?;
                let chip = self.chip(row.record, Point { x: rect.x, y: rect.y });
                Some(RowChip {
                    number,
                    rect,
                    record: row.record,
                    name: chip.name,
                    value: chip.value,
                    look: chip.look,
                    nth: row.nth,
                    is_new: Some(row.step.0) == last_step,
                })
            })
            .collect();
        SinkFrame {
            sink,
            rect: self.layout.sinks[sink.index()],
            name: setup.name.clone(),
            unique_key: setup.unique_key.clone(),
            total: state.rows,
            absorbed: state.absorbed,
            folded,
            rows,
        }
    }

    fn flights(&self) -> Vec<Flight> {
        let mut flights = Vec::new();
        for (slot, sent) in self.run.in_flight() {
            let t = eased(share(self.at.since(sent.sent_at).as_micros(), sent.due_at.since(sent.sent_at).as_micros()));
            if t == 0 || t >= 1000 {
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
        match (&sent.message, sent.to) {
            (Message::Produce(request), _) => {
                for batch in request.batches.iter() {
                    for index in batch.from..batch.to.min(batch.from + MOST_IN_FLIGHT) {
                        let Some(record) = self.run.queued(request.producer, batch.partition, index) else { continue };
                        let curve = self.produce_way(request.producer, self.run.record(record).partition);
                        let chip = self.flying_chip(record, curve, t, index - batch.from);
                        flights.push(Flight { key: key(record.0), at: chip.at, load: Load::Record(chip) });
                    }
                }
            }
            (Message::FetchAnswer { ranges, .. }, Node::Consumer(to)) => {
                for range in ranges.iter() {
                    let curve = self.ribbon_curve(range.partition, to.consumer);
                    for offset in range.from..range.to.min(range.from + MOST_IN_FLIGHT) {
                        let Some(record) = self.run.record_at(range.partition, offset) else { continue };
                        let chip = self.flying_chip(record, curve, t, offset - range.from);
                        flights.push(Flight { key: key(record.0), at: chip.at, load: Load::Record(chip) });
                    }
                }
            }
            (Message::OffsetCommit { member, offsets, .. }, _) => {
                for &(partition, offset) in offsets.iter() {
                    let curve = self.ribbon_curve(partition, member.consumer);
                    let at = curve.at(1000 - t);
                    flights.push(Flight { key: key(u32::from(partition.0)), at, load: Load::Commit(offset) });
                }
            }
            _ => {}
        }
    }

    /// Records of one message travel one close behind the other.
    fn flying_chip(&self, record: RecordId, curve: Curve, t: u32, place: u32) -> Chip {
        let at = curve.at(t.saturating_sub(place * 40));
        self.chip(record, Point { x: at.x - TILE_W / 2, y: at.y - TILE_H / 2 })
    }
}

/// How a record is drawn: by its key, or plainly where it has none.
fn look(record: &Record) -> u8 {
    record.key.map_or(PLAIN_LOOK, |key| (key.0 % 8) as u8)
}
