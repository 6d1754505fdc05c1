//! The ledger: what became of each record, for each group.
//!
//! *Processed* means that the handling has finished and its effect is there. A *duplicate* is each processing after the
//! first. *Lost* is what was never processed and can no longer be reached: neither the committed offset nor a living
//! member comes to it again. *Out of order* is a record whose first processing comes after that of a later record of the
//! topic with the same key; a *swap* is the same over the whole topic. Redelivery alone is neither.

use super::event::Fault;
use super::ids::*;
use super::log::Paged;
use super::network::{PartitionOffset, Range};
use super::queue::MemberKey;
use super::time::{Span, Time};

/// What a group has done with a record so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// How often it was processed.
    pub times: u16,
    /// Who processed it last.
    pub by: MemberKey,
    /// In which step.
    pub step: StepNo,
}

/// A group's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupLedger {
    /// Records processed at least once.
    pub processed: u32,
    /// Repetitions of what a process had not committed that ended with the partition in its hands.
    pub duplicates_of_stopped: u32,
    /// Repetitions of what a living member had not committed when it gave the partition up, or was not told to.
    pub duplicates_of_survivors: u32,
    /// Repetitions that somebody wanted: `seek()` or a reset of the group's offsets went back.
    pub duplicates_of_rewinds: u32,
    /// Repetitions by a consumer that reads by `assign()`, of what a living one has processed.
    pub duplicates_of_sharing: u32,
    /// Records processed more than once.
    pub records_duplicated: u32,
    /// Records never processed of which a copy was sent to another topic.
    pub set_aside: u32,
    /// Records processed for the first time after a later record of the topic with the same key.
    pub out_of_order: u32,
    /// Records processed for the first time after a later record of the topic.
    pub swaps: u32,
    /// Times that two members had one record in hand at one time.
    pub overlaps: u32,
    /// Rebalances that began after the first generation.
    pub rebalances: u32,
    rebalancing: Span,
    rebalancing_since: Option<Time>,
    /// Partitions that somebody works on.
    worked_on: u32,
    stopped: Span,
    stopped_since: Option<Time>,
    /// The account of each partition.
    pub partitions: Vec<PartitionLedger>,
    deliveries: Paged<Delivery>,
    /// What came last in each topic.
    newest: Vec<Newest>,
}

/// The newest records of a topic that a group has processed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Newest {
    /// The newest one, plus one.
    of_all: u32,
    /// For each key the newest one, plus one.
    of_key: Paged<u32>,
}

/// A group's account of one partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionLedger {
    /// The living members that work on it, in the order in which they began to: of several all but the last have lost it
    /// and do not know that yet. With each, whether its process stands still.
    owners: Vec<(MemberKey, bool)>,
    /// Living consumers that read it by `assign()`, whatever the group does.
    sharers: Vec<MemberKey>,
    /// Where the run begins: what lies before it was committed before, and is nobody's loss.
    begins: Offset,
    /// Since when nobody has worked on it, after somebody had.
    pub unowned_since: Option<Time>,
    unowned: Span,
    /// Offsets processed at least once, as ranges in order.
    done: Vec<(Offset, Offset)>,
    /// Offsets that a reset jumped over, with the step that did.
    skipped: Vec<(Offset, Offset, StepNo)>,
    /// Offsets that an application gave up because their handling failed, or that of one before them.
    given_up: Vec<(Offset, Offset)>,
    in_hand: Vec<(MemberKey, Offset)>,
    /// How many of its records are lost, after the last step that could change that.
    pub lost: u32,
}

/// Records that are lost, by what lost them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// A commit went past them before they were processed.
    pub skipped_by_commit: u32,
    /// `auto.offset.reset`, `seek()` or a reset of the group's offsets started behind them.
    pub skipped_by_reset: u32,
    /// Their handling failed, or that of a record before them, and the application went on behind them.
    pub skipped_by_error: u32,
    /// Their producer died before it sent them.
    pub never_sent: u32,
}

/// What lost a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostBy {
    /// [`Lost::skipped_by_commit`].
    Commit,
    /// [`Lost::skipped_by_reset`].
    Reset,
    /// [`Lost::skipped_by_error`].
    Error,
    /// [`Lost::never_sent`].
    NeverSent,
}

impl Lost {
    /// All of them.
    pub const fn total(self) -> u32 {
        self.skipped_by_commit + self.skipped_by_reset + self.skipped_by_error + self.never_sent
    }
}

/// What the ledger says about a processing just noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// How often the group has now processed the record.
    pub times: u16,
    /// The processing before.
    pub before: Option<Delivery>,
    /// Whose uncommitted work is repeated.
    pub fault: Fault,
    /// The step that ended the process whose work is repeated, if it ended with the partition in its hands.
    pub stopped: Option<StepNo>,
}

/// A record as the ledger is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Processing {
    /// Which record.
    pub record: RecordId,
    /// Its key, if it has one.
    pub key: Option<KeyId>,
    /// Its topic.
    pub topic: TopicId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its offset there.
    pub offset: Offset,
    /// Who processed it.
    pub by: MemberKey,
    /// In which step.
    pub step: StepNo,
    /// True if its member has read the partition from where somebody wanted it to, not from what was committed.
    pub rewound: bool,
}

impl GroupLedger {
    /// An empty account for this many topics and partitions.
    pub fn new(topics: usize, partitions: usize) -> Self {
        GroupLedger {
            processed: 0,
            duplicates_of_stopped: 0,
            duplicates_of_survivors: 0,
            duplicates_of_rewinds: 0,
            duplicates_of_sharing: 0,
            records_duplicated: 0,
            set_aside: 0,
            out_of_order: 0,
            swaps: 0,
            overlaps: 0,
            rebalances: 0,
            rebalancing: Span::ZERO,
            rebalancing_since: None,
            worked_on: 0,
            stopped: Span::ZERO,
            stopped_since: None,
            partitions: vec![PartitionLedger::default(); partitions],
            deliveries: Paged::default(),
            newest: vec![Newest::default(); topics],
        }
    }

    /// The sum over all records of (times processed - 1).
    pub const fn duplicates(&self) -> u32 {
        let of_members = self.duplicates_of_stopped + self.duplicates_of_survivors;
        of_members + self.duplicates_of_rewinds + self.duplicates_of_sharing
    }

    /// How long the group has been between two generations in all, after its first.
    pub fn rebalancing(&self, now: Time) -> Span {
        self.rebalancing + self.rebalancing_since.map_or(Span::ZERO, |since| now.since(since))
    }

    /// How long the whole group has stood still, in all, after somebody had worked: nobody worked on any partition.
    pub fn stopped(&self, now: Time) -> Span {
        self.stopped + self.stopped_since.map_or(Span::ZERO, |since| now.since(since))
    }

    /// The group had committed this offset before the run.
    pub fn note_committed_before(&mut self, partition: PartitionId, offset: Offset) {
        self.partitions[partition.index()].begins = offset;
    }

    /// What the group has done with a record.
    pub fn delivery(&self, record: RecordId) -> Delivery {
        self.deliveries.get(record.0)
    }

    /// A record has been processed. `end_with` tells which step ended the process of an earlier delivery, if it ended
    /// before it gave the partition up; what becomes of it later changes no account. `is_by_hand` tells who has assigned
    /// its partitions by itself: what one of the two has read beside the other, both have read.
    pub fn note_processed(
        &mut self,
        what: Processing,
        end_with: impl FnOnce(Delivery) -> Option<StepNo>,
        is_by_hand: impl Fn(MemberKey) -> bool,
    ) -> Noted {
        let delivery = self.deliveries.get_mut(what.record.0);
        let before = (delivery.times > 0).then_some(*delivery);
        *delivery = Delivery { times: delivery.times.saturating_add(1), by: what.by, step: what.step };
        let times = delivery.times;
        let stopped = before.and_then(end_with);
        let fault = match (before, stopped) {
            (None, _) => Fault::None,
            _ if what.rewound => Fault::Rewound,
            (Some(before), None) if is_by_hand(what.by) || is_by_hand(before.by) => Fault::Shared,
            (Some(_), None) => Fault::Survivor,
            (Some(_), Some(_)) => Fault::Stopped,
        };
        match fault {
            Fault::None => {
                self.processed += 1;
                self.note_order(what);
                let ledger = &mut self.partitions[what.partition.index()];
                match ledger.is_done(what.offset) {
                    // It had been set aside before.
                    true => self.set_aside -= 1,
                    false => ledger.note_done(what.offset),
                }
            }
            Fault::Stopped => self.duplicates_of_stopped += 1,
            Fault::Survivor => self.duplicates_of_survivors += 1,
            Fault::Rewound => self.duplicates_of_rewinds += 1,
            Fault::Shared => self.duplicates_of_sharing += 1,
        }
        if times == 2 {
            self.records_duplicated += 1;
        }
        self.note_put_down(what.by, what.partition, what.offset);
        Noted { times, before, fault, stopped }
    }

    fn note_order(&mut self, what: Processing) {
        let number = what.record.0 + 1;
        let newest = &mut self.newest[what.topic.index()];
        self.swaps += u32::from(number < newest.of_all);
        newest.of_all = number.max(newest.of_all);
        let Some(key) = what.key else {
            return;
        };
        let newest_of_key = newest.of_key.get_mut(key.0);
        self.out_of_order += u32::from(number < *newest_of_key);
        *newest_of_key = number.max(*newest_of_key);
    }

    /// A member takes a record in hand.
    pub fn note_in_hand(&mut self, member: MemberKey, partition: PartitionId, offset: Offset) {
        let in_hand = &mut self.partitions[partition.index()].in_hand;
        self.overlaps += in_hand.iter().filter(|&&(_, other)| other == offset).count() as u32;
        in_hand.push((member, offset));
    }

    /// A member has put down a record that it had in hand, and has not processed it.
    #[inline(never)]
    pub fn note_put_down(&mut self, member: MemberKey, partition: PartitionId, offset: Offset) {
        self.partitions[partition.index()].in_hand.retain(|&in_hand| in_hand != (member, offset));
    }

    /// The application of a member gives up records that it has polled.
    #[inline(never)]
    pub fn note_records_given_up(&mut self, range: Range) {
        self.partitions[range.partition.index()].note_given_up(range.from, range.to);
    }

    /// A copy of a record that cannot be handled has been sent elsewhere: it is nobody's loss.
    pub fn note_set_aside(&mut self, partition: PartitionId, offset: Offset, record: RecordId) {
        let ledger = &mut self.partitions[partition.index()];
        if self.deliveries.get(record.0).times == 0 && !ledger.is_done(offset) {
            self.set_aside += 1;
            ledger.note_done(offset);
        }
    }

    /// A member starts reading a partition at `offset`; `reset` if it does not go on from what the group had committed,
    /// `shared` if it has assigned the partition by itself.
    pub fn note_position(
        &mut self,
        (now, step): (Time, StepNo),
        member: MemberKey,
        (partition, offset): PartitionOffset,
        (reset, shared): (bool, bool),
    ) {
        self.update(now, partition, &mut |ledger| match shared {
            false => {
                ledger.owners.retain(|&(owner, _)| owner != member);
                ledger.owners.push((member, false));
            }
            true if !ledger.sharers.contains(&member) => ledger.sharers.push(member),
            true => {}
        });
        if reset {
            self.partitions[partition.index()].note_skip(offset, step);
        }
    }

    /// Changes who works on a partition, and counts the time in which nobody does.
    fn update(&mut self, now: Time, partition: PartitionId, change: &mut dyn FnMut(&mut PartitionLedger)) {
        let ledger = &mut self.partitions[partition.index()];
        let before = ledger.is_worked_on();
        change(ledger);
        match (before, ledger.is_worked_on()) {
            (false, true) => {
                self.worked_on += 1;
                if let Some(since) = self.stopped_since.take() {
                    self.stopped += now.since(since);
                }
                if let Some(since) = ledger.unowned_since.take() {
                    ledger.unowned += now.since(since);
                }
            }
            (true, false) => {
                ledger.unowned_since = Some(now);
                self.worked_on -= 1;
                if self.worked_on == 0 {
                    self.stopped_since = Some(now);
                }
            }
            _ => {}
        }
    }

    /// The process of a member stands still, or goes on: meanwhile nobody works on what the group has given to it.
    #[inline(never)]
    pub fn note_stands(&mut self, now: Time, member: MemberKey, still: bool) {
        for partition in (0..self.partitions.len()).map(PartitionId::at) {
            if self.partitions[partition.index()].owners.iter().any(|&(owner, _)| owner == member) {
                self.update(now, partition, &mut |ledger| {
                    let owner = ledger.owners.iter_mut().find(|(owner, _)| *owner == member);
                    owner.into_iter().for_each(|(_, stands)| *stands = still);
                });
            }
        }
    }

    /// Somebody sets the committed offset of a partition that nobody owns: what lies before it and was never processed is
    /// jumped over.
    pub fn note_reset(&mut self, step: StepNo, partition: PartitionId, offset: Offset) {
        self.partitions[partition.index()].note_skip(offset, step);
    }

    /// A member no longer works on any partition.
    pub fn note_released(&mut self, now: Time, member: MemberKey) {
        for partition in 0..self.partitions.len() {
            self.note_given_up(now, member, PartitionId::at(partition));
            self.partitions[partition].in_hand.retain(|&(holder, _)| holder != member);
        }
    }

    /// A member no longer works on a partition. What its workers have in hand of it they may go on with.
    pub fn note_given_up(&mut self, now: Time, member: MemberKey, partition: PartitionId) {
        self.update(now, partition, &mut |ledger| {
            ledger.owners.retain(|&(owner, _)| owner != member);
            ledger.sharers.retain(|&sharer| sharer != member);
        });
    }

    /// The group begins to rebalance, after generation `generation`.
    pub fn note_rebalance_begins(&mut self, now: Time, generation: Generation) {
        if generation > 0 {
            self.rebalances += 1;
            self.rebalancing_since.get_or_insert(now);
        }
    }

    /// The group's rebalance is over.
    pub fn note_rebalance_ends(&mut self, now: Time) {
        if let Some(since) = self.rebalancing_since.take() {
            self.rebalancing += now.since(since);
        }
    }

    /// How much of a partition is lost. `reach` is the lowest offset that the group can still come to; nothing if
    /// that is not decided yet.
    pub fn lost_in(&self, partition: PartitionId, reach: Option<Offset>) -> Lost {
        let ledger = &self.partitions[partition.index()];
        let Some(reach) = reach else {
            return Lost::default();
        };
        let given_up_in = |from: Offset, to: Offset| -> u32 {
            let part = |&(start, end): &(Offset, Offset)| ledger.undone_in(start.max(from), end.min(to));
            ledger.given_up.iter().map(part).sum()
        };
        let by_reset = |&(from, to, _): &(Offset, Offset, StepNo)| {
            let to = to.min(reach);
            ledger.undone_in(from, to) - given_up_in(from, to)
        };
        let skipped_by_reset = ledger.skipped.iter().map(by_reset).sum();
        let skipped_by_error = given_up_in(ledger.begins, reach);
        let skipped_by_commit = ledger.undone_in(ledger.begins, reach) - skipped_by_reset - skipped_by_error;
        Lost { skipped_by_commit, skipped_by_reset, skipped_by_error, never_sent: 0 }
    }
}

impl PartitionLedger {
    /// How long nobody worked on it in all, after somebody had.
    pub fn unowned(&self, now: Time) -> Span {
        self.unowned + self.unowned_since.map_or(Span::ZERO, |since| now.since(since))
    }

    /// True if anybody has worked on it up to now.
    pub fn was_ever_owned(&self) -> bool {
        self.workers().next().is_some() || self.unowned_since.is_some() || self.unowned > Span::ZERO
    }

    /// The lowest offset from `from` on that has not been processed.
    pub fn first_undone(&self, from: Offset) -> Offset {
        self.done.iter().fold(from, |next, &(from, to)| if (from..to).contains(&next) { to } else { next })
    }

    /// A jump to `offset`: what lies before it and was not processed yet is skipped.
    fn note_skip(&mut self, offset: Offset, step: StepNo) {
        let done_to = self.done.last().map_or(self.begins, |&(_, to)| to);
        let known_to = self.skipped.last().map_or(done_to, |&(_, to, _)| to.max(done_to));
        if known_to < offset {
            self.skipped.push((known_to, offset, step));
        }
    }

    /// The living member that works on it.
    pub fn owner(&self) -> Option<MemberKey> {
        self.owners.last().map(|&(owner, _)| owner)
    }

    /// Those who work on it: the member that the group has given it to, and whoever has assigned it by hand.
    pub fn workers(&self) -> impl Iterator<Item = MemberKey> + '_ {
        self.owner().into_iter().chain(self.sharers.iter().copied())
    }

    /// True for an offset that this run is about.
    pub fn is_counted(&self, offset: Offset) -> bool {
        offset >= self.begins
    }

    /// How many of its offsets up to `end` this run is about.
    pub fn counted(&self, end: Offset) -> u32 {
        end.saturating_sub(self.begins)
    }

    fn is_worked_on(&self) -> bool {
        self.owners.iter().any(|&(_, stands)| !stands) || !self.sharers.is_empty()
    }

    /// True for an offset whose record has been processed, or set aside.
    pub fn is_done(&self, offset: Offset) -> bool {
        let place = self.done.partition_point(|&(from, _)| from <= offset);
        place > 0 && offset < self.done[place - 1].1
    }

    /// What lost the record at an offset, if it is lost.
    #[inline(never)]
    pub fn lost_by(&self, offset: Offset) -> LostBy {
        let is_in = |from: Offset, to: Offset| (from..to).contains(&offset);
        match () {
            () if self.given_up.iter().any(|&(from, to)| is_in(from, to)) => LostBy::Error,
            () if self.skipped.iter().any(|&(from, to, _)| is_in(from, to)) => LostBy::Reset,
            () => LostBy::Commit,
        }
    }

    /// Keeps the ranges in order and apart.
    fn note_given_up(&mut self, from: Offset, to: Offset) {
        let mut merged = (from, to);
        self.given_up.retain(|&(start, end)| {
            let touches = start <= merged.1 && merged.0 <= end;
            if touches {
                merged = (merged.0.min(start), merged.1.max(end));
            }
            !touches
        });
        let place = self.given_up.partition_point(|&(start, _)| start < merged.0);
        self.given_up.insert(place, merged);
    }

    fn undone_in(&self, from: Offset, to: Offset) -> u32 {
        let done: u32 = self.done.iter().map(|&(start, end)| end.min(to).saturating_sub(start.max(from))).sum();
        to.saturating_sub(from) - done
    }

    fn note_done(&mut self, offset: Offset) {
        if let Some(last) = self.done.last_mut()
            && last.1 == offset
        {
            last.1 += 1;
            return;
        }
        let place = self.done.partition_point(|&(from, _)| from <= offset);
        let joins_before = place > 0 && self.done[place - 1].1 == offset;
        let joins_after = self.done.get(place).is_some_and(|&(from, _)| from == offset + 1);
        match (joins_before, joins_after) {
            (true, true) => {
                self.done[place - 1].1 = self.done[place].1;
                self.done.remove(place);
            }
            (true, false) => self.done[place - 1].1 += 1,
            (false, true) => self.done[place].0 = offset,
            (false, false) => self.done.insert(place, (offset, offset + 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(offsets: &[Offset]) -> PartitionLedger {
        let mut ledger = PartitionLedger::default();
        for &offset in offsets {
            ledger.note_done(offset);
        }
        ledger
    }

    #[test]
    fn neighbouring_offsets_join_into_one_range_in_any_order() {
        assert_eq!(done(&[0, 1, 2]).done, [(0, 3)]);
        assert_eq!(done(&[4, 0, 2, 1, 3]).done, [(0, 5)]);
        assert_eq!(done(&[5, 0]).done, [(0, 1), (5, 6)]);
    }

    #[test]
    fn undone_offsets_are_counted_between_the_ranges() {
        let ledger = done(&[0, 1, 5, 6]);
        assert_eq!(ledger.undone_in(0, 7), 3);
        assert_eq!(ledger.undone_in(1, 6), 3);
        assert_eq!((ledger.first_undone(0), ledger.first_undone(3), ledger.first_undone(5)), (2, 3, 7));
    }
}
