//! Which partitions and members are drawn, where they are more than can be seen at once. The others are one line.

use super::layout::lines_of_members;
use super::stage::Shape;
use crate::sim::consumer::{Consumer, Process};
use crate::sim::{ConsumerId, Event, GroupId, PartitionId, Simulation, TopicId};

/// How many lines of partitions, and of members, are seen at once.
const MOST: usize = 12;

/// Whether everything is drawn, or no more than can be seen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All of it: more than twelve are reached by scrolling.
    All,
    /// What needs attention and what comes first; the others are summed up.
    Summed,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    partitions: Vec<bool>,
    members: Vec<bool>,
}

impl Drawn {
    /// What is drawn of a world whose last visible step was `last`.
    pub fn new(run: &Simulation, rows: Rows, shape: Shape, last: Option<Event>) -> Self {
        let mut drawn =
            Drawn { partitions: vec![true; run.partition_count()], members: vec![true; run.consumers().len()] };
        if rows == Rows::All {
            return drawn;
        }
        let topics = (0..run.setup().topics.len()).map(TopicId::at);
        let of_topic = |topic| run.topics().partitions_of(topic).iter().map(|partition| partition.index()).collect();
        let at_hand = last.and_then(|event| event.partition()).map(PartitionId::index);
        let is_unowned = |index| is_unowned(run, PartitionId::at(index));
        choose(topics.map(of_topic).collect(), &mut drawn.partitions, MOST, at_hand, &is_unowned);
        let count = run.setup().groups.len();
        let most = match shape {
            // Their heads need room, too; on a phone one scrolls anyway.
            Shape::Wide if count > 1 => lines_of_members(count as i32).clamp(count as i32, MOST as i32) as usize,
            _ => MOST,
        };
        let groups = (0..count).map(GroupId::at);
        let of_group = |group| run.consumers_of(group).map(|consumer| consumer.id.index()).collect();
        let at_hand = last.and_then(|event| event.consumer()).map(ConsumerId::index);
        let is_gone = |index| is_gone(run.consumer(ConsumerId::at(index)));
        choose(groups.map(of_group).collect(), &mut drawn.members, most, at_hand, &is_gone);
        drawn
    }

    /// True if a partition has a line of its own.
    pub fn has_partition(&self, partition: PartitionId) -> bool {
        self.partitions[partition.index()]
    }

    /// True if a member has a box of its own.
    pub fn has_member(&self, consumer: ConsumerId) -> bool {
        self.members[consumer.index()]
    }

    /// True if anything is summed up.
    pub fn is_summed(&self) -> bool {
        self.partitions.iter().chain(&self.members).any(|&drawn| !drawn)
    }
}

/// Of lists that have more than `lines` together each keeps its share, or all if that is less: what is at hand, then what
/// needs attention, then what comes first; and a line for the others.
#[inline(never)]
fn choose(
    lists: Vec<Vec<usize>>,
    drawn: &mut [bool],
    lines: usize,
    at_hand: Option<usize>,
    needs_attention: &dyn Fn(usize) -> bool,
) {
    if drawn.len() <= lines {
        return;
    }
    let taken = |most: usize| lists.iter().fold(0, |taken, list| taken + list.len().min(most));
    let mut most = 2;
    while taken(most + 1) <= lines {
        most += 1;
    }
    for list in lists.into_iter().filter(|list| list.len() > most) {
        list.iter().for_each(|&index| drawn[index] = false);
        let mut room = most - 1;
        for rank in 0..3 {
            for &index in &list {
                let is_of_rank = match rank {
                    0 => at_hand == Some(index),
                    1 => needs_attention(index),
                    _ => true,
                };
                if is_of_rank && room > 0 && !drawn[index] {
                    drawn[index] = true;
                    room -= 1;
                }
            }
        }
    }
}

/// True if some group has left a partition without a reader.
pub fn is_unowned(run: &Simulation, partition: PartitionId) -> bool {
    let mut groups = (0..run.setup().groups.len()).map(GroupId::at);
    groups.any(|group| run.ledger(group).partitions[partition.index()].unowned_since.is_some())
}

/// True if a member stopped without telling its group.
pub fn is_gone(consumer: &Consumer) -> bool {
    match &consumer.process {
        Process::Crashed(_) | Process::Failed(..) => true,
        Process::Running(client) => client.freeze.is_some(),
        Process::NotStarted | Process::Closed(_) => false,
    }
}
