//! Who said what to whom: the last messages and what went with them, as a sequence diagram shows them. Places and numbers, no
//! words.
//!
//! A run keeps its steps, not its messages. A message is known by the step that its arrival brought about, which names the step
//! that sent it; what is still on its way is in the network. Nothing here looks beyond the present moment, and of a long run
//! only its last part is looked at.

mod arrival;
mod place;
mod read;
mod waits;

pub use place::{Arrow, Break, Drawing, Label, Lane, Mark, Sign, Spot, Stretch, Tip, place};
pub use read::read;
pub use waits::For;

use crate::sim::{BrokerId, ClientId, ConsumerId, MessageKind, MessageRef, RecordId, Simulation, StepNo, Time};

/// Who has a lifeline, in the order in which they stand: as on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifeline {
    /// A client that only sends records.
    Producer(crate::sim::ProducerId),
    /// A broker, which leads partitions and coordinates groups.
    Broker(BrokerId),
    /// A client that reads.
    Consumer(ConsumerId),
}

impl From<ClientId> for Lifeline {
    fn from(client: ClientId) -> Self {
        match client {
            ClientId::Producer(producer) => Lifeline::Producer(producer),
            ClientId::Consumer(consumer) => Lifeline::Consumer(consumer),
        }
    }
}

/// A place in the order of what is drawn: a time, what happens there in which order, and within a step what arrives, what
/// happens, what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// When.
    pub at: Time,
    /// The number of the step, from 1; 0 for what arrives without one.
    step: u32,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Arrives,
    Happens,
    Sends,
    /// An arrival without a step at the moment of the sending.
    Follows,
}

impl Moment {
    const fn of_step(at: Time, step: StepNo, phase: Phase) -> Self {
        Moment { at, step: step.0 + 1, phase }
    }
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It arrives; the step that this brings about, if it brings one about.
    Arrived(Moment, Option<StepNo>),
    /// It is on its way: so many thousandths of it, under this name.
    OnItsWay { passed: u32, name: Option<MessageRef> },
    /// It is lost on its way, at somebody's wish.
    Dropped(Moment, StepNo),
    /// It arrives and nobody is there any more.
    Unheard(Moment),
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is.
    pub kind: MessageKind,
    /// The client that sends or gets it.
    pub client: ClientId,
    /// The other side.
    pub broker: BrokerId,
    /// The step that sent it.
    pub sent: StepNo,
    /// Its place; nothing if that lies before what is drawn.
    pub from: Option<Moment>,
    /// What becomes of it.
    pub end: End,
    /// What an answer tells, if that is no success.
    pub error: Option<&'static str>,
    /// True if somebody has made it late.
    pub is_delayed: bool,
}

impl Message {
    /// Who sends it.
    pub fn sender(&self) -> Lifeline {
        if self.kind.is_answer { Lifeline::Broker(self.broker) } else { self.client.into() }
    }

    /// Who gets it.
    pub fn receiver(&self) -> Lifeline {
        if self.kind.is_answer { self.client.into() } else { Lifeline::Broker(self.broker) }
    }
}

/// Something that is drawn with words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A message.
    Message(Message),
    /// Something that happens at one of them.
    Happening {
        /// To whom.
        on: Lifeline,
        /// When.
        at: Moment,
        /// Which step it is.
        step: StepNo,
    },
    /// A member has to wait for others.
    Waiting {
        /// Who waits.
        consumer: ConsumerId,
        /// From here on.
        at: Moment,
        /// The step that says so.
        step: StepNo,
        /// For whom.
        waits_for: For,
    },
}

impl Item {
    /// The step to go to, so that it has happened.
    pub fn step(&self) -> StepNo {
        match self {
            Item::Message(message) => match message.end {
                End::Arrived(_, Some(step)) | End::Dropped(_, step) => step,
                End::Arrived(_, None) | End::OnItsWay { .. } | End::Unheard(_) => message.sent,
            },
            Item::Happening { step, .. } | Item::Waiting { step, .. } => *step,
        }
    }

    /// When it begins.
    pub fn begins_at(&self, run: &Simulation) -> Option<Time> {
        match self {
            Item::Message(message) => run.step_at(message.sent).map(|step| step.at),
            Item::Happening { at, .. } | Item::Waiting { at, .. } => Some(at.at),
        }
    }

    /// When it is first seen: where its words stand.
    fn shows_at(&self) -> Option<Moment> {
        match self {
            Item::Message(message) => match (message.from, message.end) {
                (Some(from), _) => Some(from),
                (None, End::Arrived(at, _) | End::Dropped(at, _) | End::Unheard(at)) => Some(at),
                (None, End::OnItsWay { .. }) => None,
            },
            Item::Happening { at, .. } | Item::Waiting { at, .. } => Some(*at),
        }
    }
}

/// What goes on for a while at one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// At whom.
    pub on: Lifeline,
    /// What goes on.
    pub kind: BarKind,
    /// Since when; nothing if that lies before what is drawn.
    pub from: Option<Moment>,
    /// Until when; nothing if it goes on.
    pub until: Option<Moment>,
}

/// What goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarKind {
    /// A process lives.
    Lives,
    /// A process stands still.
    Frozen,
    /// A record is handled.
    Handling(RecordId),
    /// An answer has to wait for others.
    Waits,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Who takes part, in order.
    pub lifelines: Vec<Lifeline>,
    /// Clients that take no part.
    pub idle: Vec<Lifeline>,
    /// What has words, in the order in which it is first seen.
    pub items: Vec<Item>,
    /// What goes on for a while.
    pub bars: Vec<Bar>,
    /// The step before which nothing is drawn, if there is anything before it.
    pub begins: Option<StepNo>,
    /// The present.
    pub now: Time,
}
