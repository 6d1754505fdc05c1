//! Reads what is drawn from the last steps.

use super::arrival::{Arrival, answer_sent, arrival, error_name};
use super::waits::waits_for;
use super::{Bar, BarKind, End, Item, Lifeline, Message, Moment, Phase, Sequence};
use crate::sim::network::{InFlight, Message as Content, Node};
use crate::sim::producer::ProducerProcess;
use crate::sim::{
    Api, BrokerId, ClientId, ConsumerId, Event, MessageKind, ProducerId, Role, Simulation, Span, Step, StepNo, Time,
};

/// The most messages and happenings that are drawn, as far as they do not belong to one moment.
const MOST_ITEMS: usize = 110;
/// The most steps that are looked at: in a long run most of them are heartbeats and fetches.
const MOST_STEPS: u32 = 20_000;

/// What is drawn at the present moment of a run; with heartbeats and fetches only if they are asked for.
#[inline(never)]
pub fn read(run: &Simulation, with_chatter: bool) -> Sequence {
    let begins = begins(run, with_chatter);
    let mut reader = Reader {
        run,
        with_chatter,
        begins,
        items: Vec::new(),
        bars: Vec::new(),
        arrived: Vec::new(),
        sent: Vec::new(),
        lost: Vec::new(),
        late: Vec::new(),
        latencies: Vec::new(),
        has_stood_still: false,
    };
    let steps = || (begins.0..run.steps()).filter_map(|number| Some((StepNo(number), run.step_at(StepNo(number))?)));
    for (_, step) in steps() {
        if let Event::LatencyChanged { broker, from, .. } = step.event {
            reader.latencies.push((step.at, broker, from));
        }
    }
    for (number, step) in steps() {
        reader.read(number, step);
    }
    reader.end_silent_answers();
    reader.take_off();
    reader.finish()
}

/// The first step that is drawn. What happens in one moment is not torn apart.
fn begins(run: &Simulation, with_chatter: bool) -> StepNo {
    let mut first = run.steps();
    let (mut shown, mut last) = (0, None);
    while first > run.steps().saturating_sub(MOST_STEPS) {
        let Some(step) = run.step_at(StepNo(first - 1)) else { break };
        let found = arrival(run, StepNo(first - 1), step).filter(|arrival| with_chatter || !arrival.is_chatter);
        // Several steps may follow from one message.
        shown += usize::from(found.is_some() && found != last) + usize::from(happens_to(run, step).is_some());
        last = found.or(last);
        if shown > MOST_ITEMS {
            break;
        }
        first -= 1;
    }
    let at = |number: u32| run.step_at(StepNo(number)).map(|step| step.at);
    let mut whole = first;
    while whole > 0 && whole < run.steps() && at(whole) == at(whole - 1) {
        whole += 1;
    }
    StepNo(if whole < run.steps() { whole } else { first })
}

/// To whom something happens that is drawn.
fn happens_to(run: &Simulation, step: &Step) -> Option<Lifeline> {
    let coordinator = |group| Some(Lifeline::Broker(run.group(group).broker));
    match step.event {
        Event::RecordSent { record, .. } => Some(Lifeline::Producer(run.record(record).producer)),
        Event::ProducerCrashed { producer, .. }
        | Event::ProducerStarted { producer, .. }
        | Event::ProducerClosed { producer, .. } => Some(Lifeline::Producer(producer)),
        Event::RebalanceStarted { group, .. }
        | Event::GenerationStarted { group, .. }
        | Event::GroupEmptied { group, .. }
        | Event::SessionExpired { group, .. }
        | Event::RebalanceTimedOut { group, .. }
        | Event::RevocationTimedOut { group, .. }
        | Event::GroupEpochBumped { group, .. }
        | Event::TargetAssignmentComputed { group, .. } => coordinator(group),
        // The leader's brings the assignment.
        Event::SyncGroupReceived { group, stable: true, .. } => {
            let sent = run.step_at(step.causes.with_role(Role::Triggered)?)?;
            if matches!(sent.event, Event::AssignmentComputed { .. }) { coordinator(group) } else { None }
        }
        Event::ConsumerStarted { consumer, .. }
        | Event::ConsumerCrashed { consumer, .. }
        | Event::ConsumerFailed { consumer, .. }
        | Event::ConsumerClosed { consumer, .. }
        | Event::ConsumerFrozen { consumer }
        | Event::ConsumerThawed { consumer, .. }
        | Event::PollTimedOut { consumer, .. }
        | Event::PartitionsChosen { consumer, .. }
        | Event::PartitionsAssigned { consumer, .. }
        | Event::PartitionsRevoked { consumer, .. }
        | Event::PartitionsLost { consumer, .. }
        | Event::SomePartitionsRevoked { consumer, .. }
        | Event::MorePartitionsAssigned { consumer, .. }
        | Event::ReconciliationRevoked { consumer, .. }
        | Event::ReconciliationAssigned { consumer, .. }
        | Event::AssignmentComputed { leader: consumer, .. }
        | Event::RecordsPolled { consumer, .. }
        | Event::RecordProcessed { consumer, .. }
        | Event::HandlingFailed { consumer, .. }
        | Event::RequestTimedOut { consumer, .. }
        | Event::CommitFailed { consumer, .. }
        | Event::PollThrew { consumer, .. } => Some(Lifeline::Consumer(consumer)),
        _ => None,
    }
}

struct Reader<'a> {
    run: &'a Simulation,
    with_chatter: bool,
    begins: StepNo,
    items: Vec<Item>,
    bars: Vec<Bar>,
    /// What has arrived: several steps may follow from one message.
    arrived: Vec<(StepNo, ClientId, MessageKind)>,
    /// Answers that were sent, and when.
    sent: Vec<(Arrival, Time)>,
    /// Messages that were dropped.
    lost: Vec<(StepNo, MessageKind)>,
    /// Messages that were delayed, and by how much.
    late: Vec<(StepNo, MessageKind, Span)>,
    /// When the delay to a broker changed, and what it was before.
    latencies: Vec<(Time, BrokerId, Span)>,
    /// True once a process has stood still or a message was late: then answers arrive later than they are due.
    has_stood_still: bool,
}

impl Reader<'_> {
    fn read(&mut self, number: StepNo, step: &Step) {
        if let Some(found) = arrival(self.run, number, step) {
            self.arrive(number, step, found);
        }
        if let Some(on) = happens_to(self.run, step) {
            self.put(Item::Happening { on, at: Moment::of_step(step.at, number, Phase::Happens), step: number });
        }
        if let Some((consumer, waits_for)) = waits_for(self.run, number) {
            let at = Moment::of_step(step.at, number, Phase::Happens);
            self.put(Item::Waiting { consumer, at, step: number, waits_for });
            self.begin(Lifeline::Consumer(consumer), BarKind::Waits, at);
        }
        if let Some(answer) = answer_sent(self.run, number, step)
            && (self.with_chatter || !answer.is_chatter)
        {
            self.sent.push((answer, step.at));
        }
        self.note_disturbance(number, step);
        self.note_bars(number, step);
    }

    /// Messages that somebody delays or drops.
    fn note_disturbance(&mut self, number: StepNo, step: &Step) {
        let sent = step.causes.with_role(Role::WaitedFor);
        match (step.event, sent) {
            (Event::MessageDelayed { kind, by, .. }, Some(sent)) => {
                self.late.push((sent, kind, by));
                self.has_stood_still = true;
            }
            (Event::MessageDropped { kind, client }, Some(sent)) => {
                self.lost.push((sent, kind));
                let Some(sent_step) = self.run.step_at(sent) else { return };
                let from = self.from(sent, sent_step);
                let end = End::Dropped(Moment::of_step(step.at, number, Phase::Happens), number);
                let broker = self.broker_of(client, kind.api, &sent_step.event);
                self.put(Item::Message(Message {
                    kind,
                    client,
                    broker,
                    sent,
                    from,
                    end,
                    error: None,
                    is_delayed: false,
                }));
            }
            (Event::ConsumerFrozen { .. }, _) => self.has_stood_still = true,
            _ => {}
        }
    }

    /// The broker to which a client sends a request of this kind in a step.
    fn broker_of(&self, client: ClientId, api: Api, sent: &Event) -> BrokerId {
        match (client, sent.partition()) {
            (ClientId::Consumer(consumer), _) if api.goes_to_coordinator() => {
                self.run.group(self.run.consumer(consumer).group).broker
            }
            (_, Some(partition)) => self.run.leader(self.run.place(partition).number),
            (_, None) => BrokerId(0),
        }
    }

    /// How long a message that was sent then was on its way, if nobody has made it late.
    fn latency(&self, broker: BrokerId, sent_at: Time) -> Span {
        let changed = self.latencies.iter().find(|&&(at, of, _)| of == broker && at > sent_at);
        changed.map_or(self.run.latency(broker), |&(_, _, before)| before)
    }

    /// Where a message begins, if that is drawn.
    fn from(&self, sent: StepNo, step: &Step) -> Option<Moment> {
        (sent >= self.begins).then(|| Moment::of_step(step.at, sent, Phase::Sends))
    }

    fn arrive(&mut self, number: StepNo, step: &Step, found: Arrival) {
        let Arrival { kind, client, broker, sent, error, is_chatter } = found;
        let Some(sent_step) = self.run.step_at(sent) else { return };
        let is_left_out = is_chatter && !self.with_chatter;
        if is_left_out
            || self.arrived.contains(&(sent, client, kind))
            || (sent < self.begins && self.has_arrived_before(&found))
        {
            return;
        }
        self.arrived.push((sent, client, kind));
        let is_late = self.late.iter().any(|&(late, of, _)| (late, of) == (sent, kind));
        let mut end = Moment::of_step(step.at, number, Phase::Arrives);
        let mut from = self.from(sent, sent_step);
        if let Event::HeartbeatsSkipped { .. } = sent_step.event {
            // It was sent before the end of what was skipped, in which it is one of many.
            let sent_at = step.at - self.latency(broker, step.at);
            from = from.map(|from| Moment { at: sent_at, ..from });
        } else if kind.is_answer && !self.has_stood_still {
            // A client reads an answer to JoinGroup or SyncGroup in its next `poll()`, which may come later.
            let due = sent_step.at + self.latency(broker, sent_step.at);
            if due < step.at {
                end = self.without_step(due, sent, sent_step.at);
            }
        }
        let is_open = |bar: &Bar| bar.on == client.into() && bar.kind == BarKind::Waits && bar.until.is_none();
        if kind.is_answer && matches!(kind.api, Api::JoinGroup | Api::SyncGroup) && self.bars.iter().any(is_open) {
            self.end(client.into(), BarKind::Waits, end);
        }
        let end = End::Arrived(end, Some(number));
        let message = Message { kind, client, broker, sent, from, end, error, is_delayed: is_late };
        self.put(Item::Message(message));
    }

    /// An arrival without a step.
    fn without_step(&self, at: Time, sent: StepNo, sent_at: Time) -> Moment {
        match at > sent_at {
            true => Moment { at, step: 0, phase: Phase::Arrives },
            false => Moment::of_step(at, sent, Phase::Follows),
        }
    }

    /// True if a step before those that are drawn was the arrival.
    fn has_arrived_before(&self, found: &Arrival) -> bool {
        (found.sent.0 + 1..self.begins.0).rev().take(MOST_STEPS as usize).any(|number| {
            let number = StepNo(number);
            let before = self.run.step_at(number).and_then(|step| arrival(self.run, number, step));
            before.is_some_and(|before| {
                (before.sent, before.client, before.kind) == (found.sent, found.client, found.kind)
            })
        })
    }

    /// Answers of whose arrival no step tells, unless they are on their way or dropped.
    fn end_silent_answers(&mut self) {
        for (answer, sent_at) in std::mem::take(&mut self.sent) {
            let Arrival { kind, client, broker, sent, error, .. } = answer;
            let is_under_way = || self.run.in_flight().any(|(_, found)| found.sent_by == sent && found.kind() == kind);
            if self.arrived.contains(&(sent, client, kind)) || self.lost.contains(&(sent, kind)) || is_under_way() {
                continue;
            }
            let late = self.late.iter().find(|&&(late, of, _)| (late, of) == (sent, kind));
            let at = sent_at + self.latency(broker, sent_at) + late.map_or(Span::ZERO, |&(_, _, by)| by);
            if at > self.run.now() {
                continue;
            }
            let end = self.without_step(at, sent, sent_at);
            let has_ended = |bar: &Bar| {
                bar.kind == BarKind::Lives && bar.on == client.into() && bar.until.is_some_and(|until| until < end)
            };
            let has_begun = |bar: &Bar| {
                bar.kind == BarKind::Lives && bar.on == client.into() && bar.from.is_some_and(|from| from < end)
            };
            // A process that has ended, and its next one, if there is one, do not hear it.
            let sent_to_ended =
                self.bars.iter().any(|bar| has_ended(bar) && bar.until.is_some_and(|until| until.at >= sent_at));
            let is_gone = sent_to_ended || (self.bars.iter().any(has_ended) && !self.bars.iter().any(has_begun));
            let end = if is_gone { End::Unheard(end) } else { End::Arrived(end, None) };
            let from = Some(Moment::of_step(sent_at, sent, Phase::Sends));
            self.put(Item::Message(Message {
                kind,
                client,
                broker,
                sent,
                from,
                end,
                error,
                is_delayed: late.is_some(),
            }));
        }
    }

    /// What is on its way.
    fn take_off(&mut self) {
        for (slot, sent) in self.run.in_flight() {
            let kind = sent.kind();
            if !self.with_chatter && is_chatter_in_flight(sent) {
                continue;
            }
            let ((Node::Broker(broker), _) | (_, Node::Broker(broker))) = (sent.from, sent.to) else { continue };
            let Some(step) = self.run.step_at(sent.sent_by) else { continue };
            let whole = sent.due_at.since(sent.sent_at).as_micros().max(1);
            let passed = (self.run.now().since(sent.sent_at).as_micros().min(whole) * 1000 / whole) as u32;
            self.put(Item::Message(Message {
                kind,
                client: sent.client(),
                broker,
                sent: sent.sent_by,
                from: self.from(sent.sent_by, step),
                end: End::OnItsWay { passed, name: self.run.message_name(slot) },
                error: error_in_flight(&sent.message),
                is_delayed: sent.delayed > Span::ZERO,
            }));
        }
    }

    /// What goes on for a while.
    fn note_bars(&mut self, number: StepNo, step: &Step) {
        let at = Moment::of_step(step.at, number, Phase::Happens);
        match step.event {
            Event::ConsumerStarted { consumer, .. } => self.begin(Lifeline::Consumer(consumer), BarKind::Lives, at),
            Event::ProducerStarted { producer, .. } => self.begin(Lifeline::Producer(producer), BarKind::Lives, at),
            Event::ConsumerCrashed { consumer, .. }
            | Event::ConsumerFailed { consumer, .. }
            | Event::ConsumerClosed { consumer, .. } => self.end_all(Lifeline::Consumer(consumer), at),
            Event::ProducerCrashed { producer, .. } | Event::ProducerClosed { producer, .. } => {
                self.end_all(Lifeline::Producer(producer), at);
            }
            Event::ConsumerFrozen { consumer } => self.begin(Lifeline::Consumer(consumer), BarKind::Frozen, at),
            Event::ConsumerThawed { consumer, .. } => self.end(Lifeline::Consumer(consumer), BarKind::Frozen, at),
            Event::HandlingStarted { consumer, record, .. } => {
                self.begin(Lifeline::Consumer(consumer), BarKind::Handling(record), at);
            }
            Event::RecordProcessed { consumer, record, .. } | Event::HandlingFailed { consumer, record, .. } => {
                self.end(Lifeline::Consumer(consumer), BarKind::Handling(record), at);
            }
            _ => {}
        }
    }

    fn begin(&mut self, on: Lifeline, kind: BarKind, at: Moment) {
        self.bars.push(Bar { on, kind, from: Some(at), until: None });
    }

    /// What goes on is over. What has not begun here goes on where it ended before, as when the handling of a record is tried
    /// again, or has begun before what is drawn.
    fn end(&mut self, on: Lifeline, kind: BarKind, at: Moment) {
        let is_it = |bar: &&mut Bar| bar.on == on && bar.kind == kind;
        match self.bars.iter_mut().rfind(is_it) {
            Some(bar) if bar.until.is_none() => bar.until = Some(at),
            before => {
                let from = before.and_then(|bar| bar.until);
                self.bars.push(Bar { on, kind, from, until: Some(at) });
            }
        }
    }

    /// A process ends, and with it all that it does.
    fn end_all(&mut self, on: Lifeline, at: Moment) {
        for bar in self.bars.iter_mut().filter(|bar| bar.on == on && bar.until.is_none()) {
            bar.until = Some(at);
        }
        let lives = |bar: &Bar| bar.on == on && bar.kind == BarKind::Lives && bar.until == Some(at);
        if !self.bars.iter().any(lives) {
            self.bars.push(Bar { on, kind: BarKind::Lives, from: None, until: Some(at) });
        }
    }

    /// Puts an item at its place in the order. Mostly that is the last one.
    fn put(&mut self, item: Item) {
        let place = self.items.partition_point(|other| other.shows_at() <= item.shows_at());
        self.items.insert(place, item);
    }

    fn finish(mut self) -> Sequence {
        let run = self.run;
        let mut lifelines: Vec<Lifeline> = Vec::new();
        let mut take_part = |on: Lifeline| {
            if let Err(place) = lifelines.binary_search(&on) {
                lifelines.insert(place, on);
            }
        };
        for item in &self.items {
            match item {
                Item::Message(message) => {
                    take_part(message.sender());
                    take_part(message.receiver());
                }
                Item::Happening { on, .. } => take_part(*on),
                Item::Waiting { consumer, .. } => take_part(Lifeline::Consumer(*consumer)),
            }
        }
        self.bars.retain(|bar| lifelines.contains(&bar.on));
        for &on in &lifelines {
            let is_noted = self.bars.iter().any(|bar| bar.on == on && bar.kind == BarKind::Lives);
            if !is_noted && is_alive(run, on) {
                self.bars.push(Bar { on, kind: BarKind::Lives, from: None, until: None });
            }
            let is_noted = self.bars.iter().any(|bar| bar.on == on && bar.kind == BarKind::Frozen);
            if !is_noted && is_frozen(run, on) {
                self.bars.push(Bar { on, kind: BarKind::Frozen, from: None, until: None });
            }
        }
        let producers = (0..run.setup().producers.len()).map(|index| Lifeline::Producer(ProducerId::at(index)));
        let consumers = (0..run.consumers().len()).map(|index| Lifeline::Consumer(ConsumerId::at(index)));
        let idle = producers.chain(consumers).filter(|on| !lifelines.contains(on)).collect();
        Sequence {
            idle,
            lifelines,
            items: self.items,
            bars: self.bars,
            begins: (self.begins > StepNo(0)).then_some(self.begins),
            now: run.now(),
        }
    }
}

/// A heartbeat or a Fetch; an answer to a heartbeat that tells something is none.
fn is_chatter_in_flight(sent: &InFlight) -> bool {
    match &sent.message {
        Content::ConsumerGroupHeartbeat { epoch, owned, .. } => *epoch > 0 && owned.is_none(),
        Content::ConsumerGroupHeartbeatAnswer { assignment, .. } => {
            assignment.is_none() && error_in_flight(&sent.message).is_none()
        }
        message => matches!(message.kind().api, Api::Fetch | Api::Heartbeat) && error_in_flight(message).is_none(),
    }
}

/// What an answer on its way tells, if that is no success.
fn error_in_flight(message: &Content) -> Option<&'static str> {
    match *message {
        Content::JoinGroupAnswer(Err(error)) => error_name(error),
        Content::SyncGroupAnswer { error, .. }
        | Content::HeartbeatAnswer { error }
        | Content::ConsumerGroupHeartbeatAnswer { error, .. }
        | Content::OffsetCommitAnswer { error, .. } => error_name(error),
        Content::FetchAnswer { out_of_range: Some(_), .. } => Some("OFFSET_OUT_OF_RANGE"),
        _ => None,
    }
}

fn is_alive(run: &Simulation, on: Lifeline) -> bool {
    match on {
        Lifeline::Producer(producer) => matches!(run.producer(producer).process, ProducerProcess::Running),
        Lifeline::Broker(_) => true,
        Lifeline::Consumer(consumer) => run.consumer(consumer).client().is_some(),
    }
}

fn is_frozen(run: &Simulation, on: Lifeline) -> bool {
    match on {
        Lifeline::Consumer(consumer) => run.consumer(consumer).client().is_some_and(|client| client.freeze.is_some()),
        _ => false,
    }
}
