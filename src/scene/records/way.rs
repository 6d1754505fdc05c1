//! The way of one record: what happened to it, step by step, for a group.

use crate::sim::event::{AfterFailure, RowOutcome};
use crate::sim::ledger::LostBy;
use crate::sim::order;
use crate::sim::{
    ConsumerId, Event, GroupId, Offset, PartitionId, ProducerId, RecordId, Role, Simulation, Step, StepNo,
};

/// Something that happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// `send()`.
    Sent(ProducerId),
    /// It is in the log.
    Appended(PartitionId, Offset),
    /// It came into a member's buffer.
    Fetched(ConsumerId),
    /// `poll()` handed it to a member's application.
    Polled(ConsumerId),
    /// Its handling failed.
    Failed(ConsumerId, AfterFailure),
    /// A member has processed it: for which time, and what that did in the table.
    Processed(ConsumerId, u16, RowOutcome),
    /// The process of a member ended that had it in hand.
    EndedWithIt(ConsumerId),
    /// The process of a member ended that had processed it and not committed.
    EndedBeforeCommit(ConsumerId),
    /// A member gave up the partition that had processed it and not committed.
    GivenUpBeforeCommit(ConsumerId),
    /// A member's commit goes past it: the offset.
    Committed(ConsumerId, Offset),
    /// An offset behind it is kept in the table of a member.
    Stored(ConsumerId, Offset),
    /// The committed offset goes back to it, or before it.
    WentBack(Offset),
    /// The committed offset that covered it is forgotten.
    Forgotten,
    /// From here on the group cannot come to it any more.
    Lost(LostBy),
}

/// Something that happened to a record, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// In which step.
    pub step: StepNo,
    /// What.
    pub what: Happened,
}

/// What has been found of a record's way. It is looked for once in each step, however often the moment changes.
#[derive(Clone, Debug)]
pub struct Trail {
    record: RecordId,
    group: Option<GroupId>,
    /// With each fact the step that tells of it.
    facts: Vec<(StepNo, Fact)>,
    /// The first step that has not been looked at.
    next: u32,
    /// Where it lies.
    offset: Option<Offset>,
    /// Who has it in hand.
    holders: Vec<ConsumerId>,
    /// Who has processed it and not committed.
    open: Vec<ConsumerId>,
    is_committed: bool,
}

impl Trail {
    /// The way of a record of the run, as a group sees it. Nothing has been looked at yet.
    pub fn new(run: &Simulation, record: RecordId, group: Option<GroupId>) -> Self {
        let next = run.record(record).sent.0;
        let (facts, holders, open) = (Vec::new(), Vec::new(), Vec::new());
        Trail { record, group, facts, next, offset: None, holders, open, is_committed: false }
    }

    /// True if it is about this.
    pub fn is_of(&self, record: RecordId, group: Option<GroupId>) -> bool {
        (self.record, self.group) == (record, group)
    }

    /// Looks on, up to the present moment of the run that it has looked at before.
    #[inline(never)]
    pub fn follow(&mut self, run: &Simulation) {
        while self.next < run.steps() {
            let number = StepNo(self.next);
            self.next += 1;
            if let Some(step) = run.step_at(number) {
                self.look_at(run, number, step);
            }
        }
    }

    /// What happened up to the present moment, in order.
    pub fn facts(&self, run: &Simulation) -> Vec<Fact> {
        let told = self.facts.iter().filter(|(told, _)| told.0 < run.steps());
        let mut facts = told.map(|&(_, fact)| fact).collect();
        // What was fetched is told of when it is polled.
        order::by_number(&mut facts, |fact: &Fact| u64::from(fact.step.0));
        facts
    }

    fn look_at(&mut self, run: &Simulation, number: StepNo, step: &Step) {
        match step.event {
            Event::RecordSent { record, .. } if record == self.record => {
                self.note(number, Happened::Sent(run.record(record).producer));
            }
            Event::RecordAppended { record, partition, offset } if record == self.record => {
                self.offset = Some(offset);
                let is_counted = |group| run.ledger(group).partitions[partition.index()].is_counted(offset);
                self.is_committed = self.group.is_some_and(|group| !is_counted(group));
                self.note(number, Happened::Appended(partition, offset));
            }
            event => {
                let (Some(group), Some(offset)) = (self.group, self.offset) else { return };
                let partition = run.record(self.record).partition;
                match event.consumer() {
                    Some(consumer) if run.consumer(consumer).group == group => {
                        self.look_at_member(run, (number, step), consumer, (partition, offset));
                    }
                    Some(_) => {}
                    None => self.look_at_offsets(number, event, group, (partition, offset)),
                }
            }
        }
    }

    fn look_at_member(
        &mut self,
        run: &Simulation,
        (number, step): (StepNo, &Step),
        member: ConsumerId,
        (partition, offset): (PartitionId, Offset),
    ) {
        match step.event {
            Event::RecordsPolled { partition: of, from, position, .. }
                if of == partition && from <= offset && offset < position =>
            {
                if let Some(fetched) = step.causes.with_role(Role::Triggered) {
                    self.facts.push((number, Fact { step: fetched, what: Happened::Fetched(member) }));
                }
                self.note(number, Happened::Polled(member));
                self.holders.push(member);
            }
            Event::HandlingFailed { record, after, .. } if record == self.record => {
                self.note(number, Happened::Failed(member, after));
                if !matches!(after, AfterFailure::TriesAgain) {
                    self.holders.retain(|&holder| holder != member);
                }
            }
            Event::RecordProcessed { record, times, row, .. } if record == self.record => {
                self.note(number, Happened::Processed(member, times, row));
                self.holders.retain(|&holder| holder != member);
                if !self.is_committed {
                    self.open.push(member);
                }
            }
            Event::ConsumerCrashed { .. } | Event::ConsumerFailed { .. } | Event::ConsumerClosed { .. } => {
                if take(&mut self.open, member) {
                    self.note(number, Happened::EndedBeforeCommit(member));
                }
                if take(&mut self.holders, member) {
                    self.note(number, Happened::EndedWithIt(member));
                }
            }
            Event::PartitionsRevoked { .. } | Event::PartitionsLost { .. } => self.note_given_up(number, member),
            Event::SomePartitionsRevoked { .. } | Event::ReconciliationRevoked { .. }
                if run.partitions_at(number).contains(&partition) =>
            {
                self.note_given_up(number, member);
            }
            Event::OffsetCommitted { partition: of, offset: to, .. } if of == partition => {
                self.note_committed(number, to, offset, Happened::Committed(member, to));
            }
            Event::OffsetsStored { partition: of, offset: to, .. } if of == partition => {
                self.note_committed(number, to, offset, Happened::Stored(member, to));
            }
            _ => {}
        }
    }

    /// What somebody else does to the group's committed offsets.
    fn look_at_offsets(
        &mut self,
        number: StepNo,
        event: Event,
        of_group: GroupId,
        (of_partition, of_record): (PartitionId, Offset),
    ) {
        let (group, partition, to) = match event {
            Event::OffsetReset { group, partition, offset, .. } => (group, partition, Some(offset)),
            Event::OffsetExpired { group, partition, .. } => (group, partition, None),
            _ => return,
        };
        if (group, partition) != (of_group, of_partition) {
            return;
        }
        let is_committed = to.is_some_and(|to| to > of_record);
        if self.is_committed && !is_committed {
            self.note(number, to.map_or(Happened::Forgotten, Happened::WentBack));
        }
        self.is_committed = is_committed;
    }

    fn note_given_up(&mut self, number: StepNo, member: ConsumerId) {
        if take(&mut self.open, member) {
            self.note(number, Happened::GivenUpBeforeCommit(member));
        }
    }

    /// The group would begin at `to` now.
    fn note_committed(&mut self, number: StepNo, to: Offset, offset: Offset, what: Happened) {
        match (self.is_committed, to > offset) {
            (false, true) => {
                self.note(number, what);
                self.open.clear();
            }
            (true, false) => self.note(number, Happened::WentBack(to)),
            _ => {}
        }
        self.is_committed = to > offset;
    }

    fn note(&mut self, step: StepNo, what: Happened) {
        self.facts.push((step, Fact { step, what }));
    }
}

/// Takes a member out of a list; false if it is not in it.
fn take(members: &mut Vec<ConsumerId>, member: ConsumerId) -> bool {
    let before = members.len();
    members.retain(|&other| other != member);
    members.len() < before
}
