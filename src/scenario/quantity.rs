//! Numbers that a question asks for: never typed in, always taken from the steps of the run.

use super::condition::{self, Moment};
use super::fields::*;
use super::handling::read_record_place;
use super::names::Names;
use super::reader::{Place, Reader};
use crate::sim::event::RowOutcome;
use crate::sim::{ConsumerId, Event, GroupId, Offset, PartitionId, Simulation, SinkId, StepNo, TopicPartition};
use borsh::{BorshDeserialize, BorshSerialize};

/// A number and the moment at which it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Quantity {
    /// What is measured.
    pub measure: Measure,
    /// The step after which it is measured; without one, the step that the question is asked before, also after it.
    pub at: Option<Moment>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Measure {
    /// A group's position in a partition: that of the member that had it last.
    PositionOf(GroupId, TopicPartition),
    /// The offset behind the last record that a group has processed in a partition.
    ProcessedTo(GroupId, TopicPartition),
    /// The offset that a group has committed in a partition.
    CommittedOf(GroupId, TopicPartition),
    /// The log end offset of a partition.
    EndOf(TopicPartition),
    /// How often a group has processed the record at an offset.
    ProcessedTimes(GroupId, TopicPartition, Offset),
    /// A group's duplicates.
    DuplicatesOf(GroupId),
    /// The rows of a table.
    RowsOf(SinkId),
}

impl Quantity {
    /// The number, if the steps that it needs are known. `decisive` is the step that the question is asked before.
    pub fn value(&self, run: &Simulation, decisive: StepNo) -> Option<u32> {
        let at = match &self.at {
            Some(moment) => moment.find(run)?,
            None => decisive,
        };
        self.measure.after(run, at)
    }
}

impl Measure {
    /// The value after a known step; nothing if it is undefined then, as a position before the first one is set.
    pub fn after(&self, run: &Simulation, step: StepNo) -> Option<u32> {
        run.step_at(step)?;
        let start = match self {
            Measure::PositionOf(..) | Measure::CommittedOf(..) => None,
            _ => Some(0),
        };
        let steps = (0..=step.0).filter_map(|number| run.step_at(StepNo(number)));
        steps.fold(start, |value, step| match self.changed_by(run, step.event) {
            Some(Change::To(value)) => Some(value),
            Some(Change::OneMore) => Some(value.unwrap_or(0) + 1),
            None => value,
        })
    }

    /// How an event changes the value, if it does.
    fn changed_by(self, run: &Simulation, event: Event) -> Option<Change> {
        let group_of = |consumer: ConsumerId| run.consumer(consumer).group;
        let is = |of: PartitionId, partition: TopicPartition| run.place(of) == partition;
        match (self, event) {
            (
                Measure::PositionOf(group, partition),
                Event::PositionSet { consumer, partition: of, offset: position, .. }
                | Event::RecordsPolled { consumer, partition: of, position, .. },
            ) if is(of, partition) && group_of(consumer) == group => Some(Change::To(position)),
            (
                Measure::ProcessedTo(group, partition),
                Event::RecordProcessed { consumer, partition: of, offset, .. },
            ) if is(of, partition) && group_of(consumer) == group => Some(Change::To(offset + 1)),
            (
                Measure::CommittedOf(group, partition),
                Event::OffsetCommitted { group: by, partition: of, offset, .. },
            ) if is(of, partition) && by == group => Some(Change::To(offset)),
            (Measure::EndOf(partition), Event::RecordAppended { partition: of, offset, .. }) if is(of, partition) => {
                Some(Change::To(offset + 1))
            }
            (
                Measure::ProcessedTimes(group, partition, offset),
                Event::RecordProcessed { consumer, partition: of, offset: which, times, .. },
            ) if is(of, partition) && which == offset && group_of(consumer) == group => {
                Some(Change::To(u32::from(times)))
            }
            (Measure::DuplicatesOf(group), Event::RecordProcessed { consumer, times: 2.., .. })
                if group_of(consumer) == group =>
            {
                Some(Change::OneMore)
            }
            (Measure::RowsOf(sink), Event::RecordProcessed { consumer, row: RowOutcome::Inserted, .. })
                if run.consumer(consumer).config().handling.writes_to == Some(sink) =>
            {
                Some(Change::OneMore)
            }
            _ => None,
        }
    }
}

/// What an event does to a value.
enum Change {
    To(u32),
    OneMore,
}

pub(super) fn read<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>, names: &Names<'t>) -> Option<Quantity> {
    let place = place?;
    let fields = r.object(Some(place.clone()), &QUANTITY)?;
    let measures =
        ["position_of", "processed_to", "committed_of", "end_of", "processed_times", "duplicates_of", "rows_of"];
    if !r.exactly_one(&place, &fields, &measures) {
        return None;
    }
    let name = measures.into_iter().find(|name| fields.count(&[name]) > 0)?;
    let what = fields.get(name);
    let group = |r: &mut Reader<'t>| condition::read_group(r, &place, &fields, names);
    let measure = match name {
        "position_of" | "processed_to" | "committed_of" => {
            let (group, partition) = (group(r), names.partition(r, what));
            let of = match name {
                "position_of" => Measure::PositionOf,
                "processed_to" => Measure::ProcessedTo,
                _ => Measure::CommittedOf,
            };
            group.zip(partition).map(|(group, partition)| of(group, partition))
        }
        "end_of" => names.partition(r, what).map(Measure::EndOf),
        "processed_times" => {
            let group = group(r);
            let record = read_record_place(r, what, names);
            let (group, (partition, offset)) = (group?, record?);
            Some(Measure::ProcessedTimes(group, partition, offset))
        }
        "duplicates_of" => names.group(r, what).map(Measure::DuplicatesOf),
        _ => names.sink(r, what).map(Measure::RowsOf),
    };
    // To these, the group makes no difference; a name that is not there is a mistake all the same.
    if let (Some(group), "end_of" | "duplicates_of" | "rows_of") = (fields.get("group"), name) {
        names.group(r, Some(group));
    }
    let at = match fields.get("at") {
        None if fields.get("after").is_some() => {
            r.required(&place, &fields, "at");
            None
        }
        None => Some(None),
        Some(_) => condition::read_moment(r, &fields, "at", names).map(Some),
    };
    Some(Quantity { measure: measure?, at: at? })
}
