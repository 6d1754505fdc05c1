//! Partitions: which part of a log is shown, and who stands where in it.

use super::Composer;
use crate::scene::density::Density;
use crate::scene::drawn::is_unowned;
use crate::scene::geometry::{Point, Rect};
use crate::scene::stage::{
    Caret, CaretLabel, Flag, Ghost, MOST_OF_NAME, OtherPartitions, Tape, Tile, TileState, TopicFrame,
};
use crate::sim::network::Range;
use crate::sim::{GroupId, Offset, PartitionId, TopicId};
use std::rc::Rc;

/// The part of a tape that is shown: offsets from `from` to `to`, one a slot. Where the end is further away, the slot behind them
/// stands for what is folded there, and the last one, if they leave it free, holds the last record.
#[derive(Clone, Copy)]
pub(super) struct Window {
    from: Offset,
    to: Offset,
    end: Offset,
    /// How many records behind the fold have a slot: one or none.
    tail: u32,
    slots: u32,
}

impl Window {
    /// A window from an offset on, or from so far before it as there is room up to the end. What lies before `needed` is not
    /// hidden only for the sake of the last record.
    #[inline(never)]
    fn new(from: Offset, needed: [Offset; 2], end: Offset, slots: u32) -> Window {
        let from = from.min((end + 1).saturating_sub(slots));
        let is_folded = end > from + slots;
        let tail = u32::from(is_folded && !needed.contains(&(from + slots - 1)));
        let to = if is_folded { from + slots - 1 - tail } else { end };
        Window { from, to, end, tail, slots }
    }

    /// The slot of an offset; what is folded is at its fold.
    #[inline(never)]
    pub(super) fn slot_of(self, offset: Offset) -> i32 {
        let slot = match offset {
            _ if offset < self.to || self.to == self.end => offset.saturating_sub(self.from),
            _ if offset + self.tail < self.end => self.slots - 1 - self.tail,
            _ => self.slots - self.end.saturating_sub(offset),
        };
        slot.min(self.slots) as i32
    }

    /// The offsets that have a slot of their own.
    fn shown(self) -> impl Iterator<Item = Offset> {
        (self.from..self.to).chain(self.end - self.tail..self.end)
    }
}

impl Composer<'_> {
    pub(super) fn topic(&self, topic: TopicId) -> TopicFrame {
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
            others: self.other_partitions(topic),
        }
    }

    /// The partitions that have no tape of their own.
    fn other_partitions(&self, topic: TopicId) -> Option<OtherPartitions> {
        let run = self.run;
        let group = self.readers[topic.index()].first();
        let partitions = run.topics().partitions_of(topic).iter();
        let others: Vec<PartitionId> =
            partitions.copied().filter(|&partition| !self.drawn.has_partition(partition)).collect();
        (!others.is_empty()).then(|| self.summed_up_partitions(group.copied(), &others))
    }

    #[inline(never)]
    fn summed_up_partitions(&self, group: Option<GroupId>, others: &[PartitionId]) -> OtherPartitions {
        let run = self.run;
        let lag = |&partition: &PartitionId| group.and_then(|group| run.lag(group, partition).records);
        OtherPartitions {
            rect: self.layout.tapes[others[0].index()],
            count: others.len() as u32,
            unowned: others.iter().filter(|&&partition| is_unowned(run, partition)).count() as u32,
            lag: others.iter().filter_map(lag).sum(),
        }
    }

    /// The window shows the end, but not at the price of what the group that the partition is seen by has committed nor, where
    /// both have no room, of the record that it has in hand. What others have committed is shown where there is room. Where
    /// the window does not reach the end, a slot tells how much is missing. A record that a viewer has asked for comes
    /// before all of this.
    pub(super) fn window(&self, partition: PartitionId) -> Window {
        let end = self.run.partition(partition).end;
        let slots = self.layout.slots;
        let readers = self.readers(partition);
        let (mut from, mut needed) = (end, [0; 2]);
        if let Some(&group) = readers.first() {
            let committed = self.first_of_interest(group, partition);
            let at_work = self.at_work(group, partition);
            let (lowest, highest) = at_work.unwrap_or((committed, committed));
            let own = committed.min(lowest);
            needed = [self.committed(group, partition), at_work.map_or(0, |(_, highest)| highest + 1)];
            let all = readers.iter().map(|&group| self.first_of_interest(group, partition)).fold(own, Offset::min);
            from = match () {
                () if end <= all + slots => all,
                () if end <= own + slots || highest + 1 < own + slots => own,
                () => lowest.saturating_sub(1),
            };
        }
        let window = Window::new(from, needed, end, slots);
        match self.concerned[partition.index()] {
            Some(first) if !(window.from..window.to).contains(&first) => {
                Window::new(first.saturating_sub(1), [first + 1; 2], end, slots)
            }
            _ => window,
        }
    }

    /// Where the members of a group are at work in a partition, from the lowest to the highest offset: at the record in
    /// hand, else at their position.
    fn at_work(&self, group: GroupId, partition: PartitionId) -> Option<(Offset, Offset)> {
        let held = self.held.iter().filter(|(of, range)| *of == group && range.partition == partition);
        let mut at: Vec<Offset> = held.map(|(_, range)| range.from).collect();
        if at.is_empty() {
            let positions = self.positions[partition.index()].iter();
            at.extend(positions.filter(|(of, ..)| self.run.consumer(*of).group == group).map(|of| of.1));
        }
        Some((*at.iter().min()?, *at.iter().max()?))
    }

    fn committed(&self, group: GroupId, partition: PartitionId) -> Offset {
        self.run.group(group).committed(partition).map_or(0, |committed| committed.offset)
    }

    /// The record before what a group has committed or, where it has just lost some there, the first of these.
    fn first_of_interest(&self, group: GroupId, partition: PartitionId) -> Offset {
        let mut first = self.committed(group, partition).saturating_sub(1);
        let is_lost = |record| self.run.is_lost(group, record);
        while first > 0 && self.run.record_at(partition, first - 1).is_some_and(is_lost) {
            first -= 1;
        }
        first
    }

    pub(super) fn tape(&self, partition: PartitionId) -> Tape {
        let run = self.run;
        let index = partition.index();
        let window = self.window(partition);
        let end = run.partition(partition).end;
        let group = self.readers(partition).first().copied();
        let flags = self.flags(partition, window);
        let flags_are_none = flags.iter().all(|flag| flag.is_other);
        let tiles = window.shown().filter_map(|offset| self.tile(partition, offset, window, group, &flags));
        let ghost_at = self.layout.slot(index, window.slot_of(end));
        let place = run.place(partition);
        Tape {
            partition,
            // The frame around it names the topic.
            name: format!("P{}", place.number),
            density: self.layout.density,
            label_at: self.layout.label(index),
            rect: self.layout.tapes[index],
            tiles: tiles.collect(),
            ghost: (window.to == end && end - window.from < window.slots).then(|| Ghost {
                at: ghost_at,
                offset: end,
                shows_offset: self.shows_offset(ghost_at, &flags),
            }),
            folded_before: window.from,
            folded_after: end - window.to - window.tail,
            folded_at: self.layout.slot(index, (window.slots - 1 - window.tail) as i32),
            carets: self.carets(partition, window, &flags),
            flags,
            lag: group.and_then(|group| run.lag(group, partition).records),
            unowned: group.and_then(|group| {
                let since = run.ledger(group).partitions[index].unowned_since?;
                Some(self.at.since(since))
            }),
            uncommitted_at: (group.is_some() && flags_are_none && self.layout.density == Density::Roomy)
                .then(|| Point { x: self.layout.slot(index, 0).x, y: self.layout.tapes[index].y + 82 }),
            leader: (run.setup().brokers.len() > 1).then(|| run.leader(place.number)),
        }
    }

    fn tile(
        &self,
        partition: PartitionId,
        offset: Offset,
        window: Window,
        group: Option<GroupId>,
        flags: &[Flag],
    ) -> Option<Tile> {
        let record = self.run.record_at(partition, offset)?;
        let times = group.map_or(0, |group| self.run.ledger(group).delivery(record).times);
        let holds = |range: &Range| range.partition == partition && range.from <= offset && offset < range.to;
        let in_hand = group.is_some_and(|group| self.held.iter().any(|(of, range)| *of == group && holds(range)));
        let at = self.layout.slot(partition.index(), window.slot_of(offset));
        Some(Tile {
            chip: self.chip(record, at, self.layout.density),
            offset,
            shows_offset: self.shows_offset(at, flags),
            state: match times {
                _ if in_hand => TileState::InHand,
                0 if group.is_some_and(|group| self.run.is_lost(group, record)) => TileState::Lost,
                0 if group.is_some_and(|group| self.is_set_aside(group, partition, offset)) => TileState::SetAside,
                0 => TileState::Waiting,
                _ => TileState::Processed,
            },
            times,
        })
    }

    /// True if the group is done with a record that it has not processed.
    fn is_set_aside(&self, group: GroupId, partition: PartitionId, offset: Offset) -> bool {
        let ledger = self.run.ledger(group);
        ledger.set_aside > 0 && ledger.partitions[partition.index()].is_done(offset)
    }

    /// True if there is room under a tile for its offset: where rows are close, the flag hangs there.
    fn shows_offset(&self, at: Point, flags: &[Flag]) -> bool {
        let is_covered = |tag: Rect| tag.x < at.x + 40 && at.x + 2 < tag.x + tag.w;
        let mut tags = flags.iter().filter_map(|flag| flag.tag);
        self.layout.shows_offsets && (self.layout.density != Density::Close || !tags.any(is_covered))
    }

    /// The line between two tiles, before the one with this offset; what is folded is at its fold.
    fn line_x(&self, partition: PartitionId, window: Window, offset: Offset) -> i32 {
        let tiles = self.layout.density.tiles();
        if offset < window.from {
            return self.layout.tapes[partition.index()].x;
        }
        let slot = self.layout.slot(partition.index(), window.slot_of(offset));
        match window.to < offset && offset + window.tail < window.end {
            true => slot.x + tiles.w / 2,
            false => slot.x - (tiles.pitch - tiles.w) / 2,
        }
    }

    fn flags(&self, partition: PartitionId, window: Window) -> Vec<Flag> {
        // The one that counts lies on top.
        let mut flags: Vec<Flag> = (self.readers(partition).iter().rev())
            .filter_map(|&group| {
                let stored = self.stored(group, partition);
                let offset = stored.or_else(|| Some(self.run.group(group).committed(partition)?.offset))?;
                let at =
                    Point { x: self.line_x(partition, window, offset), y: self.layout.tapes[partition.index()].y - 2 };
                let is_other = self.is_other(partition, group);
                let (name, tag) = match self.named(partition, group) {
                    Some(name) => self.named_tag(partition, window, at, offset, name),
                    None => (None, (!is_other).then(|| self.tag(partition, at, group, offset))),
                };
                Some(Flag { group, offset, at, name, is_other, is_stored: stored.is_some(), tag })
            })
            .collect();
        // For this step the other group's words come first.
        if let Some(named) = flags.iter().find(|flag| flag.is_other && flag.tag.is_some()).and_then(|flag| flag.tag) {
            make_room(named, &mut flags);
        }
        flags
    }

    /// Where the group goes on by what it keeps in a table.
    fn stored(&self, group: GroupId, partition: PartitionId) -> Option<Offset> {
        let keeps = self.run.consumers_of(group).any(|consumer| consumer.config().handling.offset_store.is_some());
        keeps.then(|| self.run.start_from_store(group, partition)).flatten()
    }

    /// Where the words of a flag stand.
    fn tag(&self, partition: PartitionId, at: Point, group: GroupId, offset: Offset) -> Rect {
        let tape = self.layout.tapes[partition.index()];
        if self.layout.density == Density::Dense {
            return self.dense_tag(partition, at, group, offset);
        }
        let w = 84 + number_width(offset);
        // Under what is committed, where there is room: the offset itself is the next one.
        let hangs_left = at.x - w >= tape.x || at.x + w + 6 > self.layout.tape_end(partition.index());
        let x = if hangs_left { at.x - w } else { at.x };
        let below = if self.layout.density == Density::Close { 2 } else { 17 };
        Rect { x, y: tape.y + tape.h + below, w, h: 16 }
    }

    /// On a dense tape they are above it, on the other side of the line than those of a position.
    #[inline(never)]
    fn dense_tag(&self, partition: PartitionId, at: Point, group: GroupId, offset: Offset) -> Rect {
        let tape = self.layout.tapes[partition.index()];
        let w = number_width(offset) + 6;
        let of_group = self.positions[partition.index()]
            .iter()
            .filter(|&&(consumer, ..)| self.run.consumer(consumer).group == group);
        let is_ahead = of_group.clone().any(|&(_, position, _)| position < offset);
        let is_met = of_group.clone().any(|&(_, position, _)| position == offset);
        // What stands at the left end is clear of the number that is folded there.
        let x = match () {
            () if is_ahead || at.x == tape.x => at.x + if is_met { 6 } else { -1 },
            () => at.x - w + if is_met { -6 } else { 1 },
        };
        Rect { x, y: tape.y - 13, w, h: 12 }
    }

    /// The words of a flag of another group. On a dense tape, where they stand among the marks of positions, with the name only
    /// if it covers none of these.
    #[inline(never)]
    fn named_tag(
        &self,
        partition: PartitionId,
        window: Window,
        at: Point,
        offset: Offset,
        name: Rc<str>,
    ) -> (Option<Rc<str>>, Option<Rect>) {
        let tape = self.layout.tapes[partition.index()];
        let number = number_width(offset) + 6;
        let w = number + NAME_LETTER * name_letters(&name) + 7;
        let hangs_left = at.x - w >= tape.x;
        if self.layout.density != Density::Dense {
            let below = if self.layout.density == Density::Close { 2 } else { 17 };
            let x = if hangs_left { at.x - w } else { at.x };
            return (Some(name), Some(Rect { x, y: tape.y + tape.h + below, w, h: 16 }));
        }
        let positions = &self.positions[partition.index()];
        let is_clear = |x: i32, w: i32| {
            positions.iter().all(|&(_, position, _)| {
                let mark = self.line_x(partition, window, position);
                mark + 6 <= x || x + w <= mark - 6
            })
        };
        let rect = |x, w| Some(Rect { x, y: tape.y - 13, w, h: 12 });
        let places = |w: i32| [at.x - w + 1, at.x - 1, at.x - w - 6, at.x + 6];
        match places(w).into_iter().find(|&x| x >= tape.x && is_clear(x, w)) {
            Some(x) => (Some(name), rect(x, w)),
            None => {
                let x = places(number).into_iter().find(|&x| is_clear(x, number)).unwrap_or(at.x - 1);
                (None, rect(x, number))
            }
        }
    }

    fn carets(&self, partition: PartitionId, window: Window, flags: &[Flag]) -> Vec<Caret> {
        let tape = self.layout.tapes[partition.index()];
        let is_dense = self.layout.density == Density::Dense;
        // What words stand over already: on a dense tape those of a flag stand beside those of a position.
        let tags = flags.iter().filter_map(|flag| flag.tag).filter(|_| is_dense);
        let mut taken: Vec<(i32, i32)> = tags.map(|tag| (tag.x + 2, tag.x + tag.w - 2)).collect();
        let positions = &self.positions[partition.index()];
        let mut carets = Vec::with_capacity(positions.len());
        let mut words = Vec::with_capacity(positions.len());
        for &(consumer, offset, paused) in positions {
            let group = self.run.consumer(consumer).group;
            let name = self.named(partition, group);
            let at = Point { x: self.line_x(partition, window, offset), y: tape.y - 2 };
            let committed = self.run.group(group).committed(partition).map(|committed| committed.offset);
            let w = match &name {
                Some(name) => NAME_LETTER * name_letters(name) + number_width(offset) + 15,
                None if is_dense => number_width(offset) + 8,
                None => 64 + number_width(offset).max(21),
            };
            let is_behind = is_dense && committed.is_some_and(|committed| offset < committed);
            let at_end = is_behind && at.x > tape.x || at.x + w > self.layout.tape_end(partition.index());
            words.push(if at_end { (at.x - w, at.x) } else { (at.x, at.x + w) });
            let is_other = self.is_other(partition, group);
            carets.push(Caret { consumer, offset, at, label: Some(CaretLabel { at_end, name }), is_other, paused });
        }
        // The words of the group that the step is about have the first choice.
        for is_first in [true, false] {
            for (caret, &(from, to)) in carets.iter_mut().zip(&words) {
                let Some(is_named) = caret.label.as_ref().map(|label| label.name.is_some()) else { continue };
                if is_first != is_named {
                    continue;
                }
                let is_free = taken.iter().all(|&(other_from, other_to)| to <= other_from || other_to <= from);
                if is_free && (!caret.is_other || is_named) {
                    taken.push((from, to));
                } else {
                    caret.label = None;
                }
            }
        }
        carets
    }
}

/// Takes away the words that those of another group would meet.
#[inline(never)]
fn make_room(named: Rect, flags: &mut [Flag]) {
    let is_met = |tag: Rect| tag.x < named.x + named.w && named.x < tag.x + tag.w;
    for flag in flags.iter_mut().filter(|flag| !flag.is_other) {
        flag.tag = flag.tag.filter(|&tag| !is_met(tag));
    }
}

/// The width of a letter in the name of a group.
const NAME_LETTER: i32 = 7;

/// How many letters of the name of a group are shown.
fn name_letters(name: &str) -> i32 {
    name.chars().count().min(MOST_OF_NAME) as i32
}

/// About the width of a small number.
fn number_width(number: u32) -> i32 {
    7 * (number.checked_ilog10().unwrap_or(0) as i32 + 1)
}
