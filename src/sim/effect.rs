//! What a component's handler hands back: the event, its causes, and what it asks for. Handlers never reach into
//! another component; [`Simulation`](super::Simulation) carries the effects out in one place.

use super::event::Event;
use super::ids::*;
use super::network::{Assignment, Dealt, Message, Node, PartitionOffset, Range};
use super::queue::{Due, MemberKey};
use super::setup::Setup;
use super::sink::Sink;
use super::step::Causes;
use super::time::Time;
use super::topics::Topics;
use std::rc::Rc;

/// What a handler may know besides its own state.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The time.
    pub now: Time,
    /// The number that the step gets, if there is one.
    pub step: StepNo,
    /// The unchanging setup.
    pub setup: &'a Setup,
    /// Which partitions there are.
    pub topics: &'a Topics,
    /// The tables, which applications read their offsets from.
    pub sinks: &'a [Sink],
}

impl Context<'_> {
    /// The broker that leads a partition.
    pub fn leader(&self, partition: PartitionId) -> BrokerId {
        self.leader_of(self.topics.place(partition).number)
    }

    /// The broker that leads the partition with this number of any topic.
    pub fn leader_of(&self, number: u16) -> BrokerId {
        BrokerId::at(usize::from(number) % self.setup.brokers.len())
    }
}

/// Something that a handler asks for.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a message.
    Send { from: Node, to: Node, message: Message },
    /// Wake the component later; at the same moment means: after everything that is due now.
    Wake { at: Time, due: Due },
    /// The event of this step is about these partitions; see [`Simulation::partitions_at`](super::Simulation::partitions_at).
    Concerns(Rc<[PartitionId]>),
    /// The ledger notes where a group goes on in a partition.
    Position { member: MemberKey, partition: PartitionId, offset: Offset },
    /// Who gets what, as computed in this step.
    Assigns(Assignment),
    /// The ledger notes that a member no longer works on a partition.
    GivenUp { member: MemberKey, partition: PartitionId },
    /// The ledger notes that a member has put down a record that it had in hand.
    PutDown { member: MemberKey, partition: PartitionId, offset: Offset },
    /// The ledger notes that a member's application gives up records that it has polled.
    RecordsGivenUp { member: MemberKey, range: Range },
    /// The ledger notes that a member no longer works on its partitions.
    Released { member: MemberKey },
    /// A member's application stores offsets in the database of its table.
    StoreOffsets { member: MemberKey, offsets: Rc<[PartitionOffset]> },
    /// The ledger notes that a member's process stands still, or goes on.
    Stands { member: MemberKey, still: bool },
    /// The log of assignments gets what a group's leader has dealt.
    Dealt { dealt: Dealt },
    /// The ledger notes that a group begins to rebalance.
    RebalanceBegins { group: GroupId },
    /// The ledger notes that a group's rebalance is over.
    RebalanceEnds { group: GroupId },
}

/// Collects what a handler hands back. Without an event nothing happened, and nothing may have been asked for except
/// to be woken.
#[derive(Clone, Debug, Default)]
pub struct Out {
    /// What happened, if anything did.
    pub event: Option<(Event, Causes)>,
    /// What is asked for, in order.
    pub effects: Vec<Effect>,
    /// A client that has broken off its connection: what this step would send to it is sent to nobody.
    pub unreachable: Option<Node>,
}

impl Out {
    /// This is what happened.
    #[inline]
    pub fn event(&mut self, event: Event, causes: Causes) {
        debug_assert!(self.event.is_none(), "a step has one event: {:?} and {event:?}", self.event);
        self.event = Some((event, causes));
    }

    /// A message from a client to a broker, or back.
    pub fn send(&mut self, from: Node, to: Node, message: Message) {
        self.effects.push(Effect::Send { from, to, message });
    }

    /// Wake me at `at`.
    pub fn wake(&mut self, at: Time, due: Due) {
        self.effects.push(Effect::Wake { at, due });
    }
}
